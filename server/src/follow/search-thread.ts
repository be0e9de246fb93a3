/** A search thread: runs one search at a time, on the newest view it has received. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { collectGarbage } from '../base/threads.ts';
import { countFacets, type Facets } from '../index/facets.ts';
import { type Interruption, limitSearch, SearchInterrupted } from '../index/interruption.ts';
import { Scratch } from '../index/scratch.ts';
import { searchView } from '../index/search.ts';
import { Segment } from '../index/segment.ts';
import { Sieve } from '../index/sift.ts';
import { EMPTY_VIEW, type View } from '../index/view.ts';
import {
  type PackedMatches,
  packMatches,
  type SearchAnswerMessage,
  type SearcherData,
  type SearchOutcome,
  type SearchRequestMessage,
  type SearchTask,
  type ShownView,
} from './messages.ts';
import { Rests, WayFlag } from './rests.ts';

const port = parentPort;
if (port === null) throw new Error('this file only runs as a worker thread');

const { index, wayFlag, views, ...shared } = workerData as SearcherData;
const cancelled = new Int32Array(shared.cancelled);
const adopted = new Int32Array(shared.adopted);
const rests = wayFlag === null ? null : new Rests(new WayFlag(wayFlag), systemClock.monotonicMs);
const scratch = new Scratch();
let segments = new Map<string, Segment>();
let view: View = EMPTY_VIEW;

/** Unused shared memory above which garbage is collected at once. */
const DROPPED_BYTES_MAX = 64 * 1024 * 1024;

function adopt(shown: ShownView): void {
  for (const parts of shown.fresh) segments.set(parts.id, new Segment(parts));
  const kept = new Map(shown.parts.map(({ id }) => [id, segments.get(id)!]));
  const dropped = [...segments].filter(([id]) => !kept.has(id)).map(([, segment]) => sizeOf(segment));
  segments = kept;
  const parts = shown.parts.map(({ id, dead }) => ({ segment: kept.get(id)!, dead }));
  view = { number: shown.number, stamp: shown.stamp, parts };
  Atomics.store(adopted, index, view.number);
  if (dropped.reduce((sum, bytes) => sum + bytes, 0) > DROPPED_BYTES_MAX) setImmediate(collectGarbage);
}

function sizeOf(segment: Segment): number {
  return Object.values(segment.measure()).reduce((sum, bytes) => sum + bytes, 0);
}

/** Adopts every view received so far, so that a search sees everything the main thread knew when it sent the search. */
function adoptNewest(): void {
  for (let next = receiveMessageOnPort(views); next !== undefined; next = receiveMessageOnPort(views))
    adopt(next.message);
}

function work(task: SearchTask, interruption: Interruption): PackedMatches | Facets | Uint32Array {
  switch (task.kind) {
    case 'search':
      return packMatches(searchView(view, task.query, scratch, interruption));
    case 'facets':
      return countFacets(view, task.conditions, task.fields, scratch, interruption);
    case 'sift':
      return new Sieve(task.records).find(task.conditions);
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
    adoptNewest();
    return { kind: 'found', result: work(task, openInterruption(id, budgetMs)) };
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

views.on('message', adopt);
port.on('message', (request: SearchRequestMessage) => port.postMessage(answer(request)));
