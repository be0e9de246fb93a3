/**
 * The search threads of a process. Each matches one search at a time; further searches wait, and customers take turns
 * (`search-turns.ts`). A thread is free once it has matched, but the turn continues until the caller has sent the page.
 * Every search ends within its time limit: it is cancelled when its caller leaves, and refused when its turn comes too
 * late. Not `piscina`: it cancels a running task by ending its thread, which holds the views of the index.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { RestartPause, startThread } from '../base/threads.ts';
import { Company, type WayFlag } from './company.ts';
import type { SearchAnswerMessage, SearcherData, SearchOutcome, SearchRequestMessage, SearchTask } from './messages.ts';
import { SearchTurns, type Turn } from './search-turns.ts';

/** How many threads search, of both kinds. */
export interface SearchThreads {
  readonly ordinary: number;
  /** For customers who crowd; they make way for the calls of all others (`rests.ts`). */
  readonly patient: number;
  /** Processors that the patient threads do not use; at least 1. */
  readonly spare: number;
}

export interface SearchLimits {
  /** Milliseconds on the monotonic clock. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The caller; default: the service itself, as one customer. */
  readonly turn?: Turn | undefined;
  /** Takes the end of the turn of a page that was found, to be called soon; default: the turn ends with the page. */
  readonly holdTurn?: ((endTurn: () => void) => void) | undefined;
}

const OWN_TURN: Turn = { customer: '', key: '' };

/** What a thread found. The turn continues until it is ended, which must happen soon; ending it twice is harmless. */
export interface Found {
  readonly result: unknown;
  readonly endTurn: () => void;
}

/** What sets the pools of a process apart. */
export interface PoolKind {
  /** The module of its threads. */
  readonly script: URL;
  readonly threads: SearchThreads;
  /** Searches that may wait at once. A longer queue would not be served within the time limit of its last search. */
  readonly waitingMax: number;
  /** The position of its first thread in `adopted`. */
  readonly firstReader: number;
  /** Makes its patient threads make way; with `allMakeWay`, every thread. */
  readonly wayFlag: WayFlag;
  readonly allMakeWay?: boolean;
  /** Int32: 1 once its thread can answer; default: it can at once. */
  readonly prepared?: SharedArrayBuffer;
}

interface Job<Task> {
  readonly id: number;
  readonly task: Task;
  readonly limits: SearchLimits;
  readonly turn: Turn;
  readonly addedMs: number;
  /** When its thread began with it. */
  startedMs: number;
  /** How long its thread had it. */
  matchMs: number;
  isPatient: boolean;
  /** The caller has left. */
  isCancelled: boolean;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

interface Searcher<Task> {
  readonly index: number;
  readonly isPatient: boolean;
  readonly worker: Worker;
  job: Job<Task> | null;
  hasEnded: boolean;
}

export class SearchPool<Task = SearchTask> {
  private readonly clock: Clock;
  private readonly kind: PoolKind;
  private readonly searchers: Searcher<Task>[] = [];
  /** The patient ones are started when they are first needed. */
  private readonly threads: SearchThreads;
  private readonly turns: SearchTurns<Job<Task>>;
  readonly company: Company;
  /** The time that turns of patient threads took apart from matching, since one of them last began a search. */
  private owedMs = 0;
  /** How long patient threads have rested in all. */
  restedMs = 0;
  /** By the index of the thread. */
  private readonly pauses: readonly RestartPause[];
  private readonly cancelled: Int32Array;
  private readonly adopted: SharedArrayBuffer;
  private readonly openViews: (index: number) => MessagePort;
  private lastId = 0;
  private isClosed = false;

  /** `openViews` opens the channel on which a search thread receives views, also for a thread that replaces another. */
  constructor(kind: PoolKind, adopted: SharedArrayBuffer, clock: Clock, openViews: (index: number) => MessagePort) {
    const { threads, waitingMax, wayFlag } = kind;
    const all = threads.ordinary + threads.patient;
    this.clock = clock;
    this.kind = kind;
    this.threads = threads;
    this.company = new Company(wayFlag, threads.spare, clock);
    this.turns = new SearchTurns(this.company, { waitingMax, patientThreads: threads.patient });
    this.adopted = adopted;
    this.openViews = openViews;
    this.cancelled = new Int32Array(new SharedArrayBuffer(all * Int32Array.BYTES_PER_ELEMENT));
    this.pauses = Array.from({ length: all }, () => new RestartPause());
    for (let index = 0; index < threads.ordinary; index += 1) this.searchers.push(this.openSearcher(index));
  }

  /** @throws NoAnswer; the reason of the signal. */
  run(task: Task, limits: SearchLimits): Promise<Found> {
    return new Promise((resolve, reject) => {
      const { signal, turn = OWN_TURN } = limits;
      if (signal?.aborted) return reject(signal.reason);
      const addedMs = this.clock.monotonicMs();
      this.company.noteCall(turn.customer, addedMs);
      this.lastId = (this.lastId + 1) | 0;
      const begun = { addedMs, startedMs: 0, matchMs: 0, isPatient: false, isCancelled: false };
      const job: Job<Task> = { id: this.lastId, task, limits, turn, ...begun, resolve, reject };
      const displaced = this.turns.add(job);
      displaced?.reject(new NoAnswer('searches_waiting'));
      if (displaced === job) return;
      signal?.addEventListener('abort', () => this.cancel(job, signal.reason), { once: true });
      this.startNext();
    });
  }

