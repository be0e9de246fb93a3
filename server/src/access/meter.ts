/**
 * Judges every metered call: revocation, product, rate, quota, and its unit (rules I-28 to I-30). Calls that arrive
 * while a statement is running wait and share the next one, grouped by key and product. Customers who crowd out others
 * have a separate queue, so that nobody waits for their statements. So the meter needs two connections at any load, and
 * the database counts for all processes. Invariant: a unit is stored before the call that takes it is answered, and is
 * returned if the call then fails.
 */
import type { Product } from '@tmds/contract/enums';
import type { DateText, Instant } from '@tmds/contract/record';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { NoAnswer } from '../base/no-answer.ts';
import type { Database } from '../database/driver/db.ts';
import { type CallGroup, type JudgedGroup, judgeCalls } from '../store/accounts/usage.ts';
import { UnitDebts } from './unit-debts.ts';
import type { MeteredCall, Refusal, Verdict } from './verdict.ts';

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
  /**
   * Rejects with `NoAnswer` if the verdict cannot be stored.
   *
   * @param isCrowding whether the customer delays others by how much it asks for; default: no.
   */
  judge(call: MeteredCall, isCrowding?: boolean): Promise<Verdict>;
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
export const WAITING_MS_MAX = 4_000;

interface WaitingCall {
  readonly call: MeteredCall;
  /** On the monotonic clock. */
  readonly untilMs: number;
  /** True once it was refused for waiting too long; a unit granted to it afterwards is returned. */
  isGone: boolean;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (reason: unknown) => void;
}

/** Calls that are judged one statement after the other. */
interface Line {
  waiting: WaitingCall[];
  /** Those of the running statement. */
  judging: readonly WaitingCall[];
  /** Calls expected in the next statement: as many as were just answered, plus those that have arrived since. */
  expected: number;
  /** Ends the wait for further calls; null if there is none. */
  gathered: (() => void) | null;
  running: Promise<void> | null;
}

export function buildMeter({ database, clock, log }: { database: Database; clock: Clock; log: Log }): Meter {
  const openLine = (): Line => ({ waiting: [], judging: [], expected: 1, gathered: null, running: null });
  const lines = { ordinary: openLine(), crowding: openLine() };
  const debts = new UnitDebts(database, log);
  const standings = new Standings();
  /** Ends the wait for the oldest call; null if nothing waits. */
  let stopTimer: (() => void) | null = null;
  let takenUnits = 0;

  /** One timer for all calls, which all may wait equally long: one for each would cost as much as judging it. */
  const refuseLate = (): void => {
    stopTimer = null;
    const nowMs = clock.monotonicMs();
    let leftMs = Number.POSITIVE_INFINITY;
    for (const line of [lines.ordinary, lines.crowding]) {
      for (const call of [...line.judging, ...line.waiting]) {
        if (call.isGone) continue;
        const callLeftMs = call.untilMs - nowMs;
        if (callLeftMs > 0) leftMs = Math.min(leftMs, callLeftMs);
        else {
          call.isGone = true;
          call.reject(new NoAnswer('verdicts_waiting'));
        }
      }
      line.waiting = line.waiting.filter(({ isGone }) => !isGone);
    }
    if (leftMs < Number.POSITIVE_INFINITY) stopTimer = clock.callAfter(leftMs, refuseLate);
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
          debts.add({ key_id: call.keyId, product: call.product, day, units: 1 });
        });
        groups.delete(name);
      }
      for (const members of groups.values()) {
        for (const { resolve } of members) {
          resolve({ ...NOT_ENABLED, lastStamp: null });
        }
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const isGathered = ({ waiting, expected }: Line): boolean => waiting.length >= Math.ceil(expected * GATHER_SHARE);
  const gather = async (line: Line): Promise<void> => {
    // Calls that arrive in the same turn of the event loop share a statement.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (line.waiting.length === 0 || isGathered(line)) return;
    await new Promise<void>((resolve) => {
      const stopTimer = clock.callAfter(GATHER_MS, resolve);
      line.gathered = () => {
        stopTimer();
        resolve();
      };
    });
    line.gathered = null;
  };

  // For a single call, the statement is sent before this returns, and so before the statement of the call's query.
  // Whichever is sent second waits for the first, and the verdict takes longer than the query.
  const run = async (line: Line): Promise<void> => {
    do {
      const isAlone = line.expected === 1 && line.waiting.length === 1;
      if (!isAlone) await gather(line);
      // Owed units are returned before a verdict that may depend on them.
      if (debts.areOpen) await debts.settle();
      const batch = line.waiting;
      line.waiting = [];
      line.judging = batch;
      if (batch.length > 0) await judgeBatch(batch);
      line.judging = [];
      line.expected = Math.max(1, batch.length + line.waiting.length);
    } while (line.waiting.length > 0);
  };

  const start = (line: Line): void => {
    line.running ??= run(line).finally(() => {
      line.running = null;
      if (line.waiting.length > 0) start(line);
    });
  };

  const countWaiting = (): number => lines.ordinary.waiting.length + lines.crowding.waiting.length;

  return {
    state: () => ({
      waitingCalls: countWaiting(),
      owedUnits: debts.owedUnits,
      takenUnits,
      returnedUnits: debts.returnedUnits,
    }),
    judge: (call, isCrowding = false) =>
      new Promise((resolve, reject) => {
        if (countWaiting() >= WAITING_MAX) {
          reject(new NoAnswer('verdicts_waiting'));
          return;
        }
        const line = isCrowding ? lines.crowding : lines.ordinary;
        line.waiting.push({ call, untilMs: clock.monotonicMs() + WAITING_MS_MAX, isGone: false, resolve, reject });
        stopTimer ??= clock.callAfter(WAITING_MS_MAX, refuseLate);
        if (line.gathered !== null && isGathered(line)) line.gathered();
        start(line);
      }),
    isTight: (keyId, product) => !standings.hasRoom(groupName(keyId, product)),
    returnUnit: async (call, unitDay) => {
      debts.add({ key_id: call.keyId, product: call.product, day: unitDay, units: 1 });
      await debts.settle();
    },
    close: async () => {
      for (const line of [lines.ordinary, lines.crowding]) while (line.running !== null) await line.running;
      stopTimer?.();
      await debts.settle();
      const { owedUnits } = debts;
      if (owedUnits > 0) log.error({ owedUnits }, 'units of failed calls could not be returned and are lost');
    },
  };
}

