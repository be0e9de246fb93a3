/**
 * Verifies a replica while it is followed, at a rhythm: at the end of the feed, when the last verification is old
 * enough, and keeps how it ended. So a record that was altered in the replica is found, although the feed never names
 * it. A verification that fails and may succeed later is left until a later end of the feed; changes go on arriving.
 */
import type { Clock } from '../clock.ts';
import { isWaitedOut } from './faults.ts';
import type { ReconcileClient } from './lineage.ts';
import { type ProofRun, runProof } from './proof-run.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import { nameRecord, type VerificationOutcome } from './sink.ts';

export interface VerifyRhythm {
  /** Milliseconds between two verifications, from 300,000 (5 minutes) to 2,678,400,000 (31 days). */
  readonly everyMs: number;
  /** Whether to fetch what differs, one call for each record. Default false. */
  readonly repair?: boolean | undefined;
  /** Calls of a verification at most, default 100,000; a repair needs one more for each record. */
  readonly callsMax?: number | undefined;
  /** Whether to compare replicated payloads, a call for every 200 records. Default true. */
  readonly payloads?: boolean | undefined;
}

export const VERIFY_EVERY_MIN_MS = 300_000;
export const VERIFY_EVERY_MAX_MS = 31 * 86_400_000;
/** The pause after a verification that could not be made. */
const AGAIN_MS = 600_000;
const NAMED_MAX = 20;

export interface RhythmOptions extends VerifyRhythm {
  readonly client: ReconcileClient;
  readonly clock: Clock;
  readonly note: (message: string) => void;
}

export function withVerification(
  reader: Reader,
  { sink, signal }: Pick<ReaderOptions, 'sink' | 'signal'>,
  { client, clock, note, everyMs, callsMax, payloads, repair = false }: RhythmOptions,
): Reader {
  /** Null: the sink has not been asked for the last verification. */
  let dueMs: number | null = null;

  async function findDue(): Promise<number> {
    const last = (await sink.find())?.verification;
    const nowMs = clock.nowMs();
    // A clock that was set back must not put it off for longer than the rhythm.
    return last === undefined ? nowMs : Math.min(Date.parse(last.verified_at) + everyMs, nowMs + everyMs);
  }

  async function verifyNow(): Promise<void> {
    try {
      const run = await runProof({ client, sink, callsMax, payloads, repair, signal });
      const outcome = buildOutcome(run, repair, new Date(clock.nowMs()).toISOString());
      await sink.noteVerification?.(outcome);
      dueMs = clock.nowMs() + everyMs;
      note(describeOutcome(outcome));
    } catch (error) {
      if (signal?.aborted || !isWaitedOut(error, true)) throw error;
      dueMs = clock.nowMs() + Math.min(everyMs, AGAIN_MS);
      note(`could not be verified and is tried again later: ${(error as Error).message}`);
    }
  }

  return {
    ...reader,
    async take() {
      const taken = await reader.take();
      if (taken.event.kind !== 'end_saved') return taken;
      dueMs ??= await findDue();
      if (clock.nowMs() >= dueMs) await verifyNow();
      return taken;
    },
  };
}

function buildOutcome({ first, last, derived, repaired }: ProofRun, repair: boolean, at: string): VerificationOutcome {
  return {
    verified_at: at,
    as_of: last.as_of,
    equal: last.equal,
    records: last.records,
    differences: first.differences.length,
    named: first.differences.slice(0, NAMED_MAX).map(nameRecord),
    derived,
    repaired: repair ? (repaired ?? 0) : null,
    payloads: last.payloads.state,
    calls: first === last ? last.calls : first.calls + last.calls,
  };
}

/** One line for the log and for `status`. */
export function describeOutcome(outcome: VerificationOutcome): string {
  const { equal, records, as_of, differences, named, derived, repaired } = outcome;
  const more = differences > named.length ? ' and others' : '';
  const found = [
    ...(differences === 0
      ? []
      : [`${differences.toLocaleString('en-US')} records differed: ${named.join(', ')}${more}`]),
    ...(derived.length === 0 ? [] : [`${derived.join(', ')} differed`]),
    ...(differences + derived.length === 0 || repaired !== null ? [] : ['nothing was repaired']),
    ...(repaired === null || differences + derived.length === 0
      ? []
      : [`${repaired.toLocaleString('en-US')} records repaired`]),
  ];
  const verdict = `${equal ? 'equal' : 'different'}: ${records.toLocaleString('en-US')} records as of ${as_of}`;
  return ['verified', [verdict, ...found].join('; ')].join(', ');
}
