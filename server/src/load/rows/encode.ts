/**
 * The normalize stage of a load: an item read by a format becomes a record in its stored form, with its digest, and
 * then a row for COPY, or a reject with its reason. Nothing that a single record states can stop a load here. It
 * touches no database and no file, so it works the same in the main thread and in a worker.
 */
import { renderContent } from '../../record/content.ts';
import { measureContent } from '../../record/digest.ts';
import type { Issue, NormalizedRecord } from '../../record/document.ts';
import { listDoubtful } from '../../record/findable.ts';
import { normalizeRecord, RecordRejection } from '../../record/normalize.ts';
import { buildRow, type RecordRow } from '../../record/row.ts';
import { openRowWriter, type UnchangedRow } from '../../store/publish/copy-rows.ts';
import type { CountedIssue } from '../../store/publish/findings.ts';
import type { RegisterReading } from '../../store/publish/loads.ts';
import { openIssueCounter, type RecordIdentity, type RegisterItem } from '../formats/format.ts';
import { digestSource, NO_LINE, sourceOfLine } from '../sources/files.ts';

export type PreparedRecord = RegisterItem & { kind: 'record' } & {
  record: NormalizedRecord;
  /** The rendered content. */
  detail: string;
  /** Hexadecimal. */
  digest: string;
  /** Digest of the source line (`line-digest.ts`); empty if the line must be read again next time. */
  lineDigest: string;
  /**
   * Digest of everything that the source states about it (`source-digest.ts`); null for a record that no source states.
   */
  sourceDigest: string | null;
  /** About how many characters of memory the record takes. */
  length: number;
};

export type RejectedRecord = RegisterItem & { kind: 'reject' };

export type PreparedItem = PreparedRecord | RejectedRecord;

/** `lineDigest`: the digest of the line that the item was read from, if any. */
export function prepareItem(item: RegisterItem, lineDigest: string = NO_LINE): PreparedItem {
  if (item.kind === 'reject') return item;
  try {
    const record = normalizeRecord(item.record);
    const detail = renderContent(record);
    const { digest, length } = measureContent(record, detail);
    const doubtful = listDoubtful(record);
    const issues = doubtful.length === 0 ? item.issues : [...item.issues, ...doubtful];
    return {
      kind: 'record',
      record,
      issues,
      position: item.position,
      raw: item.raw,
      detail,
      digest,
      lineDigest: issues.length === 0 ? lineDigest : NO_LINE,
      sourceDigest: digestItem(item, lineDigest),
      length,
    };
  } catch (error) {
    return rejectItem(item, error);
  }
}

function digestItem({ sourceDigest, raw }: RegisterItem & { kind: 'record' }, lineDigest: string): string | null {
  if (lineDigest !== NO_LINE) return sourceOfLine(lineDigest);
  return sourceDigest ?? (raw === undefined ? null : digestSource(raw()));
}

/** The row to stage, or a reject if it cannot be built. */
export function buildStagedRow(item: PreparedRecord): { kind: 'row'; row: RecordRow } | RejectedRecord {
  try {
    const { record, detail, digest, lineDigest, sourceDigest } = item;
    return { kind: 'row', row: buildRow(record, detail, digest, lineDigest, sourceDigest) };
  } catch (error) {
    return rejectItem(item, error);
  }
}

function rejectItem(item: RegisterItem & { kind: 'record' }, error: unknown): RejectedRecord {
  const reason = rejectionReason(error);
  const { jurisdiction_code, uid } = item.record;
  const record = { jurisdiction_code, uid };
  return { kind: 'reject', raw: item.raw?.() ?? JSON.stringify(item.record), reason, position: item.position, record };
}

/** Rethrows errors that are not the record's fault. */
function rejectionReason(error: unknown): string {
  if (error instanceof RecordRejection) return error.message;
  throw error;
}

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
  /** Takes back the memory of `rows`, if it can be used again. */
  release?: () => void;
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

/**
 * Rows are numbered from `firstSeq`; `size` estimates the bytes they take, so that the buffers rarely grow, and may
 * bring memory for the rows to publish.
 */
export function openRowEncoder(
  firstSeq: number,
  size: { rowBytes: number; unchangedBytes: number; memory?: ArrayBuffer | null },
): RowEncoder {
  const writer = openRowWriter(size.rowBytes, size.memory);
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

export const KEY_BYTES = 8;
/** Keys per part. The table has four slots for each, so that probes stay short. */
const PART_KEYS_MAX = 2 ** 20;
const SEPARATOR = 0x1f;

/** Adds the key of an identity: two 32-bit integers. The second is never 0, which marks a free slot. */
export function addKey(keys: number[], register: string, uid: string): void {
  let upper = 0x811c9dc5;
  let lower = 0x9747b28c;
  const add = (unit: number): void => {
    upper = Math.imul(upper ^ unit, 0x01000193);
    lower = Math.imul(lower ^ unit, 0x5bd1e995);
    lower ^= lower >>> 15;
  };
  for (let position = 0; position < register.length; position += 1) add(register.charCodeAt(position));
  add(SEPARATOR);
  for (let position = 0; position < uid.length; position += 1) add(uid.charCodeAt(position));
  upper = Math.imul(upper ^ (upper >>> 16), 0x85ebca6b);
  lower = Math.imul(lower ^ (lower >>> 13), 0xc2b2ae35);
  keys.push(upper ^ (upper >>> 13), lower ^ (lower >>> 16) || 1);
}

/** `read` yields all `count` keys, in buffers of any length, each time it is called. */
export async function findRepeat(
  count: number,
  read: () => AsyncIterable<Buffer>,
  partKeysMax: number = PART_KEYS_MAX,
): Promise<boolean> {
  const parts = Math.ceil(count / partKeysMax);
  if (parts === 0) return false;
  const slots = 2 ** Math.ceil(Math.log2(Math.min(count, partKeysMax) * 4));
  const table = new Uint32Array(slots * 2);
  for (let part = 0; part < parts; part += 1) {
    table.fill(0);
    let rest: Buffer = Buffer.alloc(0);
    for await (const buffer of read()) {
      const bytes = rest.length === 0 ? buffer : Buffer.concat([rest, buffer]);
      const whole = bytes.length - (bytes.length % KEY_BYTES);
      if (addKeys(table, bytes, whole, { part, parts })) return true;
      rest = bytes.subarray(whole);
    }
  }
  return false;
}

/** True as soon as a key turns out to be in the table already. */
function addKeys(
  table: Uint32Array,
  bytes: Buffer,
  whole: number,
  { part, parts }: Record<'part' | 'parts', number>,
): boolean {
  const mask = table.length / 2 - 1;
  for (let at = 0; at < whole; at += KEY_BYTES) {
    const upper = bytes.readUInt32LE(at);
    if (upper % parts !== part) continue;
    const lower = bytes.readUInt32LE(at + 4);
    let slot = (lower & mask) * 2;
    while (table[slot + 1] !== 0) {
      if (table[slot + 1] === lower && table[slot] === upper) return true;
      slot = (slot + 2) % table.length;
    }
    table[slot] = upper;
    table[slot + 1] = lower;
  }
  return false;
}
