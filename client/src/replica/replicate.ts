/**
 * Keeps a sink equal to the service by the change feed alone: the snapshot is the feed's beginning, so there is no
 * seam between the two. Performs what `states.ts` decides; one page is in flight at any time, and it is asked for only
 * after the one before was saved, so that a crash costs one page at most. After a failure of the sink its position is
 * read anew: whether a save that failed was kept is known to the sink alone.
 */
import { CHANGES_PAGE_EXPANDED_MAX, CHANGES_PAGE_MAX } from '@tmds/contract/limits';
import type { ChangesPage } from '@tmds/contract/record';
import type { TrademarkClient } from '../client.ts';
import { type Clock, systemClock } from '../clock.ts';
import { checkInteger } from '../config.ts';
import { TrademarkProtocolError } from '../errors.ts';
import type { Answer } from '../transport.ts';
import { isWaitedOut, planFaultWait } from './faults.ts';
import { type FeedPlace, joinPosition, normalizeRegisters, splitPosition } from './feeds.ts';
import type { ReplicaScope, ReplicaSink } from './sink.ts';
import {
  buildSyncing,
  type FaultBounds,
  planStep,
  type ReplicaEvent,
  type ReplicaPosition,
  type ReplicaState,
  START,
  transition,
  UNBOUNDED,
} from './states.ts';

/** Where a whole replica starts. */
export const EPOCH = '1970-01-01';
export const POLL_DEFAULT_MS = 60_000;
export const POLL_MAX_MS = 86_400_000;
/** How long a single run bears failures in a row: long enough for a restart, short enough for a scheduled job. */
export const PATIENCE_DEFAULT_MS = 300_000;
export const PATIENCE_MAX_MS = 86_400_000;
export const FAULTS_MAX = 1_000_000;

