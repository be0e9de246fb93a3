/**
 * Items with their payloads, read in small portions while the page is being sent: a page of 200 documents of 1 MB never
 * stands in memory whole, and nothing is held in the database while a client is slow.
 * Invariant: an item's content and payload come from one snapshot and bear the stamp under which the page listed it. A
 * record that has changed since is left out: it has moved beyond the page and is delivered there, once, as it then is.
 */
import { type Queryable, type StatementLimits, withLimits } from '../driver/db.ts';
import { type Statement, sql } from '../driver/sql.ts';

/** Stamp as PostgreSQL prints it, register, uid, and the bytes of the payload (null where there is none). */
export type ExpandedKey = readonly [updated_at: string, jurisdiction_code: string, uid: string, bytes: number | null];

/** Payload bytes read by one statement, unless a single document is larger. */
const PORTION_BYTES_MAX = 2 * 1024 * 1024;
const PORTION_RECORDS_MAX = 200;

const COMMA = Buffer.from(',');
const PAYLOAD_KEY = Buffer.from(',"payload":');
const NULL = Buffer.from('null');
const BRACE = Buffer.from('}');

/**
 * The items in the order of `keys`, joined by commas. The first portion is read before this resolves, so that a failure
 * there can still be answered; null when none of the records is as it was listed. A deadline ends with the first
 * portion: how fast the others are read is up to the client, who may leave at any of them.
 */
export async function streamExpanded(
  db: Queryable,
  keys: readonly ExpandedKey[],
  limits: StatementLimits,
  statementOf: PortionStatement = portionStatement,
): Promise<AsyncIterable<Buffer> | null> {
  const followingDb = withLimits(db, { signal: limits.signal });
  const portions = cutPortions(keys);
  let next = 0;
  while (next < portions.length) {
    const first = await db.queryBytes(statementOf(portions[next]!), limits);
    next += 1;
    if (first.length > 0) return joinItems(followingDb, first, portions.slice(next), statementOf);
  }
  return null;
}

async function* joinItems(
  db: Queryable,
  first: (Buffer | null)[][],
  portions: readonly (readonly ExpandedKey[])[],
  statementOf: PortionStatement,
): AsyncGenerator<Buffer> {
  yield* renderItems(first, true);
  first.length = 0;
  for (const portion of portions) yield* renderItems(await db.queryBytes(statementOf(portion)), false);
}

function* renderItems(rows: readonly (Buffer | null)[][], isStart: boolean): Generator<Buffer> {
  for (const [position, [detail, document]] of rows.entries()) {
    const head = isStart && position === 0 ? [] : [COMMA];
    yield Buffer.concat([...head, detail!.subarray(0, -1), PAYLOAD_KEY]);
    yield document ?? NULL;
    yield BRACE;
  }
}

function cutPortions(keys: readonly ExpandedKey[]): ExpandedKey[][] {
  const portions: ExpandedKey[][] = [];
  let bytes = 0;
  for (const key of keys) {
    const size = key[3] ?? 0;
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
    select record.detail, payload.document
    from unnest(${keys.map(([stamp]) => stamp)}::timestamptz[], ${keys.map(([, code]) => code)}::text[],
      ${keys.map(([, , uid]) => uid)}::text[]) with ordinality as listed (updated_at, jurisdiction_code, uid, position)
    join record on record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid
      and record.updated_at = listed.updated_at
    left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
    order by listed.position`;
}

/** Each record as it is now, whatever its stamp (rule I-36): no record of a page is left out. */
export function newestPortionStatement(keys: readonly ExpandedKey[]): Statement {
  return sql`
    select record.detail, payload.document
    from unnest(${keys.map(([, code]) => code)}::text[], ${keys.map(([, , uid]) => uid)}::text[])
      with ordinality as listed (jurisdiction_code, uid, position)
    join record on record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid
    left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
    order by listed.position`;
}
