/**
 * One standby: its connections, how far it shows what was published, and whether it is read from now.
 * Invariant: an answer of `read` comes from a snapshot that includes the requested position and was taken while the
 * server replayed its primary. Both are known for the very connection that answered: a restarted server may have gone
 * back for a while, and a promoted one goes its own way.
 */
import type { Instant } from '@tmds/contract/record';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import { type Database, type LentConnection, type Queryable, type StatementLimits, withLimits } from '../driver/db.ts';
import { errorCode, StatementOverTime } from '../driver/failures.ts';
import { BEFORE_ALL, findPublishState, type PublishState } from './publish-state.ts';
import { findFault, IS_PRIMARY, LAG_MS_MAX, type Position, readServerState, type ServerState } from './server-state.ts';

export interface StandbyOptions {
  /** The server's name for operators. */
  readonly place: string;
  readonly url: string;
  /** For reading records. */
  readonly database: Database;
  /** For checking it, on a separate connection. */
  readonly looks: Queryable;
  readonly clock: Clock;
  readonly log: Log;
}

/** A call waits this long for a standby to replay what it needs; two checks of the standby are this far apart. */
const REPLAY_WAIT_MS = 25;
const REPLAY_POLL_MS = 2;
/** A standby that has not answered by then is abandoned, and its call goes to the primary (rule I-35). */
const ANSWER_MS_MAX = 1_500;
const LOOK_MS_MAX = 1_000;
/** How long a standby is not read from after a failure; doubled when the next failure follows soon. */
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;

/** Positions that are remembered until the standby shows them. */
const UNSHOWN_MAX = 100;

/** SQLSTATEs that are no fault of a standby. */
const PASSING_STATES: Readonly<Record<string, string>> = {
  '25006': 'a statement that writes',
  '40001': 'stopped because it was in the way of the replay',
  '40P01': 'the same',
  '42703': 'a column that is not replayed yet',
  '42883': 'a function that is not',
  '42P01': 'a table that is not',
  '55P03': 'waited for a lock that the replay holds',
  '57014': 'stopped by somebody',
};

/** The connection cannot answer for the primary; nothing was read. */
class NotLevel extends Error {}

/** The server has become independent. */
class NotReplaying extends Error {}

export class Standby {
  readonly place: string;
  readonly url: string;
  readonly database: Database;
  /** Why nothing is read from it; null if it is read from. */
  fault: string | null = 'has not been checked yet';
  /** Reads that it answered. */
  reads = 0;
  /** For how long it has not shown the primary's position; null before the first check. */
  lagMs: number | null = null;
  private readonly looks: Queryable;
  private readonly clock: Clock;
  private readonly log: Log;
  /** The known position of each connection. It never goes back: a server that restarts closes all of them. */
  private readonly positions = new WeakMap<LentConnection, Instant>();
  /** Its position at the last check: a hint. */
  private shown: Instant = BEFORE_ALL;
  private looking: Promise<void> | null = null;
  /** The primary's timeline at the last check: a primary promoted since then has not been compared with it yet. */
  private judgedBy: number | null = null;
  /** A position that was waited for in vain; until the standby shows it, nobody waits for this standby. */
  private missed: Instant | null = null;
  private unshown: { readonly stamp: Instant; readonly toldMs: number }[] = [];
  private pauseMs = PAUSE_MS;
  private failedMs = Number.NEGATIVE_INFINITY;

  constructor({ place, url, database, looks, clock, log }: StandbyOptions) {
    this.place = place;
    this.url = url;
    this.database = database;
    this.looks = looks;
    this.clock = clock;
    this.log = log;
  }

  /** Whether it may answer for a primary at this position, as far as is known. */
  shows({ lastStamp, timeline }: Position): boolean {
    return this.fault === null && this.shown >= lastStamp && this.judgedBy === timeline;
  }

  /** Whether it is read from and lags by no more than this. */
  keepsUp(lagMsMax: number): boolean {
    return this.fault === null && this.lagMs !== null && this.lagMs <= lagMsMax;
  }

  /** Resolves to whether it shows the position, soon. */
  async reach(position: Position): Promise<boolean> {
    const untilMs = this.clock.monotonicMs() + REPLAY_WAIT_MS;
    while (!this.shows(position)) {
      if (this.fault !== null || this.missed !== null || this.judgedBy !== position.timeline) return false;
      this.looking ??= this.refresh().finally(() => {
        this.looking = null;
      });
      await this.looking;
      if (this.shows(position)) return true;
      if (this.clock.monotonicMs() >= untilMs) {
        this.missed = position.lastStamp;
        return false;
      }
      await this.clock.sleep(REPLAY_POLL_MS);
    }
    return true;
  }

