/**
 * The records of a page that the index has found, as the bytes that are delivered. It knows nothing of how they were
 * found. What a statement brings tells whether the index was behind: the last stamp of all, and which of the records
 * have changed since the index took them in.
 */
import type { Instant } from '@tmds/contract/record';
import type { Queryable, StatementLimits } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { sql } from '../driver/sql.ts';
import { type ExpandedKey, newestPortionStatement, streamExpanded } from './change-payloads.ts';

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
  /**
   * As JSON, joined by commas. Without payloads those that have not changed; with payloads every record as it then is
   * (rule I-36), in portions, of which nothing is read before this is called.
   */
  readonly openItems: () => Promise<Buffer | AsyncIterable<Buffer>>;
}

export interface ListedOptions extends StatementLimits {
  readonly expandPayload: boolean;
}

const EMPTY = Buffer.alloc(0);

/** In the order in which they are listed. The deadline is for all that happens before the items are sent. */
export async function findListed(
  db: Queryable,
  records: readonly ListedRecord[],
  { expandPayload, ...limits }: ListedOptions,
): Promise<ListedPage> {
  const { found, items } = expandPayload ? PAYLOAD_SIZES : DETAILS;
  const [row] = await db.queryBytes(
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
  const [lastStamp, changedAt, read] = row!;
  return {
    lastStamp: lastStamp!.toString(),
    changedAt: changedAt?.toString() ?? null,
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
  found: sql`select record.updated_at, octet_length(payload.document) as bytes
    from record left join payload using (jurisdiction_code, uid)`,
  items: sql`json_agg(found.bytes order by listed.position)`,
};

function buildKeys(records: readonly ListedRecord[], sizes: readonly (number | null)[]): ExpandedKey[] {
  return records.map(({ updated_at, jurisdiction_code, uid }, index) => [
    updated_at,
    jurisdiction_code,
    uid,
    sizes[index] ?? 0,
  ]);
}

function listed(records: readonly ListedRecord[]) {
  return sql`unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
      ${records.map(({ uid }) => uid)}::text[], ${records.map(({ updated_at }) => updated_at)}::timestamptz[])
      with ordinality as listed (jurisdiction_code, uid, updated_at, position)`;
}
