/**
 * Reads a block of lines, so that its records can be compared. A line whose beginning names its record is not parsed
 * before it is known that the database does not hold it: a stored record of that identity must carry the digest of this
 * very line. The identity that a line appears to state is never trusted alone. It runs in the main thread or in a
 * worker.
 */

import type { LineFormat } from '../formats/format.ts';
import { JSON_BLANKS, type Line, listLines } from '../formats/lines.ts';
import { digestLine } from '../sources/files.ts';
import { type ComparableItem, type ComparableRows, comparedRow, type LineItem, openComparable } from './compare.ts';
import { type PreparedItem, prepareItem } from './encode.ts';

/** A block of lines, and what it takes to read them. */
export interface LineTask {
  format: string;
  entryName: string;
  register: string | null;
  runs: readonly Uint8Array<ArrayBuffer>[];
  firstLine: number;
  cut: boolean;
  /** `seq` of the first record. */
  seq: number;
}

/** A row takes at most about this many times the bytes of its line: it adds digests and the names of absent fields. */
const ROW_GROWTH = 1.25;

export function prepareLines(format: LineFormat, task: LineTask): ComparableRows {
  const items: ComparableItem[] = [];
  const block: LineItem['block'] = {
    read({ line, digest }) {
      const read = readLine(format, task, line, digest);
      if (read === null) throw new Error(`${task.entryName}, line ${line.number} states an identity and no record`);
      return read;
    },
  };
  // After a transfer between threads a Buffer is a plain array of bytes.
  const runs = task.runs.map((run) => Buffer.from(run.buffer, run.byteOffset, run.byteLength));
  for (const line of listLines({ runs, firstLine: task.firstLine, cut: task.cut }, JSON_BLANKS)) {
    const item = prepareLine(format, task, line, block);
    if (item !== null) items.push(item);
  }
  const bytes = runs.reduce((sum, run) => sum + run.length, 0);
  return openComparable(items, task.seq, bytes * ROW_GROWTH);
}

/** Null for a line without a record. */
function prepareLine(format: LineFormat, task: LineTask, line: Line, block: LineItem['block']): ComparableItem | null {
  const apparent = line.cut ? null : format.findIdentity(line.bytes);
  const digest = digestLine(format.reading, line.bytes);
  if (apparent !== null && (task.register === null || task.register === apparent.jurisdiction_code)) {
    const { jurisdiction_code, uid } = apparent;
    const compared = { jurisdiction_code, uid, digest, source_version: null, source_digest: null };
    return { kind: 'line', line, digest, compared, read: null, block };
  }
  const read = readLine(format, task, line, digest);
  if (read === null || read.kind === 'reject') return read;
  // Equal content in another spelling is equal: lines are spelt otherwise more often than formats change.
  return { kind: 'line', line, digest, compared: { ...comparedRow(read), source_digest: null }, read, block };
}

function readLine(format: LineFormat, task: LineTask, line: Line, digest: string): PreparedItem | null {
  const item = format.readLine(line, task.entryName, { register: task.register });
  return item === null ? null : prepareItem(item, digest);
}
