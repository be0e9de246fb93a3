/**
 * The records of a page that the index has found, as the bytes that are delivered. It knows nothing of how they were
 * found. What a statement brings tells whether the index was behind: the last stamp of all, and which of the records
 * have changed since the index took them in.
 */
import type { Instant } from '@tmds/contract/record';
import { type ExpandedKey, newestPortionStatement, streamExpanded } from './change-payloads.ts';
import type { Queryable, QueryOptions } from './db.ts';
import { instantText } from './instants.ts';
import { sql } from './sql.ts';

export interface SearchPage {
  /** The items as JSON, joined by commas, without the brackets around them; no bytes when the page is empty. */
  readonly items: Buffer | AsyncIterable<Buffer>;
  /** Null when no more records match. */
  readonly next_cursor: string | null;
  /** Null unless the plan asks for a count (rule I-18). */
  readonly matched: { readonly count: number; readonly capped: boolean } | null;
}

/** A record as the index knows it. */
export interface ListedRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: Instant;
}

export interface ListedPage {
  /** Of the same snapshot: every publish up to it, and none after. */
  readonly lastStamp: Instant;
  /** The newest stamp of those records that have changed since they were listed; null when none has. */
  readonly changedAt: Instant | null;
  /** Of those that have not changed: as JSON, joined by commas; no bytes when there are none. */
  readonly items: Buffer;
}

const EMPTY = Buffer.alloc(0);

/** In the order in which they are listed. */
export async function findListed(
  db: Queryable,
  records: readonly ListedRecord[],
  options: QueryOptions,
): Promise<ListedPage> {
  const [row] = await db.queryBytes(
    sql`select (select ${instantText(sql`last_stamp`)} from publish_clock) as last_stamp,
      ${instantText(sql`max(found.updated_at) filter (where found.updated_at <> listed.updated_at)`)} as changed_at,
      string_agg(found.detail, ',' order by listed.position)
        filter (where found.updated_at = listed.updated_at) as items
    from ${listed(records)}
    cross join lateral (
      select updated_at, detail from record
      where record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid limit 1
    ) as found`,
    options,
  );
  const [lastStamp, changedAt, items] = row!;
  return { lastStamp: lastStamp!.toString(), changedAt: changedAt?.toString() ?? null, items: items ?? EMPTY };
}

export interface ExpandedPage extends Omit<ListedPage, 'items'> {
  /** Each with its payload, in portions; every record comes whole, as it then is (rule I-36). */
  stream(): Promise<Buffer | AsyncIterable<Buffer>>;
}

/** The same with payloads. Nothing of them is read before `stream` is called. */
export async function findListedWithPayloads(
  db: Queryable,
  records: readonly ListedRecord[],
  options: QueryOptions,
): Promise<ExpandedPage> {
  const [row] = await db.queryBytes(
    sql`select (select ${instantText(sql`last_stamp`)} from publish_clock) as last_stamp,
      ${instantText(sql`max(found.updated_at) filter (where found.updated_at <> listed.updated_at)`)} as changed_at,
      json_agg(found.bytes order by listed.position) as bytes
    from ${listed(records)}
    cross join lateral (
      select record.updated_at, octet_length(payload.document) as bytes
      from record left join payload using (jurisdiction_code, uid)
      where record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid limit 1
    ) as found`,
    options,
  );
  const [lastStamp, changedAt, sizes] = row!;
  const bytes = sizes ? (JSON.parse(sizes.toString()) as (number | null)[]) : [];
  const keys = records.map(
    ({ updated_at, jurisdiction_code, uid }, index): ExpandedKey => [
      updated_at,
      jurisdiction_code,
      uid,
      bytes[index] ?? 0,
    ],
  );
  return {
    lastStamp: lastStamp!.toString(),
    changedAt: changedAt?.toString() ?? null,
    stream: async () => (await streamExpanded(db, keys, newestPortionStatement)) ?? EMPTY,
  };
}

function listed(records: readonly ListedRecord[]) {
  return sql`unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
      ${records.map(({ uid }) => uid)}::text[], ${records.map(({ updated_at }) => updated_at)}::timestamptz[])
      with ordinality as listed (jurisdiction_code, uid, updated_at, position)`;
}
