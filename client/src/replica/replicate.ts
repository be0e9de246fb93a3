/**
 * Keeps a sink equal to the service through the change feed, or equal to what a search matches by repeating the search.
 * A first copy is the beginning of the feed, so there is no gap between copy and changes. Carries out what `states.ts`
 * decides. Only one page is in flight: it is requested after the page before it was saved.
 */
import {
  CHANGES_PAGE_EXPANDED_MAX,
  CHANGES_PAGE_MAX,
  SEARCH_PAGE_EXPANDED_MAX,
  SEARCH_PAGE_MAX,
} from '@tmds/contract/limits';
import { type Clock, systemClock } from '../clock.ts';
import { checkInteger } from '../config.ts';
import type { SearchFilters } from '../parameters.ts';
import { buildDeltaReader, type DeltaClient } from './delta-reader.ts';
import { isWaitedOut, planFaultWait } from './faults.ts';
import { buildFeedReader } from './feed-reader.ts';
import { normalizeRegisters } from './feeds.ts';
import { buildReconcile, type ReconcileClient } from './lineage.ts';
import type { FeedClient, Reader, ReaderOptions, Taken } from './reader.ts';
import { normalizeSearch } from './saved-search.ts';
import { buildSearchReader, type SearchClient } from './search-reader.ts';
import { EPOCH, type ReplicaScope, type ReplicaSink } from './sink.ts';
import { buildSnapshotReader, type SnapshotClient } from './snapshot-reader.ts';
import {
  buildSyncing,
  type FaultBounds,
  planStep,
  type ReplicaEvent,
  type ReplicaState,
  START,
  transition,
  UNBOUNDED,
} from './states.ts';
import { VERIFY_EVERY_MAX_MS, VERIFY_EVERY_MIN_MS, type VerifyRhythm, withVerification } from './verify-rhythm.ts';

export const POLL_DEFAULT_MS = 60_000;
/** Every refresh of a search costs a unit for each page of its matches; deltas come once a day. */
export const SEARCH_POLL_DEFAULT_MS = 3_600_000;
const POLL_MAX_MS = 86_400_000;
/** How long a single run waits out failures: long enough for a restart, short enough for a scheduled job. */
const PATIENCE_DEFAULT_MS = 300_000;
const PATIENCE_MAX_MS = 86_400_000;
const FAULTS_MAX = 1_000_000;

export interface ReplicateOptions {
  client: FeedClient &
    Partial<SearchClient> &
    Partial<SnapshotClient> &
    Partial<ReconcileClient> &
    Partial<Pick<DeltaClient, 'deltas'>>;
  sink: ReplicaSink;
  /** Default 1970-01-01: everything. Fixed for the life of the replica, like the next two. */
  since?: string | undefined;
  /** The code of a register, or several; default: every register. */
  jurisdiction_code?: string | readonly string[] | undefined;
  expand?: 'payload' | undefined;
  /**
   * Keeps the records that a search matches, instead of registers: filters, or a query as in the URL of a search. Fixed
   * for the life of the replica, and without `since` and `jurisdiction_code`.
   */
  search?: SearchFilters | string | undefined;
  /**
   * Whether a new replica may start from the files of a snapshot, if the service has one that fits; it then continues
   * through the feed. Default true.
   */
  snapshot?: boolean | undefined;
  /**
   * Whether changes come from the files of deltas instead of the change feed, once the replica exists. Default false.
   * May differ from run to run.
   */
  deltas?: boolean | undefined;
  /**
   * Records per page, 1 to 5,000 (200 with `expand`; 500 and 50 for a search), by default the maximum. May differ from
   * run to run.
   */
  limit?: number | undefined;
  /** `once` returns when caught up; `follow` keeps polling until `signal`. Default `once`. */
  mode?: 'once' | 'follow' | undefined;
  /**
   * Milliseconds between polls once caught up, by default 60,000, for a search and for deltas 3,600,000. Longer when
   * the service says that there cannot be anything new.
   */
  pollMs?: number | undefined;
  /**
   * With `follow`: verifies the replica at this rhythm, as `verify` and `repair` do, whenever it has caught up, and keeps
   * how that ended in the sink. For replicas that `verify` can prove.
   */
  verify?: VerifyRhythm | undefined;
  /** How many consecutive failures to wait out; one more ends the run. No limit by default. */
  faultsMax?: number | undefined;
  /**
   * How long to wait out consecutive failures, in milliseconds: by default 300,000 with `once`, no limit with `follow`.
   */
  patienceMs?: number | undefined;
  /** Stops at the next safe point; nothing saved is lost. */
  signal?: AbortSignal | undefined;
  /** Called after every event, including the one that ends the run, with the resulting state. */
  onStep?: ((step: ReplicaStep) => void) | undefined;
  /** Called with events that an operator may want to know about, such as that the service has gone back. */
  onNote?: ((message: string) => void) | undefined;
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
}

