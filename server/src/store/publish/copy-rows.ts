/**
 * The binary layout of a row in PostgreSQL's COPY: its columns, their order, and how each is encoded and found again.
 * Rows are written once, for the staging table; a batch that skips it is copied into the record table from the same
 * bytes. Binary needs no escaping here and no parsing there, and is the same in every version of PostgreSQL. Only this
 * file counts columns by position; it knows no statement.
 */
import type { RecordRow } from '../../record/row.ts';
import { PACKED_COLUMNS } from '../documents/held.ts';
import type { WrittenDocument } from '../documents/write.ts';

export const IDENTITY_COLUMNS = ['jurisdiction_code', 'uid'] as const;

/** Columns that a publish copies unchanged from the staged row. */
export const COPIED_COLUMNS = [
  'content_digest',
  'source_version',
  'line_digest',
  'mark_variants',
  'is_partial',
  'named_parts',
  'source_digest',
] as const;

/** Columns of a staged row, in the order of its bytes. */
export const STAGED_COLUMNS = [
  'batch',
  'seq',
  'kind',
  ...IDENTITY_COLUMNS,
  ...COPIED_COLUMNS,
  'detail',
  'payload',
] as const;
type StagedColumn = (typeof STAGED_COLUMNS)[number];

/** Columns of a row for the record table: the staged ones from the identity to the detail, then both stamps. */
export const RECORD_COPY_COLUMNS = [...IDENTITY_COLUMNS, ...COPIED_COLUMNS, 'detail', 'first_seen_at', 'updated_at'];
export const PAYLOAD_COPY_COLUMNS = [...IDENTITY_COLUMNS, 'document', ...PACKED_COLUMNS];

/** `detail` is null if there is nothing to publish, or if the stored record is only joined again (`rejoin`). */
type StagedRecord = Omit<RecordRow, 'detail' | 'kind'> & { detail: string | null; kind: RecordRow['kind'] | 'rejoin' };

const RECORD_COLUMNS = STAGED_COLUMNS.slice(2) as (keyof StagedRecord)[];
const DIGEST_COLUMNS: readonly string[] = ['content_digest', 'line_digest', 'source_digest'];

/** Signature, no flags, no header extension. */
const COPY_HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COPY_END = Buffer.from([0xff, 0xff]);

/** Rows with the header and trailer that COPY wants. */
export async function* framed(rows: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield COPY_HEAD;
  yield* rows;
  yield COPY_END;
}

/** The staged part of a record whose content is already stored: just enough to supersede an earlier line. */
export type UnchangedRow = Pick<RecordRow, 'jurisdiction_code' | 'uid' | 'source_version'>;

const NOTHING_TO_PUBLISH = {
  content_digest: '',
  line_digest: '',
  mark_variants: null,
  is_partial: false,
  named_parts: null,
  source_digest: null,
  kind: 'statement',
  detail: null,
  payload: null,
} as const;

export interface RowWriter {
  /** `seq` rises along the load. Returns where the row begins, for `assignBatch`; until then it has no batch. */
  writeRow(seq: number, row: RecordRow): number;
  /** A record with nothing to publish, staged only to decide which version counts. */
  writeUnchanged(seq: number, row: UnchangedRow): void;
  /** A stored record to be joined again with its supplements. Returns where the row begins, as `writeRow` does. */
  writeRejoin(seq: number, row: Pick<RecordRow, 'jurisdiction_code' | 'uid'>): number;
  /** A copy of everything written. The writer cannot be used afterwards. */
  end(): Uint8Array<ArrayBuffer>;
}

/** The batch of rows with nothing to publish, and of those whose batch is not known yet. */
const NO_BATCH = 0;

/** A row begins with its number of columns, and each column with its length. */
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const BATCH_BYTES = 4;
const SEQ_BYTES = 8;
const BOOLEAN_BYTES = 1;
const TIMESTAMP_BYTES = 8;
/** The longest UTF-8 form of one UTF-16 unit. */
const UNIT_BYTES_MAX = 3;
/** The bytes of a row in addition to its texts. Digests count as texts, at half a byte per unit. */
const FIXED_BYTES = COUNT_BYTES + STAGED_COLUMNS.length * LENGTH_BYTES + BATCH_BYTES + SEQ_BYTES + BOOLEAN_BYTES;

/** Puts the rows that begin at `starts` into a batch; batches count from 1. */
export function assignBatch(bytes: Uint8Array<ArrayBuffer>, starts: Uint32Array, batch: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const start of starts) view.setInt32(start + COUNT_BYTES + LENGTH_BYTES, batch);
}

/** `bytes` estimates the size of all rows; the buffer grows beyond it if needed. */
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
    writeRejoin: (seq, { jurisdiction_code, uid }) =>
      write(seq, { ...NOTHING_TO_PUBLISH, jurisdiction_code, uid, source_version: null, kind: 'rejoin' }),
    end: () => new Uint8Array(buffer.buffer, 0, at),
  };
}

/** A staged row, by where its parts lie among the staged bytes. */
export interface StagedRow {
  readonly register: string;
  /** One character per byte, so that uids compare as PostgreSQL compares them. */
  readonly uid: string;
  /** Jurisdiction code and uid. */
  readonly identityFrom: number;
  readonly identityTo: number;
  readonly detailFrom: number;
  readonly detailTo: number;
  readonly payloadFrom: number;
  readonly payloadTo: number;
  readonly namesParts: boolean;
}

