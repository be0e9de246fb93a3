/**
 * Events of the history with the versions that they created and replaced, in the form for searching: the next ones in
 * the order of the history, or the latest ones of some time. It does not know the searches.
 */
import type { Instant } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { listedPredecessors } from '../records/versions.ts';

/** An event of the history, and its place in the order. */
export interface EventPosition {
  /** The stamp of the version that the event created. */
  readonly stamp: Instant;
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** A version of a record in the form for searching. */
export interface Version {
  readonly updated_at: Instant;
  readonly detail: string;
  readonly mark_variants: string | null;
}

export interface VersionEvent extends EventPosition {
  readonly after: Version;
  /** Null for the first version. */
  readonly before: Version | null;
}

export interface VersionEvents {
  readonly events: readonly VersionEvent[];
  /** Whether the range has more. */
  readonly hasMore: boolean;
}

/** At most `events` with about `bytes` of text, but at least one if there is any. */
export interface EventLimits {
  readonly events: number;
  readonly bytes: number;
}

/** The order of the index over all registers. */
export const FEED_ORDER = sql`updated_at, jurisdiction_code, uid`;

/** `within`: a range of one index over the keys of both tables of versions; `order`: that of the index. */
export interface EventRange {
  readonly within: Statement;
  readonly order: Statement;
}

/** The first events of a range. Call it in one snapshot. */
export async function readRange(db: Queryable, range: EventRange, limits: EventLimits): Promise<VersionEvents> {
  return joinVersions(await db.query<VersionRow>(selectVersions(range, limits), { prepare: false }));
}

/** The latest events of one record, newest first. */
export async function readRecordEvents(
  db: Queryable,
  { jurisdiction_code, uid }: Pick<EventPosition, 'jurisdiction_code' | 'uid'>,
  limits: EventLimits,
): Promise<VersionEvents> {
  const within = sql`jurisdiction_code = ${jurisdiction_code} and uid = ${uid}`;
  return await readRange(db, { within, order: sql`updated_at desc, jurisdiction_code desc, uid desc` }, limits);
}

export interface PastRange {
  /** Null: all registers. */
  readonly register: string | null;
  /** Stamps from this one on. */
  readonly from: Instant;
  /** Stamps up to this one. */
  readonly through: Instant;
  /** Before this place; null: from the end. */
  readonly before: EventPosition | null;
}

/** The latest events of a range, newest first. */
export async function readPastEvents(
  db: Queryable,
  { register, from, through, before }: PastRange,
  limits: EventLimits,
): Promise<VersionEvents> {
  const { stamp, jurisdiction_code, uid } = before ?? { stamp: 'infinity', jurisdiction_code: '', uid: '' };
  if (register === null) {
    const within = sql`updated_at between ${from}::timestamptz and ${through}::timestamptz
      and (updated_at, jurisdiction_code, uid) < (${stamp}::timestamptz, ${jurisdiction_code}, ${uid})`;
    return await readRange(db, { within, order: sql`updated_at desc, jurisdiction_code desc, uid desc` }, limits);
  }
  // Compared as a range, as in the change feed, so that no statistics can make the planner scan the other index.
  const within = sql`jurisdiction_code between ${register} and ${register}
    and (jurisdiction_code, updated_at) >= (${register}, ${from}::timestamptz)
    and (jurisdiction_code, updated_at) <= (${register}, ${through}::timestamptz)
    and (jurisdiction_code, updated_at, uid) < (${register}, ${stamp}::timestamptz, ${uid})`;
  return await readRange(db, { within, order: sql`jurisdiction_code desc, updated_at desc, uid desc` }, limits);
}

/** A version of the next events: one that an event created, or the one that it replaced. */
interface VersionRow {
  /** The number of the event, from 1. */
  readonly number: number;
  readonly updated_at: Instant;
  readonly detail: string;
  readonly mark_variants: string | null;
  /** Null for one that was replaced. */
  readonly jurisdiction_code: string | null;
  readonly uid: string | null;
  /** Whether another event follows; null for one that was replaced. */
  readonly has_next: boolean | null;
}

function joinVersions(rows: readonly VersionRow[]): VersionEvents {
  const made: VersionRow[] = [];
  const replaced = new Map<number, Version>();
  for (const row of rows) {
    if (row.has_next === null) replaced.set(row.number, versionOf(row));
    else made[row.number - 1] = row;
  }
  const events = made.map((row) => ({
    stamp: row.updated_at,
    jurisdiction_code: row.jurisdiction_code!,
    uid: row.uid!,
    after: versionOf(row),
    before: replaced.get(row.number) ?? null,
  }));
  return { events, hasMore: made.at(-1)?.has_next === true };
}

function versionOf({ updated_at, detail, mark_variants }: VersionRow): Version {
  return { updated_at, detail, mark_variants };
}

/**
 * The versions that events created, and those that they replaced. They are joined here: statistics do not cover the
 * newest stamps, so the server would expect a single event, and compare each with each of the others.
 */
function selectVersions({ within, order }: EventRange, { events, bytes }: EventLimits): Statement {
  const versions = (table: Statement): Statement => sql`(
        select updated_at, jurisdiction_code, uid, detail, mark_variants from ${table}
        where ${within}
        order by ${order} limit ${events + 1}::int)`;
  const isListed = sql`number <= ${events}::int and bytes_before < ${bytes}::float8`;
  return sql`
    with version as (${versions(sql`record`)} union all ${versions(sql`record_version`)}),
    next as materialized (
      select updated_at, jurisdiction_code, uid, detail, mark_variants, row_number() over feed as number,
        sum(octet_length(detail)) over feed - octet_length(detail) as bytes_before,
        lead(true, 1, false) over feed as has_next
      from (
        select distinct on (${FEED_ORDER}) updated_at, jurisdiction_code, uid, detail, mark_variants
        from version order by ${order}
      ) as once
      window feed as (order by ${order})
    ),
    listed as materialized (select number as position, updated_at, jurisdiction_code, uid from next where ${isListed}),
    before as materialized (
      ${listedPredecessors(sql`version.updated_at, version.detail, version.mark_variants`, { uids: null })}
    )
    select number::int4 as number, ${instantText(sql`updated_at`)} as updated_at, detail, mark_variants,
      jurisdiction_code, uid, has_next
    from next where ${isListed}
    union all
    select position::int4, ${instantText(sql`updated_at`)}, detail, mark_variants, null, null, null from before`;
}