export interface ReplicaStep {
  readonly event: ReplicaEvent;
  readonly state: ReplicaState;
  /** Records saved by this step. */
  readonly records: number;
  /** Records that no longer match the search, removed by this step: `US/97123456`. */
  readonly left: readonly string[];
}

/**
 * Runs until it has caught up (`once`), `signal` stops it, or it fails; returns the last state. Waits out temporary
 * failures: a busy or failing service or gateway, a used-up quota, a locked or unreachable database.
 *
 * @throws TrademarkError when waiting cannot help, or the failures exceeded their limits
 * @throws ReplicaError when the sink holds a different replica, or something else
 */
export async function replicate(options: ReplicateOptions): Promise<ReplicaState> {
  const { signal } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const isSeldom = options.search !== undefined || options.deltas === true;
  const pollDefaultMs = isSeldom ? SEARCH_POLL_DEFAULT_MS : POLL_DEFAULT_MS;
  const pollMs =
    options.mode === 'follow' ? checkInteger('pollMs', options.pollMs ?? pollDefaultMs, 1, POLL_MAX_MS) : null;
  const bounds = readBounds(options);
  const reader = buildReader(options, clock);

  let state = buildSyncing(START);
  while (signal?.aborted !== true) {
    const step = planStep(state, pollMs);
    if (step.kind === 'stop') break;
    if (step.waitMs > 0 && !(await waited(clock, step.waitMs, signal))) break;
    const outcome = await takeStep(reader, signal);
    if (outcome === null) break;
    const from: ReplicaState = { ...state, position: reader.findHeld() ?? state.position };
    const taken = 'event' in outcome ? outcome : null;
    const event =
      'event' in outcome ? outcome.event : judge(outcome.error, reader.hasAnswered(), state, clock, random());
    state = transition(from, event, bounds);
    options.onStep?.({ event, state, records: taken?.records ?? 0, left: taken?.left ?? [] });
  }
  if (state.kind === 'failed') throw state.error;
  return state;
}

function buildReader(options: ReplicateOptions, clock: Clock): Reader {
  const { client, sink, signal } = options;
  const scope = readScope(options);
  const [plainMax, expandedMax] =
    scope.search === null ? [CHANGES_PAGE_MAX, CHANGES_PAGE_EXPANDED_MAX] : [SEARCH_PAGE_MAX, SEARCH_PAGE_EXPANDED_MAX];
  const limitMax = scope.expand === 'payload' ? expandedMax : plainMax;
  const limit = checkInteger('limit', options.limit ?? limitMax, 1, limitMax);
  const common = { sink, scope, limit, signal };
  if (scope.search === null) return withRhythm(buildRegistersReader(options, common), options, common, clock);
  if (options.deltas === true) throw new TypeError('a search has no deltas');
  if (options.verify !== undefined)
    throw new TypeError('a replica of a search is compared by each refresh: leave out verify');
  const { search } = client;
  if (search === undefined) throw new TypeError('client must have search for a replica of a search');
  return buildSearchReader({ search: (...call) => search.apply(client, call) }, clock, common);
}