function groupName(keyId: string, product: Product): string {
  return `${keyId}/${product}`;
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

const NOT_ENABLED = { refusal: 'product_not_enabled', rate: null, quota: null, unitDay: null } as const;

function settleGroup(
  result: JudgedGroup,
  members: readonly WaitingCall[],
  giveBack: (call: MeteredCall, day: string) => void,
): void {
  const resetSeconds = Math.max(1, Math.ceil(result.window_ms / 1000));
  const { quota: limit, used, day, last_stamp: lastStamp } = result;
  let position = 0;
  for (const { call, isGone, resolve } of members) {
    if (result.revoked || !result.live_secrets.includes(call.secretNumber)) {
      resolve({ refusal: 'key_revoked', rate: null, quota: null, unitDay: null, lastStamp });
      continue;
    }
    const remaining = Math.max(0, result.rate_limit - result.window_calls - position - 1);
    const rate = { limit: result.rate_limit, remaining, resetSeconds };
    const granted = call.takesUnit && position < result.granted;
    if (granted && isGone) giveBack(call, day);
    if (!result.enabled) resolve({ ...NOT_ENABLED, lastStamp });
    else {
      const refusal = findRefusal(result, call, position);
      const quota = refusal === 'quota_exceeded' ? { limit: limit!, used, resetsAt: findMonthEnd(day) } : null;
      resolve({ refusal, rate, quota, unitDay: granted ? day : null, lastStamp });
    }
    position += 1;
  }
}

/** The end of the UTC month of a day. */
function findMonthEnd(day: DateText): Instant {
  const [year, month] = day.split('-').map(Number) as [number, number];
  const [endYear, endMonth] = month === 12 ? [year + 1, 1] : [year, month + 1];
  return `${endYear}-${String(endMonth).padStart(2, '0')}-01T00:00:00.000000Z`;
}

function findRefusal(result: JudgedGroup, call: MeteredCall, position: number): Refusal | null {
  if (position >= result.admitted) return 'rate_limited';
  if (call.takesUnit) return position < result.granted ? null : 'quota_exceeded';
  return result.quota !== null && result.used >= result.quota ? 'quota_exceeded' : null;
}

/** What the last verdicts on a key say about its next call. */
interface Standing {
  readonly hasRoom: boolean;
  /** Calls in the window, including those of the verdict. */
  readonly windowCalls: number;
  readonly isShared: boolean;
}

/** With fewer calls or units left than this, a query waits for its verdict. */
const ROOM_MIN = 64;
const REMEMBERED_KEYS_MAX = 10_000;

/** By a name for key and product. Those without a recent verdict are forgotten. */
class Standings {
  private readonly byName = new Map<string, Standing>();

  note(name: string, result: JudgedGroup): void {
    const before = this.byName.get(name);
    this.byName.delete(name);
    this.byName.set(name, judgeStanding(result, before));
    if (this.byName.size > REMEMBERED_KEYS_MAX) this.byName.delete(this.byName.keys().next().value!);
  }

  /** False if the next call may be refused. */
  hasRoom(name: string): boolean {
    return this.byName.get(name)?.hasRoom === true;
  }

  /** Whether other processes count calls of any of them. */
  isAnyShared(names: Iterable<string>): boolean {
    for (const name of names) if (this.byName.get(name)?.isShared === true) return true;
    return false;
  }
}

function judgeStanding(result: JudgedGroup, before: Standing | undefined): Standing {
  const windowCalls = result.window_calls + result.admitted;
  const hasRoom =
    result.rate_limit - windowCalls >= ROOM_MIN && (result.quota === null || result.quota - result.used >= ROOM_MIN);
  // A process that counts alone finds the count it left. A window that has just been opened shows nothing.
  const wasShared = before?.isShared ?? false;
  const isShared = result.window_calls === 0 ? wasShared : result.window_calls !== before?.windowCalls;
  return { hasRoom, windowCalls, isShared };
}