const POSITION = Object.fromEntries(STAGED_COLUMNS.map((name, position) => [name, position])) as Record<
  StagedColumn,
  number
>;

/** The rows of a `RowWriter`, in the order in which they were written. */
export function* listStagedRows(staged: Buffer): Generator<StagedRow> {
  for (let at = 0; at < staged.length; ) {
    const edges = locateColumns(staged, at);
    const fromOf = (column: StagedColumn): number => edges[POSITION[column]] as number;
    const toOf = (column: StagedColumn): number => edges[POSITION[column] + 1] as number;
    const read = (column: StagedColumn): string =>
      staged.toString('latin1', fromOf(column) + LENGTH_BYTES, toOf(column));
    yield {
      register: read('jurisdiction_code'),
      uid: read('uid'),
      identityFrom: fromOf('jurisdiction_code'),
      identityTo: toOf('uid'),
      detailFrom: fromOf('detail'),
      detailTo: toOf('detail'),
      payloadFrom: fromOf('payload'),
      payloadTo: toOf('payload'),
      namesParts: staged.readInt32BE(fromOf('named_parts')) !== NULL_LENGTH,
    };
    at = toOf('payload');
  }
}

/** Where each column of the row at `start` begins, including its length, and where the last one ends. */
function locateColumns(staged: Buffer, start: number): number[] {
  let at = start + COUNT_BYTES;
  const edges = [at];
  for (let column = 0; column < STAGED_COLUMNS.length; column += 1) {
    const length = staged.readInt32BE(at);
    at += LENGTH_BYTES + Math.max(length, 0);
    edges.push(at);
  }
  return edges;
}

/** The part that a publish adds to each of its rows: the rest of the detail, then both stamps. */
export interface RowEnding {
  readonly bytes: Buffer;
  readonly detailBytes: number;
}

/** `micros`: microseconds since 2000-01-01, as PostgreSQL stores a timestamp. */
export function buildRowEnding(detail: string, micros: string): RowEnding {
  const rest = Buffer.from(detail);
  const stamp = Buffer.alloc(LENGTH_BYTES + TIMESTAMP_BYTES);
  stamp.writeInt32BE(TIMESTAMP_BYTES, 0);
  stamp.writeBigInt64BE(BigInt(micros), LENGTH_BYTES);
  return { bytes: Buffer.concat([rest, stamp, stamp]), detailBytes: rest.length };
}

export function recordRowBytes(row: StagedRow, ending: RowEnding): number {
  return COUNT_BYTES + row.detailTo - row.identityFrom + ending.bytes.length;
}

/**
 * Writes a row of `RECORD_COPY_COLUMNS`, of `recordRowBytes`, into `into` at `at`; returns its complete detail there.
 */
export function writeRecordRow(staged: Buffer, row: StagedRow, ending: RowEnding, into: Buffer, at: number): Buffer {
  const columnsAt = into.writeInt16BE(RECORD_COPY_COLUMNS.length, at);
  const endingAt = columnsAt + staged.copy(into, columnsAt, row.identityFrom, row.detailTo);
  ending.bytes.copy(into, endingAt);
  const lengthAt = columnsAt + row.detailFrom - row.identityFrom;
  const detail = into.subarray(lengthAt + LENGTH_BYTES, endingAt + ending.detailBytes);
  into.writeInt32BE(detail.length, lengthAt);
  return detail;
}

const PAYLOAD_COLUMN_COUNT = Buffer.from([0, PAYLOAD_COPY_COLUMNS.length]);

const NULL_FIELD = encodeNumber(NULL_LENGTH);
const NOT_PACKED = Buffer.concat(PACKED_COLUMNS.map(() => NULL_FIELD));

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeInt32BE(value);
  return bytes;
}

function encodeField(value: Buffer | null): Buffer[] {
  return value === null ? [NULL_FIELD] : [encodeNumber(value.length), value];
}

/** The payload of a row as its source gave it; null if the record has none. */
export function findPayload(staged: Buffer, { payloadFrom, payloadTo }: StagedRow): Buffer | null {
  if (staged.readInt32BE(payloadFrom) === NULL_LENGTH) return null;
  return staged.subarray(payloadFrom + LENGTH_BYTES, payloadTo);
}

/**
 * The parts of a row of `PAYLOAD_COPY_COLUMNS` for a record that has a payload; `written` if it is not to be held as
 * text.
 */
export function cutPayloadRow(staged: Buffer, row: StagedRow, written: WrittenDocument | undefined): Buffer[] {
  const identity = staged.subarray(row.identityFrom, row.identityTo);
  if (written === undefined) {
    return [PAYLOAD_COLUMN_COUNT, identity, staged.subarray(row.payloadFrom, row.payloadTo), NOT_PACKED];
  }
  const { packed, digest, bytes } = written;
  const fields = [...encodeField(packed), ...encodeField(digest), ...encodeField(encodeNumber(bytes))];
  return [PAYLOAD_COLUMN_COUNT, identity, NULL_FIELD, ...fields];
}
