/**
 * The stage of a load between formats and publishes: encoded blocks are kept in a file, cut into batches that one
 * publish can take; what they held is noted. What has to be compared with stored records or with one another goes on
 * into a staging table. It publishes nothing.
 */
import type { Database } from '../store/db.ts';
import { type Identities, listDiffering } from '../store/identities.ts';
import { createStage, settleStage, stageRows } from '../store/stage.ts';
import type { BlockFindings, EncodedBlock } from './block.ts';
import { countIssues, type Findings } from './report.ts';
import type { Spool } from './spool.ts';

/** Bounds of what one publish takes, so that its transaction stays short whatever the records carry. */
export const BATCH_ROWS_MAX = 5_000;
export const BATCH_BYTES_MAX = 16 * 1024 * 1024;

export interface StageTarget {
  readonly db: Database;
  readonly spool: Spool;
  /** Registers that hold records: only these can hold one unchanged. */
  readonly stocked: ReadonlySet<string>;
  readonly findings: Findings;
  readonly batches: BatchCut;
}

/** What a reader of blocks yields, in source order. */
export interface StagedBlock {
  findings: BlockFindings;
  encoded: EncodedBlock;
}

/** Several blocks may be under way: their order is fixed when they are read, their batch when they are encoded. */
export interface BatchCut {
  /** `seq` of the first of so many lines; called in source order. */
  order(lines: number): number;
  /** The batch of a block of at most so many rows and about so many bytes; a block is never split. */
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

/** Which of these differ from what is stored, by position: all where their registers hold nothing. */
export async function compareRows(
  target: StageTarget,
  registers: readonly string[],
  identities: Identities,
): Promise<ReadonlySet<number>> {
  if (registers.some((register) => target.stocked.has(register))) return await listDiffering(target.db, identities);
  return new Set(Array.from({ length: identities.count }, (_, position) => position));
}

/** Keeps what every block holds; resolves to the number of rows that a publish has to look at. */
export async function spoolBlocks(target: StageTarget, blocks: AsyncGenerator<StagedBlock>): Promise<number> {
  let rows = 0;
  for await (const { findings, encoded } of blocks) {
    await noteBlock(target.findings, findings, encoded);
    await target.spool.add(encoded);
    rows += encoded.rows;
  }
  return rows;
}

/**
 * Stages rows in the database: those that a publish looks at, and of unchanged records only where a record may have
 * been read twice, so that the right version counts. Resolves to the number of lines that were superseded.
 */
export async function stageSpooled(
  db: Database,
  loadId: string,
  spool: Spool,
  from: { afterBatch: number; unchanged: boolean },
): Promise<number> {
  await createStage(db, loadId);
  await stageRows(db, loadId, spool.readRows(from));
  return await db.transaction((tx) => settleStage(tx, loadId));
}

async function noteBlock(noted: Findings, findings: BlockFindings, encoded: EncodedBlock): Promise<void> {
  noted.read += findings.read;
  countIssues(noted, findings.issues);
  for (const register of findings.registers) noted.registers.add(register);
  for (const reject of [...findings.rejects, ...encoded.rejects]) {
    noted.rejected += 1;
    await noted.rejects.add(reject);
  }
}
