/**
 * A few threads that turn lines into encoded rows. Lines that are compared stay with the thread that prepared them. If
 * a thread fails, the load fails; no thread outlives the load. No pool, such as `piscina`, guarantees that a task
 * returns to the thread that prepared it.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../base/threads.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { ComparableLines, LineTask } from './line-rows.ts';

export type WorkerRequest =
  | { kind: 'encode'; id: number; task: LineTask }
  | { kind: 'prepare'; id: number; task: LineTask }
  | { kind: 'encodePrepared'; id: number; differing: ReadonlyMap<number, string> };

export type WorkerAnswer =
  | { kind: 'encoded'; id: number; encoded: EncodedRows }
  | ({ kind: 'prepared'; id: number } & Omit<ComparableLines, 'encode'>);

/** Encodes lines, here or in threads. Takes over the memory of a task. */
export interface LineEncoder {
  /** None of the lines has to be compared. */
  encode(task: LineTask): Promise<EncodedRows>;
  prepare(task: LineTask): Promise<ComparableLines>;
  close(): Promise<void>;
}

/** Nearly everything a task allocates is garbage once it is encoded: a large nursery avoids copying it. */
const NURSERY_MEGABYTES = 48;

interface Thread {
  worker: Worker;
  pending: Map<number, { resolve: (answer: WorkerAnswer) => void; reject: (error: unknown) => void }>;
}

export function openWorkers(count: number): LineEncoder {
  const threads = Array.from({ length: count }, openThread);
  let lastId = 0;
  const start = (kind: 'encode' | 'prepare', task: LineTask): { thread: Thread; answer: Promise<WorkerAnswer> } => {
    const thread = threads.reduce((least, each) => (each.pending.size < least.pending.size ? each : least));
    lastId += 1;
    return { thread, answer: ask(thread, { kind, id: lastId, task }, [task.bytes.buffer]) };
  };
  return {
    encode: async (task) => readEncoded(await start('encode', task).answer),
    async prepare(task) {
      const { thread, answer } = start('prepare', task);
      const prepared = await answer;
      if (prepared.kind !== 'prepared') throw new Error('a worker did not prepare its lines');
      const { id, identities, registers } = prepared;
      const encode = async (differing: ReadonlyMap<number, string>): Promise<EncodedRows> =>
        readEncoded(await ask(thread, { kind: 'encodePrepared', id, differing }, []));
      return { identities, registers, encode };
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function readEncoded(answer: WorkerAnswer): EncodedRows {
  if (answer.kind !== 'encoded') throw new Error('a worker did not encode its lines');
  return answer.encoded;
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

/** The same bytes in their own ArrayBuffer, which can be transferred to another thread. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return bytes as Uint8Array<ArrayBuffer>;
  return new Uint8Array(bytes);
}
