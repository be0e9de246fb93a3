/**
 * The unit of work between formats and staging: a block of source lines, or a group of records, becomes rows for COPY.
 * Pure but for the format's reader, so it runs the same in the loading thread and in a worker.
 */
import type { Issue } from '../record/document.ts';
import { openRowWriter, type UnchangedRow } from '../store/copy-rows.ts';
import type { LineFormat } from './formats/format.ts';
import { buildStagedRow, type PreparedRecord, prepareItem, type RejectedRecord } from './normalize.ts';

/** Lines as they are handed to a worker. */
export interface BlockTask {
  format: string;
  entryName: string;
  register: string | null;
  bytes: Uint8Array<ArrayBuffer>;
  firstLine: number;
  cut: boolean;
}

/** What a block turned out to hold, without the records themselves. */
export interface BlockFindings {
  read: number;
  rejects: RejectedRecord[];
  issues: Issue[];
  registers: string[];
}

export interface PreparedBlock {
  findings: BlockFindings;
  records: PreparedRecord[];
}

/** Where the rows of a block go: the batch that publishes them, and the `seq` of the first. */
export interface BlockPlace {
  batch: number;
  seq: number;
}

export interface EncodedBlock {
  /** Rows for COPY. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Rows that a publish has to look at. */
  rows: number;
  /** Records whose row could not be built. */
  rejects: RejectedRecord[];
}

/** A row takes about so many times what its record takes, names and terms being stored beside it. */
const ROW_GROWTH = 2;
/** The batch of rows that have nothing to publish. */
const NO_BATCH = 0;

/** The records of a block, each with what is to be compared and stored of it; nothing is encoded yet. */
export function prepareBlock(format: LineFormat, task: BlockTask): PreparedBlock {
  const records: PreparedRecord[] = [];
  const findings = prepareRecords(format, task, (record) => records.push(record));
  return { findings, records };
}

/** Both steps in one where nothing has to be compared: each record is encoded while it is at hand, and then let go. */
export function stageBlock(
  format: LineFormat,
  task: BlockTask,
  place: BlockPlace,
): { findings: BlockFindings; encoded: EncodedBlock } {
  const rows = openEncoder(place, task.bytes.length * ROW_GROWTH);
  const findings = prepareRecords(format, task, rows.add);
  return { findings, encoded: rows.end() };
}

function prepareRecords(format: LineFormat, task: BlockTask, take: (record: PreparedRecord) => unknown): BlockFindings {
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength);
  const block = { bytes, firstLine: task.firstLine, lineCount: 0, cut: task.cut };
  const findings: BlockFindings = { read: 0, rejects: [], issues: [], registers: [] };
  const registers = new Set<string>();
  for (const item of format.readBlock(block, task.entryName, { register: task.register })) {
    findings.read += 1;
    const prepared = prepareItem(item);
    if (prepared.kind === 'reject') findings.rejects.push(prepared);
    else {
      findings.issues.push(...prepared.issues);
      registers.add(prepared.record.jurisdiction_code);
      take(prepared);
    }
  }
  findings.registers = [...registers];
  return findings;
}

export function identityOf({ record, digest }: PreparedRecord): UnchangedRow {
  const { jurisdiction_code, uid, source_version } = record;
  return { jurisdiction_code, uid, content_digest: digest, source_version };
}

/** `unchanged`: positions among `records` that hold their content already. */
export function encodeBlock(
  records: readonly PreparedRecord[],
  unchanged: ReadonlySet<number>,
  place: BlockPlace,
): EncodedBlock {
  const length = records.reduce((sum, record) => sum + record.length, 0);
  const rows = openEncoder(place, unchanged.size === 0 ? length * ROW_GROWTH : length);
  for (const [position, record] of records.entries()) {
    if (unchanged.has(position)) rows.pass(record);
    else rows.add(record);
  }
  return rows.end();
}

/** Rows in the order of the records; `bytes` is about what they will take. */
function openEncoder(
  place: BlockPlace,
  bytes: number,
): { add(record: PreparedRecord): void; pass(unchanged: PreparedRecord): void; end(): EncodedBlock } {
  const writer = openRowWriter(bytes);
  const rejects: RejectedRecord[] = [];
  let seq = place.seq;
  let rows = 0;
  return {
    add(record) {
      const built = buildStagedRow(record);
      if (built.kind === 'reject') rejects.push(built);
      else {
        writer.writeRow(place.batch, seq, built.row);
        rows += 1;
      }
      seq += 1;
    },
    pass(unchanged) {
      writer.writeUnchanged(NO_BATCH, seq, identityOf(unchanged));
      seq += 1;
    },
    end: () => ({ bytes: writer.end(), rows, rejects }),
  };
}
