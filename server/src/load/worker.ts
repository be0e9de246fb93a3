/** A thread that prepares and encodes blocks of lines. It has no database; a block waits here while it is compared. */
import { parentPort } from 'node:worker_threads';
import { type BlockPlace, type BlockTask, type ComparableBlock, prepareBlock, stageBlock } from './block.ts';
import { findLineFormat } from './registry.ts';
import { ownBytes, type WorkerAnswer, type WorkerRequest } from './workers.ts';

const port = parentPort;
if (port === null) throw new Error('this file is run as a worker thread');

const waiting = new Map<number, ComparableBlock>();

function prepare(id: number, task: BlockTask, place: BlockPlace | null): WorkerAnswer {
  const format = findLineFormat(task.format);
  if (format === null) throw new Error(`${task.format} is not a format of lines`);
  if (place !== null) return { id, identities: null, ...stageBlock(format, task, place) };
  const block = prepareBlock(format, task);
  waiting.set(id, block);
  return { id, findings: block.findings, identities: block.identities, encoded: null };
}

function encode(id: number, differing: ReadonlySet<number>, place: BlockPlace): WorkerAnswer {
  const block = waiting.get(id);
  if (block === undefined) throw new Error(`block ${id} is not prepared`);
  waiting.delete(id);
  return { id, findings: block.findings, identities: null, encoded: block.encode(differing, place) };
}

port.on('message', (request: WorkerRequest) => {
  const answer =
    request.kind === 'prepare'
      ? prepare(request.id, request.task, request.place)
      : encode(request.id, request.differing, request.place);
  if (answer.encoded === null) {
    const columns = Object.values(answer.identities?.columns ?? {});
    port.postMessage(
      answer,
      columns.map((column) => column.buffer),
    );
  } else {
    const bytes = ownBytes(answer.encoded.bytes);
    const unchanged = ownBytes(answer.encoded.unchanged);
    const { keys } = answer.encoded;
    const encoded = { ...answer.encoded, bytes, unchanged };
    port.postMessage({ ...answer, encoded }, [bytes.buffer, unchanged.buffer, keys.buffer]);
  }
});
