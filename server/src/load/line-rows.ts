/**
 * Turns a block of lines into encoded rows. Where the register is empty, every line is read. Elsewhere a line is read
 * only if the database does not hold it: a stored record of that identity must carry the digest of this very line. The
 * identity that a line appears to state is never trusted alone. It runs in the main thread or in a worker.
 */
import type { Issue } from '../record/document.ts';
import { type ComparedRow, encodeIdentities, type Identities } from '../store/records/identities.ts';
import { comparedRow, type EncodedRows, openRowEncoder, UNCHANGED_ROW_BYTES } from './encoded-rows.ts';
import type { LineFormat } from './formats/format.ts';
import { JSON_BLANKS, type Line, listLines } from './formats/lines.ts';
import { digestLine, NO_LINE } from './line-digest.ts';
import { type PreparedItem, type PreparedRecord, prepareItem, type RejectedRecord } from './normalize.ts';

/** A block of lines, and what it takes to read them. */
export interface LineTask {
  format: string;
  entryName: string;
  register: string | null;
  bytes: Uint8Array<ArrayBuffer>;
  firstLine: number;
  cut: boolean;
  /** `seq` of the first record. */
  seq: number;
}

/** A row takes at most about this many times the bytes of its line: it adds digests and the names of absent fields. */
const ROW_GROWTH = 1.25;

/** Reads every line. A record is encoded as soon as it is read, so that only one is held at a time. */
export function encodeLines(format: LineFormat, task: LineTask): EncodedRows {
  const bytes = bytesOf(task);
  const block = { bytes, firstLine: task.firstLine, lineCount: 0, cut: task.cut };
  const rows = openRowEncoder(task.seq, { rowBytes: bytes.length * ROW_GROWTH, unchangedBytes: 0 });
  for (const item of format.readBlock(block, task.entryName, { register: task.register })) {
    const line = item.kind === 'record' ? item.line : undefined;
    const prepared = prepareItem(item, line === undefined ? NO_LINE : digestLine(format.reading, line));
    if (prepared.kind === 'reject') rows.reject(prepared);
    else rows.add(prepared);
  }
  return rows.end();
}

/** Lines whose records may be stored already, ready to be compared. Holds lines and identities, not records. */
export interface ComparableLines {
  identities: Identities;
  /** The registers of those identities. */
  registers: string[];
  /** `differing`: what `listDiffering` found, the stored digest by position. */
  encode(differing: ReadonlyMap<number, string>): Promise<EncodedRows>;
}

interface HeldLine {
  kind: 'line';
  line: Line;
  compared: ComparedRow;
  /** Issues raised if the line was read. */
  issues: readonly Issue[];
  position: string;
}

const NO_ISSUES: readonly Issue[] = [];

export function prepareLines(format: LineFormat, task: LineTask): ComparableLines {
  const held: (HeldLine | RejectedRecord)[] = [];
  const block = { bytes: bytesOf(task), firstLine: task.firstLine, cut: task.cut };
  for (const line of listLines(block, JSON_BLANKS)) {
    const one = holdLine(format, task, line);
    if (one !== null) held.push(one);
  }
  const compared = held.flatMap((one) => (one.kind === 'line' ? [one.compared] : []));
  return {
    identities: encodeIdentities(compared),
    registers: [...new Set(compared.map((row) => row.jurisdiction_code))],
    encode: async (differing) => encodeHeld(format, task, held, differing),
  };
}

/** Null for a line without a record. */
function holdLine(format: LineFormat, task: LineTask, line: Line): HeldLine | RejectedRecord | null {
  const apparent = line.cut ? null : format.findIdentity(line.bytes);
  if (apparent !== null && (task.register === null || task.register === apparent.jurisdiction_code)) {
    const digest = digestLine(format.reading, line.bytes);
    const { jurisdiction_code, uid } = apparent;
    const compared = { jurisdiction_code, uid, digest, source_version: null, source_digest: null };
    return { kind: 'line', line, compared, issues: NO_ISSUES, position: '' };
  }
  const prepared = readLine(format, task, line);
  if (prepared === null || prepared.kind === 'reject') return prepared;
  const { issues, position } = prepared;
  // Equal content in another spelling is equal: lines are spelt otherwise more often than formats change.
  const compared = { ...comparedRow(prepared), source_digest: null };
  return { kind: 'line', line, compared, issues, position };
}

function encodeHeld(
  format: LineFormat,
  task: LineTask,
  held: readonly (HeldLine | RejectedRecord)[],
  differing: ReadonlyMap<number, string>,
): EncodedRows {
  const rows = openRowEncoder(task.seq, {
    rowBytes: (task.bytes.length * ROW_GROWTH * differing.size) / Math.max(held.length, 1),
    unchangedBytes: (held.length - differing.size) * UNCHANGED_ROW_BYTES,
  });
  let position = 0;
  for (const one of held) {
    if (one.kind === 'reject') {
      rows.reject(one);
      continue;
    }
    const stored = differing.get(position);
    position += 1;
    if (stored === undefined) {
      rows.addUnchanged(one.compared, one.issues, one.position);
      continue;
    }
    const prepared = readLine(format, task, one.line);
    if (prepared === null) throw new Error(`${task.entryName}, line ${one.line.number} no longer reads as a record`);
    if (prepared.kind === 'reject') rows.reject(prepared);
    else if (isStored(prepared, stored)) rows.addUnchanged(prepared.record, prepared.issues, prepared.position);
    else rows.add(prepared);
  }
  return rows.end();
}

function readLine(format: LineFormat, task: LineTask, line: Line): PreparedItem | null {
  const block = { bytes: line.bytes, firstLine: line.number, lineCount: 1, cut: line.cut };
  for (const item of format.readBlock(block, task.entryName, { register: task.register })) {
    return prepareItem(item, digestLine(format.reading, line.bytes));
  }
  return null;
}

/** The line is new, but its record equals the stored one. The publish decides between several versions of a record. */
function isStored({ record, digest }: PreparedRecord, stored: string): boolean {
  return record.source_version === null && digest === stored;
}

/** After a transfer between threads a Buffer is a plain array of bytes. */
function bytesOf({ bytes }: LineTask): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
