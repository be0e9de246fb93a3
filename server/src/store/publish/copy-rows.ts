/**
 * The layout of a staged row, as PostgreSQL's COPY takes it in its binary form: nothing to escape here, nothing to
 * parse there. This file alone knows which columns a row has, in which order, and how each is written and found again;
 * it knows no statement. A type's binary form is the same in every version of PostgreSQL.
 */
import type { RecordRow } from '../../record/row.ts';

export const IDENTITY_COLUMNS = ['jurisdiction_code', 'uid'] as const;

/** Columns of a record that a publish takes over as they were staged. */
export const TAKEN_OVER_COLUMNS = [
  'content_digest',
  'source_version',
  'line_digest',
  'mark_variants',
  'is_partial',
] as const;

/** The columns of a row in the order in which they are written. */
export const STAGED_COLUMNS = [
  'batch',
  'seq',
  ...IDENTITY_COLUMNS,
  ...TAKEN_OVER_COLUMNS,
  'detail',
  'payload',
] as const;
type StagedColumn = (typeof STAGED_COLUMNS)[number];

/** What a row holds of a record; `detail` is null where there is nothing to publish. */
type StagedRecord = Omit<RecordRow, 'detail'> & { detail: string | null };

const RECORD_COLUMNS = STAGED_COLUMNS.slice(2) as (keyof StagedRecord)[];
const DIGEST_COLUMNS: readonly string[] = ['content_digest', 'line_digest'];

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
export type UnchangedRow = Pick<RecordRow, 'jurisdiction_code' | 'uid' | 'source_version'>;

const NOTHING_TO_PUBLISH = {
  content_digest: '',
  line_digest: '',
  mark_variants: null,
  is_partial: false,
  detail: null,
  payload: null,
};

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

/** The number of columns, before all of them; the length of a column, before it. */
export const COUNT_BYTES = 2;
export const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const BATCH_BYTES = 4;
const SEQ_BYTES = 8;
const BOOLEAN_BYTES = 1;
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const UNIT_BYTES_MAX = 3;
/** What a row takes beside its texts. Digests count as texts: half a byte for each unit. */
const FIXED_BYTES = COUNT_BYTES + STAGED_COLUMNS.length * LENGTH_BYTES + BATCH_BYTES + SEQ_BYTES + BOOLEAN_BYTES;

/** Puts rows, by where they begin, into a batch, which counts from 1. */
export function assignBatch(bytes: Uint8Array<ArrayBuffer>, starts: Uint32Array, batch: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const start of starts) view.setInt32(start + COUNT_BYTES + LENGTH_BYTES, batch);
}

/** Grows as needed from `bytes`, about what the rows will take. */
export function openRowWriter(bytes: number): RowWriter {
  let buffer = Buffer.alloc(0);
  let view = new DataView(buffer.buffer);
  let at = 0;
  const put = (value: number): void => {
    view.setInt32(at, value);
    at += LENGTH_BYTES;
  };
  const reserve = (more: number): void => {
    if (at + more <= buffer.length) return;
    const grown = Buffer.from(new ArrayBuffer(Math.max(bytes, (at + more) * 2)));
    buffer.copy(grown, 0, 0, at);
    buffer = grown;
    view = new DataView(grown.buffer);
  };
  const write = (seq: number, row: StagedRecord): number => {
    let units = 0;
    for (const column of RECORD_COLUMNS) {
      const value = row[column];
      if (typeof value === 'string') units += value.length;
    }
    reserve(FIXED_BYTES + UNIT_BYTES_MAX * units);
    const start = at;
    view.setInt16(at, STAGED_COLUMNS.length);
    at += COUNT_BYTES;
    put(BATCH_BYTES);
    put(NO_BATCH);
    put(SEQ_BYTES);
    put(Math.floor(seq / 2 ** 32));
    put(seq | 0);
    for (const column of RECORD_COLUMNS) {
      const value = row[column];
      if (typeof value === 'boolean') {
        put(BOOLEAN_BYTES);
        at = buffer.writeUInt8(Number(value), at);
      } else {
        const encoding = DIGEST_COLUMNS.includes(column) ? 'hex' : 'utf8';
        const length = value === null ? NULL_LENGTH : buffer.write(value, at + LENGTH_BYTES, encoding);
        put(length);
        if (length > 0) at += length;
      }
    }
    return start;
  };
  return {
    writeRow: write,
    writeUnchanged: (seq, { jurisdiction_code, uid, source_version }) =>
      void write(seq, { ...NOTHING_TO_PUBLISH, jurisdiction_code, uid, source_version }),
    end: () => new Uint8Array(buffer.buffer, 0, at),
  };
}

/** Where each column of a row begins, with its length, by `COLUMN`; last, where the row ends. */
export type ColumnStarts = readonly number[];

/** The place of each column in `ColumnStarts`, and that of the end. */
export const COLUMN = {
  ...(Object.fromEntries(STAGED_COLUMNS.map((name, position) => [name, position])) as Record<StagedColumn, number>),
  end: STAGED_COLUMNS.length,
};

/** Of a row that begins at `start`, as a `RowWriter` wrote it. */
export function locateColumns(rows: Buffer, start: number): ColumnStarts {
  const starts: number[] = [];
  let at = start + COUNT_BYTES;
  for (let column = 0; column < STAGED_COLUMNS.length; column += 1) {
    starts.push(at);
    const length = rows.readInt32BE(at);
    at += LENGTH_BYTES + (length > 0 ? length : 0);
  }
  starts.push(at);
  return starts;
}

export function isNullAt(rows: Buffer, at: number): boolean {
  return rows.readInt32BE(at) === NULL_LENGTH;
}
