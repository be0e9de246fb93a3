/**
 * Reads formats of independent lines: blocks of lines go out to threads, encoded rows come back, and are yielded in
 * source order. The number of blocks in flight is bounded, so that memory does not grow with the file.
 */
import { availableParallelism } from 'node:os';
import { type EncodedRows, openRowEncoder } from './encoded-rows.ts';
import type { LineFormat, RejectItem, SourceEntry } from './formats/format.ts';
import { type LineBlock, readBlocks } from './formats/lines.ts';
import { encodeLines, type LineTask, prepareLines } from './line-rows.ts';
import { compareRows, type StageTarget } from './stage.ts';
import { type LineEncoder, openWorkers, ownBytes } from './workers.ts';

/** Smaller sources are read before threads have started. */
const THREADS_AFTER_BYTES = 4 * 1024 * 1024;
const THREADS_MAX = 2;
/** One block in work, the others queued or being compared, so that no thread waits. */
const BLOCKS_PER_THREAD = 5;
/** Source bytes in flight. A larger line goes alone. */
const FLIGHT_BYTES_MAX = 8 * 1024 * 1024;

interface Flight {
  encoded: Promise<EncodedRows>;
  bytes: number;
}

export async function* readLines(
  target: StageTarget,
  format: LineFormat,
  files: AsyncIterable<SourceEntry | RejectItem>,
  register: string | null,
): AsyncGenerator<EncodedRows> {
  const threads = Math.min(THREADS_MAX, availableParallelism());
  let encoder = encodeHere(format);
  let isThreaded = false;
  let readBytes = 0;
  const inFlight: Flight[] = [];
  try {
    for await (const entry of files) {
      if ('reason' in entry) {
        while (inFlight.length > 0) yield await (inFlight.shift() as Flight).encoded;
        yield encodeReject(target, entry);
        continue;
      }
      for await (const block of readBlocks(entry.stream)) {
        const bytes = block.bytes.length;
        while (isFull(inFlight, threads, bytes)) yield await (inFlight.shift() as Flight).encoded;
        readBytes += bytes;
        if (!isThreaded && readBytes > THREADS_AFTER_BYTES) {
          encoder = openWorkers(threads);
          isThreaded = true;
        }
        const seq = target.batches.takeSeqs(block.lineCount);
        const task = buildTask(block, { format: format.name, entryName: entry.name, register, seq });
        const encoded = encode(target, encoder, task);
        // A failure is thrown when its turn comes; until then it is not unhandled.
        encoded.catch(() => undefined);
        inFlight.push({ encoded, bytes });
      }
    }
    while (inFlight.length > 0) yield await (inFlight.shift() as Flight).encoded;
  } finally {
    await encoder.close();
  }
}

function isFull(inFlight: readonly Flight[], threads: number, nextBytes: number): boolean {
  if (inFlight.length === 0) return false;
  const bytes = inFlight.reduce((sum, flight) => sum + flight.bytes, nextBytes);
  return inFlight.length >= threads * BLOCKS_PER_THREAD || bytes > FLIGHT_BYTES_MAX;
}

function buildTask(block: LineBlock, rest: Omit<LineTask, 'bytes' | 'firstLine' | 'cut'>): LineTask {
  return { ...rest, bytes: ownBytes(block.bytes), firstLine: block.firstLine, cut: block.cut };
}

function encodeReject(target: StageTarget, reject: RejectItem): EncodedRows {
  const rows = openRowEncoder(target.batches.takeSeqs(0), { rowBytes: 0, unchangedBytes: 0 });
  rows.reject(reject);
  return rows.end();
}

function encodeHere(format: LineFormat): LineEncoder {
  return {
    encode: async (task) => encodeLines(format, task),
    prepare: async (task) => prepareLines(format, task),
    close: async () => {},
  };
}

async function encode(target: StageTarget, encoder: LineEncoder, task: LineTask): Promise<EncodedRows> {
  const { stocked } = target;
  const mayBeStored = task.register === null ? stocked.size > 0 : stocked.has(task.register);
  if (!mayBeStored) return await encoder.encode(task);
  const lines = await encoder.prepare(task);
  return await lines.encode(await compareRows(target, lines));
}
