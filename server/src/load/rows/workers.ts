/**
 * Prepares blocks of lines in a few threads. Prepared lines stay with their thread while they are compared. If a thread
 * fails, the load fails; no thread outlives the load. No pool, such as `piscina`, guarantees that a task returns to the
 * thread that prepared it.
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../base/threads.ts';
import type { LineFormat } from '../formats/format.ts';
import type { ComparableRows, Differing } from './compare.ts';
import type { EncodedRows } from './encode.ts';
import { type LineTask, prepareLines } from './line-rows.ts';

export type WorkerRequest =
  | { kind: 'prepare'; id: number; task: LineTask }
  | { kind: 'encode'; id: number; differing: Differing; memory: ArrayBuffer | null };

export type WorkerAnswer =
  | { kind: 'encoded'; id: number; encoded: EncodedRows }
  | ({ kind: 'prepared'; id: number } & Omit<ComparableRows, 'encode'>);

export interface LineReader {
  /** Takes over the memory of the task. */
  prepare(task: LineTask): Promise<ComparableRows>;
  close(): Promise<void>;
}

/** Smaller sources are read without threads. */
const THREADS_AFTER_BYTES = 4 * 1024 * 1024;
export const THREADS = Math.min(2, availableParallelism());
/** Nearly everything a task allocates is garbage once it is encoded: a large nursery avoids copying it. */
const NURSERY_MEGABYTES = 48;
/**
 * Memory of rows goes back to the threads once it has been copied: V8 counts what is allocated outside its heap, and
 * collects the garbage of the whole thread each time that it reaches some megabytes. Bounds what is kept for that.
 */
const SPARES_MAX = 32;
const SPARE_BYTES_MAX = 1024 * 1024;

interface Thread {
  worker: Worker;
  pending: Map<number, { resolve: (answer: WorkerAnswer) => void; reject: (error: unknown) => void }>;
}

/** `knownBytes`: how much there is to read at least, so that the first lines need not wait for the threads. */
export function openLineReader(format: LineFormat, knownBytes = 0): LineReader {
  const threads: Thread[] = [];
  const spares: ArrayBuffer[] = [];
  let bytes = 0;
  let lastId = 0;
  return {
    async prepare(task) {
      bytes += task.runs.reduce((sum, run) => sum + run.length, 0);
      if (Math.max(bytes, knownBytes) <= THREADS_AFTER_BYTES) return prepareLines(format, task);
      while (threads.length < THREADS) threads.push(openThread());
      lastId += 1;
      const thread = threads.reduce((least, each) => (each.pending.size < least.pending.size ? each : least));
      return await prepareIn(thread, lastId, task, spares);
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

async function prepareIn(thread: Thread, id: number, task: LineTask, spares: ArrayBuffer[]): Promise<ComparableRows> {
  const memory = task.runs.map((run) => run.buffer);
  const prepared = await ask(thread, { kind: 'prepare', id, task }, memory);
  if (prepared.kind !== 'prepared') throw new Error('a worker did not prepare its lines');
  const { identities, registers } = prepared;
  return {
    identities,
    registers,
    async encode(differing) {
      const memory = spares.pop() ?? null;
      const answer = await ask(thread, { kind: 'encode', id, differing, memory }, memory === null ? [] : [memory]);
      if (answer.kind !== 'encoded') throw new Error('a worker did not encode its lines');
      const { encoded } = answer;
      const { buffer } = encoded.rows;
      const release = (): void => {
        if (spares.length < SPARES_MAX && buffer.byteLength <= SPARE_BYTES_MAX) spares.push(buffer);
      };
      return { ...encoded, release };
    },
  };
}

function openThread(): Thread {
  const options = { resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MEGABYTES } };
  const worker = startThread(new URL('./worker.js', import.meta.url), options);
  const pending: Thread['pending'] = new Map();
  const failAll = (error: unknown): void => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.on('message', (answer: WorkerAnswer) => {
    pending.get(answer.id)?.resolve(answer);
    pending.delete(answer.id);
  });
  worker.on('error', failAll);
  worker.on('exit', (code) => failAll(new Error(`a worker thread ended with status ${code}`)));
  return { worker, pending };
}

function ask(thread: Thread, request: WorkerRequest, transfer: ArrayBuffer[]): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    thread.pending.set(request.id, { resolve, reject });
    thread.worker.postMessage(request, transfer);
  });
}
