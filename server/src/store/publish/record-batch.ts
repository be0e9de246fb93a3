/**
 * Rows of a batch as they were written for a staging table become rows of COPY into the record table. It decides their
 * order and what the stamps complete; it knows no file and no transaction. Where nothing of a batch can be stored yet,
 * this is all that publishing it takes, and staging tables are passed by. Invariant: the digests are those of the very
 * bytes that were handed out.
 */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  COLUMN,
  COUNT_BYTES,
  type ColumnStarts,
  IDENTITY_COLUMNS,
  isNullAt,
  LENGTH_BYTES,
  locateColumns,
  TAKEN_OVER_COLUMNS,
} from './copy-rows.ts';
import type { WrittenSet } from './verification.ts';

/** Columns of a row of COPY, in order: as they are staged, from the identity to the detail, then the stamps. */
export const COPIED_COLUMNS = [
  ...IDENTITY_COLUMNS,
  ...TAKEN_OVER_COLUMNS,
  'detail',
  'first_seen_at',
  'updated_at',
] as const;

export interface Stamp {
  /** As PostgreSQL prints it, to be bound as timestamptz. */
  stamp: string;
  /** The wire's form (rule I-31). */
  instant: string;
  /** Microseconds since 2000-01-01, as PostgreSQL stores it; a decimal number. */
  micros: string;
}

/** What completes a staged `detail`, before and after the instant of first sight. */
export function stampTexts({ instant }: Pick<Stamp, 'instant'>): { start: string; end: string } {
  return {
    start: `,"record_update_date":"${instant.slice(0, 10)}","first_seen_at":"`,
    end: `","updated_at":"${instant}"}`,
  };
}

export interface RecordBatch {
  readonly rows: number;
  /** Rows for COPY of `COPIED_COLUMNS`, in the order of the change feed; may be asked for anew under another stamp. */
  pieces(stamp: Stamp): Generator<Buffer>;
  /** Of the rows last handed out, by register; complete once all of them were. */
  listWritten(): WrittenSet[];
  /** Rows for COPY of `jurisdiction_code`, `uid`, `document` of the payloads; empty when there are none. */
  payloads(): Buffer;
}

interface StagedRow {
  register: string;
  uid: string;
  /** In the staged bytes. */
  starts: ColumnStarts;
}

/** The end of one column is the beginning of the next. */
const IDENTITY_FROM = COLUMN.jurisdiction_code;
const IDENTITY_TO = COLUMN.uid + 1;
const COPIED_TO = COLUMN.detail + 1;
const STAMP_BYTES = LENGTH_BYTES + 8;
const PIECE_BYTES = 128 * 1024;
const ROWS_AT_ONCE = 200;

/**
 * Of whole rows, as a `RowWriter` wrote them; of none of them may the detail be null. Lets others run every few rows:
 * meanwhile another batch is on its way to the database.
 */
export async function buildRecordBatch(staged: Buffer): Promise<RecordBatch> {
  // One register after the other: its rows mostly are in their order already, and then sorting them takes no time.
  const registers = new Map<string, StagedRow[]>();
  let count = 0;
  for (let at = 0; at < staged.length; ) {
    const row = readRow(staged, at);
    const others = registers.get(row.register);
    if (others === undefined) registers.set(row.register, [row]);
    else others.push(row);
    at = startOf(row, COLUMN.end);
    count += 1;
    if (count % ROWS_AT_ONCE === 0) await setImmediate();
  }
  const rows = [...registers.keys()].sort().flatMap((register) => registers.get(register)?.sort(compareUids) ?? []);
  let written: WrittenSet[] = [];
  return {
    rows: rows.length,
    *pieces(stamp) {
      written = [];
      const counts = openCounts(written);
      const tail = buildTail(stamp);
      for (let from = 0; from < rows.length; ) {
        let bytes = 0;
        let to = from;
        for (; to < rows.length && (to === from || bytes < PIECE_BYTES); to += 1) {
          bytes += rowBytes(rows[to] as StagedRow, tail);
        }
        yield writePiece(staged, rows.slice(from, to), bytes, tail, counts.add);
        from = to;
      }
      counts.end();
    },
    listWritten: () => written,
    payloads: () => Buffer.concat(rows.flatMap((row) => cutPayload(staged, row))),
  };
}

