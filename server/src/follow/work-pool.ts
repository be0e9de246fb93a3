/** The writer's workers: started when there is work, a bounded number, one piece of work each at a time. */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../base/threads.ts';
import type { SegmentParts } from '../index/segment.ts';
import type { Work, WorkAnswer } from './messages.ts';

/** Two builds keep two cores busy; later, a long merge leaves the other worker to short ones. */
const WORKERS_MAX = 2;

interface Piece {
  readonly id: number;
  readonly work: Work;
  readonly onRecords: (records: number) => void;
  readonly resolve: (segments: readonly SegmentParts[]) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  readonly worker: Worker;
  piece: Piece | null;
}

export class WorkPool {
  private readonly slots: Slot[] = [];
  private readonly waiting: Piece[] = [];
  private lastId = 0;

  get isFull(): boolean {
    return (
      this.waiting.length > 0 || (this.slots.length === WORKERS_MAX && this.slots.every(({ piece }) => piece !== null))
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
    let slot = this.slots.find(({ piece }) => piece === null);
    if (slot === undefined && this.slots.length < WORKERS_MAX) slot = this.openSlot();
    if (slot === undefined) return;
    slot.piece = this.waiting.shift()!;
    slot.worker.postMessage({ id: slot.piece.id, work: slot.piece.work });
  }

  private openSlot(): Slot {
    const worker = startThread(new URL('./work-thread.js', import.meta.url), {});
    const slot: Slot = { worker, piece: null };
    this.slots.push(slot);
    worker.on('message', (answer: WorkAnswer) => {
      const { piece } = slot;
      if (piece?.id !== answer.id) return;
      if (answer.kind === 'progress') return piece.onRecords(answer.records);
      slot.piece = null;
      if (answer.kind === 'done') piece.resolve(answer.segments);
      else piece.reject(new Error(answer.message));
      this.startNext();
    });
    const end = (error: Error): void => {
      const at = this.slots.indexOf(slot);
      if (at >= 0) this.slots.splice(at, 1);
      slot.piece?.reject(error);
      slot.piece = null;
      this.startNext();
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('a worker of the index has ended')));
    return slot;
  }

  async close(): Promise<void> {
    this.waiting.length = 0;
    await Promise.all(this.slots.map(({ worker }) => worker.terminate()));
  }
}
