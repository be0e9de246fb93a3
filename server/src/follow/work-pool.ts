/**
 * The writer's worker threads: started on demand, limited in number, each with one job at a time. Not `piscina`: each
 * task would need its own port to report its progress.
 */
import type { Worker } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { RestartPause, startThread } from '../base/threads.ts';
import type { SegmentParts } from '../index/segment.ts';
import type { Work, WorkAnswer } from './messages.ts';

/** Two builds keep two cores busy; later, one worker stays free for short merges while the other does a long one. */
const WORKERS_MAX = 2;

interface Job {
  readonly id: number;
  readonly work: Work;
  readonly onRecords: (records: number) => void;
  readonly resolve: (segments: readonly SegmentParts[]) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  readonly worker: Worker;
  job: Job | null;
}

export class WorkPool {
  private readonly slots: Slot[] = [];
  private readonly waiting: Job[] = [];
  private readonly pause = new RestartPause();
  /** No thread is started, because one has just ended. */
  private isPausing = false;
  private isClosed = false;
  private lastId = 0;

  get isFull(): boolean {
    return (
      this.waiting.length > 0 || (this.slots.length === WORKERS_MAX && this.slots.every(({ job }) => job !== null))
    );
  }

  /** Rejects when the work fails or its thread ends. */
  run(work: Work, onRecords: (records: number) => void = () => {}): Promise<readonly SegmentParts[]> {
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      this.waiting.push({ id: this.lastId, work, onRecords, resolve, reject });
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.waiting.length === 0) return;
    let slot = this.slots.find(({ job }) => job === null);
    if (slot === undefined && this.slots.length < WORKERS_MAX && !this.isPausing) slot = this.openSlot();
    if (slot === undefined) return;
    slot.job = this.waiting.shift()!;
    slot.worker.postMessage({ id: slot.job.id, work: slot.job.work });
  }

  private openSlot(): Slot {
    const worker = startThread(new URL('./work-thread.js', import.meta.url), {});
    const slot: Slot = { worker, job: null };
    this.slots.push(slot);
    worker.on('message', (answer: WorkAnswer) => {
      const { job } = slot;
      if (job?.id !== answer.id) return;
      this.pause.reset();
      if (answer.kind === 'progress') return job.onRecords(answer.records);
      slot.job = null;
      if (answer.kind === 'done') job.resolve(answer.segments);
      else job.reject(new Error(answer.message));
      this.startNext();
    });
    const end = (error: Error): void => {
      const at = this.slots.indexOf(slot);
      if (at < 0) return;
      this.slots.splice(at, 1);
      slot.job?.reject(error);
      slot.job = null;
      this.startLater();
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('a worker thread of the search index ended')));
    return slot;
  }

  private startLater(): void {
    if (this.isPausing || this.isClosed) return;
    this.isPausing = true;
    systemClock.callAfter(this.pause.next(), () => {
      this.isPausing = false;
      this.startNext();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.waiting.length = 0;
    await Promise.all(this.slots.map(({ worker }) => worker.terminate()));
  }
}
