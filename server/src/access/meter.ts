/**
 * Judges every metered call: revocation, product, rate, quota, and its unit (rules I-28 to I-30). Calls that arrive
 * while a statement is running wait and share the next one, grouped by key and product. So any load takes one
 * connection, and the database counts for all processes.
 * Invariant: a unit is stored before the call that takes it is answered, and is returned if the call then fails.
 */
import type { Product } from '@tmds/contract/enums';
import type { Clock } from '../base/clock.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import {
  type CallGroup,
  type JudgedGroup,
  judgeCalls,
  type ReturnedUnits,
  returnUnits,
} from '../store/accounts/usage.ts';
import type { Database } from '../store/driver/db.ts';
import { findOutcome } from '../store/driver/outcome.ts';
import { Standings } from './standings.ts';

export interface MeteredCall {
  readonly keyId: string;
  readonly secretNumber: number;
  readonly product: Product;
  /** True if the call will be served when admitted; false if it is judged only, because its parameters are invalid. */
  readonly takesUnit: boolean;
}

interface RateState {
  readonly limit: number;
  /** Calls left in the window after this one. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

type Refusal = 'key_revoked' | 'product_not_enabled' | 'rate_limited' | 'quota_exceeded';

export interface Verdict {
  readonly refusal: Refusal | null;
  /** Null if no limit applies, because the key is revoked or was not sold the product. */
  readonly rate: RateState | null;
  readonly quota: { readonly limit: number; readonly used: number } | null;
  /** The UTC day on which the unit was counted; null if none was. */
  readonly unitDay: string | null;
}

/** What a meter holds at this moment, and what it has counted since the process began. */
export interface MeterState {
  readonly waitingCalls: number;
  /** Units of failed calls that are yet to be returned. */
  readonly owedUnits: number;
  readonly takenUnits: number;
  readonly returnedUnits: number;
}

export interface Meter {
  state(): MeterState;
  /** Rejects with ApiError `unavailable` if the verdict cannot be stored. */
  judge(call: MeteredCall): Promise<Verdict>;
  /** True if the next call of the key may be refused, so that its query should not start before the verdict. */
  isTight(keyId: string, product: Product): boolean;
  /** Returns the unit of a call that failed. Resolves once this is stored, or has failed and will be retried. */
  returnUnit(call: MeteredCall, unitDay: string): Promise<void>;
  /** Resolves once no call is waiting; units that cannot be returned by then are lost, which is logged. */
  close(): Promise<void>;
}

/**
 * How long the first of several expected calls waits for the others, and the share of them it waits for. Callers that
 * were answered together call again together. Without the wait they would split into two alternating groups, and every
 * call would wait for both statements.
 */
const GATHER_MS = 1;
const GATHER_SHARE = 0.75;
/** Calls that may wait for a verdict at once; with more, the process is overloaded. */
const WAITING_MAX = 20_000;

/** How long a call waits for its verdict before it is refused (rule I-35). */
const WAITING_MS_MAX = 4_000;

interface WaitingCall {
  readonly call: MeteredCall;
  /** True once it was refused for waiting too long; a unit granted to it afterwards is returned. */
  isGone: boolean;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (reason: unknown) => void;
}

