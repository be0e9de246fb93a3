/** A thread that reads lines. It has no database: lines wait here while they are compared. */
import { parentPort } from 'node:worker_threads';
import { findLineFormat } from '../formats/registry.ts';
import type { ComparableRows, Differing } from './compare.ts';
import { type LineTask, prepareLines } from './line-rows.ts';
import type { WorkerAnswer, WorkerRequest } from './workers.ts';

const port = parentPort;
if (port === null) throw new Error('this file is run as a worker thread');

const waiting = new Map<number, ComparableRows>();

function prepare(id: number, task: LineTask): void {
  const format = findLineFormat(task.format);
  if (format === null) throw new Error(`${task.format} is not a format of lines`);
  const lines = prepareLines(format, task);
  waiting.set(id, lines);
  const { identities, registers } = lines;
  const buffers = Object.values(identities.columns).map((column) => column.buffer);
  send({ kind: 'prepared', id, identities, registers }, buffers);
}

async function encode(id: number, differing: Differing, memory: ArrayBuffer | null): Promise<void> {
  const lines = waiting.get(id);
  if (lines === undefined) throw new Error(`request ${id} is not prepared`);
  waiting.delete(id);
  const encoded = await lines.encode(differing, memory);
  const { rows, rowStarts, unchanged, keys } = encoded;
  send({ kind: 'encoded', id, encoded }, [rows.buffer, rowStarts.buffer, unchanged.buffer, keys.buffer]);
}

function send(answer: WorkerAnswer, transfer: ArrayBuffer[]): void {
  port?.postMessage(answer, transfer);
}

// A failure is thrown, which ends the thread and fails the load.
port.on('message', async (request: WorkerRequest) => {
  if (request.kind === 'prepare') prepare(request.id, request.task);
  else await encode(request.id, request.differing, request.memory);
});
