/**
 * The stage of a load between formats and publishes: encoded blocks are kept in a file, cut into batches that one
 * publish can take; what they held is noted. What has to be compared with stored records or with one another goes on
 * into a staging table. It publishes nothing.
 */

import type { Database } from '../store/driver/db.ts';
import { assignBatch } from '../store/publish/copy-rows.ts';
import { createStage, settleStage, stageRows } from '../store/publish/stage.ts';
import { type Identities, listDiffering } from '../store/records/identities.ts';
import type { StagedBlock } from './block.ts';
import { countIssues, type Findings } from './report.ts';
import type { Spool } from './spool.ts';

/**
 * Bounds of what one publish takes, so that its transaction stays short whatever the records carry. A change is found
 * once it has committed. 2,000 records take some 50 ms, of which 9 are the transaction's own; with 5,000 a load would
 * be a tenth faster (docs/decisions/0031).
 */
export const BATCH_ROWS_MAX = 2_000;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

/** A part of a record counts as so many rows: its publish reads, merges and digests the whole of what is stored. */
export const PARTIAL_ROWS = 20;

export interface StageTarget {
  readonly db: Database;
  readonly spool: Spool;
  /** Registers that hold records: only these can hold one unchanged. */
  readonly stocked: ReadonlySet<string>;
  readonly findings: Findings;
  readonly batches: BatchCut;
}

/** Several blocks may be under way: their order is fixed when they are read, their batch when they come back. */
export interface BatchCut {
  /** `seq` of the first of so many lines; called in source order. */
  order(lines: number): number;
  /** The batch of a block of so many rows and bytes; a block is never split. Called in source order. */
  batch(rows: number, bytes: number): number;
  /** Number of the last batch; 0 when there is none. */
  last(): number;
}

export function openBatchCut(): BatchCut {
  let batch = 0;
  let seq = 0;
  let openRows = Number.POSITIVE_INFINITY;
  let openBytes = 0;
  return {
    order(lines) {
      seq += lines;
      return seq - lines;
    },
    batch(rows, bytes) {
      if (rows === 0) return batch;
      if (openRows + rows > BATCH_ROWS_MAX || openBytes + bytes > BATCH_BYTES_MAX) {
        batch += 1;
        openRows = 0;
        openBytes = 0;
      }
      openRows += rows;
      openBytes += bytes;
      return batch;
    },
    last: () => batch,
  };
}

/** Which of these differ from what is stored, as `listDiffering` says: all where their registers hold nothing. */
export async function compareRows(
  { db, stocked }: StageTarget,
  block: { registers: readonly string[]; identities: Identities },
): Promise<ReadonlyMap<number, string>> {
  if (block.registers.some((register) => stocked.has(register))) return await listDiffering(db, block.identities);
  return new Map(Array.from({ length: block.identities.count }, (_, position) => [position, '']));
}

/** Rows that a publish has to look at, and how many of them state a part of their record. */
export interface SpooledRows {
  rows: number;
  partials: number;
}

/** Keeps what every block holds. */
export async function spoolBlocks(target: StageTarget, blocks: AsyncGenerator<StagedBlock>): Promise<SpooledRows> {
  const spooled = { rows: 0, partials: 0 };
  for await (const block of blocks) {
    await noteBlock(target.findings, block);
    const { bytes, starts, partials } = block.encoded;
    const batch = target.batches.batch(starts.length + partials * (PARTIAL_ROWS - 1), bytes.length);
    assignBatch(bytes, starts, batch);
    await target.spool.add(batch, block.encoded);
    spooled.rows += starts.length;
    spooled.partials += partials;
  }
  return spooled;
}

/**
 * Stages rows in the database: those that a publish looks at, and of unchanged records only where a record may have
 * been read twice, so that the right version counts. Resolves to the number of lines that were superseded.
 */
export async function stageSpooled(
  db: Database,
  loadId: string,
  spool: Spool,
  from: { afterBatch: number; unchanged: boolean; hasPartials: boolean },
): Promise<number> {
  await createStage(db, loadId);
  await stageRows(db, loadId, spool.readRows(from));
  return await db.transaction((tx) => settleStage(tx, loadId, from));
}

async function noteBlock(noted: Findings, { findings, encoded }: StagedBlock): Promise<void> {
  noted.read += findings.read;
  countIssues(noted, findings.issues);
  for (const register of findings.registers) noted.registers.add(register);
  for (const reject of [...findings.rejects, ...encoded.rejects]) {
    noted.rejected += 1;
    await noted.rejects.add(reject);
  }
}
