/**
 * Units that must still be returned, because the call that took them failed. When the outcome of a return is unknown,
 * its transaction is checked before the return is repeated, so every unit is returned exactly once (rules I-28, I-29).
 */
import { failureForLog } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/driver/db.ts';
import { findOutcome } from '../database/driver/outcome.ts';
import { type ReturnedUnits, returnUnits } from '../store/accounts/usage.ts';

export class UnitDebts {
  private readonly database: Database;
  private readonly log: Log;
  /** By key, product and day. */
  private readonly owed = new Map<string, ReturnedUnits>();
  private doubtful: { readonly transactionId: string; readonly debts: readonly ReturnedUnits[] } | null = null;
  private attempt: Promise<void> | null = null;
  /** Begins when `attempt` has ended, for units that became owed too late for it. */
  private nextAttempt: Promise<void> | null = null;
  private returned = 0;
  /** Whether the last attempt failed. Every call that fails in an outage tries, and one line of the log says why. */
  private isFailing = false;
  /** Whether any unit is owed, also while it is being returned. A plain field, because every verdict asks. */
  areOpen = false;

  constructor(database: Database, log: Log) {
    this.database = database;
    this.log = log;
  }

  get owedUnits(): number {
    return sumUnits([...this.owed.values(), ...(this.doubtful?.debts ?? [])]);
  }

  /** Since the process began. */
  get returnedUnits(): number {
    return this.returned;
  }

  add(debt: ReturnedUnits): void {
    const name = `${debt.key_id}/${debt.product}/${debt.day}`;
    const known = this.owed.get(name)?.units ?? 0;
    this.owed.set(name, { ...debt, units: known + debt.units });
    this.areOpen = true;
  }

  /**
   * Resolves once the units owed now have been returned, or the attempt has failed. One attempt at a time; callers
   * share it.
   */
  settle(): Promise<void> {
    if (this.attempt === null) {
      this.areOpen = true;
      this.attempt = this.tryOnce().finally(() => {
        this.attempt = null;
        this.areOpen = this.owed.size > 0 || this.doubtful !== null;
      });
      return this.attempt;
    }
    this.nextAttempt ??= this.attempt.then(() => {
      this.nextAttempt = null;
      return this.settle();
    });
    return this.nextAttempt;
  }

  private async tryOnce(): Promise<void> {
    try {
      await this.settleDoubt();
      const debts = [...this.owed.values()];
      this.owed.clear();
      if (debts.length > 0) await this.giveBack(debts);
      if (this.isFailing) this.log.info({ returnedUnits: sumUnits(debts) }, 'units of failed calls are returned again');
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.warn(failureForLog(error), 'units of failed calls could not be returned yet');
      this.isFailing = true;
    }
  }

  private async settleDoubt(): Promise<void> {
    if (this.doubtful === null) return;
    const { transactionId, debts } = this.doubtful;
    const outcome = await findOutcome(this.database, transactionId);
    if (outcome === 'in progress') throw new Error(`transaction ${transactionId} has not ended yet`);
    this.doubtful = null;
    if (outcome === 'aborted') for (const debt of debts) this.add(debt);
    else this.returned += sumUnits(debts);
  }

  private async giveBack(debts: readonly ReturnedUnits[]): Promise<void> {
    let begun: string | null = null;
    try {
      await returnUnits(this.database, debts, (transactionId) => {
        begun = transactionId;
      });
      this.returned += sumUnits(debts);
    } catch (error) {
      if (begun === null) for (const debt of debts) this.add(debt);
      else this.doubtful = { transactionId: begun, debts };
      throw error;
    }
  }
}

function sumUnits(debts: Iterable<ReturnedUnits>): number {
  let sum = 0;
  for (const { units } of debts) sum += units;
  return sum;
}
