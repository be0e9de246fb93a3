/**
 * Rows of a staging table as PostgreSQL's COPY takes them in its binary form: nothing to escape here, nothing to parse
 * there. It decides how each column is written and knows no statement. A type's binary form is the same in every
 * version of PostgreSQL.
 */
import { FILTER_DATES } from '@tmds/contract/enums';
import { countDays } from '../record/dates.ts';
import type { RecordRow } from '../record/row.ts';

/** Columns of a record that a publish takes over as they were staged. */
export const TAKEN_OVER_COLUMNS = [
  ...FILTER_DATES,
  'content_digest',
  'source_version',
  'line_digest',
  'terms',
  'first_signature',
  'second_signature',
  'number_keys',
  'mark_names',
  'owner_names',
  'representative_names',
] as const;

/** The columns of a row in the order in which they are written. */
export const STAGED_COLUMNS = [
  'batch',
  'seq',
  'jurisdiction_code',
  'uid',
  ...TAKEN_OVER_COLUMNS,
  'detail',
  'payload',
] as const;

/** Signature, no flags, no extension. */
const COPY_HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COPY_END = Buffer.from([0xff, 0xff]);

/** Rows as a whole COPY. */
export async function* framed(rows: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield COPY_HEAD;
  yield* rows;
  yield COPY_END;
}

/** What is staged of a record that already has this very content: enough to supersede an earlier line, no more. */
export interface UnchangedRow {
  jurisdiction_code: string;
  uid: string;
  source_version: string | null;
}

export interface RowWriter {
  /** `seq` rises along the load. Returns where the row begins, for `assignBatch`; until then it is in no batch. */
  writeRow(seq: number, row: RecordRow): number;
  /** A record that has nothing to publish: it only takes part in deciding which version counts. */
  writeUnchanged(seq: number, row: UnchangedRow): void;
  /** Everything written, in memory that nobody else uses; the writer is not used again. */
  end(): Uint8Array<ArrayBuffer>;
}

/** The batch of rows that have nothing to publish, and of those whose batch is not known yet. */
const NO_BATCH = 0;
/** Of a row, before its `batch`: the number of columns, and the length of this one. */
const BATCH_AT = 6;

/** Puts rows, by where they begin, into a batch, which counts from 1. */
export function assignBatch(bytes: Uint8Array<ArrayBuffer>, starts: Uint32Array, batch: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const start of starts) view.setInt32(start + BATCH_AT, batch);
}

const INT4_OID = 23;
const NULL_LENGTH = -1;
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const UNIT_BYTES_MAX = 3;
/** At least as much as all columns of a row take without their texts and terms. */
const FIXED_BYTES_MAX = 512;

/** Columns one after the other, each after its length, in a buffer that grows as needed. */
interface ColumnWriter {
  /** Makes room for so many bytes more; nothing else checks for room. */
  reserve(more: number): void;
  /** Returns where the row begins. */
  startRow(): number;
  writeNull(): void;
  writeInt4(value: number): void;
  writeInt8(value: number): void;
  writeWord(word: bigint): void;
  writeText(text: string | null): void;
  writeDate(date: string | null): void;
  writeDigest(digest: string): void;
  /** An array of one dimension that counts from 1, without nulls. */
  writeTerms(terms: readonly number[]): void;
  end(): Uint8Array<ArrayBuffer>;
}

function openColumns(bytes: number): ColumnWriter {
  let buffer = Buffer.alloc(0);
  let view = new DataView(buffer.buffer);
  let at = 0;
  const put = (value: number): void => {
    view.setInt32(at, value);
    at += 4;
  };
  const putInt4 = (value: number): void => {
    put(4);
    put(value);
  };
  return {
    reserve(more) {
      if (at + more <= buffer.length) return;
      const grown = Buffer.from(new ArrayBuffer(Math.max(bytes, (at + more) * 2)));
      buffer.copy(grown, 0, 0, at);
      buffer = grown;
      view = new DataView(grown.buffer);
    },
    startRow() {
      view.setInt16(at, STAGED_COLUMNS.length);
      at += 2;
      return at - 2;
    },
    writeNull: () => put(NULL_LENGTH),
    writeInt4: putInt4,
    writeInt8(value) {
      put(8);
      put(Math.floor(value / 2 ** 32));
      put(value | 0);
    },
    writeWord(word) {
      put(8);
      view.setBigInt64(at, word);
      at += 8;
    },
    writeText(text) {
      const length = text === null ? NULL_LENGTH : buffer.write(text, at + 4);
      put(length);
      if (length > 0) at += length;
    },
    writeDate(date) {
      if (date === null) put(NULL_LENGTH);
      else putInt4(countDays(date));
    },
    writeDigest(digest) {
      put(digest.length / 2);
      at += buffer.write(digest, at, 'hex');
    },
    writeTerms(terms) {
      put(20 + 8 * terms.length);
      put(1);
      put(0);
      put(INT4_OID);
      put(terms.length);
      put(1);
      for (const term of terms) putInt4(term);
    },
    end: () => new Uint8Array(buffer.buffer, 0, at),
  };
}

/** Grows as needed from `bytes`, about what the rows will take. */
export function openRowWriter(bytes: number): RowWriter {
  const columns = openColumns(bytes);
  const writeHead = (seq: number, row: UnchangedRow): number => {
    const start = columns.startRow();
    columns.writeInt4(NO_BATCH);
    columns.writeInt8(seq);
    columns.writeText(row.jurisdiction_code);
    columns.writeText(row.uid);
    return start;
  };
  return {
    writeRow(seq, row) {
      columns.reserve(FIXED_BYTES_MAX + 8 * row.terms.length + UNIT_BYTES_MAX * countUnits(row));
      const start = writeHead(seq, row);
      for (const field of FILTER_DATES) columns.writeDate(row[field]);
      columns.writeDigest(row.content_digest);
      columns.writeText(row.source_version);
      columns.writeDigest(row.line_digest);
      columns.writeTerms(row.terms);
      columns.writeWord(row.first_signature);
      columns.writeWord(row.second_signature);
      columns.writeText(row.number_keys);
      columns.writeText(row.mark_names);
      columns.writeText(row.owner_names);
      columns.writeText(row.representative_names);
      columns.writeText(row.detail);
      columns.writeText(row.payload);
      return start;
    },
    writeUnchanged(seq, row) {
      columns.reserve(FIXED_BYTES_MAX + UNIT_BYTES_MAX * countIdentityUnits(row));
      writeHead(seq, row);
      for (let column = 0; column < FILTER_DATES.length; column += 1) columns.writeNull();
      columns.writeDigest('');
      columns.writeText(row.source_version);
      columns.writeDigest('');
      for (let column = 0; column < COLUMNS_AFTER_DIGESTS; column += 1) columns.writeNull();
    },
    end: () => columns.end(),
  };
}

const COLUMNS_AFTER_DIGESTS = STAGED_COLUMNS.length - 1 - STAGED_COLUMNS.indexOf('line_digest');

const lengthOf = (text: string | null): number => text?.length ?? 0;

function countIdentityUnits(row: UnchangedRow): number {
  return row.jurisdiction_code.length + row.uid.length + lengthOf(row.source_version);
}

function countUnits(row: RecordRow): number {
  const found = lengthOf(row.number_keys) + lengthOf(row.mark_names) + lengthOf(row.owner_names);
  const delivered = row.detail.length + lengthOf(row.payload);
  return countIdentityUnits(row) + found + lengthOf(row.representative_names) + delivered;
}
