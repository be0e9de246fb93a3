/**
 * Keeps a sink equal to the service by the change feed alone: the snapshot is the feed's beginning, so there is no
 * seam between the two. Performs what `states.ts` decides; one page is in flight at any time, and it is asked for only
 * after the one before was saved, so that a crash costs one page at most.
 */
import { CHANGES_PAGE_EXPANDED_MAX, CHANGES_PAGE_MAX } from '@tmds/contract/limits';
import type { ChangesPage } from '@tmds/contract/record';
import type { TrademarkClient } from '../client.ts';
import { type Clock, systemClock } from '../clock.ts';
import { checkInteger } from '../config.ts';
import { TrademarkError, TrademarkProtocolError } from '../errors.ts';
import type { Answer } from '../transport.ts';
import type { ReplicaScope, ReplicaSink } from './sink.ts';
import {
  buildSyncing,
  planStep,
  type ReplicaEvent,
  type ReplicaPosition,
  type ReplicaState,
  transition,
} from './states.ts';

/** Where a whole replica starts. */
export const EPOCH = '1970-01-01';
export const POLL_DEFAULT_MS = 60_000;
export const POLL_MAX_MS = 86_400_000;
export const FAULTS_DEFAULT = 100;
export const FAULTS_MAX = 1_000_000;

export interface ReplicateOptions {
  client: Pick<TrademarkClient, 'changes'>;
  sink: ReplicaSink;
  /** Default 1970-01-01: everything. Fixed for the life of the replica, like the next two. */
  since?: string | undefined;
  /** One register's code; left out: every register. */
  jurisdiction_code?: string | undefined;
  expand?: 'payload' | undefined;
  /** Records a page, 1 to 5,000 (200 with `expand`): the largest unless given. May change from run to run. */
  limit?: number | undefined;
  /** `once` returns when caught up; `follow` polls on until `signal`. Default `once`. */
  mode?: 'once' | 'follow' | undefined;
  /** Milliseconds between polls once caught up, default 60,000; longer while the service says nothing can have come. */
  pollMs?: number | undefined;
  /** Failures in a row that are waited out, default 100 (over an hour); one more fails the replica. */
  faultsMax?: number | undefined;
  /** Stops at the next safe point; nothing saved is lost. */
  signal?: AbortSignal | undefined;
  /** Told every event with the state it led to, the failed one included. */
  onStep?: ((step: ReplicaStep) => void) | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
}

export interface ReplicaStep {
  readonly event: ReplicaEvent;
  readonly state: ReplicaState;
  /** Records saved by this step. */
  readonly records: number;
}

/**
 * Runs until caught up (`once`), stopped by `signal`, or failed; returns the state it stopped in.
 *
 * @throws TrademarkError the service refused, or failed more often in a row than `faultsMax`
 * @throws ReplicaError the sink holds another replica, or another process moved it
 */
export async function replicate(options: ReplicateOptions): Promise<ReplicaState> {
  const { sink, signal } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const faultsMax = checkInteger('faultsMax', options.faultsMax ?? FAULTS_DEFAULT, 0, FAULTS_MAX);
  const pollMs =
    options.mode === 'follow' ? checkInteger('pollMs', options.pollMs ?? POLL_DEFAULT_MS, 1, POLL_MAX_MS) : null;
  const scope: ReplicaScope = {
    since: options.since ?? EPOCH,
    jurisdiction_code: options.jurisdiction_code?.toUpperCase() ?? null,
    expand: options.expand ?? null,
  };
  const limitMax = scope.expand === 'payload' ? CHANGES_PAGE_EXPANDED_MAX : CHANGES_PAGE_MAX;
  const limit = checkInteger('limit', options.limit ?? limitMax, 1, limitMax);

  let state = buildSyncing(await sink.open(scope));
  while (signal?.aborted !== true) {
    const step = planStep(state, pollMs, random());
    if (step.kind === 'stop') break;
    if (step.waitMs > 0 && !(await waited(clock, step.waitMs, signal))) break;
    const outcome = await takeStep(options, scope, limit, state.position);
    if (outcome === null) break;
    state = transition(state, outcome.event, faultsMax);
    options.onStep?.({ ...outcome, state });
  }
  if (state.kind === 'failed') throw state.error;
  return state;
}

interface Outcome {
  readonly event: ReplicaEvent;
  readonly records: number;
}

/** One page fetched, checked and saved, or why not; null when the caller stopped it. */
async function takeStep(
  options: ReplicateOptions,
  scope: ReplicaScope,
  limit: number,
  from: ReplicaPosition,
): Promise<Outcome | null> {
  try {
    const page = await options.client.changes(
      {
        since: scope.since,
        jurisdiction_code: scope.jurisdiction_code ?? undefined,
        expand: scope.expand ?? undefined,
        cursor: from.cursor ?? undefined,
        limit,
      },
      { signal: options.signal, maxRetries: 0 },
    );
    const to = planPosition(page, from, limit);
    await options.sink.save(page.items, from, to);
    const records = page.items.length;
    const event: ReplicaEvent =
      records === 0
        ? { kind: 'end_saved', position: to, pollAfterMs: page.meta.pollAfterMs ?? 0 }
        : { kind: 'page_saved', position: to };
    return { event, records };
  } catch (error) {
    if (options.signal?.aborted && error === options.signal.reason) return null;
    const curable = error instanceof TrademarkError && error.retryable;
    return { event: { kind: curable ? 'fault' : 'refusal', error }, records: 0 };
  }
}

/**
 * The position after a page: the page's cursor, or ours kept when the page is empty (4.6.3).
 *
 * @throws TrademarkProtocolError when the page breaks the feed's contract, since going on could lose or repeat records
 */
function planPosition(page: Answer<ChangesPage>, from: ReplicaPosition, limit: number): ReplicaPosition {
  if (!Array.isArray(page.items) || page.items.length > limit) {
    throw new TrademarkProtocolError(
      'a page of the feed has no list of records, or more than asked for',
      page.meta.requestId,
    );
  }
  if (page.items.length === 0) {
    return { ...from, complete_to: page.meta.changeHorizon ?? from.complete_to };
  }
  if (typeof page.next_cursor !== 'string' || page.next_cursor === from.cursor) {
    throw new TrademarkProtocolError('a page of the feed with records did not move the cursor on', page.meta.requestId);
  }
  return { ...from, cursor: page.next_cursor, delivered: from.delivered + page.items.length };
}

/** False when the signal ended the wait. */
async function waited(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}
