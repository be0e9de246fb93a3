/**
 * A few threads that turn blocks of lines into rows. A block stays with the thread that prepared it until it is
 * encoded, which no pool such as `piscina` promises. A thread that fails fails the load; none outlives it.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../base/threads.ts';
import type { Identities } from '../store/records/identities.ts';
import type { BlockTask, StagedBlock } from './block.ts';
import type { ComparableBlock } from './comparable.ts';

export type WorkerRequest =
  | { kind: 'stage' | 'prepare'; id: number; task: BlockTask }
  | { kind: 'encode'; id: number; differing: ReadonlyMap<number, string> };

export type WorkerAnswer =
  | { kind: 'staged'; id: number; block: StagedBlock }
  | { kind: 'prepared'; id: number; identities: Identities; registers: string[] };

/** A block that waits in its thread. */
type WaitingBlock = Pick<ComparableBlock, 'identities' | 'registers'> & {
  encode(differing: ReadonlyMap<number, string>): Promise<StagedBlock>;
};

export interface WorkerPool {
  /** Nothing of the block has to be compared. */
  stage(task: BlockTask): Promise<StagedBlock>;
  prepare(task: BlockTask): Promise<WaitingBlock>;
  close(): Promise<void>;
}

/** Most of what a block makes is garbage once it is encoded: a roomy nursery never has to copy it. */
const NURSERY_MEGABYTES = 48;

interface Thread {
  worker: Worker;
  pending: Map<number, { resolve: (answer: WorkerAnswer) => void; reject: (error: unknown) => void }>;
}

export function openWorkers(threads: number): WorkerPool {
  const pool = Array.from({ length: threads }, openThread);
  let id = 0;
  const start = (kind: 'stage' | 'prepare', task: BlockTask): { thread: Thread; answer: Promise<WorkerAnswer> } => {
    const thread = pool.reduce((least, each) => (each.pending.size < least.pending.size ? each : least));
    id += 1;
    return { thread, answer: ask(thread, { kind, id, task }, [task.bytes.buffer]) };
  };
  return {
    stage: async (task) => readStaged(await start('stage', task).answer),
    async prepare(task) {
      const { thread, answer } = start('prepare', task);
      const prepared = await answer;
      if (prepared.kind !== 'prepared') throw new Error('a block was not prepared');
      const { identities, registers } = prepared;
      const encode = async (differing: ReadonlyMap<number, string>): Promise<StagedBlock> =>
        readStaged(await ask(thread, { kind: 'encode', id: prepared.id, differing }, []));
      return { identities, registers, encode };
    },
    async close() {
      await Promise.all(pool.map(({ worker }) => worker.terminate()));
    },
  };
}

function readStaged(answer: WorkerAnswer): StagedBlock {
  if (answer.kind !== 'staged') throw new Error('a block was not encoded');
  return answer.block;
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

/** Bytes whose memory is theirs alone and can be handed to another thread. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return bytes as Uint8Array<ArrayBuffer>;
  return new Uint8Array(bytes);
}
