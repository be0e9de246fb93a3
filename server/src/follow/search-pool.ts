/**
 * The search threads of a process. Each matches one search at a time; further searches wait, and customers take turns
 * (`search-turns.ts`). A thread is free once it has matched, but the turn goes on until whoever asked has sent the page.
 * Every search ends within its time limit: it is cancelled when its caller leaves, and refused when its turn comes too
 * late. Not `piscina`: it cancels a running task by ending its thread, which holds the views of the
 * index.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import { RestartPause, startThread } from '../base/threads.ts';
import type { SearchAnswerMessage, SearcherData, SearchRequestMessage, SearchTask } from './messages.ts';
import { type SearchThreads, SearchTurns, type Turn } from './search-turns.ts';

/** Searches that may wait at once. A longer queue would not be served within the time limit of its last search. */
const WAITING_MAX = 1_000;
export interface SearchLimits {
  /** Milliseconds on the monotonic clock. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Who asks; default: the service itself, as one customer. */
  readonly turn?: Turn | undefined;
  /** Takes the end of the turn of a page that was found, to be called soon; default: the turn ends with the page. */
  readonly holdTurn?: ((endTurn: () => void) => void) | undefined;
}

const OWN_TURN: Turn = { customer: '', key: '' };

/** What a thread found. The turn goes on until it is ended, which has to be done soon, and may be done again. */
export interface Found {
  readonly result: unknown;
  readonly endTurn: () => void;
}

interface Job {
  readonly id: number;
  readonly task: SearchTask;
  readonly limits: SearchLimits;
  readonly turn: Turn;
  /** When its thread began with it. */
  startedMs: number;
  /** How long its thread took. */
  matchMs: number;
  /** Whoever asked has left. */
  isCancelled: boolean;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

interface Searcher {
  readonly index: number;
  /** For those who keep others waiting, at a low priority. */
  readonly isPatient: boolean;
  readonly worker: Worker;
  job: Job | null;
  hasEnded: boolean;
}

export class SearchPool {
  private readonly clock: Clock;
  private readonly searchers: Searcher[] = [];
  /** The patient ones are started when they are first needed. */
  private readonly threads: SearchThreads;
  private readonly turns: SearchTurns<Job>;
  /** By the index of the thread. */
  private readonly pauses: readonly RestartPause[];
  private readonly cancelled: Int32Array;
  private readonly adopted: SharedArrayBuffer;
  private readonly openViews: (index: number) => MessagePort;
  private lastId = 0;
  private isClosed = false;

  /** `openViews` opens the channel on which a search thread receives views, also for a thread that replaces another. */
  constructor(
    threads: SearchThreads,
    adopted: SharedArrayBuffer,
    clock: Clock,
    openViews: (index: number) => MessagePort,
  ) {
    const all = threads.ordinary + threads.patient;
    this.clock = clock;
    this.threads = threads;
    this.turns = new SearchTurns({ waitingMax: WAITING_MAX, threads });
    this.adopted = adopted;
    this.openViews = openViews;
    this.cancelled = new Int32Array(new SharedArrayBuffer(all * Int32Array.BYTES_PER_ELEMENT));
    this.pauses = Array.from({ length: all }, () => new RestartPause());
    for (let index = 0; index < threads.ordinary; index += 1) this.searchers.push(this.openSearcher(index));
  }

  /** A customer calls, for a search or for anything else. */
  noteCall(customer: string): void {
    this.turns.noteCall(customer, this.clock.monotonicMs());
  }

  /** Whether a customer keeps others waiting by how many searches it sends at once. */
  isCrowding(customer: string): boolean {
    return this.turns.crowds(customer, this.clock.monotonicMs());
  }

  /** @throws ApiError `query_timeout`, `unavailable`; the reason of the signal. */
  run(task: SearchTask, limits: SearchLimits): Promise<Found> {
    return new Promise((resolve, reject) => {
      const { signal, turn = OWN_TURN } = limits;
      if (signal?.aborted) return reject(signal.reason);
      this.noteCall(turn.customer);
      this.lastId = (this.lastId + 1) | 0;
      const begun = { startedMs: 0, matchMs: 0, isCancelled: false };
      const job: Job = { id: this.lastId, task, limits, turn, ...begun, resolve, reject };
      const displaced = this.turns.add(job);
      displaced?.reject(tooBusy());
      if (displaced === job) return;
      signal?.addEventListener('abort', () => this.cancel(job, signal.reason), { once: true });
      this.startNext();
    });
  }

  private cancel(job: Job, reason: unknown): void {
    job.isCancelled = true;
    job.reject(reason);
    const searcher = this.searchers.find((each) => each.job === job);
    if (searcher !== undefined) Atomics.store(this.cancelled, searcher.index, job.id);
    if (this.turns.remove(job)) this.startNext();
  }

