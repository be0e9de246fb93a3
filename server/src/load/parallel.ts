/**
 * Reads formats of independent lines with several threads: blocks of lines go out, rows come back, in source order. It
 * bounds what is under way, so that memory does not grow with the file.
 */
import { availableParallelism } from 'node:os';
import { type BlockTask, type StagedBlock, stageBlock } from './block.ts';
import { prepareBlock } from './comparable.ts';
import type { LineFormat, SourceEntry } from './formats/format.ts';
import { readBlocks } from './formats/lines.ts';
import { compareRows, type StageTarget } from './stage.ts';
import { openWorkers, ownBytes, type WorkerPool } from './workers.ts';

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
        // Before its memory is handed over.
        const bytes = block.bytes.length;
        const lines = { bytes: ownBytes(block.bytes), firstLine: block.firstLine, cut: block.cut };
        const seq = target.batches.order(block.lineCount);
        const task = { format: format.name, entryName: entry.name, register, ...lines, seq };
        const staged = pool === null ? stageHere(target, format, task) : stageThere(target, pool, task);
        // Awaited in order; a failure is thrown there.
        staged.catch(() => undefined);
        underWay.push({ staged, bytes });
      }
    }
    while (underWay.length > 0) yield await next();
  } finally {
    await pool?.close();
  }
}

async function stageHere(target: StageTarget, format: LineFormat, task: BlockTask): Promise<StagedBlock> {
  if (!isCompared(target, task)) return stageBlock(format, task);
  const block = prepareBlock(format, task);
  return block.encode(await compareRows(target, block));
}

async function stageThere(target: StageTarget, pool: WorkerPool, task: BlockTask): Promise<StagedBlock> {
  if (!isCompared(target, task)) return await pool.stage(task);
  const block = await pool.prepare(task);
  return await block.encode(await compareRows(target, block));
}

/** Whether a record of the block may be stored already. */
function isCompared({ stocked }: StageTarget, { register }: BlockTask): boolean {
  return register === null ? stocked.size > 0 : stocked.has(register);
}
