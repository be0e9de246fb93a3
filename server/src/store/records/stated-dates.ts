/**
 * Dates that lie ahead, as records state them, among listed records; and the current texts of a few records. Nothing is
 * computed: a record without a date has none.
 */
import type { DateText, TrademarkDetail } from '@tmds/contract/record';
import { onNodesOf, recordOf } from '../distributed/by-key.ts';
import { isDistributed } from '../distributed/distribution.ts';
import type { Queryable } from '../driver/db.ts';
import { type Statement, sql } from '../driver/sql.ts';

interface Identity {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

export interface DateSpan {
  readonly from: DateText;
  /** Included. */
  readonly to: DateText;
}

/**
 * On several nodes every look-up compares its record with the whole list, so a list is divided there. One database
 * needs no such condition, and takes any list at once.
 */
const LIST_ON_NODES = 500;

interface DatedRow {
  readonly soonest: DateText;
  readonly detail: string;
}

/** Which of the records state a date within the span, the soonest first. */
export async function listDatedRecords(
  db: Queryable,
  records: readonly Identity[],
  span: DateSpan,
  limit: number,
): Promise<TrademarkDetail[]> {
  const isSpread = await isDistributed(db);
  const length = isSpread ? LIST_ON_NODES : Math.max(records.length, 1);
  const found: DatedRow[] = [];
  for (let from = 0; from < records.length; from += length) {
    found.push(...(await findDated(db, records.slice(from, from + length), { span, limit, isSpread })));
  }
  const sorted = found.sort((one, other) => (one.soonest < other.soonest ? -1 : 1));
  return sorted.slice(0, limit).map(({ detail }) => JSON.parse(detail) as TrademarkDetail);
}

function findDated(
  db: Queryable,
  records: readonly Identity[],
  { span: { from, to }, limit, isSpread }: { span: DateSpan; limit: number; isSpread: boolean },
): Promise<DatedRow[]> {
  return db.query<DatedRow>(sql`
    select stated.soonest, record.detail
    from ${listed(records)}
      cross join lateral ${recordOf(sql`record.detail`, onNodesOf(records, isSpread))} as record
      cross join lateral (
        select min(stated.date) as soonest
        from json_to_record(record.detail::json)
            as dates (opposition_period_end text, expiry_date text, renewal_date text)
          cross join lateral unnest(array[dates.opposition_period_end, dates.expiry_date, dates.renewal_date])
            as stated (date)
        where stated.date collate "C" between ${from}::text and ${to}::text
      ) as stated
    where stated.soonest is not null
    order by stated.soonest collate "C", record.jurisdiction_code, record.uid limit ${limit}::int`);
}

function listed(records: readonly Identity[]): Statement {
  return sql`unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
        ${records.map(({ uid }) => uid)}::text[]) as listed (jurisdiction_code, uid)`;
}

/** The current texts of a few records, in any order; a record that no register has is left out. */
export async function listCurrentRecords(db: Queryable, records: readonly Identity[]): Promise<TrademarkDetail[]> {
  if (records.length === 0) return [];
  const rows = await db.query<{ detail: string }>(sql`
    select record.detail
    from ${listed(records)} cross join lateral ${recordOf(sql`record.detail`, onNodesOf(records))} as record`);
  return rows.map(({ detail }) => JSON.parse(detail) as TrademarkDetail);
}