  private startNext(): void {
    for (const isPatient of [false, true]) {
      for (let searcher = this.findFree(isPatient); searcher !== undefined; searcher = this.findFree(isPatient)) {
        const job = this.turns.next(isPatient, this.clock.monotonicMs());
        if (job === null) break;
        this.start(job, searcher);
      }
    }
    // The first patient thread is waited for by whoever needs it.
    const { ordinary, patient } = this.threads;
    const isFree = this.findFree(true) !== undefined;
    if (!isFree && this.searchers.length < ordinary + patient && this.waitsForPatient()) {
      this.searchers.push(this.openSearcher(this.searchers.length));
      this.startNext();
    }
  }

  private waitsForPatient(): boolean {
    return this.turns.waitsFor(true, this.clock.monotonicMs());
  }

  private findFree(isPatient: boolean): Searcher | undefined {
    return this.searchers.find((each) => each.isPatient === isPatient && each.job === null && !each.hasEnded);
  }

  private start(job: Job, searcher: Searcher): void {
    job.startedMs = this.clock.monotonicMs();
    const budgetMs = job.limits.deadlineMs - job.startedMs;
    // The search has not begun, so the service is at fault and not the query (rule I-35).
    if (budgetMs <= 0) {
      this.endTurn(job);
      job.reject(tooBusy());
      return;
    }
    searcher.job = job;
    const request: SearchRequestMessage = { id: job.id, task: job.task, budgetMs };
    searcher.worker.postMessage(request);
  }

  /** The thread has no search any more. */
  private release(searcher: Searcher, job: Job): void {
    searcher.job = null;
    job.matchMs = this.clock.monotonicMs() - job.startedMs;
  }

  private endTurn(job: Job): void {
    this.turns.end(job, { matchMs: job.matchMs, totalMs: this.clock.monotonicMs() - job.startedMs });
  }

  private openSearcher(index: number): Searcher {
    const views = this.openViews(index);
    const isPatient = index >= this.threads.ordinary;
    const data: SearcherData = {
      index,
      isPatient,
      views,
      cancelled: this.cancelled.buffer as SharedArrayBuffer,
      adopted: this.adopted,
    };
    const worker = startThread(new URL('./search-thread.js', import.meta.url), {
      workerData: data,
      transferList: [views],
    });
    const searcher: Searcher = { index, isPatient, worker, job: null, hasEnded: false };
    worker.on('message', (answer: SearchAnswerMessage) => this.finish(searcher, answer));
    worker.on('error', (error) => this.replace(searcher, error));
    worker.on('exit', () => this.replace(searcher, new Error('a search thread ended')));
    return searcher;
  }

  private finish(searcher: Searcher, answer: SearchAnswerMessage): void {
    const { job } = searcher;
    if (job?.id !== answer.id) return;
    this.release(searcher, job);
    this.pauses[searcher.index]!.reset();
    if (answer.kind === 'found' && !job.isCancelled) this.hand(job, answer.result);
    else {
      this.endTurn(job);
      if (answer.kind !== 'found') job.reject(explain(answer));
    }
    this.startNext();
  }

  /** Gives the result to whoever asked, who ends the turn. */
  private hand(job: Job, result: unknown): void {
    let hasEnded = false;
    const endTurn = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.endTurn(job);
      this.startNext();
    };
    job.resolve({ result, endTurn });
  }

  /** Replaces a thread that ended; the search it was running fails. */
  private replace(searcher: Searcher, error: Error): void {
    if (this.isClosed || searcher.hasEnded) return;
    searcher.hasEnded = true;
    const { job } = searcher;
    if (job !== null) {
      this.release(searcher, job);
      this.endTurn(job);
      job.reject(apiError('unavailable', 'The search was interrupted. Try again.', { cause: error }));
    }
    this.clock.callAfter(this.pauses[searcher.index]!.next(), () => {
      if (this.isClosed) return;
      this.searchers[searcher.index] = this.openSearcher(searcher.index);
      this.startNext();
    });
  }

  /** Replaces every search thread, because they no longer receive views once their writer has ended. */
  reopen(): void {
    for (const searcher of this.searchers) {
      this.replace(searcher, new Error('the search index is restarting'));
      void searcher.worker.terminate();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const stopping = apiError('unavailable', 'The service is shutting down. Try again.');
    for (const job of this.turns.clear()) job.reject(stopping);
    for (const { index, job } of this.searchers) {
      if (job === null) continue;
      Atomics.store(this.cancelled, index, job.id);
      job.reject(stopping);
    }
    await Promise.all(this.searchers.map(({ worker }) => worker.terminate()));
  }
}

function tooBusy(): ApiError {
  return apiError('unavailable', 'The service is busy. Try again shortly.');
}

function explain(answer: Exclude<SearchAnswerMessage, { kind: 'found' }>): Error {
  if (answer.kind === 'failed') return Object.assign(new Error(answer.message), { stack: answer.stack });
  if (answer.reason === 'timed_out') {
    return apiError('query_timeout', 'The query was not answerable in time. Narrow it with another filter.');
  }
  return apiError('unavailable', 'The search was interrupted. Try again.');
}