function withRhythm(reader: Reader, options: ReplicateOptions, common: ReaderOptions, clock: Clock): Reader {
  const { verify, mode, onNote } = options;
  if (verify === undefined) return reader;
  if (mode !== 'follow') throw new TypeError('verify has a rhythm, which needs the mode follow');
  if (common.scope.since !== EPOCH) throw new TypeError(`only a replica since ${EPOCH} can be verified`);
  const client = findReconcileClient(options.client);
  if (client === null) throw new TypeError('client must have digests and get for a replica that is verified');
  checkInteger('verify.everyMs', verify.everyMs, VERIFY_EVERY_MIN_MS, VERIFY_EVERY_MAX_MS);
  return withVerification(reader, common, { ...verify, client, clock, note: onNote ?? (() => undefined) });
}

function buildRegistersReader(options: ReplicateOptions, common: ReaderOptions): Reader {
  const { client, snapshot, onNote } = options;
  const note = onNote ?? (() => undefined);
  const files = findFileClient(client);
  if (options.deltas === true) {
    if (files === null) throw new TypeError('client must have snapshots, deltas and snapshotFile for deltas');
    if (common.scope.since !== EPOCH) throw new TypeError(`deltas are for a replica since ${EPOCH}`);
    return buildSnapshotReader(snapshot === false ? null : files, buildDeltaReader(files, common), common, note);
  }
  const { sink, signal, scope } = common;
  const compared = { client: findReconcileClient(client), sink, since: scope.since, signal, note };
  const feed = buildFeedReader(client, common, buildReconcile(compared));
  return buildSnapshotReader(snapshot === false ? null : files, feed, common, note);
}

/** Null: a client without these calls is a program's own client. */
function findFileClient(client: ReplicateOptions['client']): (SnapshotClient & DeltaClient) | null {
  const { snapshots, snapshotFile, deltas } = client;
  if (snapshots === undefined || snapshotFile === undefined) return null;
  return {
    snapshots: (...call) => snapshots.apply(client, call),
    snapshotFile: (...call) => snapshotFile.apply(client, call),
    deltas: (...call) => {
      if (deltas === undefined) throw new TypeError('client must have deltas');
      return deltas.apply(client, call);
    },
  };
}

function findReconcileClient(client: ReplicateOptions['client']): ReconcileClient | null {
  const names = ['digests', 'registerDigests', 'bucketDigests', 'get'] as const;
  return names.every((name) => client[name] !== undefined) ? (client as ReconcileClient) : null;
}

function readScope({ since, jurisdiction_code, expand, search }: ReplicateOptions): ReplicaScope {
  if (search !== undefined && (since !== undefined || jurisdiction_code !== undefined)) {
    throw new TypeError('a search takes neither since nor jurisdiction_code; use the filter jurisdiction');
  }
  return {
    since: since ?? EPOCH,
    jurisdiction_code: normalizeRegisters(jurisdiction_code),
    expand: expand ?? null,
    search: normalizeSearch(search),
  };
}

function readBounds({ mode, faultsMax, patienceMs }: ReplicateOptions): FaultBounds {
  const patience = patienceMs ?? (mode === 'follow' ? undefined : PATIENCE_DEFAULT_MS);
  return {
    faultsMax: faultsMax === undefined ? UNBOUNDED.faultsMax : checkInteger('faultsMax', faultsMax, 0, FAULTS_MAX),
    patienceMs:
      patience === undefined ? UNBOUNDED.patienceMs : checkInteger('patienceMs', patience, 0, PATIENCE_MAX_MS),
  };
}

type Outcome = Taken | { readonly error: unknown };

/** Takes one page; null when the caller stopped it. */
async function takeStep(reader: Reader, signal: AbortSignal | undefined): Promise<Outcome | null> {
  try {
    return await reader.take();
  } catch (error) {
    return signal?.aborted && error === signal.reason ? null : { error };
  }
}

function judge(error: unknown, answered: boolean, state: ReplicaState, clock: Clock, random: number): ReplicaEvent {
  if (state.kind === 'failed' || !isWaitedOut(error, answered)) return { kind: 'refusal', error };
  const waitMs = planFaultWait(error, state.faults + 1, random, clock.nowMs());
  return { kind: 'fault', error, atMs: clock.monotonicMs(), waitMs };
}

/** False when the signal interrupted the wait. */
async function waited(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}
