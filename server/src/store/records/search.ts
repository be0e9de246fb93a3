/**
 * The records of a page that the index has found, as the bytes to deliver. It does not know how they were found. The
 * same statement shows whether the index was behind: it reads the last stamp, and which of the records have changed
 * since they were indexed.
 */
import type { Instant } from '@tmds/contract/record';
import { onNodesOf, recordOf } from '../distributed/by-key.ts';
import { documentBytes, heldIn } from '../documents/held.ts';
import type { Queryable, StatementLimits } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { VISIBLE_STAMP } from '../publish/announce.ts';
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
  const { told, items } = expandPayload ? PAYLOAD_SIZES : DETAILS;
  const [row] = await db.queryBytes<{ last_stamp: Buffer; changed_at: Buffer | null; items: Buffer | null }>(
    sql`with found as materialized (
      select listed.position, listed.updated_at as listed_at, stored.updated_at, stored.told
      from ${listed(records)}
        cross join lateral ${recordOf(sql`record.updated_at, ${told} as told`, onNodesOf(records, db.isDistributed))} as stored
    )
    select (select ${instantText(VISIBLE_STAMP)} from publish_clock) as last_stamp,
      ${instantText(sql`max(updated_at) filter (where updated_at <> listed_at)`)} as changed_at,
      ${items} as items
    from found`,
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
  told: sql`record.detail`,
  items: sql`string_agg(told, ',' order by position) filter (where updated_at = listed_at)`,
};

const PAYLOAD_SIZES = {
  told: sql`(select ${documentBytes(heldIn('payload'))} from payload
    where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid)`,
  items: sql`json_agg(told order by position)`,
};

function buildKeys(records: readonly ListedRecord[], sizes: readonly (number | null)[]): ExpandedKey[] {
  return records.map(({ updated_at, jurisdiction_code, uid }, index) => ({
    updated_at,
    jurisdiction_code,
    uid,
    payload_bytes: sizes[index] ?? null,
  }));
}

function listed(records: readonly ListedRecord[]): Statement {
  return sql`unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
      ${records.map(({ uid }) => uid)}::text[], ${records.map(({ updated_at }) => updated_at)}::timestamptz[])
      with ordinality as listed (jurisdiction_code, uid, updated_at, position)`;
}
