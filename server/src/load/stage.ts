/**
 * The stage of a load between reading and publishing. Encoded rows go into the spool, cut into batches of the size that
 * one publish can take, and their notes are counted. Rows that have to be compared with stored records or with one
 * another move on into a staging table. It publishes nothing.
 */
import type { Database } from '../store/driver/db.ts';
import { assignBatch } from '../store/publish/copy-rows.ts';
import { createStage, settleStage, stageRows } from '../store/publish/stage.ts';
import { type Identities, listDiffering } from '../store/records/identities.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { Findings } from './report.ts';
import type { Spool } from './spool.ts';

/**
 * Bounds of one publish, so that its transaction stays short whatever the records carry: a change is invisible before
 * it commits, and a search that began in the meantime waits until the index includes it. With 1,000 a first load takes
 * an eighth longer, for the transactions themselves; with 2,000 searches wait a fifth longer (docs/design/loads.md).
 */
export const BATCH_ROWS_MAX = 1_400;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

/**
 * A partial record costs about as much as this many whole ones: its publish reads, merges and digests what is stored.
 */
export const PARTIAL_ROWS = 20;

export interface StageTarget {
  readonly db: Database;
  readonly spool: Spool;
  /** Registers that hold records; only in these can a record be unchanged. */
  readonly stocked: ReadonlySet<string>;
  readonly findings: Findings;
  readonly batches: Batches;
}

/** Numbers records and batches. Several reads are in flight: records are numbered on the way out, batches on return. */
export interface Batches {
  /** The first of `count` consecutive numbers. Called in source order. */
  takeSeqs(count: number): number;
  /** The batch of rows that stay together. Called in source order. Rejoin rows share a batch with no others. */
  assign(rows: number, bytes: number, areRejoins?: boolean): number;
  /** The number of the last batch; 0 if there is none. */
  last(): number;
}

export function openBatches(): Batches {
  let batch = 0;
  let nextSeq = 0;
  let openRows = Number.POSITIVE_INFINITY;
  let openBytes = 0;
  let openRejoins = false;
  return {
    takeSeqs(count) {
      nextSeq += count;
      return nextSeq - count;
    },
    assign(rows, bytes, areRejoins = false) {
      if (rows === 0) return batch;
      const isFull = openRows + rows > BATCH_ROWS_MAX || openBytes + bytes > BATCH_BYTES_MAX;
      if (isFull || areRejoins !== openRejoins) {
        batch += 1;
        openRejoins = areRejoins;
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

/** Which of these records differ from what is stored (`listDiffering`); all of them where the register is empty. */
export async function compareRows(
  { db, stocked }: StageTarget,
  { registers, identities }: { registers: readonly string[]; identities: Identities },
): Promise<ReadonlyMap<number, string>> {
  if (registers.some((register) => stocked.has(register))) return await listDiffering(db, identities);
  return new Map(Array.from({ length: identities.count }, (_, position) => [position, '']));
}

/** Counts of the rows to publish, and of those among them that state only part of their record. */
export interface SpooledRows {
  rows: number;
  partials: number;
  /** For rows that only name a stored record, to be joined again. */
  rejoins: number;
}

/** Drains the reader into the spool. */
export async function spoolRows(target: StageTarget, reader: AsyncGenerator<EncodedRows>): Promise<SpooledRows> {
  const spooled = { rows: 0, partials: 0, rejoins: 0 };
  for await (const encoded of reader) {
    await noteFindings(target.findings, encoded);
    const { rows, rowStarts, partials, rejoins } = encoded;
    const counted = rowStarts.length + (partials + rejoins) * (PARTIAL_ROWS - 1);
    const batch = target.batches.assign(counted, rows.length, rejoins > 0);
    assignBatch(rows, rowStarts, batch);
    await target.spool.add(batch, encoded);
    spooled.rows += rowStarts.length;
    spooled.partials += partials;
    spooled.rejoins += rejoins;
  }
  return spooled;
}

/**
 * Moves spooled rows into a staging table: the rows to publish, and with `unchanged` also the rows of unchanged
 * records, which are needed if a record may come twice and one version has to be chosen. Resolves to the number of
 * superseded lines.
 */
export async function stageSpooled(
  db: Database,
  loadId: string,
  spool: Spool,
  options: { afterBatch: number; unchanged: boolean; hasPartials: boolean },
): Promise<number> {
  await createStage(db, loadId);
  await stageRows(db, loadId, spool.readRows(options));
  return await db.transaction((tx) => settleStage(tx, loadId, options));
}

async function noteFindings(
  findings: Findings,
  { read, issues, registers, rejects, keys }: EncodedRows,
): Promise<void> {
  findings.answered.note(keys);
  findings.read += read;
  findings.issues.add(issues);
  for (const { jurisdiction_code: code, read: count, flagged } of registers) {
    const known = findings.registers.get(code) ?? { jurisdiction_code: code, read: 0, flagged: 0 };
    known.read += count;
    known.flagged += flagged;
    findings.registers.set(code, known);
  }
  for (const reject of rejects) {
    findings.rejected += 1;
    await findings.rejects.add(reject);
  }
}
