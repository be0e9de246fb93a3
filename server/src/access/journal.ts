/**
 * Records refused calls for the portal, and deletes records that are too old. It never delays a call: its memory is
 * bounded, and what it cannot hold or write is lost.
 */
import type { Product } from '@tmds/contract/enums';
import { type Clock, isoInstant } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { maskTarget, maskText } from '../base/mask.ts';
import {
  deleteOldRefusals,
  insertRefusals,
  REFUSALS_KEPT,
  type Refusal,
  type RefusalCount,
} from '../store/accounts/refusals.ts';
import { deleteOldUsage } from '../store/accounts/usage.ts';
import type { Database } from '../store/driver/db.ts';

interface RefusedCall {
  readonly keyId: string;
  readonly product: Product;
  readonly requestId: string;
  readonly code: string;
  readonly param: string | undefined;
  /** Path and query as requested. */
  readonly target: string;
  /** The message that the caller got. */
  readonly message: string;
}

export interface Journal {
  /** Returns at once. */
  note(call: RefusedCall): void;
  /** Writes what is held, if the database is available, and stops. */
  close(): Promise<void>;
}

const FLUSH_MS = 1000;
const RETENTION_MS = 3_600_000;
/** Held between two writes; further calls are counted only. */
const HELD_CALLS_MAX = 2000;
const HELD_COUNTS_MAX = 10_000;
const PARAM_CHARACTERS_MAX = 100;
const PATH_CHARACTERS_MAX = 1000;
const MESSAGE_CHARACTERS_MAX = 500;

export function buildJournal({ database, clock, log }: { database: Database; clock: Clock; log: Log }): Journal {
  const stop = new AbortController();
  const counts = new Map<string, RefusalCount>();
  let calls: Refusal[] = [];
  let writing: Promise<void> | null = null;

  const write = async (): Promise<void> => {
    const [heldCalls, heldCounts] = [calls, [...counts.values()]];
    calls = [];
    counts.clear();
    if (heldCounts.length === 0) return;
    try {
      await insertRefusals(database, heldCalls, heldCounts);
    } catch (error) {
      log.warn({ err: error, calls: heldCalls.length }, 'refused calls could not be recorded');
    }
  };
  const writeLater = async (): Promise<void> => {
    await waitUnlessStopped(clock, FLUSH_MS, stop.signal);
    await write();
    writing = null;
    if (counts.size > 0 && !stop.signal.aborted) writing = writeLater();
  };
  const retention = runRetention({ database, clock, log }, stop.signal);

  return {
    note: (call) => {
      const name = `${call.keyId}/${call.product}/${call.code}`;
      const count = counts.get(name) ?? { key_id: call.keyId, product: call.product, code: call.code, calls: 0 };
      if (count.calls > 0 || counts.size < HELD_COUNTS_MAX) counts.set(name, { ...count, calls: count.calls + 1 });
      if (calls.length < HELD_CALLS_MAX && count.calls < REFUSALS_KEPT) calls.push(readRefusal(call, clock));
      writing ??= writeLater();
    },
    close: async () => {
      stop.abort();
      await writing;
      await write();
      await retention;
    },
  };
}

function readRefusal(call: RefusedCall, clock: Clock): Refusal {
  return {
    key_id: call.keyId,
    product: call.product,
    at: isoInstant(clock.nowMs()),
    request_id: call.requestId,
    code: call.code,
    param: call.param === undefined ? null : bound(maskText(call.param), PARAM_CHARACTERS_MAX),
    // Masked before it is cut, because a cut key may no longer be recognized as one.
    path: bound(maskTarget(call.target), PATH_CHARACTERS_MAX),
    message: bound(maskText(call.message), MESSAGE_CHARACTERS_MAX),
  };
}

/** Removes what PostgreSQL does not accept in text, and cuts it to `charactersMax` UTF-16 units. */
function bound(text: string, charactersMax: number): string {
  const clean = text.toWellFormed().replaceAll('\0', '');
  return clean.length > charactersMax ? `${clean.slice(0, charactersMax - 1).toWellFormed()}…` : clean;
}

async function runRetention(
  { database, clock, log }: { database: Database; clock: Clock; log: Log },
  stopped: AbortSignal,
): Promise<void> {
  while (await waitUnlessStopped(clock, RETENTION_MS, stopped)) {
    try {
      await deleteOldUsage(database);
      await deleteOldRefusals(database);
    } catch (error) {
      log.warn({ err: error }, 'expired usage and refused calls could not be deleted');
    }
  }
}

/** False if it was stopped. */
async function waitUnlessStopped(clock: Clock, ms: number, stopped: AbortSignal): Promise<boolean> {
  if (stopped.aborted) return false;
  await clock.sleep(ms, stopped).catch(() => undefined);
  return !stopped.aborted;
}
