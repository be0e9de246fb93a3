/**
 * The index of a process, as the rest of the program sees it: searches, waiting for a stamp, and a status. Behind it,
 * one thread writes the index and several search it; they share one copy of every segment.
 */
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { RestartPause, startThread } from '../base/threads.ts';
import type { CountedField, Facets } from '../index/facets.ts';
import type { RecordText } from '../index/sift.ts';
import type { AlikeNames } from '../likeness/find.ts';
import type { SiftedMark } from '../likeness/watched-marks.ts';
import type { LikenessSearch } from '../plan/likeness.ts';
import type { Condition, SearchQuery } from '../plan/search.ts';
import { AlikeSearches } from './alike-searches.ts';
import { WayFlag } from './company.ts';
import {
  type IndexStatus,
  type ListedMatches,
  NOT_STARTED,
  openMatches,
  type PackedMatches,
  type WriterData,
  type WriterOrder,
  type WriterReport,
} from './messages.ts';
import { type PoolKind, type SearchLimits, SearchPool, type SearchThreads } from './search-pool.ts';
import { StatusFile } from './status.ts';
import { NearSearches } from './view-reader.ts';

/** Answers searches. Stamps are in microseconds since 1970. */
export interface SearchIndex {
  /** @throws NoAnswer while the index is not ready. */
  checkReady(): void;
  /**
   * A customer calls, for a search or for anything else: until the returned function is called, other customers that
   * crowd make way, and for a while they are served separately.
   */
  beginCall(customer: string): () => void;
  /** Whether a customer delays others by how much it searches. */
  isCrowding(customer: string): boolean;
  /** @throws NoAnswer, also while the index is not ready; the reason of the signal. */
  search(query: SearchQuery, limits: SearchLimits): Promise<FoundMatches>;
  countFacets(conditions: readonly Condition[], fields: readonly CountedField[], limits: SearchLimits): Promise<Facets>;
  /**
   * The positions of those of these records, indexed or not, that satisfy all conditions, ascending. Takes a few
   * thousand records. `alike`: a mark that a name of the record has to be like; null = any name. Rejects like `search`.
   */
  sift(
    records: readonly RecordText[],
    conditions: readonly Condition[],
    alike: SiftedMark | null,
    limits: SearchLimits,
  ): Promise<Iterable<number>>;
  /**
   * The names that are alike, among the records that satisfy the conditions. The search makes way for everything else.
   * Rejects like `search`.
   */
  findAlike(search: LikenessSearch, limits: SearchLimits): Promise<AlikeNames>;
  /**
   * Resolves once searches see every publish up to the stamp, or after `atMostMs`, if the limits leave more. Rejects
   * like `search`.
   */
  waitFor(stamp: number, limits: SearchLimits, atMostMs?: number): Promise<void>;
}

/** The turn of a search lasts until its page has been sent or abandoned. */
export interface FoundMatches extends ListedMatches {
  readonly endTurn: () => void;
}

export interface LiveIndex extends SearchIndex {
  /** Searches see every publish up to it; 0 before the index is ready. */
  readonly stamp: number;
  readonly status: IndexStatus;
  /** How long search threads have rested to make way, in seconds. */
  readonly restedSeconds: number;
  /** Resolves once searches can be answered. */
  readonly ready: Promise<void>;
  /** Follow the database at another address from now on. */
  moveTo(url: string): void;
  /** Connections opened so far may lead nowhere: use new ones. What runs on them is cut off and done again. */
  reconnect(): void;
  /** Follow it by way of a standby; null = directly. */
  follow(standbyUrl: string | null): void;
  close(): Promise<void>;
}

