/**
 * The binary layout of a row in PostgreSQL's COPY into a staging table: its columns, their order, and how each is
 * encoded. Binary needs no escaping here and no parsing there, and is the same in every version of PostgreSQL. Only
 * this file counts columns by position; it knows no statement.
 */
import type { RecordRow } from '../../record/row.ts';

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

/** `detail` is null if there is nothing to publish, or if the stored record is only joined again (`rejoin`). */
type StagedRecord = Omit<RecordRow, 'detail' | 'kind'> & { detail: string | null; kind: RecordRow['kind'] | 'rejoin' };

const DIGEST_COLUMNS: readonly string[] = ['content_digest', 'line_digest', 'source_digest'];
const RECORD_COLUMNS = (STAGED_COLUMNS.slice(2) as (keyof StagedRecord)[]).map((column) => ({
  column,
  encoding: DIGEST_COLUMNS.includes(column) ? ('hex' as const) : ('utf8' as const),
}));

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

/** A row with nothing to publish. Stated in full: to spread its constants costs more than to write the row. */
function silentRow(kind: StagedRecord['kind'], { jurisdiction_code, uid, source_version }: UnchangedRow): StagedRecord {
  return {
    kind,
    jurisdiction_code,
    uid,
    content_digest: '',
    source_version,
    line_digest: '',
    mark_variants: null,
    is_partial: false,
    named_parts: null,
    source_digest: null,
    detail: null,
    payload: null,
  };
}

export interface RowWriter {
  /** `seq` rises along the load. Returns where the row begins, for `assignBatch`; until then it has no batch. */
  writeRow(seq: number, row: RecordRow): number;
  /** A record with nothing to publish, staged only to decide which version counts. */
  writeUnchanged(seq: number, row: UnchangedRow): void;
  /** A stored record to be joined again with its supplements. Returns where the row begins, as `writeRow` does. */
  writeRejoin(seq: number, row: Pick<RecordRow, 'jurisdiction_code' | 'uid'>): number;
  /** Everything written. The writer cannot be used afterwards. */
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
/** The longest UTF-8 form of one UTF-16 unit. */
const UNIT_BYTES_MAX = 3;
/** The bytes of a row in addition to its texts. Digests count as texts, at half a byte per unit. */
const FIXED_BYTES = COUNT_BYTES + STAGED_COLUMNS.length * LENGTH_BYTES + BATCH_BYTES + SEQ_BYTES + BOOLEAN_BYTES;

/** Puts the rows that begin at `starts` into a batch; batches count from 1. */
export function assignBatch(bytes: Uint8Array<ArrayBuffer>, starts: Uint32Array, batch: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const start of starts) view.setInt32(start + COUNT_BYTES + LENGTH_BYTES, batch);
}

/** Memory of a few sizes can be used again more often. */
const MEMORY_STEP_BYTES = 64 * 1024;

/** `bytes` estimates the size of all rows; the buffer grows beyond it if needed. `memory` is used if it is enough. */
export function openRowWriter(bytes: number, memory: ArrayBuffer | null = null): RowWriter {
  let buffer = memory !== null && memory.byteLength >= bytes ? Buffer.from(memory) : Buffer.alloc(0);
  let view = new DataView(buffer.buffer);
  let at = 0;
  const put = (value: number): void => {
    view.setInt32(at, value);
    at += LENGTH_BYTES;
  };
  const reserve = (more: number): void => {
    if (at + more <= buffer.length) return;
    const steps = Math.ceil(Math.max(bytes, (at + more) * 2) / MEMORY_STEP_BYTES);
    const grown = Buffer.from(new ArrayBuffer(steps * MEMORY_STEP_BYTES));
    buffer.copy(grown, 0, 0, at);
    buffer = grown;
    view = new DataView(grown.buffer);
  };
  const write = (seq: number, row: StagedRecord): number => {
    let units = 0;
    for (const { column } of RECORD_COLUMNS) {
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
    for (const { column, encoding } of RECORD_COLUMNS) {
      const value = row[column];
      if (typeof value === 'boolean') {
        put(BOOLEAN_BYTES);
        at = buffer.writeUInt8(Number(value), at);
      } else {
        const length = value === null ? NULL_LENGTH : buffer.write(value, at + LENGTH_BYTES, encoding);
        put(length);
        if (length > 0) at += length;
      }
    }
    return start;
  };
  return {
    writeRow: write,
    writeUnchanged: (seq, row) => void write(seq, silentRow('statement', row)),
    writeRejoin: (seq, { jurisdiction_code, uid }) =>
      write(seq, silentRow('rejoin', { jurisdiction_code, uid, source_version: null })),
    end: () => new Uint8Array(buffer.buffer, 0, at),
  };
}
