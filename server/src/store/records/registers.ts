/**
 * Which registers are served, with cached counts, and through which periods of its sources each was loaded: stored
 * facts about loads and files, in the order of their periods. Publishes write the list; `render/coverage.ts` derives
 * the conclusions. Invariant: no read grows with what sources brought, only with what is missing, out of order or
 * loaded by hand (docs/design/change-feed.md).
 */

import type { CoverageLoad } from '@tmds/contract/coverage';
import type { JurisdictionInfo } from '@tmds/contract/record';
import { NoAnswer } from '../../base/no-answer.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, isStorable, sql } from '../../database/driver/sql.ts';
import { countOpenRejects } from '../publish/findings.ts';
import { inScope, listHandSeries, listSourceSeries, readJson, type SeriesFacts } from './source-series.ts';

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

export interface RegisterFacts extends JurisdictionInfo {
  series: SeriesFacts[];
  last_load: CoverageLoad | null;
  open_rejects: number;
  /** The result of the last load that read at least half of the register; null if none is known. */
  reading: { load_id: string; finished_at: string; read: number; flagged: number } | null;
}

/** Coverage of every register, or of one; sorted by code. Null in `register` means all. */
export async function listRegisterFacts(
  db: Queryable,
  { register, nowMs }: { register: string | null; nowMs: number },
): Promise<RegisterFacts[]> {
  const [registers, ofSources, byHand] = await Promise.all([
    listLoaded(db, register),
    listSourceSeries(db, register, nowMs),
    listHandSeries(db, register),
  ]);
  return registers.map((facts) => ({
    ...facts,
    series: [...ofSources, ...byHand].flatMap(({ jurisdiction_code: code, ...series }) =>
      code === facts.jurisdiction_code ? [series] : [],
    ),
  }));
}

type LoadedRow = JurisdictionInfo & { last_load: string | null; open_rejects: number; reading: string | null };

async function listLoaded(db: Queryable, register: string | null): Promise<Omit<RegisterFacts, 'series'>[]> {
  const rows = await db.query<LoadedRow>(sql`
    select register.jurisdiction_code, register.record_count::float8 as record_count,
      ${instantText(sql`register.data_current_through`)} as data_current_through,
      case when load.finished_at is not null then json_build_object('load_id', load.load_id, 'format', load.format,
        'finished_at', ${instantText(sql`load.finished_at`)}, 'read', load.read_count, 'new', load.new_count,
        'changed', load.changed_count, 'unchanged', load.unchanged_count, 'rejected', load.rejected_count,
        'issues', load.issue_count) end as last_load,
      ${countOpenRejects(sql`register.jurisdiction_code`)} as open_rejects, reading.facts as reading
    from register left join load on load.load_id = register.last_load_id
    left join lateral (
      select json_build_object('load_id', whole.load_id, 'finished_at', ${instantText(sql`whole.finished_at`)},
        'read', register_load.read_count, 'flagged', register_load.flagged_count) as facts
      from register_load join load as whole on whole.load_id = register_load.load_id
      where register_load.jurisdiction_code = register.jurisdiction_code and whole.state = 'finished'
        and register_load.read_count > 0 and register_load.read_count >= (register.record_count + 1) / 2
      order by whole.finished_at desc limit 1) as reading on true
    where ${inScope(sql`register.jurisdiction_code`, register)}
    order by register.jurisdiction_code`);
  return rows.map(({ last_load, reading, ...row }) => ({
    ...row,
    last_load: readJson<CoverageLoad>(last_load),
    reading: readJson<NonNullable<RegisterFacts['reading']>>(reading),
  }));
}
