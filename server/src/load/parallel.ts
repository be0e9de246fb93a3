/**
 * Reads formats of independent lines with several threads: blocks of lines go out, rows come back, in source order. It
 * bounds what is under way, so that memory does not grow with the file.
 */
import { availableParallelism } from 'node:os';
import { type BlockTask, prepareBlock } from './block.ts';
import type { LineFormat, SourceEntry } from './formats/format.ts';
import { type LineBlock, readBlocks } from './formats/lines.ts';
import { compareRows, type StagedBlock, type StageTarget } from './stage.ts';
import { openWorkers, type WorkerPool } from './workers.ts';

/** Threads are worth their start after so many bytes of source. */
const THREADS_AFTER_BYTES = 4 * 1024 * 1024;
const THREADS_MAX = 2;
/** Blocks under way for each thread: one in work, and enough waiting or being compared that no thread ever waits. */
const BLOCKS_PER_THREAD = 5;
/** Source bytes under way; a line may be larger, and is then alone. */
const BYTES_UNDER_WAY_MAX = 8 * 1024 * 1024;

export async function* readLines(
  target: StageTarget,
  format: LineFormat,
  entries: AsyncIterable<SourceEntry>,
  register: string | null,
): AsyncGenerator<StagedBlock> {
  const threads = Math.min(THREADS_MAX, availableParallelism());
  let pool: WorkerPool | null = null;
  let readBytes = 0;
  const underWay: { staged: Promise<StagedBlock>; bytes: number }[] = [];
  const isFull = (bytes: number): boolean =>
    underWay.length >= threads * BLOCKS_PER_THREAD ||
    (underWay.length > 0 && bytes + underWay.reduce((sum, each) => sum + each.bytes, 0) > BYTES_UNDER_WAY_MAX);
  const next = (): Promise<StagedBlock> => (underWay.shift() as { staged: Promise<StagedBlock> }).staged;
  try {
    for await (const entry of entries) {
      for await (const block of readBlocks(entry.stream)) {
        while (isFull(block.bytes.length)) yield await next();
        readBytes += block.bytes.length;
        if (pool === null && readBytes > THREADS_AFTER_BYTES) pool = openWorkers(threads);
        const task = buildTask(format, entry.name, register, block);
        const seq = target.batches.order(block.lineCount);
        const staged =
          pool === null ? stageHere(target, format, task, seq) : stageThere(target, pool, task, block, seq);
        // Awaited in order; a failure is thrown there.
        staged.catch(() => undefined);
        underWay.push({ staged, bytes: block.bytes.length });
      }
    }
    while (underWay.length > 0) yield await next();
  } finally {
    await pool?.close();
  }
}

function buildTask(format: LineFormat, entryName: string, register: string | null, block: LineBlock): BlockTask {
  const { bytes, firstLine, cut } = block;
  return { format: format.name, entryName, register, bytes: new Uint8Array(bytes), firstLine, cut };
}

async function stageHere(target: StageTarget, format: LineFormat, task: BlockTask, seq: number): Promise<StagedBlock> {
  const { findings, identities, encode } = prepareBlock(format, task);
  const differing = await compareRows(target, findings.registers, identities);
  const batch = target.batches.batch(differing.size, task.bytes.length);
  return { findings, encoded: encode(differing, { seq, batch }) };
}

async function stageThere(
  target: StageTarget,
  pool: WorkerPool,
  task: BlockTask,
  block: LineBlock,
  seq: number,
): Promise<StagedBlock> {
  const { register } = task;
  const compares = register === null ? target.stocked.size > 0 : target.stocked.has(register);
  const place = compares ? null : { seq, batch: target.batches.batch(block.lineCount, block.bytes.length) };
  const { answer, encode } = await pool.prepare(task, place);
  const { findings } = answer;
  if (answer.encoded !== null) return { findings, encoded: answer.encoded };
  if (answer.identities === null) throw new Error('a block was not prepared');
  const differing = await compareRows(target, findings.registers, answer.identities);
  const batch = target.batches.batch(differing.size, block.bytes.length);
  const { encoded } = await encode(differing, { seq, batch });
  if (encoded === null) throw new Error('a block was not encoded');
  return { findings, encoded };
}
