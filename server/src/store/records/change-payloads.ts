/**
 * Items with their payloads, read in small portions while the page is sent: a page of 200 documents of 1 MB is never
 * in memory as a whole, and a slow client holds nothing in the database.
 * Invariant: an item's content and payload come from one snapshot, and have the stamp under which the page listed them.
 * A record that has changed since is left out: it has moved past the page, and is delivered there, once.
 */
import { onNodesOf } from '../../database/distributed/by-key.ts';
import type { Queryable, StatementLimits } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import { expandDetail, heldDocument, heldIn, readDocuments } from '../documents/read.ts';

export interface ExpandedKey {
  /** As PostgreSQL reads it. */
  readonly updated_at: string;
  readonly jurisdiction_code: string;
  readonly uid: string;
  /** The size of the payload; null if there is none. */
  readonly payload_bytes: number | null;
}

interface ExpandedRow {
  readonly detail: Buffer;
  readonly document: Buffer | null;
}

/** Payload bytes that one statement reads, unless a single document is larger. */
const PORTION_BYTES_MAX = 2 * 1024 * 1024;
const PORTION_RECORDS_MAX = 200;

const HELD = heldDocument(heldIn('payload'));

const COMMA = Buffer.from(',');

/**
 * The items in the order of `keys`, joined by commas; null if every record has changed since it was listed. The first
 * portion is read before this resolves, so that its failure can still become an error response. The deadline covers
 * only that portion: how fast the others are read is up to the client, who may leave at any of them.
 */
export async function streamExpanded(
  db: Queryable,
  keys: readonly ExpandedKey[],
  limits: StatementLimits,
  statementOf: PortionStatement = portionStatement,
): Promise<AsyncIterable<Buffer> | null> {
  const following = { signal: limits.signal };
  const portions = cutPortions(keys);
  let next = 0;
  while (next < portions.length) {
    const first = await readPortion(db, statementOf(portions[next]!), limits);
    next += 1;
    if (first.length > 0) return joinItems({ db, limits: following, statementOf }, first, portions.slice(next));
  }
  return null;
}

interface PortionReader {
  readonly db: Queryable;
  readonly limits: StatementLimits;
  readonly statementOf: PortionStatement;
}

async function* joinItems(
  { db, limits, statementOf }: PortionReader,
  first: ExpandedRow[],
  portions: readonly (readonly ExpandedKey[])[],
): AsyncGenerator<Buffer> {
  yield* renderItems(first, true);
  first.length = 0;
  for (const portion of portions) yield* renderItems(await readPortion(db, statementOf(portion), limits), false);
}

async function readPortion(db: Queryable, statement: Statement, limits: StatementLimits): Promise<ExpandedRow[]> {
  const rows = [...(await db.copyRows(statement, limits))];
  const documents = await readDocuments(
    db,
    rows.map(([, document]) => document ?? null),
  );
  return rows.map(([detail], position) => ({ detail: detail!, document: documents[position]! }));
}

function* renderItems(rows: readonly ExpandedRow[], isStart: boolean): Generator<Buffer> {
  for (const [position, { detail, document }] of rows.entries()) {
    const [head, key, text, brace] = expandDetail(detail, document) as [Buffer, Buffer, Buffer, Buffer];
    yield Buffer.concat(isStart && position === 0 ? [head, key] : [COMMA, head, key]);
    yield text;
    yield brace;
  }
}

function cutPortions(keys: readonly ExpandedKey[]): ExpandedKey[][] {
  const portions: ExpandedKey[][] = [];
  let bytes = 0;
  for (const key of keys) {
    const size = key.payload_bytes ?? 0;
    const current = portions.at(-1);
    if (current === undefined || bytes + size > PORTION_BYTES_MAX || current.length === PORTION_RECORDS_MAX) {
      portions.push([key]);
      bytes = size;
    } else {
      current.push(key);
      bytes += size;
    }
  }
  return portions;
}

/** Content and payload of each key, in the order of the keys. */
export type PortionStatement = (keys: readonly ExpandedKey[]) => Statement;

function portionStatement(keys: readonly ExpandedKey[]): Statement {
  return sql`
    select record.detail, ${HELD} as document
    from unnest(${keys.map((key) => key.updated_at)}::timestamptz[],
      ${keys.map((key) => key.jurisdiction_code)}::text[], ${keys.map((key) => key.uid)}::text[])
      with ordinality as listed (updated_at, jurisdiction_code, uid, position)
    join record on record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid
      and record.updated_at = listed.updated_at
    left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
    where ${onNodesOf(keys)}
    order by listed.position`;
}

/** Each record as it is now, whatever its stamp (rule I-36), so that none of the page is left out. */
export function newestPortionStatement(keys: readonly ExpandedKey[]): Statement {
  return sql`
    select record.detail, ${HELD} as document
    from unnest(${keys.map((key) => key.jurisdiction_code)}::text[], ${keys.map((key) => key.uid)}::text[])
      with ordinality as listed (jurisdiction_code, uid, position)
    join record on record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid
    left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
    where ${onNodesOf(keys)}
    order by listed.position`;
}
