/**
 * The content of a snapshot, from one reading of the database: the horizon of the feed, the digest of each register up
 * to it, and the records themselves in the order of the feed (docs/design/snapshots.md). It does not know where they
 * go.
 */
import type { Instant } from '@tmds/contract/record';
import { OperatorError } from '../../base/errors.ts';
import { setOnNodes } from '../../database/distributed/settings.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, SNAPSHOT_LOCK } from '../../database/schema/locks.ts';
import { holdDictionaries } from '../documents/packing.ts';
import { heldDocument, heldIn, measureHeld, readDocuments } from '../documents/read.ts';
import { clockEdge } from '../publish/feed-clock.ts';
import type { PublishedRegister } from '../publish/publishes.ts';

/** Held until the transaction ends. Throws OperatorError while another process makes a snapshot of this database. */
export async function claimSnapshot(tx: Transaction): Promise<void> {
  await tx.query(sql`select set_config('idle_in_transaction_session_timeout', '0', true)`);
  const [taken] = await tx.query<{ held: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${SNAPSHOT_LOCK}::int) as held`,
  );
  if (!taken!.held) throw new OperatorError('another process is making a snapshot; wait until it has ended');
}

export interface ReadingState {
  readonly databaseId: string;
  readonly lineage: string;
  /** The feed is complete up to and including this instant. */
  readonly horizon: Instant;
  /** Records up to the horizon, of registers that have any; sorted by code. */
  readonly registers: readonly PublishedRegister[];
}

export async function findReadingState(tx: Queryable, horizonSeconds: number): Promise<ReadingState> {
  const [state] = await tx.query<Omit<ReadingState, 'registers'>>(sql`
    select database_id as "databaseId", edge.lineage, ${instantText(sql`edge.horizon`)} as horizon
    from publish_clock, (${clockEdge(horizonSeconds)}) as edge`);
  if (state === undefined) throw new OperatorError('the table publish_clock has no row; run: tmds verify');
  return { ...state, registers: await listPublished(tx, null, state.horizon) };
}

/**
 * What the publishes after `after` and up to the horizon have left, by register: the records that have not changed
 * since.
 */
export async function listPublished(
  tx: Queryable,
  after: Instant | null,
  horizon: Instant,
): Promise<readonly PublishedRegister[]> {
  return await tx.query<PublishedRegister>(sql`
    select jurisdiction_code, sum(record_count)::float8 as record_count,
      lpad(to_hex(bit_xor(digest)), 16, '0') as digest
    from publish_digest
    where updated_at > ${after ?? '-infinity'}::timestamptz and updated_at <= ${horizon}::timestamptz
    group by jurisdiction_code having sum(record_count) > 0 order by jurisdiction_code`);
}

export interface ReadRecord {
  /** As the feed delivers it, without payload. */
  readonly detail: Buffer;
  /** Null: the record has none, or payloads were not requested. */
  readonly document: Buffer | null;
}

export interface ReadOptions {
  readonly register: string;
  /** Only records that changed after it; null: all. */
  readonly after: Instant | null;
  readonly horizon: Instant;
  readonly payloads: boolean;
}

/** The records of a register between two instants, by stamp and uid, a few at a time. */
export async function readRegister(
  tx: Transaction,
  { register, after, horizon, payloads }: ReadOptions,
  take: (records: AsyncIterable<readonly ReadRecord[]>) => Promise<void>,
): Promise<void> {
  // A copy statement takes no values, but it may read settings of its transaction.
  await setOnNodes(tx, {
    'tmds.snapshot_register': register,
    'tmds.snapshot_after': after ?? '-infinity',
    'tmds.snapshot_horizon': horizon,
  });
  if (payloads) await holdDictionaries(tx, register);
  const document = payloads ? heldDocument(heldIn('payload')) : sql`null::text`;
  const joined = payloads
    ? sql`left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid`
    : sql``;
  await tx.copyOut(
    sql`copy (
      select record.detail, ${document} from record ${joined}
      where record.jurisdiction_code = current_setting('tmds.snapshot_register')
        and record.updated_at > current_setting('tmds.snapshot_after')::timestamptz
        and record.updated_at <= current_setting('tmds.snapshot_horizon')::timestamptz
      order by record.updated_at, record.uid
    ) to stdout (format binary)`,
    (chunks) => take(openRows(tx, splitRows(chunks))),
  );
}

/** Bytes unpacked together, unless a single document is larger. */
const OPENED_BYTES_MAX = 4 * 1024 * 1024;

/** Rows with the documents that they hold. */
async function* openRows(
  tx: Queryable,
  portions: AsyncIterable<readonly ReadRecord[]>,
): AsyncGenerator<readonly ReadRecord[]> {
  for await (const rows of portions) {
    for (let from = 0; from < rows.length; ) {
      let to = from;
      for (let bytes = 0; to < rows.length && (to === from || bytes < OPENED_BYTES_MAX); to += 1) {
        bytes += measureHeld(rows[to]!.document);
      }
      const some = rows.slice(from, to);
      const documents = await readDocuments(
        tx,
        some.map(({ document }) => document),
      );
      yield some.map(({ detail }, position) => ({ detail, document: documents[position]! }));
      from = to;
    }
  }
}

/** Signature, flags and the length of an extension that PostgreSQL does not use. */
const HEAD_BYTES = 19;
const END = -1;

/** Rows of two columns from the bytes of a binary copy, regardless of how they are cut into chunks. */
async function* splitRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly ReadRecord[]> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let needed = HEAD_BYTES + 2;
  let isHeadRead = false;
  for await (const chunk of chunks) {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < needed) continue;
    const bytes = held.length === 1 ? chunk : Buffer.concat(held, heldBytes);
    const { rows, at, wanted } = parseRows(bytes, isHeadRead ? 0 : HEAD_BYTES);
    isHeadRead = true;
    const rest = bytes.subarray(at);
    held = [rest];
    heldBytes = rest.length;
    needed = wanted;
    if (rows.length > 0) yield rows;
  }
}

/** `at`: where the first incomplete row begins; `wanted`: the least number of bytes needed from there. */
function parseRows(bytes: Buffer, start: number): { rows: ReadRecord[]; at: number; wanted: number } {
  const rows: ReadRecord[] = [];
  let at = start;
  for (;;) {
    if (at + 2 > bytes.length) return { rows, at, wanted: 2 };
    if (bytes.readInt16BE(at) === END) return { rows, at: bytes.length, wanted: Number.POSITIVE_INFINITY };
    const detail = parseField(bytes, at + 2);
    const document = detail.end > bytes.length ? detail : parseField(bytes, detail.end);
    if (document.end > bytes.length) return { rows, at, wanted: document.end - at };
    rows.push({ detail: detail.value ?? Buffer.alloc(0), document: document.value });
    at = document.end;
  }
}

/** `end` lies beyond the bytes if they do not hold the whole field. */
function parseField(bytes: Buffer, at: number): { value: Buffer | null; end: number } {
  const start = at + 4;
  if (start > bytes.length) return { value: null, end: start };
  const length = bytes.readInt32BE(at);
  if (length < 0) return { value: null, end: start };
  return { value: bytes.subarray(start, start + length), end: start + length };
}
