/**
 * The unit of work between formats and staging: a block of source lines, or a group of records, becomes rows for COPY.
 * Pure but for the format's reader, so it runs the same in the loading thread and in a worker.
 */
import type { Issue } from '../record/document.ts';
import { openRowWriter, type UnchangedRow } from '../store/publish/copy-rows.ts';
import type { LineFormat } from './formats/format.ts';
import { digestLine, NO_LINE } from './line-digest.ts';
import { buildStagedRow, type PreparedRecord, prepareItem, type RejectedRecord } from './normalize.ts';
import { addKey } from './repeats.ts';

/** Lines as they are handed to a worker. */
export interface BlockTask {
  format: string;
  entryName: string;
  register: string | null;
  bytes: Uint8Array<ArrayBuffer>;
  firstLine: number;
  cut: boolean;
  /** `seq` of the first record. */
  seq: number;
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

/** What a reader yields of a block, in source order. */
export interface StagedBlock {
  findings: BlockFindings;
  encoded: EncodedBlock;
}

export interface EncodedBlock {
  /** Rows for COPY that a publish has to look at, in no batch yet. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Where each of them begins. */
  starts: Uint32Array<ArrayBuffer>;
  /** Rows for COPY of records that hold their content already. */
  unchanged: Uint8Array<ArrayBuffer>;
  /** Keys of all of them (`repeats.ts`). */
  keys: Uint32Array<ArrayBuffer>;
  /** How many of the rows state a part of their record. */
  partials: number;
  /** Records whose row could not be built. */
  rejects: RejectedRecord[];
}

/** A row takes at most about so many times what its line takes: digests and the names of silent fields are added. */
export const ROW_GROWTH = 1.25;
/** About what the row of an unchanged record takes. */
export const IDENTITY_BYTES = 160;

/** The lines of a block as rows, where nothing has to be compared: each record is encoded at hand, and then let go. */
export function stageBlock(format: LineFormat, task: BlockTask): StagedBlock {
  const bytes = bytesOf(task);
  const block = { bytes, firstLine: task.firstLine, lineCount: 0, cut: task.cut };
  const findings = openFindings();
  const rows = openEncoder(task.seq, { bytes: bytes.length * ROW_GROWTH, unchangedBytes: 0 });
  for (const item of format.readBlock(block, task.entryName, { register: task.register })) {
    const line = item.kind === 'record' ? item.line : undefined;
    const prepared = prepareItem(item, line === undefined ? NO_LINE : digestLine(format.reading, line));
    findings.read += 1;
    if (prepared.kind === 'reject') findings.rejects.push(prepared);
    else {
      noteRecord(findings, prepared.record.jurisdiction_code, prepared.issues);
      rows.add(prepared);
    }
  }
  return { findings, encoded: rows.end() };
}

export function bytesOf({ bytes }: BlockTask): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function openFindings(): BlockFindings {
  return { read: 0, rejects: [], issues: [], registers: [] };
}

export function noteRecord(findings: BlockFindings, register: string, issues: readonly Issue[]): void {
  if (issues.length > 0) findings.issues.push(...issues);
  // Rarely more than a few dozen, and mostly the one before.
  if (!findings.registers.includes(register)) findings.registers.push(register);
}

export function identityOf({ record }: PreparedRecord): UnchangedRow {
  const { jurisdiction_code, uid, source_version } = record;
  return { jurisdiction_code, uid, source_version };
}

/**
 * `differs`: whether the record at a position among `records` does not hold its content already. A part of a record is
 * no such content, however it compares: what it is merged onto may be another.
 */
export function encodeBlock(
  records: readonly PreparedRecord[],
  differs: (position: number) => boolean,
  seq: number,
): EncodedBlock {
  const rows = openEncoder(seq, { bytes: 0, unchangedBytes: records.length * IDENTITY_BYTES });
  for (const [position, record] of records.entries()) {
    if (record.record.is_partial || differs(position)) rows.add(record);
    else rows.pass(identityOf(record));
  }
  return rows.end();
}

export interface BlockEncoder {
  add(record: PreparedRecord): void;
  /** A record that holds its content already. */
  pass(unchanged: UnchangedRow): void;
  end(): EncodedBlock;
}

/** Rows in the order of the records; the sizes are about what they will take. */
export function openEncoder(firstSeq: number, size: { bytes: number; unchangedBytes: number }): BlockEncoder {
  const writer = openRowWriter(size.bytes);
  const passed = openRowWriter(size.unchangedBytes);
  const rejects: RejectedRecord[] = [];
  const keys: number[] = [];
  const starts: number[] = [];
  let seq = firstSeq;
  let partials = 0;
  return {
    add(record) {
      const built = buildStagedRow(record);
      if (built.kind === 'reject') rejects.push(built);
      else {
        starts.push(writer.writeRow(seq, built.row));
        if (built.row.is_partial) partials += 1;
        addKey(keys, built.row.jurisdiction_code, built.row.uid);
      }
      seq += 1;
    },
    pass(unchanged) {
      passed.writeUnchanged(seq, unchanged);
      addKey(keys, unchanged.jurisdiction_code, unchanged.uid);
      seq += 1;
    },
    end: () => ({
      bytes: writer.end(),
      starts: new Uint32Array(starts),
      unchanged: passed.end(),
      keys: new Uint32Array(keys),
      partials,
      rejects,
    }),
  };
}