export function buildMeter({ database, clock, log }: { database: Database; clock: Clock; log: Log }): Meter {
  let waiting: WaitingCall[] = [];
  /** Calls expected in the next statement: as many as were just answered, plus those that arrived meanwhile. */
  let expected = 1;
  let gathered: (() => void) | null = null;
  let running: Promise<void> | null = null;
  const owed = new Map<string, ReturnedUnits>();
  const standings = new Standings();
  let takenUnits = 0;
  let returnedUnits = 0;

  /** Called once the debts noted so far are stored, or storing them failed. */
  let debtors: (() => void)[] = [];

  /** A return whose end was not answered. Its units must not be returned again before its transaction is asked. */
  let doubtful: { readonly transactionId: string; readonly debts: readonly ReturnedUnits[] } | null = null;

  const settleDoubt = async (): Promise<void> => {
    if (doubtful === null) return;
    const { transactionId, debts } = doubtful;
    const outcome = await findOutcome(database, transactionId);
    if (outcome === 'in progress') throw new Error(`transaction ${transactionId} has not ended yet`);
    doubtful = null;
    if (outcome === 'aborted') for (const debt of debts) addDebt(owed, debt);
    else returnedUnits += sumUnits(debts);
  };

  const giveBack = async (debts: readonly ReturnedUnits[]): Promise<void> => {
    let begun: string | null = null;
    try {
      await returnUnits(database, debts, (transactionId) => {
        begun = transactionId;
      });
      returnedUnits += sumUnits(debts);
    } catch (error) {
      if (begun === null) for (const debt of debts) addDebt(owed, debt);
      else doubtful = { transactionId: begun, debts };
      throw error;
    }
  };

  const settleDebts = async (): Promise<void> => {
    const settled = debtors;
    debtors = [];
    try {
      await settleDoubt();
      const debts = [...owed.values()];
      owed.clear();
      if (debts.length > 0) await giveBack(debts);
    } finally {
      for (const resolve of settled) resolve();
    }
  };

  const judgeBatch = async (batch: readonly WaitingCall[]): Promise<void> => {
    try {
      const groups = groupCalls(batch);
      const asked = [...groups.values()].flatMap(countBySecret);
      const judged = await judgeCalls(database, asked, standings.isAnyShared(groups.keys()));
      for (const result of judged) {
        takenUnits += result.granted;
        const name = groupName(result.key_id, result.product);
        standings.note(name, result);
        settleGroup(result, groups.get(name) ?? [], (call, day) => {
          addDebt(owed, { key_id: call.keyId, product: call.product, day, units: 1 });
        });
        groups.delete(name);
      }
      for (const members of groups.values()) {
        for (const { resolve } of members) {
          resolve({ refusal: 'product_not_enabled', rate: null, quota: null, unitDay: null });
        }
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const isGathered = (): boolean => waiting.length >= Math.ceil(expected * GATHER_SHARE);
  const gather = async (): Promise<void> => {
    // Calls that arrive in the same turn of the event loop share a statement.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (waiting.length === 0 || isGathered()) return;
    await new Promise<void>((resolve) => {
      const stopTimer = clock.callAfter(GATHER_MS, resolve);
      gathered = () => {
        stopTimer();
        resolve();
      };
    });
    gathered = null;
  };

  // For a single call, the statement is sent before this returns, and so before that of the call's query. Whichever is
  // sent second waits for the first, and the verdict takes longer than the query.
  const run = async (): Promise<void> => {
    do {
      const isAlone = expected === 1 && waiting.length === 1;
      if (!isAlone) await gather();
      if (owed.size > 0 || doubtful !== null || debtors.length > 0) {
        await settleDebts().catch((error: unknown) =>
          log.warn({ err: error }, 'units of failed calls could not be returned yet'),
        );
      }
      const batch = waiting;
      waiting = [];
      if (batch.length > 0) await judgeBatch(batch);
      expected = Math.max(1, batch.length + waiting.length);
    } while (waiting.length > 0 || debtors.length > 0);
  };

  const start = (): void => {
    running ??= run().finally(() => {
      running = null;
      if (waiting.length > 0 || debtors.length > 0) start();
    });
  };

  return {
    state: () => ({
      waitingCalls: waiting.length,
      owedUnits: sumUnits([...owed.values(), ...(doubtful?.debts ?? [])]),
      takenUnits,
      returnedUnits,
    }),
    judge: (call) =>
      new Promise((resolve, reject) => {
        const overloaded = (): ApiError => apiError('unavailable', 'The service is overloaded. Try again shortly.');
        if (waiting.length >= WAITING_MAX) {
          reject(overloaded());
          return;
        }
        const stopTimer = clock.callAfter(WAITING_MS_MAX, () => {
          waitingCall.isGone = true;
          waiting = waiting.filter((other) => other !== waitingCall);
          reject(overloaded());
        });
        const waitingCall: WaitingCall = {
          call,
          isGone: false,
          resolve: (verdict) => {
            stopTimer();
            resolve(verdict);
          },
          reject: (reason) => {
            stopTimer();
            reject(reason);
          },
        };
        waiting.push(waitingCall);
        if (gathered !== null && isGathered()) gathered();
        start();
      }),
    isTight: (keyId, product) => !standings.hasRoom(groupName(keyId, product)),
    returnUnit: async (call, unitDay) => {
      addDebt(owed, { key_id: call.keyId, product: call.product, day: unitDay, units: 1 });
      await new Promise<void>((resolve) => {
        debtors.push(resolve);
        start();
      });
    },
    close: async () => {
      while (running !== null) await running;
      await settleDebts().catch((error: unknown) =>
        log.error({ err: error }, 'units of failed calls could not be returned and are lost'),
      );
    },
  };
}

function groupName(keyId: string, product: Product): string {
  return `${keyId}/${product}`;
}

function sumUnits(debts: Iterable<ReturnedUnits>): number {
  let sum = 0;
  for (const { units } of debts) sum += units;
  return sum;
}

function addDebt(owed: Map<string, ReturnedUnits>, debt: ReturnedUnits): void {
  const name = `${debt.key_id}/${debt.product}/${debt.day}`;
  const known = owed.get(name)?.units ?? 0;
  owed.set(name, { ...debt, units: known + debt.units });
}

/** Calls that take a unit come first, because the statement grants a number of units: the first calls get them. */
function groupCalls(batch: readonly WaitingCall[]): Map<string, WaitingCall[]> {
  const groups = new Map<string, WaitingCall[]>();
  const ordered = [...batch.filter(({ call }) => call.takesUnit), ...batch.filter(({ call }) => !call.takesUnit)];
  for (const member of ordered) {
    const name = groupName(member.call.keyId, member.call.product);
    const members = groups.get(name);
    if (members === undefined) groups.set(name, [member]);
    else members.push(member);
  }
  return groups;
}

/** Counts the calls and units of one group by the secret that they presented. */
function countBySecret(members: readonly WaitingCall[]): CallGroup[] {
  const counts = new Map<number, CallGroup>();
  for (const { call } of members) {
    const { keyId, product, secretNumber, takesUnit } = call;
    let count = counts.get(secretNumber);
    if (count === undefined) {
      count = { key_id: keyId, product, secret_number: secretNumber, calls: 0, units: 0 };
      counts.set(secretNumber, count);
    }
    count.calls += 1;
    count.units += takesUnit ? 1 : 0;
  }
  return [...counts.values()];
}

function settleGroup(
  result: JudgedGroup,
  members: readonly WaitingCall[],
  giveBack: (call: MeteredCall, day: string) => void,
): void {
  const resetSeconds = Math.max(1, Math.ceil(result.window_ms / 1000));
  const quota = result.quota === null ? null : { limit: result.quota, used: result.used };
  let position = 0;
  for (const { call, isGone, resolve } of members) {
    if (result.revoked || !result.live_secrets.includes(call.secretNumber)) {
      resolve({ refusal: 'key_revoked', rate: null, quota: null, unitDay: null });
      continue;
    }
    const remaining = Math.max(0, result.rate_limit - result.window_calls - position - 1);
    const rate = { limit: result.rate_limit, remaining, resetSeconds };
    const granted = call.takesUnit && position < result.granted;
    if (granted && isGone) giveBack(call, result.day);
    if (!result.enabled) resolve({ refusal: 'product_not_enabled', rate: null, quota: null, unitDay: null });
    else resolve({ refusal: findRefusal(result, call, position), rate, quota, unitDay: granted ? result.day : null });
    position += 1;
  }
}

function findRefusal(result: JudgedGroup, call: MeteredCall, position: number): Refusal | null {
  if (position >= result.admitted) return 'rate_limited';
  if (call.takesUnit) return position < result.granted ? null : 'quota_exceeded';
  return result.quota !== null && result.used >= result.quota ? 'quota_exceeded' : null;
}
