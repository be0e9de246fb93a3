/**
 * The index of a process, as everything else sees it: searches, the stamp it has come to, and where it stands. Behind
 * it one thread writes and some search; they share one copy of every segment.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { MessageChannel, type Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { startThread } from '../base/threads.ts';
import type { Facets } from '../index/facets.ts';
import type { Matches } from '../index/search.ts';
import type { Condition, SearchQuery } from '../plan/search.ts';
import type { TermField } from '../record/terms.ts';
import { type IndexStatus, NOT_STARTED, type WriterData, type WriterOrder, type WriterReport } from './messages.ts';
import { type SearchLimits, SearchPool } from './search-pool.ts';
import { statusFile } from './status.ts';

/** What searches are asked of. A stamp is in microseconds since 1970. */
export interface SearchIndex {
  /** @throws ApiError `unavailable` while the index is not ready, `query_timeout`; the signal's reason. */
  search(query: SearchQuery, limits: SearchLimits): Promise<Matches>;
  countFacets(conditions: readonly Condition[], fields: readonly TermField[], limits: SearchLimits): Promise<Facets>;
  /** Resolves when every publish up to the stamp is searched; rejects as `search` does. */
  waitFor(stamp: number, limits: SearchLimits): Promise<void>;
}

export interface LiveIndex extends SearchIndex {
  readonly status: IndexStatus;
  /** Resolves once searches are answered. */
  readonly ready: Promise<void>;
  /** The database answers at another address from now on. */
  moveTo(url: string): void;
  close(): Promise<void>;
}

export interface LiveIndexOptions {
  readonly url: string;
  /** Where snapshots and the status for operators are kept; null = nowhere. */
  readonly folder: string | null;
  /** Default: one for each core, up to `SEARCHERS_MAX`. */
  readonly searchers?: number;
  readonly clock: Clock;
  readonly log: Log;
}

const SEARCHERS_MAX = 8;
/** A writer that has ended is started again after so long. */
const RESTART_MS = 1_000;

interface Waiter {
  readonly stamp: number;
  readonly resolve: () => void;
}

export function openLiveIndex({ folder, clock, log, ...options }: LiveIndexOptions): LiveIndex {
  let { url } = options;
  const searchers = options.searchers ?? Math.min(SEARCHERS_MAX, availableParallelism());
  const adopted = new SharedArrayBuffer(searchers * Int32Array.BYTES_PER_ELEMENT);
  const waiters = new Set<Waiter>();
  let status = NOT_STARTED;
  let stamp = 0;
  let isClosed = false;
  let markReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  let writer = startWriter();
  const pool = new SearchPool(searchers, adopted, clock, (index) => {
    const { port1, port2 } = new MessageChannel();
    order({ kind: 'reader', index, port: port1 }, [port1]);
    return port2;
  });

  function order(message: WriterOrder, transferred: MessageChannel['port1'][] = []): void {
    writer.postMessage(message, transferred);
  }

  function startWriter(): Worker {
    const workerData: WriterData = { url, folder, adopted };
    const worker = startThread(new URL('./writer-thread.js', import.meta.url), { workerData });
    worker.on('message', (report: WriterReport) => hear(report));
    worker.on('error', (error) => log.error({ err: error }, 'the thread of the search index failed'));
    worker.on('exit', () => void restart());
    return worker;
  }

  /** With every searcher anew, so that all are shown views by the new writer. */
  async function restart(): Promise<void> {
    if (isClosed) return;
    status = { ...status, state: 'failed', fault: 'its thread ended and is started again' };
    // Nothing is searched until the new writer has shown its view.
    stamp = 0;
    await clock.sleep(RESTART_MS);
    if (isClosed) return;
    writer = startWriter();
    pool.reopen();
  }

  function hear(report: WriterReport): void {
    if (report.kind === 'log') log[report.level](report.about, report.text);
    if (report.kind === 'status') {
      status = report.status;
      void writeStatus();
    }
    if (report.kind !== 'shown') return;
    stamp = report.stamp;
    markReady();
    for (const waiter of waiters) if (waiter.stamp <= stamp) waiter.resolve();
  }

  const ownStatus = folder === null ? null : statusFile(folder, process.pid);
  let isWriting = false;

  /** For `tmds doctor`, which is another process. */
  async function writeStatus(): Promise<void> {
    if (ownStatus === null || folder === null || isWriting || isClosed) return;
    isWriting = true;
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(`${ownStatus}.new`, JSON.stringify({ pid: process.pid, searchers, ...status }));
      await rename(`${ownStatus}.new`, ownStatus);
    } catch (error) {
      log.debug({ err: error }, 'the status of the search index could not be written');
    }
    isWriting = false;
  }

  function checkReady(): void {
    if (stamp > 0 || status.state === 'ready') return;
    throw notReady(status);
  }

  return {
    ready,
    get status() {
      return status;
    },
    search: async (query, limits) => {
      checkReady();
      return (await pool.run({ kind: 'search', query }, limits)) as Matches;
    },
    countFacets: async (conditions, fields, limits) => {
      checkReady();
      return (await pool.run({ kind: 'facets', conditions, fields }, limits)) as Facets;
    },
    waitFor: async (wanted, { deadlineMs, signal }) => {
      if (stamp >= wanted) return;
      order({ kind: 'catch_up' });
      await waitUntil(waiters, wanted, deadlineMs - clock.monotonicMs(), clock, signal);
    },
    moveTo: (moved) => {
      url = moved;
      order({ kind: 'moved', url });
    },
    close: async () => {
      isClosed = true;
      await pool.close();
      order({ kind: 'close' });
      await writer.terminate();
      if (ownStatus !== null) await rm(ownStatus, { force: true });
    },
  };
}

async function waitUntil(
  waiters: Set<Waiter>,
  stamp: number,
  patienceMs: number,
  clock: Clock,
  signal: AbortSignal | undefined,
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
    const stopTimer = clock.callAfter(Math.max(0, patienceMs), () => {
      end();
      reject(apiError('unavailable', 'The search index has not caught up yet. Try again shortly.'));
    });
    if (signal?.aborted) return giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
    waiters.add(waiter);
  });
}

function notReady({ progress, fault }: IndexStatus): ApiError {
  const percent = progress === null ? '' : ` (${Math.floor((100 * progress.done) / Math.max(1, progress.total))} %)`;
  return apiError('unavailable', `The search index is being built${percent}. Try again shortly.`, { cause: fault });
}