  /**
   * The result of `ask` on one connection. Rejects with the reason of the signal or at the deadline. Any other
   * rejection only means that this standby has not answered; the primary may.
   */
  async read<Answer>(
    needed: PublishState,
    ask: (db: Queryable, limits: StatementLimits) => Promise<Answer>,
    limits: StatementLimits,
  ): Promise<Answer> {
    const deadlineMs = Math.min(
      limits.deadlineMs ?? Number.POSITIVE_INFINITY,
      this.clock.monotonicMs() + ANSWER_MS_MAX,
    );
    const own = { ...limits, deadlineMs };
    try {
      const answer = await this.database.lend(async (lent) => {
        await this.checkLevel(lent, needed, own);
        const found = await ask(lent, own);
        if (lent.isStandby !== true) throw new NotReplaying('is not a standby any more');
        return found;
      }, own);
      this.reads += 1;
      return answer;
    } catch (error) {
      if (!hasGivenUp(limits, this.clock)) this.noteFailure(error);
      throw error;
    }
  }

  private async checkLevel(lent: LentConnection, needed: PublishState, limits: StatementLimits): Promise<void> {
    if (lent.isStandby !== true) throw new NotReplaying('does not say that it is a standby');
    const known = this.positions.get(lent);
    if (known !== undefined && known >= needed.lastStamp) return;
    const { databaseId, lastStamp } = await findPublishState(withLimits(lent, limits));
    if (databaseId !== needed.databaseId) throw new NotReplaying('shows another database');
    this.positions.set(lent, lastStamp);
    if (lastStamp >= needed.lastStamp) return;
    // It has gone back, which it can when it restarts.
    if (this.shown > lastStamp) this.shown = lastStamp;
    throw new NotLevel('has not replayed the last publish yet');
  }

  private noteFailure(error: unknown): void {
    if (isFaultOfServer(error)) this.pause(describeFailure(error));
  }

  private pause(fault: string): void {
    const nowMs = this.clock.monotonicMs();
    this.pauseMs = nowMs - this.failedMs > PAUSE_MS_MAX ? PAUSE_MS : Math.min(PAUSE_MS_MAX, this.pauseMs * 2);
    this.failedMs = nowMs;
    this.setFault(fault);
  }

  private async refresh(): Promise<void> {
    try {
      const deadlineMs = this.clock.monotonicMs() + REPLAY_WAIT_MS;
      const { lastStamp } = await findPublishState(withLimits(this.looks, { deadlineMs }));
      this.shown = lastStamp;
    } catch {
      // The next check judges it.
    }
  }

  /** Its state, or why it does not answer. */
  async look(): Promise<ServerState | Error> {
    try {
      return await readServerState(this.looks, { deadlineMs: this.clock.monotonicMs() + LOOK_MS_MAX });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Stops or resumes reading from it. `primary` was asked after the standby. */
  judge(state: ServerState | Error, primary: ServerState): void {
    this.judgedBy = primary.timeline;
    if (state instanceof Error) {
      this.lagMs = null;
      if (this.fault === null) this.pause(describeFailure(state));
      else this.setFault(describeFailure(state));
      return;
    }
    const lagMs = this.measureLag(state.lastStamp, primary.lastStamp);
    const fault = findFault(state, primary) ?? (lagMs > LAG_MS_MAX ? 'lags behind the primary' : null);
    const isPaused = this.clock.monotonicMs() - this.failedMs < this.pauseMs;
    if (fault !== null || !isPaused) this.setFault(fault);
  }

  private measureLag(shown: Instant, told: Instant): number {
    const nowMs = this.clock.monotonicMs();
    this.shown = shown;
    if (this.missed !== null && shown >= this.missed) this.missed = null;
    this.unshown = this.unshown.filter(({ stamp }) => stamp > shown);
    const [oldest] = this.unshown;
    this.lagMs = oldest === undefined ? 0 : nowMs - oldest.toldMs;
    if (told > shown && this.unshown.length < UNSHOWN_MAX) this.unshown.push({ stamp: told, toldMs: nowMs });
    return this.lagMs;
  }

  private setFault(fault: string | null): void {
    const was = this.fault;
    this.fault = fault;
    // The words of the network behind the colon may differ each time.
    if (kindOf(was) === kindOf(fault)) return;
    if (fault === null) this.log.info({ standby: this.place }, 'records are read from a standby');
    else if (fault === IS_PRIMARY) this.log.info({ standby: this.place }, 'a standby of the settings is the primary');
    else this.log.warn({ standby: this.place, reason: fault }, 'a standby is not read from until it is right again');
  }
}

/** Whether the caller no longer waits for an answer. */
export function hasGivenUp({ signal, deadlineMs }: StatementLimits, clock: Clock): boolean {
  return signal?.aborted === true || (deadlineMs !== undefined && deadlineMs <= clock.monotonicMs());
}

function isFaultOfServer(error: unknown): boolean {
  if (error instanceof NotReplaying) return true;
  // The others are faults of a statement, which the primary will report.
  if (!(error instanceof NoAnswer) || (errorCode(error.cause) ?? '') in PASSING_STATES) return false;
  // Without a cause, its connections are in use, which is no fault of the server.
  return error.cause !== undefined || error instanceof StatementOverTime;
}

function kindOf(fault: string | null): string | null {
  return fault?.split(':', 1)[0] ?? null;
}

function describeFailure(error: unknown): string {
  if (error instanceof NotReplaying) return error.message;
  const cause = error instanceof NoAnswer && error.cause instanceof Error ? error.cause : error;
  return `does not answer: ${cause instanceof Error ? cause.message : String(cause)}`;
}