export interface LiveIndexOptions {
  readonly url: string;
  /** Address of a standby by which to follow it; default: none. */
  readonly standbyUrl?: string | null;
  /** Folder for snapshots and the status file; null = neither is kept. */
  readonly folder: string | null;
  /** Number of ordinary search threads; default: one per core, up to `SEARCHERS_MAX`. Half as many are patient. */
  readonly searchers?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** A bound on memory: each thread takes up to 60 MB. */
const SEARCHERS_MAX = 8;
const SEARCH_THREAD = new URL('./search-thread.js', import.meta.url);
/** Searches that wait at once. */
const WAITING_MAX = 1_000;

interface Waiter {
  readonly stamp: number;
  readonly resolve: () => void;
}

export function openLiveIndex({ folder, clock, log, ...options }: LiveIndexOptions): LiveIndex {
  let { url, standbyUrl = null } = options;
  const processors = availableParallelism();
  const searchers = options.searchers ?? Math.min(SEARCHERS_MAX, processors);
  // Half of the processors serve customers that delay others; the other half serves everyone else.
  const patient = Math.max(1, Math.floor(searchers / 2));
  const threads: SearchThreads = { ordinary: searchers, patient, spare: Math.max(1, processors - patient) };
  /** The place of this thread in `adopted`, after those of the search threads; the thread for likeness follows it. */
  const ownIndex = threads.ordinary + threads.patient;
  const adopted = new SharedArrayBuffer((ownIndex + 2) * Int32Array.BYTES_PER_ELEMENT);
  const near = new NearSearches();
  const waiters = new Set<Waiter>();
  const writerPause = new RestartPause();
  /** For `tmds doctor`, which runs in another process. */
  const statusFile = folder === null ? null : new StatusFile(folder, searchers, log);
  let status = NOT_STARTED;
  let stamp = 0;
  let isClosed = false;
  let markReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  let writer = startWriter();
  const openViews = (index: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    order({ kind: 'reader', index, port: port1 }, [port1]);
    return port2;
  };
  const wayFlag = new WayFlag();
  const search: PoolKind = { script: SEARCH_THREAD, threads, waitingMax: WAITING_MAX, firstReader: 0, wayFlag };
  const pool = new SearchPool(search, adopted, clock, openViews);
  const alike = new AlikeSearches({ firstReader: ownIndex + 1, wayFlag, adopted, clock, openViews });
  near.readFrom(openViews(ownIndex), ownIndex, adopted);

  function order(message: WriterOrder, transferred: MessageChannel['port1'][] = []): void {
    writer.postMessage(message, transferred);
  }

  function startWriter(): Worker {
    const workerData: WriterData = { url, standbyUrl, folder, adopted };
    const worker = startThread(new URL('./writer-thread.js', import.meta.url), { workerData });
    worker.on('message', (report: WriterReport) => receive(report));
    worker.on('error', (error) => log.error({ err: error }, 'the thread of the search index failed'));
    worker.on('exit', () => void restart());
    return worker;
  }

  /** Replaces the search threads too, because the new writer has no channel to the old ones. */
  async function restart(): Promise<void> {
    if (isClosed) return;
    status = { ...status, state: 'failed', fault: 'its thread ended and is being restarted' };
    // No search is answered until the new writer has sent its first view.
    stamp = 0;
    await clock.sleep(writerPause.next());
    if (isClosed) return;
    writer = startWriter();
    pool.reopen();
    alike.reopen();
    near.readFrom(openViews(ownIndex), ownIndex, adopted);
  }

  function receive(report: WriterReport): void {
    if (report.kind === 'log') log[report.level](report.about, report.text);
    if (report.kind === 'status') {
      status = report.status;
      if (!isClosed) void statusFile?.write(status);
    }
    if (report.kind === 'withdrawn') stamp = 0;
    if (report.kind !== 'shown') return;
    stamp = report.stamp;
    writerPause.reset();
    markReady();
    for (const waiter of waiters) if (waiter.stamp <= stamp) waiter.resolve();
  }

  function checkReady(): void {
    if (stamp > 0 || status.state === 'ready') return;
    throw notReady(status);
  }

  return {
    ready,
    checkReady,
    get stamp() {
      return stamp;
    },
    get status() {
      return status;
    },
    get restedSeconds() {
      return pool.restedMs / 1000;
    },
    beginCall: pool.company.beginCall,
    isCrowding: pool.company.isCrowding,
    search: async (query, limits) => {
      checkReady();
      limits.signal?.throwIfAborted();
      const found = limits.deadlineMs > clock.monotonicMs() ? near.find(query) : null;
      if (found !== null) return { ...found, endTurn: () => undefined };
      const { result, endTurn } = await pool.run({ kind: 'search', query }, limits);
      return { ...openMatches(result as PackedMatches), endTurn };
    },
    countFacets: async (conditions, fields, limits) => {
      checkReady();
      const { result, endTurn } = await pool.run({ kind: 'facets', conditions, fields }, limits);
      endTurn();
      return result as Facets;
    },
    sift: async (records, conditions, mark, limits) => {
      checkReady();
      const { result, endTurn } = await pool.run({ kind: 'sift', records, conditions, alike: mark }, limits);
      endTurn();
      return result as Uint32Array;
    },
    findAlike: async (wanted, limits) => {
      checkReady();
      return await alike.find(wanted, limits);
    },
    waitFor: async (wanted, { deadlineMs, signal }, atMostMs = Number.POSITIVE_INFINITY) => {
      if (stamp >= wanted) return;
      order({ kind: 'catch_up' });
      const leftMs = deadlineMs - clock.monotonicMs();
      const isLast = leftMs <= atMostMs;
      await waitUntil(waiters, wanted, { timeoutMs: isLast ? leftMs : atMostMs, isLast, clock, signal });
    },
    moveTo: (moved) => {
      url = moved;
      order({ kind: 'moved', url });
    },
    reconnect: () => order({ kind: 'reconnect' }),
    follow: (chosen) => {
      standbyUrl = chosen;
      order({ kind: 'follow', standbyUrl });
    },
    close: async () => {
      isClosed = true;
      await Promise.all([pool.close(), alike.close()]);
      order({ kind: 'close' });
      await writer.terminate();
      await statusFile?.remove();
    },
  };
}

interface Wait {
  readonly timeoutMs: number;
  /** Whether the search has no time left after it. */
  readonly isLast: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

async function waitUntil(
  waiters: Set<Waiter>,
  stamp: number,
  { timeoutMs, isLast, clock, signal }: Wait,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      stopTimer();
      waiters.delete(waiter);
      signal?.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      end();
      reject(signal?.reason);
    };
    const waiter = {
      stamp,
      resolve: () => {
        end();
        resolve();
      },
    };
    const stopTimer = clock.callAfter(Math.max(0, timeoutMs), () => {
      end();
      if (isLast) reject(new NoAnswer('index_behind'));
      else resolve();
    });
    if (signal?.aborted) return giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    waiters.add(waiter);
  });
}

function notReady({ progress, fault }: IndexStatus): NoAnswer {
  const percent = progress === null ? null : Math.floor((100 * progress.done) / Math.max(1, progress.total));
  return new NoAnswer('index_building', { cause: fault, percent });
}
