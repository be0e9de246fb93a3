/** Which registers are served, with cached counts. Publishes write the list; this file reads it. */

import type { JurisdictionInfo } from '@tmds/contract/record';
import { NoAnswer } from '../../base/no-answer.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText } from '../../database/driver/instants.ts';
import { isStorable, sql } from '../../database/driver/sql.ts';

/** Sorted by code, byte by byte (rule I-27). */
export async function listRegisters(db: Queryable): Promise<JurisdictionInfo[]> {
  return db.query<JurisdictionInfo>(sql`
    select jurisdiction_code, record_count::float8 as record_count,
      ${instantText(sql`data_current_through`)} as data_current_through
    from register order by jurisdiction_code`);
}

/** True when the register is on the list. */
export async function isRegisterServed(db: Queryable, code: string): Promise<boolean> {
  const [answer] = await db.query<{ served: boolean }>(
    sql`select exists (select from register where jurisdiction_code = ${code}) as served`,
  );
  return answer!.served;
}

/** Resolves when the database answers; rejects with `unavailable` when it does not (rule I-26). */
export async function checkDatabase(db: Queryable): Promise<void> {
  await db.query(sql`select exists (select from register) as answered`);
}

/** A register as an operator sees it. */
export interface RegisterSummary extends JurisdictionInfo {
  last_load_id: string | null;
  last_load_source: string | null;
  last_load_finished_at: string | null;
  /** Records that the last load read and rejected, and the issues that it raised. */
  last_load_read: number | null;
  last_load_rejected: number | null;
  last_load_issues: number | null;
}

/** Sorted as `listRegisters`. */
export async function listRegisterSummaries(db: Queryable): Promise<RegisterSummary[]> {
  return db.query<RegisterSummary>(sql`
    select register.jurisdiction_code, register.record_count::float8 as record_count,
      ${instantText(sql`register.data_current_through`)} as data_current_through,
      register.last_load_id, load.source as last_load_source,
      ${instantText(sql`load.finished_at`)} as last_load_finished_at, load.read_count::float8 as last_load_read,
      load.rejected_count::float8 as last_load_rejected, load.issue_count::float8 as last_load_issues
    from register left join load on load.load_id = register.last_load_id
    order by register.jurisdiction_code`);
}

/** A register's age, and how often it is usually loaded. */
export interface RegisterRhythm extends JurisdictionInfo {
  last_load_finished_at: string | null;
  /** Days since its last load; null before the first. */
  age_days: number | null;
  /** The median of the days between days with a finished load; null while there are fewer than three such days. */
  rhythm_days: number | null;
}

/** Loads of the last 400 days count. Sorted as `listRegisters`. */
export async function listRegisterRhythms(db: Queryable): Promise<RegisterRhythm[]> {
  return db.query<RegisterRhythm>(sql`
    with loaded as (
      select distinct r.jurisdiction_code, (l.finished_at at time zone 'UTC')::date as day
      from register_load r join load l on l.load_id = r.load_id
      where l.state = 'finished' and l.finished_at > now() - interval '400 days'
    ), step as (
      select jurisdiction_code, day - lag(day) over (partition by jurisdiction_code order by day) as days from loaded
    ), rhythm as (
      select jurisdiction_code, percentile_cont(0.5) within group (order by days) as days
      from step where days is not null group by jurisdiction_code having count(*) >= 2
    )
    select register.jurisdiction_code, register.record_count::float8 as record_count,
      ${instantText(sql`register.data_current_through`)} as data_current_through,
      ${instantText(sql`load.finished_at`)} as last_load_finished_at,
      (extract(epoch from now() - load.finished_at) / 86400)::float8 as age_days, rhythm.days as rhythm_days
    from register left join load on load.load_id = register.last_load_id
    left join rhythm on rhythm.jurisdiction_code = register.jurisdiction_code
    order by register.jurisdiction_code`);
}

/** Whether the register or only the record of a look-up that found nothing is missing (specification 4.5). */
export async function missingRecord(db: Queryable, register: string): Promise<NoAnswer> {
  const isServed = isStorable(register) && (await isRegisterServed(db, register));
  return new NoAnswer(isServed ? 'no_such_record' : 'register_not_served', { register });
}
