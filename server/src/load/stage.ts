/**
 * The stage of a load between formats and publishes: encoded blocks go into the staging table, cut into batches that
 * one publish can take; what they held is noted. It publishes nothing.
 */
import type { Database } from '../store/db.ts';
import { type Identities, listUnchanged, stageRows } from '../store/stage.ts';
import type { BlockFindings, EncodedBlock } from './block.ts';
import { countIssues, type Findings } from './report.ts';

/** Bounds of what one publish takes, so that its transaction stays short whatever the records carry. */
export const BATCH_ROWS_MAX = 5_000;
export const BATCH_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes after which one COPY ends and the next begins, so that none lasts as long as the load. */
const COPY_BYTES_MAX = 256 * 1024 * 1024;

export interface StageTarget {
  readonly db: Database;
  readonly loadId: string;
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

const NONE: ReadonlySet<number> = new Set();

/** Which of these hold their content already, by position. */
export async function compareRows(target: StageTarget, identities: Identities): Promise<ReadonlySet<number>> {
  if (!identities.jurisdiction_code.some((register) => target.stocked.has(register))) return NONE;
  return await listUnchanged(target.db, identities);
}

/** Stages every block; resolves to the number of rows that a publish has to look at. */
export async function stageBlocks(target: StageTarget, blocks: AsyncGenerator<StagedBlock>): Promise<number> {
  let rows = 0;
  let more = true;
  async function* takePieces(): AsyncGenerator<Buffer> {
    for (let bytes = 0; bytes < COPY_BYTES_MAX; ) {
      const next = await blocks.next();
      more = !next.done;
      if (next.done) return;
      const { findings, encoded } = next.value;
      await noteBlock(target.findings, findings, encoded);
      rows += encoded.rows;
      bytes += encoded.bytes.length;
      const { buffer, byteOffset, byteLength } = encoded.bytes;
      if (byteLength > 0) yield Buffer.from(buffer, byteOffset, byteLength);
    }
  }
  try {
    while (more) await stageRows(target.db, target.loadId, takePieces());
  } finally {
    // A COPY that failed leaves the readers open.
    await blocks.return(undefined);
  }
  return rows;
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
