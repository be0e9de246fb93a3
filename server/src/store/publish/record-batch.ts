/**
 * A batch of staged rows, completed by the stamps of its publish, as rows for the record table. It decides their order,
 * and digests them as they are handed out. If no record of a batch can be stored yet, the batch needs no staging table.
 * It knows no file and no transaction. Invariant: the digests are those of the very bytes handed out.
 */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { DocumentToWrite, WrittenDocument } from '../documents/write.ts';
import {
  buildRowEnding,
  cutPayloadRow,
  findPayload,
  listStagedRows,
  type RowEnding,
  recordRowBytes,
  type StagedRow,
  writeRecordRow,
} from './copy-rows.ts';
import type { WrittenSet } from './verification.ts';

export interface Stamp {
  /** As PostgreSQL prints it, to be bound as timestamptz. */
  stamp: string;
  /** The wire's form (rule I-31). */
  instant: string;
  /** Microseconds since 2000-01-01, as PostgreSQL stores it; a decimal number. */
  micros: string;
  /** Whether the publish is committed on several nodes, and has to be announced (`announce.ts`). */
  is_distributed: boolean;
}

/** The parts that complete a staged `detail`: the text before the instant of first sight, and the text after it. */
export function stampTexts({ instant }: Pick<Stamp, 'instant'>): { start: string; end: string } {
  return {
    start: `,"record_update_date":"${instant.slice(0, 10)}","first_seen_at":"`,
    end: `","updated_at":"${instant}"}`,
  };
}

export interface RecordBatch {
  readonly rows: number;
  /** Rows that name parts. */
  readonly naming: number;
  /** Rows for COPY of `RECORD_COPY_COLUMNS`, in the order of the change feed. Can be repeated under another stamp. */
  encodeRecords(stamp: Stamp): Generator<Buffer>;
  /** Digests of the rows that `encodeRecords` last handed out, by register; complete once it has ended. */
  listWritten(): WrittenSet[];
  /** Rows for COPY of `PAYLOAD_COPY_COLUMNS`; empty if no record has a payload. */
  encodePayloads(): Buffer;
}

const CHUNK_BYTES = 128 * 1024;
const ROWS_AT_ONCE = 200;

/** Puts documents where they are to be held, before anything names them. */
export type WriteDocuments = (documents: readonly DocumentToWrite[]) => Promise<readonly WrittenDocument[]>;

/**
 * `staged`: whole rows of a `RowWriter`, none of them unchanged. Lets other work run every `ROWS_AT_ONCE` rows, because
 * the previous batch is being published at the same time. `write`: for payloads that are not to be held as text.
 */
export async function buildRecordBatch(staged: Buffer, write: WriteDocuments | null = null): Promise<RecordBatch> {
  const rows = await sortRows(staged);
  const withPayload = rows.flatMap((row) => {
    const text = findPayload(staged, row);
    return text === null ? [] : [{ row, register: row.register, text }];
  });
  const documents = write === null ? [] : await write(withPayload);
  let written: WrittenSet[] = [];
  return {
    rows: rows.length,
    naming: rows.filter(({ namesParts }) => namesParts).length,
    *encodeRecords(stamp) {
      written = [];
      const counter = openCounter(written);
      const { start, end } = stampTexts(stamp);
      const ending = buildRowEnding(start + stamp.instant + end, stamp.micros);
      for (const chunk of cutChunks(rows, ending)) yield encodeChunk(staged, chunk, ending, counter.add);
      counter.end();
    },
    listWritten: () => written,
    encodePayloads: () =>
      Buffer.concat(withPayload.flatMap(({ row }, position) => cutPayloadRow(staged, row, documents[position]))),
  };
}

/** In the order of the feed: by register, then by uid. */
async function sortRows(staged: Buffer): Promise<StagedRow[]> {
  // By register first: the rows of one register usually are in order already, which makes sorting them nearly free.
  const registers = new Map<string, StagedRow[]>();
  let count = 0;
  for (const row of listStagedRows(staged)) {
    const others = registers.get(row.register);
    if (others === undefined) registers.set(row.register, [row]);
    else others.push(row);
    count += 1;
    if (count % ROWS_AT_ONCE === 0) await setImmediate();
  }
  return [...registers.keys()].sort().flatMap((register) => registers.get(register)?.sort(compareUids) ?? []);
}

function compareUids(one: StagedRow, other: StagedRow): number {
  return one.uid < other.uid ? -1 : 1;
}

interface Chunk {
  rows: readonly StagedRow[];
  bytes: number;
}

function* cutChunks(rows: readonly StagedRow[], ending: RowEnding): Generator<Chunk> {
  let first = 0;
  let bytes = 0;
  for (const [position, row] of rows.entries()) {
    bytes += recordRowBytes(row, ending);
    if (bytes < CHUNK_BYTES && position + 1 < rows.length) continue;
    yield { rows: rows.slice(first, position + 1), bytes };
    first = position + 1;
    bytes = 0;
  }
}

function encodeChunk(
  staged: Buffer,
  { rows, bytes }: Chunk,
  ending: RowEnding,
  count: (register: string, detail: Buffer) => void,
): Buffer {
  const chunk = Buffer.from(new ArrayBuffer(bytes));
  let at = 0;
  for (const row of rows) {
    count(row.register, writeRecordRow(staged, row, ending, chunk, at));
    at += recordRowBytes(row, ending);
  }
  return chunk;
}

/** Counts and digests rows, which come register by register. */
function openCounter(written: WrittenSet[]): { add(register: string, detail: Buffer): void; end(): void } {
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
      open.upper ^= readInt32(digest, 0);
      open.lower ^= readInt32(digest, 4);
    },
    end,
  };
}

/** From a binary string, one character per byte: cheaper than a Buffer for each digest. */
function readInt32(bytes: string, at: number): number {
  return (
    (bytes.charCodeAt(at) << 24) |
    (bytes.charCodeAt(at + 1) << 16) |
    (bytes.charCodeAt(at + 2) << 8) |
    bytes.charCodeAt(at + 3)
  );
}
