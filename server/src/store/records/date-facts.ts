/** What records state that dates follow from, without the rest of their texts: for thousands of listed records. */
import type { DateText, TrademarkDetail } from '@tmds/contract/record';
import { keyLists, onNodesOf, type RecordKey, recordOf } from '../../database/distributed/by-key.ts';
import { isDistributed } from '../../database/distributed/distribution.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';

/** The names and numbers of a record, and the facts of its dates. */
export type DatedRecord = Pick<
  TrademarkDetail,
  | 'jurisdiction_code'
  | 'uid'
  | 'office'
  | 'mark_name'
  | 'mark_feature'
  | 'status'
  | 'application_number'
  | 'registration_number'
  | 'international_registration_numbers'
  | 'application_date'
  | 'publication_date'
  | 'registration_date'
  | 'opposition_period_end'
  | 'renewal_date'
  | 'expiry_date'
  | 'termination_date'
>;

export interface DateSpan {
  readonly from: DateText;
  /** Included. */
  readonly to: DateText;
}

const FACTS: Statement = sql`office, mark_name, mark_feature, status, application_number, registration_number,
      international_registration_numbers, application_date, publication_date, registration_date,
      opposition_period_end, renewal_date, expiry_date, termination_date`;
const TYPES: Statement = sql`office text, mark_name text, mark_feature text, status text, application_number text,
        registration_number text, international_registration_numbers text[], application_date text,
        publication_date text, registration_date text, opposition_period_end text, renewal_date text, expiry_date text,
        termination_date text`;

/** Records of one statement: each becomes an object here, and other work goes on between two statements. */
const LIST_AT_ONCE = 250;
/** On several nodes every look-up compares its record with the whole list. */
const LIST_ON_NODES = 500;

/** In any order, list by list; a record that no register has is left out. */
export async function* readDateFacts(
  db: Queryable,
  records: readonly RecordKey[],
): AsyncGenerator<readonly DatedRecord[]> {
  const isSpread = await isDistributed(db);
  const length = isSpread ? LIST_ON_NODES : LIST_AT_ONCE;
  for (let from = 0; from < records.length; from += length) {
    const listed = records.slice(from, from + length);
    yield await db.query<DatedRecord>(sql`
      select record.jurisdiction_code, record.uid, ${FACTS}
      from unnest(${keyLists(listed)}) as listed (jurisdiction_code, uid)
        cross join lateral ${recordOf(sql`record.detail`, onNodesOf(listed, isSpread))} as record
        cross join lateral json_to_record(record.detail::json) as facts (${TYPES})`);
  }
}

/** The same of a text that was read already, so that the rest of it need not be kept. */
export function pickDateFacts(record: TrademarkDetail): DatedRecord {
  return {
    jurisdiction_code: record.jurisdiction_code,
    uid: record.uid,
    office: record.office,
    mark_name: record.mark_name,
    mark_feature: record.mark_feature,
    status: record.status,
    application_number: record.application_number,
    registration_number: record.registration_number,
    international_registration_numbers: record.international_registration_numbers,
    application_date: record.application_date,
    publication_date: record.publication_date,
    registration_date: record.registration_date,
    opposition_period_end: record.opposition_period_end,
    renewal_date: record.renewal_date,
    expiry_date: record.expiry_date,
    termination_date: record.termination_date,
  };
}