function readRow(staged: Buffer, at: number): StagedRow {
  const starts = locateColumns(staged, at);
  // A byte a character: compares as the bytes do, as PostgreSQL compares them.
  const read = (column: number): string =>
    staged.toString('latin1', (starts[column] as number) + LENGTH_BYTES, starts[column + 1]);
  return { register: read(COLUMN.jurisdiction_code), uid: read(COLUMN.uid), starts };
}

/** Where a column of the row begins. */
function startOf({ starts }: StagedRow, column: number): number {
  return starts[column] as number;
}

function compareUids(one: StagedRow, other: StagedRow): number {
  return one.uid < other.uid ? -1 : 1;
}

/** The end of every row of a batch: what completes its detail, then both stamps. */
interface Tail {
  bytes: Buffer;
  textBytes: number;
}

function buildTail(stamp: Stamp): Tail {
  const { start, end } = stampTexts(stamp);
  const text = Buffer.from(start + stamp.instant + end);
  const column = Buffer.alloc(STAMP_BYTES);
  column.writeInt32BE(8, 0);
  column.writeBigInt64BE(BigInt(stamp.micros), LENGTH_BYTES);
  return { bytes: Buffer.concat([text, column, column]), textBytes: text.length };
}

function rowBytes(row: StagedRow, tail: Tail): number {
  return COUNT_BYTES + startOf(row, COPIED_TO) - startOf(row, IDENTITY_FROM) + tail.bytes.length;
}

function writePiece(
  staged: Buffer,
  rows: readonly StagedRow[],
  bytes: number,
  tail: Tail,
  count: (register: string, detail: Buffer) => void,
): Buffer {
  const piece = Buffer.from(new ArrayBuffer(bytes));
  let at = 0;
  for (const row of rows) {
    piece.writeInt16BE(COPIED_COLUMNS.length, at);
    at += COUNT_BYTES;
    const from = startOf(row, IDENTITY_FROM);
    const detailAt = at + startOf(row, COLUMN.detail) - from;
    at += staged.copy(piece, at, from, startOf(row, COPIED_TO));
    tail.bytes.copy(piece, at);
    const detailTo = at + tail.textBytes;
    at += tail.bytes.length;
    piece.writeInt32BE(detailTo - detailAt - LENGTH_BYTES, detailAt);
    count(row.register, piece.subarray(detailAt + LENGTH_BYTES, detailTo));
  }
  return piece;
}

/** Adds up the rows of one register after the other: they come in the order of registers. */
function openCounts(written: WrittenSet[]): { add(register: string, detail: Buffer): void; end(): void } {
  let open = { register: '', count: 0, upper: 0, lower: 0 };
  const end = (): void => {
    if (open.count === 0) return;
    const digest = BigInt.asIntN(64, (BigInt(open.upper >>> 0) << 32n) | BigInt(open.lower >>> 0));
    written.push({ jurisdiction_code: open.register, record_count: open.count, digest: String(digest) });
  };
  return {
    add(register, detail) {
      if (register !== open.register) {
        end();
        open = { register, count: 0, upper: 0, lower: 0 };
      }
      const digest = hash('sha256', detail, 'binary');
      open.count += 1;
      open.upper ^= readUpper(digest, 0);
      open.lower ^= readUpper(digest, 4);
    },
    end,
  };
}

/** Four characters of a byte each as one integer of 32 bits. */
function readUpper(bytes: string, at: number): number {
  return (
    (bytes.charCodeAt(at) << 24) |
    (bytes.charCodeAt(at + 1) << 16) |
    (bytes.charCodeAt(at + 2) << 8) |
    bytes.charCodeAt(at + 3)
  );
}

const PAYLOAD_COLUMNS = Buffer.from([0, IDENTITY_COLUMNS.length + 1]);

function cutPayload(staged: Buffer, row: StagedRow): Buffer[] {
  const payloadAt = startOf(row, COLUMN.payload);
  if (isNullAt(staged, payloadAt)) return [];
  const identity = staged.subarray(startOf(row, IDENTITY_FROM), startOf(row, IDENTITY_TO));
  return [PAYLOAD_COLUMNS, identity, staged.subarray(payloadAt, startOf(row, COLUMN.end))];
}