export interface ReplicateOptions {
  client: { changes(...call: Parameters<TrademarkClient['changes']>): Promise<Answer<ChangesPage>> };
  sink: ReplicaSink;
  /** Default 1970-01-01: everything. Fixed for the life of the replica, like the next two. */
  since?: string | undefined;
  /** One register's code, or several; left out: every register. */
  jurisdiction_code?: string | readonly string[] | undefined;
  expand?: 'payload' | undefined;
  /** Records a page, 1 to 5,000 (200 with `expand`): the largest unless given. May change from run to run. */
  limit?: number | undefined;
  /** `once` returns when caught up; `follow` polls on until `signal`. Default `once`. */
  mode?: 'once' | 'follow' | undefined;
  /** Milliseconds between polls once caught up, default 60,000; longer while the service says nothing can have come. */
  pollMs?: number | undefined;
  /** Failures in a row that are waited out; one more fails the replica. No bound unless given. */
  faultsMax?: number | undefined;
  /** Milliseconds that failures in a row are waited out; default 300,000 with `once`, without bound with `follow`. */
  patienceMs?: number | undefined;
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
 * Runs until caught up (`once`), stopped by `signal`, or failed; returns the state it stopped in. Waits out everything
 * that waiting can mend: a busy or failing service, a gateway, a used-up quota, a locked or absent database.
 *
 * @throws TrademarkError the service refused for what no wait mends, or the bounds of failures were reached
 * @throws ReplicaError the sink holds another replica, or something else
 */
export async function replicate(options: ReplicateOptions): Promise<ReplicaState> {
  const { signal } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const pollMs =
    options.mode === 'follow' ? checkInteger('pollMs', options.pollMs ?? POLL_DEFAULT_MS, 1, POLL_MAX_MS) : null;
  const bounds = readBounds(options);
  const scope: ReplicaScope = {
    since: options.since ?? EPOCH,
    jurisdiction_code: normalizeRegisters(options.jurisdiction_code),
    expand: options.expand ?? null,
  };
  const limitMax = scope.expand === 'payload' ? CHANGES_PAGE_EXPANDED_MAX : CHANGES_PAGE_MAX;
  const limit = checkInteger('limit', options.limit ?? limitMax, 1, limitMax);
  const run: Run = { options, scope, limit, held: null, ended: [], pollAfterMs: 0, answered: false, indexed: false };

  let state = buildSyncing(START);
  while (signal?.aborted !== true) {
    const step = planStep(state, pollMs);
    if (step.kind === 'stop') break;
    if (step.waitMs > 0 && !(await waited(clock, step.waitMs, signal))) break;
    const outcome = await takeStep(run);
    if (outcome === null) break;
    const from: ReplicaState = { ...state, position: run.held ?? state.position };
    const event = 'event' in outcome ? outcome.event : judge(outcome.error, run.answered, state, clock, random());
    state = transition(from, event, bounds);
    options.onStep?.({ event, state, records: 'event' in outcome ? outcome.records : 0 });
  }
  if (state.kind === 'failed') throw state.error;
  return state;
}

function readBounds({ mode, faultsMax, patienceMs }: ReplicateOptions): FaultBounds {
  const patience = patienceMs ?? (mode === 'follow' ? undefined : PATIENCE_DEFAULT_MS);
  return {
    faultsMax: faultsMax === undefined ? UNBOUNDED.faultsMax : checkInteger('faultsMax', faultsMax, 0, FAULTS_MAX),
    patienceMs:
      patience === undefined ? UNBOUNDED.patienceMs : checkInteger('patienceMs', patience, 0, PATIENCE_MAX_MS),
  };
}

/** What a run knows beside the state. */
interface Run {
  readonly options: ReplicateOptions;
  readonly scope: ReplicaScope;
  readonly limit: number;
  /** The position as the sink has it; null when it has to be read. */
  held: ReplicaPosition | null;
  /** Registers whose feed had an end in this round. */
  ended: (string | null)[];
  /** The least of their words on when a poll can find something. */
  pollAfterMs: number;
  /** Whether the service has answered in this run. */
  answered: boolean;
  indexed: boolean;
}

type Outcome = { readonly event: ReplicaEvent; readonly records: number } | { readonly error: unknown };

/** One page fetched, checked and saved, or why not; null when the caller stopped it. */
async function takeStep(run: Run): Promise<Outcome | null> {
  const { options } = run;
  try {
    run.held ??= await options.sink.open(run.scope);
    const from = run.held;
    const places = splitPosition(from, run.scope.jurisdiction_code);
    const place = places.find(({ code }) => !run.ended.includes(code)) ?? places[0]!;
    const page = await fetchPage(run, place);
    run.answered = true;
    const next = planPlace(page, place, run.limit);
    const to = joinPosition(
      places.map((other) => (other === place ? next : other)),
      from.delivered + page.items.length,
    );
    run.held = null;
    await options.sink.save(page.items, from, to);
    run.held = to;
    if (page.items.length > 0) return { event: { kind: 'page_saved', position: to }, records: page.items.length };
    return await endFeed(run, place.code, to, places.length, page.meta.pollAfterMs ?? 0);
  } catch (error) {
    if (options.signal?.aborted && error === options.signal.reason) return null;
    return { error };
  }
}

/** One feed had no more: the end of the round when it was the last of them. */
async function endFeed(
  run: Run,
  code: string | null,
  position: ReplicaPosition,
  feeds: number,
  pollAfterMs: number,
): Promise<Outcome> {
  run.pollAfterMs = run.ended.length === 0 ? pollAfterMs : Math.min(run.pollAfterMs, pollAfterMs);
  run.ended.push(code);
  if (run.ended.length < feeds) return { event: { kind: 'page_saved', position }, records: 0 };
  if (!run.indexed) await run.options.sink.index?.();
  run.indexed = true;
  run.ended = [];
  return { event: { kind: 'end_saved', position, pollAfterMs: run.pollAfterMs }, records: 0 };
}

function fetchPage({ options, scope, limit }: Run, { code, cursor }: FeedPlace): Promise<Answer<ChangesPage>> {
  return options.client.changes(
    { since: scope.since, jurisdiction_code: code ?? undefined, expand: scope.expand ?? undefined, cursor, limit },
    { signal: options.signal, maxRetries: 0 },
  );
}

function judge(error: unknown, answered: boolean, state: ReplicaState, clock: Clock, random: number): ReplicaEvent {
  if (state.kind === 'failed' || !isWaitedOut(error, answered)) return { kind: 'refusal', error };
  const waitMs = planFaultWait(error, state.faults + 1, random, clock.nowMs());
  return { kind: 'fault', error, atMs: clock.monotonicMs(), waitMs };
}

/**
 * The place after a page: the page's cursor, or ours kept when the page is empty (4.6.3).
 *
 * @throws TrademarkProtocolError when the page breaks the feed's contract, since going on could lose or repeat records
 */
function planPlace(page: Answer<ChangesPage>, from: FeedPlace, limit: number): FeedPlace {
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
  return { ...from, cursor: page.next_cursor };
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
