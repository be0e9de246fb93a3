/**
 * Turns a block of lines or a group of records into rows for COPY, and the notes made while reading them. It touches no
 * database and no file, so it works the same in the main thread and in a worker.
 */
import type { Issue } from '../../record/document.ts';
import { openRowWriter, type UnchangedRow } from '../../store/publish/copy-rows.ts';
import type { CountedIssue } from '../../store/publish/findings.ts';
import type { RegisterReading } from '../../store/publish/loads.ts';
import type { RecordIdentity } from '../formats/format.ts';
import { openIssueCounter } from './issue-counter.ts';
import { buildStagedRow, type PreparedRecord, type RejectedRecord } from './normalize.ts';
import { addKey } from './repeats.ts';

/**
 * A partial record costs about as much as this many whole ones: its publish reads, merges and digests what is stored.
 */
export const PARTIAL_ROWS = 20;

export interface EncodedRows {
  /** Records and rejects read. */
  read: number;
  rejects: RejectedRecord[];
  issues: CountedIssue[];
  registers: RegisterReading[];
  /** Rows to publish; their batch is still open. */
  rows: Uint8Array<ArrayBuffer>;
  rowStarts: Uint32Array<ArrayBuffer>;
  /** Rows of records whose content is already stored. */
  unchanged: Uint8Array<ArrayBuffer>;
  /** The keys of all rows (`repeats.ts`). */
  keys: Uint32Array<ArrayBuffer>;
  /** How many of the rows to publish state only part of their record. */
  partials: number;
  /** How many of them name a stored record that is only joined again; then there are no others. */
  rejoins: number;
}

export interface RowEncoder {
  reject(rejected: RejectedRecord): void;
  /** A record to publish. One whose row cannot be built becomes a reject. */
  add(prepared: PreparedRecord): void;
  /** A record whose content is already stored. */
  addUnchanged(record: UnchangedRow, issues: readonly Issue[], position: string): void;
  /** A stored record that is joined again. */
  addRejoin(record: RecordIdentity): void;
  end(): EncodedRows;
}

/** Rows are numbered from `firstSeq`; `size` estimates the bytes they take, so that the buffers rarely grow. */
export function openRowEncoder(firstSeq: number, size: { rowBytes: number; unchangedBytes: number }): RowEncoder {
  const writer = openRowWriter(size.rowBytes);
  const unchangedWriter = openRowWriter(size.unchangedBytes);
  const rejects: RejectedRecord[] = [];
  const issues = openIssueCounter();
  const registers: RegisterReading[] = [];
  const keys: number[] = [];
  const rowStarts: number[] = [];
  let read = 0;
  let seq = firstSeq;
  let partials = 0;
  let rejoins = 0;

  const find = (code: string): RegisterReading => {
    // An array: few registers, and nearly always the same one.
    const known = registers.find(({ jurisdiction_code }) => jurisdiction_code === code);
    if (known !== undefined) return known;
    const register = { jurisdiction_code: code, read: 0, flagged: 0 };
    registers.push(register);
    return register;
  };
  const note = ({ jurisdiction_code, uid }: RecordIdentity, raised: readonly Issue[], position: string): void => {
    for (const issue of raised) issues.note(issue, 1, { jurisdiction_code, uid, position });
    const register = find(jurisdiction_code);
    register.read += 1;
    if (raised.length > 0) register.flagged += 1;
  };
  return {
    reject(rejected) {
      rejects.push(rejected);
      read += 1;
    },
    add(prepared) {
      note(prepared.record, prepared.issues, prepared.position);
      const built = buildStagedRow(prepared);
      if (built.kind === 'reject') rejects.push(built);
      else {
        rowStarts.push(writer.writeRow(seq, built.row));
        if (built.row.is_partial) partials += 1;
        addKey(keys, built.row.jurisdiction_code, built.row.uid);
      }
      read += 1;
      seq += 1;
    },
    addUnchanged(record, raised, position) {
      note(record, raised, position);
      unchangedWriter.writeUnchanged(seq, record);
      addKey(keys, record.jurisdiction_code, record.uid);
      read += 1;
      seq += 1;
    },
    addRejoin(record) {
      find(record.jurisdiction_code);
      rowStarts.push(writer.writeRejoin(seq, record));
      rejoins += 1;
      read += 1;
      seq += 1;
    },
    end: () => ({
      read,
      rejects,
      issues: issues.list(),
      registers,
      rows: writer.end(),
      rowStarts: new Uint32Array(rowStarts),
      unchanged: unchangedWriter.end(),
      keys: new Uint32Array(keys),
      partials,
      rejoins,
    }),
  };
}

/** About the bytes of one row of an unchanged record. */
export const UNCHANGED_ROW_BYTES = 160;
