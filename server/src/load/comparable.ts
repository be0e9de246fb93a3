/**
 * A block of lines whose records may be stored already. It decides what of a line has to be read: where the line itself
 * is known to hold what is stored, nothing. What a line seems to be is never trusted: either a record of that identity
 * bears the digest of this very line, or the line is read. Pure but for the format's reader, as `block.ts` is.
 */
import type { Issue } from '../record/document.ts';
import { type ComparedRow, encodeIdentities, type Identities } from '../store/records/identities.ts';
import {
  type BlockTask,
  bytesOf,
  IDENTITY_BYTES,
  identityOf,
  noteRecord,
  openEncoder,
  openFindings,
  ROW_GROWTH,
  type StagedBlock,
} from './block.ts';
import type { LineFormat } from './formats/format.ts';
import { type Line, listLines } from './formats/lines.ts';
import { digestLine } from './line-digest.ts';
import { type PreparedItem, type PreparedRecord, prepareItem, type RejectedRecord } from './normalize.ts';

/** It holds lines and identities, no records: of most nothing is needed any more once they are compared. */
export interface ComparableBlock {
  identities: Identities;
  /** Of the identities. */
  registers: string[];
  /** `differing`: by position, the digest of the content that is stored instead (`listDiffering`). */
  encode(differing: ReadonlyMap<number, string>): StagedBlock;
}

interface HeldLine {
  kind: 'line';
  line: Line;
  compared: ComparedRow;
  /** Raised when the line was read; none if it was not. */
  issues: readonly Issue[];
}

const NONE: readonly Issue[] = [];

export function prepareBlock(format: LineFormat, task: BlockTask): ComparableBlock {
  const held: (HeldLine | RejectedRecord)[] = [];
  for (const line of listLines({ bytes: bytesOf(task), firstLine: task.firstLine, cut: task.cut })) {
    const one = holdLine(format, task, line);
    if (one !== null) held.push(one);
  }
  const rows = held.flatMap((one) => (one.kind === 'line' ? [one.compared] : []));
  return {
    identities: encodeIdentities(rows),
    registers: [...new Set(rows.map((row) => row.jurisdiction_code))],
    encode: (differing) => encodeHeld(format, task, held, differing),
  };
}

/** Null for a line without a record. */
function holdLine(format: LineFormat, task: BlockTask, line: Line): HeldLine | RejectedRecord | null {
  const seeming = line.cut ? null : format.findIdentity(line.bytes);
  if (seeming !== null && (task.register === null || task.register === seeming.jurisdiction_code)) {
    const { jurisdiction_code, uid } = seeming;
    const digest = digestLine(format.reading, line.bytes);
    return { kind: 'line', line, compared: { jurisdiction_code, uid, digest, source_version: null }, issues: NONE };
  }
  const prepared = readLine(format, task, line);
  if (prepared === null || prepared.kind === 'reject') return prepared;
  const { digest, issues } = prepared;
  return { kind: 'line', line, compared: { ...identityOf(prepared), digest }, issues };
}

function readLine(format: LineFormat, task: BlockTask, line: Line): PreparedItem | null {
  const block = { bytes: line.bytes, firstLine: line.number, lineCount: 1, cut: line.cut };
  for (const item of format.readBlock(block, task.entryName, { register: task.register })) {
    return prepareItem(item, digestLine(format.reading, line.bytes));
  }
  return null;
}

function encodeHeld(
  format: LineFormat,
  task: BlockTask,
  held: readonly (HeldLine | RejectedRecord)[],
  differing: ReadonlyMap<number, string>,
): StagedBlock {
  const bytes = (task.bytes.length * ROW_GROWTH * differing.size) / Math.max(held.length, 1);
  const rows = openEncoder(task.seq, { bytes, unchangedBytes: (held.length - differing.size) * IDENTITY_BYTES });
  const findings = openFindings();
  let position = 0;
  for (const one of held) {
    findings.read += 1;
    if (one.kind === 'reject') {
      findings.rejects.push(one);
      continue;
    }
    const stored = differing.get(position);
    position += 1;
    if (stored === undefined) {
      noteRecord(findings, one.compared.jurisdiction_code, one.issues);
      rows.pass(one.compared);
      continue;
    }
    const prepared = readLine(format, task, one.line);
    if (prepared === null)
      throw new Error(`${task.entryName}, line ${one.line.number} was a record and is none any more`);
    if (prepared.kind === 'reject') findings.rejects.push(prepared);
    else {
      noteRecord(findings, prepared.record.jurisdiction_code, prepared.issues);
      if (isStored(prepared, stored)) rows.pass(identityOf(prepared));
      else rows.add(prepared);
    }
  }
  return { findings, encoded: rows.end() };
}

/** Another line than before that says what is stored, identity included. Of several versions a publish decides. */
function isStored({ record, digest }: PreparedRecord, stored: string): boolean {
  return record.source_version === null && digest === stored;
}
