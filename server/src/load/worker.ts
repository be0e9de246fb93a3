/** A thread that turns lines into encoded rows. It has no database: lines wait here while they are compared. */
import { parentPort } from 'node:worker_threads';
import type { EncodedRows } from './encoded-rows.ts';
import type { LineFormat } from './formats/format.ts';
import { type ComparableLines, encodeLines, type LineTask, prepareLines } from './line-rows.ts';
import { findLineFormat } from './registry.ts';
import type { WorkerAnswer, WorkerRequest } from './workers.ts';

const port = parentPort;
if (port === null) throw new Error('this file is run as a worker thread');

const waiting = new Map<number, ComparableLines>();

function findFormat(task: LineTask): LineFormat {
  const format = findLineFormat(task.format);
  if (format === null) throw new Error(`${task.format} is not a format of lines`);
  return format;
}

function prepare(id: number, task: LineTask): void {
  const lines = prepareLines(findFormat(task), task);
  waiting.set(id, lines);
  const { identities, registers } = lines;
  const buffers = Object.values(identities.columns).map((column) => column.buffer);
  send({ kind: 'prepared', id, identities, registers }, buffers);
}

async function encodePrepared(id: number, differing: ReadonlyMap<number, string>): Promise<EncodedRows> {
  const lines = waiting.get(id);
  if (lines === undefined) throw new Error(`request ${id} is not prepared`);
  waiting.delete(id);
  return await lines.encode(differing);
}

function sendEncoded(id: number, encoded: EncodedRows): void {
  const { rows, rowStarts, unchanged, keys } = encoded;
  send({ kind: 'encoded', id, encoded }, [rows.buffer, rowStarts.buffer, unchanged.buffer, keys.buffer]);
}

function send(answer: WorkerAnswer, transfer: ArrayBuffer[]): void {
  port?.postMessage(answer, transfer);
}

// A failure is thrown, which ends the thread and fails the load.
port.on('message', async (request: WorkerRequest) => {
  const { id } = request;
  if (request.kind === 'prepare') prepare(id, request.task);
  else if (request.kind === 'encode') sendEncoded(id, encodeLines(findFormat(request.task), request.task));
  else sendEncoded(id, await encodePrepared(id, request.differing));
});
