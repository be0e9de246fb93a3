/**
 * The records of a page that the index has found, as the bytes to deliver. It does not know how they were found. The
 * same statement shows whether the index was behind: it reads the last stamp, and which of the records have changed
 * since they were indexed.
 */
import type { Instant } from '@tmds/contract/record';
import { documentBytes, heldIn } from '../documents/held.ts';
import type { Queryable, StatementLimits } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { sql } from '../driver/sql.ts';
import { type ExpandedKey, newestPortionStatement, streamExpanded } from './change-payloads.ts';

export interface SearchPage {
  /** The items as JSON, joined by commas, without brackets; no bytes if the page is empty. */
  readonly items: Buffer | AsyncIterable<Buffer>;
  /** Null if no more records match. */
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
  /** The last stamp visible in the statement's snapshot. */
  readonly lastStamp: Instant;
  /** The newest stamp among the records that have changed since they were listed; null if none has. */
  readonly changedAt: Instant | null;
  /**
   * JSON, joined by commas. Without payloads: the records that have not changed. With payloads: every record as it is
   * when read (rule I-36), in portions, none of which is read before this is called.
   */
  readonly openItems: () => Promise<Buffer | AsyncIterable<Buffer>>;
}

export interface ListedOptions extends StatementLimits {
  readonly expandPayload: boolean;
}

const EMPTY = Buffer.alloc(0);

/** In the order of `records`. The deadline covers everything up to the first item sent. */
export async function findListed(
  db: Queryable,
  records: readonly ListedRecord[],
  { expandPayload, ...limits }: ListedOptions,
): Promise<ListedPage> {
  const { found, items } = expandPayload ? PAYLOAD_SIZES : DETAILS;
  const [row] = await db.queryBytes<{ last_stamp: Buffer; changed_at: Buffer | null; items: Buffer | null }>(
    sql`select (select ${instantText(sql`last_stamp`)} from publish_clock) as last_stamp,
      ${instantText(sql`max(found.updated_at) filter (where found.updated_at <> listed.updated_at)`)} as changed_at,
      ${items} as items
    from ${listed(records)}
    cross join lateral (
      ${found}
      where record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid limit 1
    ) as found`,
    limits,
  );
  const { last_stamp, changed_at, items: read } = row!;
  return {
    lastStamp: last_stamp.toString(),
    changedAt: changed_at?.toString() ?? null,
    openItems: async () => {
      if (!expandPayload) return read ?? EMPTY;
      const sizes = read ? (JSON.parse(read.toString()) as (number | null)[]) : [];
      return (await streamExpanded(db, buildKeys(records, sizes), limits, newestPortionStatement)) ?? EMPTY;
    },
  };
}

const DETAILS = {
  found: sql`select updated_at, detail from record`,
  items: sql`string_agg(found.detail, ',' order by listed.position)
    filter (where found.updated_at = listed.updated_at)`,
};

const PAYLOAD_SIZES = {
  found: sql`select record.updated_at, ${documentBytes(heldIn('payload'))} as bytes
    from record left join payload using (jurisdiction_code, uid)`,
  items: sql`json_agg(found.bytes order by listed.position)`,
};

function buildKeys(records: readonly ListedRecord[], sizes: readonly (number | null)[]): ExpandedKey[] {
  return records.map(({ updated_at, jurisdiction_code, uid }, index) => ({
    updated_at,
    jurisdiction_code,
    uid,
    payload_bytes: sizes[index] ?? null,
  }));
}

function listed(records: readonly ListedRecord[]) {
  return sql`unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
      ${records.map(({ uid }) => uid)}::text[], ${records.map(({ updated_at }) => updated_at)}::timestamptz[])
      with ordinality as listed (jurisdiction_code, uid, updated_at, position)`;
}