  private cancel(job: Job<Task>, reason: unknown): void {
    job.isCancelled = true;
    job.reject(reason);
    const searcher = this.searchers.find((each) => each.job === job);
    if (searcher !== undefined) Atomics.store(this.cancelled, searcher.index, job.id);
    this.turns.remove(job);
  }

  private startNext(): void {
    for (const isPatient of [false, true]) {
      for (let searcher = this.findFree(isPatient); searcher !== undefined; searcher = this.findFree(isPatient)) {
        const job = this.turns.next(isPatient, this.clock.monotonicMs());
        if (job === null) break;
        this.start(job, searcher);
      }
    }
    // Searches that need the first patient thread wait for it.
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

  private findFree(isPatient: boolean): Searcher<Task> | undefined {
    return this.searchers.find((each) => each.isPatient === isPatient && each.job === null && !each.hasEnded);
  }

  private start(job: Job<Task>, searcher: Searcher<Task>): void {
    job.startedMs = this.clock.monotonicMs();
    const budgetMs = job.limits.deadlineMs - job.startedMs;
    // The search has not begun, so the service is at fault and not the query (rule I-35).
    if (budgetMs <= 0) {
      this.endTurn(job);
      job.reject(new NoAnswer('searches_waiting'));
      return;
    }
    searcher.job = job;
    job.isPatient = searcher.isPatient;
    const owedMs = job.isPatient ? this.owedMs : 0;
    if (job.isPatient) this.owedMs = 0;
    const request: SearchRequestMessage<Task> = { id: job.id, task: job.task, budgetMs, owedMs };
    searcher.worker.postMessage(request);
  }

  private endTurn(job: Job<Task>): void {
    const nowMs = this.clock.monotonicMs();
    const { addedMs, startedMs, matchMs } = job;
    if (job.isPatient) this.owedMs += nowMs - startedMs - matchMs;
    this.turns.end(job, { waitedMs: startedMs - addedMs, matchMs, totalMs: nowMs - startedMs }, nowMs);
  }

  private openSearcher(index: number): Searcher<Task> {
    const { script, firstReader, wayFlag, allMakeWay = false, prepared = null } = this.kind;
    const reader = firstReader + index;
    const views = this.openViews(reader);
    const isPatient = index >= this.threads.ordinary;
    const data: SearcherData = {
      index,
      reader,
      prepared,
      wayFlag: isPatient || allMakeWay ? wayFlag.shared : null,
      views,
      cancelled: this.cancelled.buffer as SharedArrayBuffer,
      adopted: this.adopted,
    };
    const worker = startThread(script, {
      workerData: data,
      transferList: [views],
    });
    const searcher: Searcher<Task> = { index, isPatient, worker, job: null, hasEnded: false };
    worker.on('message', (answer: SearchAnswerMessage) => this.finish(searcher, answer));
    worker.on('error', (error) => this.replace(searcher, error));
    worker.on('exit', () => this.replace(searcher, new Error('a search thread ended')));
    return searcher;
  }

  private finish(searcher: Searcher<Task>, answer: SearchAnswerMessage): void {
    const { job } = searcher;
    if (job?.id !== answer.id) return;
    const { tookMs, restedMs, outcome } = answer;
    this.restedMs += restedMs;
    searcher.job = null;
    job.matchMs = tookMs;
    this.pauses[searcher.index]!.reset();
    if (outcome.kind === 'found' && !job.isCancelled) this.hand(job, outcome.result);
    else {
      this.endTurn(job);
      if (outcome.kind !== 'found') job.reject(explain(outcome));
    }
    this.startNext();
  }

  /** Gives the result to the caller, which ends the turn. */
  private hand(job: Job<Task>, result: unknown): void {
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
  private replace(searcher: Searcher<Task>, error: Error): void {
    if (this.isClosed || searcher.hasEnded) return;
    searcher.hasEnded = true;
    const { job } = searcher;
    if (job !== null) {
      searcher.job = null;
      this.endTurn(job);
      job.reject(new NoAnswer('search_interrupted', { cause: error }));
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
    const stopping = new NoAnswer('searches_closed');
    for (const job of this.turns.clear()) job.reject(stopping);
    for (const { index, job } of this.searchers) {
      if (job === null) continue;
      Atomics.store(this.cancelled, index, job.id);
      job.reject(stopping);
    }
    await Promise.all(this.searchers.map(({ worker }) => worker.terminate()));
  }
}

function explain(outcome: Exclude<SearchOutcome, { kind: 'found' }>): Error {
  if (outcome.kind === 'failed') return Object.assign(new Error(outcome.message), { stack: outcome.stack });
  return new NoAnswer(outcome.reason === 'timed_out' ? 'search_over_time' : 'search_interrupted');
}
