/** A search thread: runs one search at a time, on the newest view it has received. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { collectGarbage } from '../base/threads.ts';
import { countFacets, type Facets } from '../index/facets.ts';
import { type Interruption, limitSearch, Scratch, SearchInterrupted } from '../index/matchers.ts';
import { searchView } from '../index/search.ts';
import type { View } from '../index/segment.ts';
import { siftRecords } from '../likeness/watched-marks.ts';
import { WayFlag } from './company.ts';
import {
  type PackedMatches,
  packMatches,
  type SearchAnswerMessage,
  type SearcherData,
  type SearchOutcome,
  type SearchRequestMessage,
  type SearchTask,
} from './messages.ts';
import { Rests } from './rests.ts';
import { ViewReader } from './view-reader.ts';

const port = parentPort;
if (port === null) throw new Error('this file only runs as a worker thread');

const { index, reader: place, wayFlag, views, ...shared } = workerData as SearcherData;
const cancelled = new Int32Array(shared.cancelled);
const rests = wayFlag === null ? null : new Rests(new WayFlag(wayFlag), systemClock.monotonicMs);
const scratch = new Scratch();

/** Unused shared memory above which garbage is collected at once. */
const DROPPED_BYTES_MAX = 64 * 1024 * 1024;

const reader = new ViewReader(views, place, shared.adopted, (bytes) => {
  if (bytes > DROPPED_BYTES_MAX) setImmediate(collectGarbage);
});

function work(view: View, task: SearchTask, interruption: Interruption): PackedMatches | Facets | Uint32Array {
  switch (task.kind) {
    case 'search':
      return packMatches(searchView(view, task.query, scratch, interruption));
    case 'facets':
      return countFacets(view, task.conditions, task.fields, scratch, interruption);
    case 'sift':
      return siftRecords(task.records, task.conditions, task.alike);
  }
}

/** Ends a search that has to end, and lets a patient one rest. */
function openInterruption(id: number, budgetMs: number): Interruption {
  const limit = limitSearch(systemClock, budgetMs, () => Atomics.load(cancelled, index) === id);
  if (rests === null) return limit;
  return {
    check: () => {
      rests.pause();
      limit.check();
    },
  };
}

function find({ id, task, budgetMs }: SearchRequestMessage): SearchOutcome {
  try {
    return { kind: 'found', result: work(reader.newest, task, openInterruption(id, budgetMs)) };
  } catch (error) {
    if (error instanceof SearchInterrupted) return { kind: 'interrupted', reason: error.reason };
    const { message, stack = '' } = error as Error;
    return { kind: 'failed', message, stack };
  }
}

function answer(request: SearchRequestMessage): SearchAnswerMessage {
  const begunMs = systemClock.monotonicMs();
  rests?.begin(request.owedMs, request.budgetMs);
  const outcome = find(request);
  const tookMs = systemClock.monotonicMs() - begunMs;
  return { id: request.id, tookMs, restedMs: rests?.restedMs ?? 0, outcome };
}

port.on('message', (request: SearchRequestMessage) => port.postMessage(answer(request)));
