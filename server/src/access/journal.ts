/**
 * Records the calls of known keys for the portal. It never delays a call: calls are written in batches, in parallel
 * with the answers. Its memory is bounded; calls that it cannot hold are counted. Calls that it cannot write are lost,
 * and the service's log says how many, when that begins and when it ends. Invariant: nothing is held or written that
 * looks like a key, and no number of a look-up by numbers: they may be a customer's docket, which nobody else may see
 * and no backup may hold.
 */
import type { Product } from '@tmds/contract/enums';
import type { Clock } from '../base/clock.ts';
import { failureForLog } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { maskTarget, maskText } from '../base/mask.ts';
import type { Database } from '../database/driver/db.ts';
import { type CallCount, insertCalls, isRefusal, keepCallDays, type LoggedCall } from '../store/accounts/call-log.ts';

/** What is kept of a call that has ended. */
interface JournalCall {
  readonly product: Product;
  readonly requestId: string;
  /** Path and query as requested. */
  readonly target: string;
  /** Null if nothing was sent. */
  readonly status: number | null;
  readonly units: number;
  readonly durationMs: number;
  /** The error that the caller got; null if there was none. */
  readonly refusal: { readonly code: string; readonly param: string | undefined; readonly message: string } | null;
}

export interface Journal {
  /** Returns at once. */
  note(keyId: string, call: JournalCall): void;
  /** Writes the pending calls, if the database is available, and stops. */
  close(): Promise<void>;
}

const FLUSH_MS = 1000;
const HOUR_MS = 3_600_000;
/** Held between two writes; further calls are counted only. */
const HELD_CALLS_MAX = 4000;
/** Limit per key and code, so that a busy key leaves room for the others. */
const HELD_ALIKE_MAX = 1000;
const HELD_COUNTS_MAX = 10_000;
const PARAM_CHARACTERS_MAX = 100;
const PATH_CHARACTERS_MAX = 1000;
const MESSAGE_CHARACTERS_MAX = 500;

/** Lists that may be a docket: numbers, and identities. */
const LISTS: ReadonlySet<string> = new Set(['numbers', 'identities']);
const LISTS_IN_TARGET = /([?&](?:numbers|identities)=)[^&]*/g;
const QUOTED = /"[^"]*"/g;
const HIDDEN = '***';

type HeldCall = Omit<LoggedCall, 'age_ms'> & { readonly endedMs: number };

export function buildJournal({ database, clock, log }: { database: Database; clock: Clock; log: Log }): Journal {
  const stop = new AbortController();
  const counts = new Map<string, CallCount>();
  const full = buildFullKeys(clock);
  let calls: HeldCall[] = [];
  let uncounted = 0;
  let hasDays = false;
  /** Calls that were lost since the log last said how many; null if the last write succeeded. */
  let missing: number | null = null;
  let writing: Promise<void> | null = null;

  const sayMissing = (text: string): void => {
    if (missing !== null) log.warn({ calls: missing }, text);
    missing = null;
  };
  const write = async (): Promise<void> => {
    const [heldCalls, heldCounts, lost] = [calls, [...counts.values()], uncounted];
    calls = [];
    counts.clear();
    uncounted = 0;
    if (lost > 0) log.warn({ calls: lost }, 'more keys called at once than the log of calls counts');
    if (heldCounts.length === 0) return;
    try {
      if (!hasDays) await keepCallDays(database);
      hasDays = true;
      const nowMs = clock.monotonicMs();
      const rows = heldCalls.map(({ endedMs, ...call }) => ({ ...call, age_ms: Math.max(0, nowMs - endedMs) }));
      full.note(await insertCalls(database, rows, heldCounts));
      sayMissing('calls are recorded in the log of calls again; those in between are lost');
    } catch (error) {
      const unwritten = heldCounts.reduce((sum, count) => sum + count.calls, 0);
      if (missing === null) {
        log.warn({ ...failureForLog(error), calls: unwritten }, 'calls could not be recorded in the log of calls');
      }
      missing = missing === null ? 0 : missing + unwritten;
    }
  };
  const writeLater = async (): Promise<void> => {
    await waitUnlessStopped(clock, FLUSH_MS, stop.signal);
    await write();
    writing = null;
    if (counts.size > 0 && !stop.signal.aborted) writing = writeLater();
  };

  return {
    note: (keyId, call) => {
      const code = call.refusal?.code ?? null;
      const name = `${keyId}/${call.product}/${code}`;
      const count = counts.get(name);
      if (count !== undefined) count.calls += 1;
      else if (counts.size >= HELD_COUNTS_MAX) uncounted += 1;
      else counts.set(name, { key_id: keyId, product: call.product, code, calls: 1 });
      const hasRoom = calls.length < HELD_CALLS_MAX && (count?.calls ?? 0) <= HELD_ALIKE_MAX;
      if (hasRoom && !full.has(keyId, code)) calls.push(readCall(keyId, call, clock));
      writing ??= writeLater();
    },
    close: async () => {
      stop.abort();
      await writing;
      await write();
      if (missing !== 0) sayMissing('further calls were not recorded in the log of calls and are lost');
    },
  };
}

/** The keys whose calls are no longer logged in this hour. They are only counted, which costs next to nothing. */
function buildFullKeys(clock: Clock): {
  note(keys: readonly { key_id: string; refused: boolean }[]): void;
  has(keyId: string, code: string | null): boolean;
} {
  const full = new Set<string>();
  let hour = 0;
  const enterHour = (): void => {
    const current = Math.floor(clock.nowMs() / HOUR_MS);
    if (current !== hour) full.clear();
    hour = current;
  };
  return {
    note: (keys) => {
      enterHour();
      for (const { key_id, refused } of keys) full.add(`${key_id}/${refused}`);
    },
    has: (keyId, code) => {
      if (full.size === 0) return false;
      enterHour();
      return full.has(`${keyId}/${isRefusal(code)}`);
    },
  };
}

function readCall(keyId: string, call: JournalCall, clock: Clock): HeldCall {
  const { product, requestId, target, refusal } = call;
  const param = refusal?.param;
  return {
    key_id: keyId,
    product,
    request_id: requestId,
    endedMs: clock.monotonicMs(),
    // Masked before it is cut, because a cut key may no longer be recognized as one.
    path: bound(maskTarget(target).replace(LISTS_IN_TARGET, `$1${HIDDEN}`), PATH_CHARACTERS_MAX),
    status: call.status,
    units: call.units,
    duration_ms: Math.round(call.durationMs * 10) / 10,
    code: refusal?.code ?? null,
    param: param === undefined ? null : bound(maskText(param), PARAM_CHARACTERS_MAX),
    message: refusal === null ? null : bound(maskText(readMessage(refusal)), MESSAGE_CHARACTERS_MAX),
  };
}

function readMessage({ param, message }: NonNullable<JournalCall['refusal']>): string {
  return param !== undefined && LISTS.has(param) ? message.replace(QUOTED, HIDDEN) : message;
}

/** Removes what PostgreSQL does not accept in text, and cuts it to `charactersMax` UTF-16 units. */
function bound(text: string, charactersMax: number): string {
  const clean = text.toWellFormed().replaceAll('\0', '');
  return clean.length > charactersMax ? `${clean.slice(0, charactersMax - 1).toWellFormed()}…` : clean;
}

/** False if it was stopped. */
async function waitUnlessStopped(clock: Clock, ms: number, stopped: AbortSignal): Promise<boolean> {
  if (stopped.aborted) return false;
  await clock.sleep(ms, stopped).catch(() => undefined);
  return !stopped.aborted;
}
