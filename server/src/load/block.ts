/**
 * The unit of work between formats and staging: a block of source lines, or a group of records, becomes rows for COPY.
 * Pure but for the format's reader, so it runs the same in the loading thread and in a worker.
 */
import type { Issue } from '../record/document.ts';
import { encodeStagedRow, encodeUnchangedRow, type UnchangedRow } from '../store/stage.ts';
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
  /** Lines of COPY text. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Rows that a publish has to look at. */
  rows: number;
  /** Records whose row could not be built. */
  rejects: RejectedRecord[];
}

/** The batch of rows that have nothing to publish. */
const NO_BATCH = 0;

export function prepareBlock(format: LineFormat, task: BlockTask): PreparedBlock {
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength);
  const block = { bytes, firstLine: task.firstLine, lineCount: 0, cut: task.cut };
  const findings: BlockFindings = { read: 0, rejects: [], issues: [], registers: [] };
  const registers = new Set<string>();
  const records: PreparedRecord[] = [];
  for (const item of format.readBlock(block, task.entryName, { register: task.register })) {
    findings.read += 1;
    const prepared = prepareItem(item);
    if (prepared.kind === 'reject') findings.rejects.push(prepared);
    else {
      findings.issues.push(...prepared.issues);
      registers.add(prepared.record.jurisdiction_code);
      records.push(prepared);
    }
  }
  findings.registers = [...registers];
  return { findings, records };
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
  const rejects: RejectedRecord[] = [];
  let text = '';
  let rows = 0;
  for (const [position, item] of records.entries()) {
    const seq = place.seq + position;
    if (unchanged.has(position)) text += encodeUnchangedRow(NO_BATCH, seq, identityOf(item));
    else {
      const built = buildStagedRow(item);
      if (built.kind === 'reject') rejects.push(built);
      else {
        text += encodeStagedRow(place.batch, seq, built.row);
        rows += 1;
      }
    }
  }
  return { bytes: Buffer.from(text), rows, rejects };
}
