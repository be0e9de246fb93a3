/** A thread that prepares and encodes blocks of lines. It has no database; a block waits here while it is compared. */
import { parentPort } from 'node:worker_threads';
import { type BlockTask, type StagedBlock, stageBlock } from './block.ts';
import { type ComparableBlock, prepareBlock } from './comparable.ts';
import type { LineFormat } from './formats/format.ts';
import { findLineFormat } from './registry.ts';
import type { WorkerAnswer, WorkerRequest } from './workers.ts';

const port = parentPort;
if (port === null) throw new Error('this file is run as a worker thread');

const waiting = new Map<number, ComparableBlock>();

function findFormat(task: BlockTask): LineFormat {
  const format = findLineFormat(task.format);
  if (format === null) throw new Error(`${task.format} is not a format of lines`);
  return format;
}

function encode(id: number, differing: ReadonlyMap<number, string>): StagedBlock {
  const block = waiting.get(id);
  if (block === undefined) throw new Error(`block ${id} is not prepared`);
  waiting.delete(id);
  return block.encode(differing);
}

function answerStaged(id: number, block: StagedBlock): void {
  const { bytes, starts, unchanged, keys } = block.encoded;
  const answer: WorkerAnswer = { kind: 'staged', id, block };
  port?.postMessage(answer, [bytes.buffer, starts.buffer, unchanged.buffer, keys.buffer]);
}

port.on('message', (request: WorkerRequest) => {
  const { id } = request;
  if (request.kind === 'stage') answerStaged(id, stageBlock(findFormat(request.task), request.task));
  else if (request.kind === 'encode') answerStaged(id, encode(id, request.differing));
  else {
    const block = prepareBlock(findFormat(request.task), request.task);
    waiting.set(id, block);
    const { identities, registers } = block;
    const answer: WorkerAnswer = { kind: 'prepared', id, identities, registers };
    port.postMessage(
      answer,
      Object.values(identities.columns).map((column) => column.buffer),
    );
  }
});
