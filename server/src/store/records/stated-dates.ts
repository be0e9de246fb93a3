/**
 * Dates that lie ahead, as records state them, among listed records; and the current texts of a few records. Nothing is
 * computed: a record without a date has none.
 */
import type { DateText, TrademarkDetail } from '@tmds/contract/record';
import { onNodesOf, recordOf } from '../distributed/by-key.ts';
import type { Queryable } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';

interface Identity {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

export interface DateSpan {
  readonly from: DateText;
  /** Included. */
  readonly to: DateText;
}

/** Which of the records state a date within the span, the soonest first. */
export async function listDatedRecords(
  db: Queryable,
  records: readonly Identity[],
  { from, to }: DateSpan,
  limit: number,
): Promise<TrademarkDetail[]> {
  if (records.length === 0) return [];
  const rows = await db.query<{ detail: string }>(sql`
    select record.detail
    from unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
        ${records.map(({ uid }) => uid)}::text[]) as listed (jurisdiction_code, uid)
      cross join lateral ${recordOf(sql`record.detail`, onNodesOf(records, db.isDistributed))} as record
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
  return rows.map(({ detail }) => JSON.parse(detail) as TrademarkDetail);
}

/** The current texts of these records, in any order; a record that no register has is left out. */
export async function listCurrentRecords(db: Queryable, records: readonly Identity[]): Promise<TrademarkDetail[]> {
  if (records.length === 0) return [];
  const rows = await db.query<{ detail: string }>(sql`
    select record.detail
    from unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
        ${records.map(({ uid }) => uid)}::text[]) as listed (jurisdiction_code, uid)
      cross join lateral ${recordOf(sql`record.detail`, onNodesOf(records, db.isDistributed))} as record`);
  return rows.map(({ detail }) => JSON.parse(detail) as TrademarkDetail);
}
