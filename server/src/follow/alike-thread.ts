/**
 * The thread of searches for likeness: runs one at a time, on the newest view it has received. It reads the names of a
 * view when the view arrives, so that a search finds them read.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { collectGarbage, lowerPriority } from '../base/threads.ts';
import { type Interruption, limitSearch, NEVER_INTERRUPTED, SearchInterrupted } from '../index/matchers.ts';
import { LikenessFinder } from '../likeness/find.ts';
import type { LikenessSearch } from '../plan/likeness.ts';
import { WayFlag } from './company.ts';
import type { SearchAnswerMessage, SearcherData, SearchOutcome, SearchRequestMessage } from './messages.ts';
import { Rests } from './rests.ts';
import { ViewReader } from './view-reader.ts';

const port = parentPort;
if (port === null) throw new Error('this file only runs as a worker thread');

lowerPriority();

const { index, reader: place, wayFlag, views, prepared, ...shared } = workerData as SearcherData;
const cancelled = new Int32Array(shared.cancelled);
const isPrepared = new Int32Array(prepared!);
const rests = new Rests(new WayFlag(wayFlag!), systemClock.monotonicMs);
const finder = new LikenessFinder();
/** Unused shared memory above which garbage is collected at once. */
const DROPPED_BYTES_MAX = 64 * 1024 * 1024;

const reader = new ViewReader(views, place, shared.adopted, (bytes) => {
  if (bytes > DROPPED_BYTES_MAX) setImmediate(collectGarbage);
});

function whileResting(limit: Interruption): Interruption {
  return {
    check: () => {
      rests.pause();
      limit.check();
    },
  };
}

/** Reading names makes way too, for half of this long at most. */
const READING_MS = 60_000;

// After the reader's own listener, which takes the view in.
views.on('message', () => {
  rests.begin(0, READING_MS);
  const view = reader.newest;
  finder.prepare(view, whileResting(NEVER_INTERRUPTED));
  if (view.number > 0) Atomics.store(isPrepared, 0, 1);
});

function find({ id, task, budgetMs }: SearchRequestMessage<LikenessSearch>): SearchOutcome {
  const limit = limitSearch(systemClock, budgetMs, () => Atomics.load(cancelled, index) === id);
  try {
    return { kind: 'found', result: JSON.stringify(finder.find(reader.newest, task, whileResting(limit))) };
  } catch (error) {
    if (error instanceof SearchInterrupted) return { kind: 'interrupted', reason: error.reason };
    const { message, stack = '' } = error as Error;
    return { kind: 'failed', message, stack };
  }
}

port.on('message', (request: SearchRequestMessage<LikenessSearch>) => {
  const begunMs = systemClock.monotonicMs();
  rests.begin(request.owedMs, request.budgetMs);
  const outcome = find(request);
  const answer: SearchAnswerMessage = {
    id: request.id,
    tookMs: systemClock.monotonicMs() - begunMs,
    restedMs: rests.restedMs,
    outcome,
  };
  port.postMessage(answer);
});
