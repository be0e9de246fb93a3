/**
 * Which periods of its sources each register was loaded through: what is stored of loads and of files, put in the order
 * of their periods. What follows from it is derived in `render/coverage.ts`. A source belongs to every register that one
 * of its files ever brought something for: a later file without a record of it says that nothing happened there.
 */
import {
  COVERAGE_LISTED_MAX,
  type CoverageLoad,
  type MissingReason,
  type SourceCondition,
} from '@tmds/contract/coverage';
import type { JurisdictionInfo } from '@tmds/contract/record';
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { mayComeInAnyOrder } from '../publish/order.ts';
import { labelNumber } from '../sync/periods.ts';
import { judgeSource } from '../sync/source-condition.ts';

/** Periods here are labels, in byte order (`source_file.period`, `load_file.period`). */
export interface RegisterFacts extends JurisdictionInfo {
  series: SeriesFacts[];
  last_load: CoverageLoad | null;
  /** What the last load of at least half of the register read of it; null if none is known. */
  reading: { load_id: string; finished_at: string; read: number; flagged: number } | null;
}

export interface SeriesFacts {
  /** Null: loaded by hand. */
  source: string | null;
  format: string;
  condition: SourceCondition | null;
  first: string | null;
  last: string | null;
  /** Whether it is known which periods there should be. */
  expected: boolean;
  /** The last one loaded before the first that is missing; null if none is, or none is missing. */
  before_missing: string | null;
  /** Some of those that are not loaded, in order. */
  missing: { period: string; reason: MissingReason }[];
  missing_count: number;
  out_of_order: { period: string; after: string; loaded_at: string }[];
  out_of_order_count: number;
  order_matters: boolean;
  next: string | null;
  overdue_at: string | null;
  overdue_ms: number | null;
  last_loaded_at: string | null;
  checked_at: string | null;
}

/** Of every register, or of one; sorted by code. Null in `register` means all. */
export async function listRegisterFacts(
  db: Queryable,
  { register, nowMs }: { register: string | null; nowMs: number },
): Promise<RegisterFacts[]> {
  const [registers, series, unloaded, jumps] = await Promise.all([
    listLoaded(db, register),
    listSeries(db, register),
    listUnloaded(db, register),
    listJumps(db, register),
  ]);
  return registers.map(({ jurisdiction_code: code, ...facts }) => {
    const isHere = (row: { jurisdiction_code: string }): boolean => row.jurisdiction_code === code;
    const [files, steps] = [unloaded.filter(isHere), jumps.filter(isHere)];
    return {
      jurisdiction_code: code,
      ...facts,
      series: series.filter(isHere).map((row) => gather(row, { files, jumps: steps, nowMs })),
    };
  });
}

function inScope(column: Statement, register: string | null): Statement {
  return sql`(${register}::text is null or ${column} = ${register})`;
}

async function listLoaded(db: Queryable, register: string | null): Promise<Omit<RegisterFacts, 'series'>[]> {
  const rows = await db.query<JurisdictionInfo & { last_load: string | null; reading: string | null }>(sql`
    select register.jurisdiction_code, register.record_count::float8 as record_count,
      ${instantText(sql`register.data_current_through`)} as data_current_through,
      case when load.finished_at is not null then json_build_object('load_id', load.load_id, 'format', load.format,
        'finished_at', ${instantText(sql`load.finished_at`)}, 'read', load.read_count, 'new', load.new_count,
        'changed', load.changed_count, 'unchanged', load.unchanged_count, 'rejected', load.rejected_count,
        'issues', load.issue_count) end as last_load,
      reading.facts as reading
    from register left join load on load.load_id = register.last_load_id
    left join lateral (
      select json_build_object('load_id', whole.load_id, 'finished_at', ${instantText(sql`whole.finished_at`)},
        'read', register_load.read_count, 'flagged', register_load.flagged_count) as facts
      from register_load join load as whole on whole.load_id = register_load.load_id
      where register_load.jurisdiction_code = register.jurisdiction_code and whole.state = 'finished'
        and register_load.read_count > 0 and register_load.read_count * 2 >= register.record_count
      order by whole.finished_at desc limit 1) as reading on true
    where ${inScope(sql`register.jurisdiction_code`, register)}
    order by register.jurisdiction_code`);
  return rows.map(({ last_load, reading, ...row }) => ({
    ...row,
    last_load: readJson<CoverageLoad>(last_load),
    reading: readJson<NonNullable<RegisterFacts['reading']>>(reading),
  }));
}

/** The driver gives JSON as text. */
function readJson<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}

/** The sources that brought something for a register. */
const fed = (register: string | null): Statement => sql`
  fed as materialized (
    select distinct register_load.jurisdiction_code, source_file.source
    from register_load join source_file on source_file.load_id = register_load.load_id
    where ${inScope(sql`register_load.jurisdiction_code`, register)}
  )`;

/** Every file that was loaded by hand, when, and in which place within its load. */
const byHand = (register: string | null): Statement => sql`
  by_hand as materialized (
    select distinct loaded.jurisdiction_code, null as source, load.format, load_file.period, load.finished_at as at,
      case when load_file.period is null then 0 else load_file.number end as number, false as is_double,
      regexp_replace(load_file.period, '[0-9]', '0', 'g') as shape
    from register_load as loaded join load on load.load_id = loaded.load_id and load.state = 'finished'
    left join load_file on load_file.load_id = loaded.load_id
    where ${inScope(sql`loaded.jurisdiction_code`, register)}
      and not exists (select from source_file where source_file.load_id = loaded.load_id)
      -- What a source brought too, such as a file whose sync was killed, is not by hand.
      and not exists (select from source_file where source_file.digest = load_file.digest
        and source_file.state in ('loaded', 'double'))
  )`;

/**
 * The same, with what sources brought: once, for whichever registers a source feeds, since that may be all of them. A
 * double of a loaded file covers its period without being loaded.
 */
const arrivals = (register: string | null): Statement => sql`
  ${byHand(register)}, arrival as (
    select null as jurisdiction_code, file.source, load.format, file.period, file.ended_at as at, 0 as number,
      file.state = 'double' as is_double, '' as shape
    from source_file as file left join load on load.load_id = file.load_id
    where file.state in ('loaded', 'double') and file.source in (select source from fed)
    union all
    select jurisdiction_code, source, format, period, at, number, is_double, shape from by_hand
  )`;

/** The shape of the labels of numbers. */
const NUMBERS = labelNumber(0);

interface SeriesRow {
  jurisdiction_code: string;
  source: string | null;
  format: string;
  /** Of the labels of files loaded by hand, such as `0000-00-00`; null if they have none, empty for a source. */
  shape: string | null;
  first: string | null;
  last: string | null;
  before_missing: string | null;
  out_of_order: string | null;
  out_of_order_count: number;
  last_loaded_at: string | null;
  checked_at: string | null;
  next_period: string | null;
  overdue_at: string | null;
  overdue_ms: number | null;
  gaps: string[];
  is_stopped: boolean;
  is_failing: boolean;
}

/**
 * The order of periods is judged by when each was loaded last: one that is loaded again after an older one came late
 * states what is newer once more.
 */
async function listSeries(db: Queryable, register: string | null): Promise<SeriesRow[]> {
  const series = sql`jurisdiction_code, source, case when source is null then format end, shape`;
  return await db.query<SeriesRow>(sql`
    with ${fed(register)}, ${arrivals(register)}, ${UNLOADED}, latest as (
      select distinct on (${series}, period) jurisdiction_code, source, format, shape, period, at, number, is_double
      from arrival order by ${series}, period, is_double, at desc, number desc
    ), placed as (
      select jurisdiction_code, source, format, shape, period, at, number, is_double,
        max(period) filter (where not is_double) over (partition by ${series}
          order by at, number rows between unbounded preceding and 1 preceding) as newest
      from latest
    ), missed as materialized (
      select source, min(period) as first from (
        select source, period from unloaded union all select source, unnest(gaps) from source_check) as each
      group by source
    ), series as (
      select jurisdiction_code, placed.source, shape, coalesce((array_agg(format order by at desc)
          filter (where format is not null))[1], '') as format,
        min(period) as first, max(period) as last,
        max(period) filter (where period < missed.first) as before_missing,
        max(at) filter (where not is_double) as loaded_at,
        (count(*) filter (where not is_double and period < newest))::int4 as out_of_order_count,
        to_json((array_agg(json_build_object('period', period, 'after', newest, 'loaded_at', ${instantText(sql`at`)})
          order by at desc, number desc) filter (where not is_double and period < newest))
          [1:${COVERAGE_LISTED_MAX}::int4]) as out_of_order
      from placed left join missed on missed.source = placed.source
      group by jurisdiction_code, placed.source, case when placed.source is null then format end, shape
    )
    select coalesce(series.jurisdiction_code, fed.jurisdiction_code) as jurisdiction_code, series.source, series.format,
      series.shape, series.first, series.last,
      series.before_missing, series.out_of_order, series.out_of_order_count,
      ${instantText(sql`series.loaded_at`)} as last_loaded_at,
      ${instantText(sql`source_check.checked_at`)} as checked_at, source_check.next_period,
      ${instantText(sql`source_check.due_at`)} as overdue_at,
      (extract(epoch from source_check.due_at) * 1000)::float8 as overdue_ms,
      coalesce(source_check.gaps, '{}') as gaps, coalesce(source_check.stopped, false) as is_stopped,
      source_check.failure is not null as is_failing
    from series left join fed on fed.source = series.source
      left join source_check on source_check.source = series.source
    order by 1, series.source nulls last, series.format, series.shape`);
}

/** Known periods of which no file is loaded; those that wait, only if a later one is loaded. */
const UNLOADED: Statement = sql`
  covered as materialized (
    select distinct source, period from source_file
    where state in ('loaded', 'double') and source in (select source from fed)
  ), reached as (
    select source, max(period) as last from covered group by source
  ), unloaded as (
    select file.source, file.period, min(case when file.state in ('seen', 'fetched') then 'waiting' else file.state end)
      as reason
    from source_file as file join reached on reached.source = file.source
    where (file.state in ('failed', 'late', 'skipped')
        or file.state in ('seen', 'fetched') and file.period < reached.last)
      and not exists (select from covered where covered.source = file.source and covered.period = file.period)
      and not exists (select from source_file as newer where newer.source = file.source and newer.name = file.name
        and newer.revision > file.revision)
    group by file.source, file.period
  )`;

interface UnloadedRow {
  jurisdiction_code: string;
  source: string;
  period: string;
  reason: MissingReason;
  count: number;
}

/** The first ones of each source, with the count of all. */
async function listUnloaded(db: Queryable, register: string | null): Promise<UnloadedRow[]> {
  return await db.query<UnloadedRow>(sql`
    with ${fed(register)}, ${UNLOADED}, numbered as (
      select source, period, reason, row_number() over (partition by source order by period) as place,
        (count(*) over (partition by source))::int4 as count
      from unloaded
    )
    select fed.jurisdiction_code, fed.source, numbered.period, numbered.reason, numbered.count
    from fed join numbered on numbered.source = fed.source
    where numbered.place <= ${COVERAGE_LISTED_MAX}
    order by fed.jurisdiction_code, fed.source, numbered.period`);
}

interface JumpRow {
  jurisdiction_code: string;
  format: string;
  /** The numbers around what is missing, neither included. */
  before: number;
  next: number;
}

/** Where the numbers of files that were loaded by hand are not consecutive. */
async function listJumps(db: Queryable, register: string | null): Promise<JumpRow[]> {
  return await db.query<JumpRow>(sql`
    with ${byHand(register)}, stepped as (
      select jurisdiction_code, format, period::int4 as before,
        lead(period::int4) over (partition by jurisdiction_code, format order by period) as next
      from (select distinct jurisdiction_code, format, period from by_hand where shape = ${NUMBERS}) as each
    )
    select jurisdiction_code, format, before, next from stepped where next - before > 1
    order by jurisdiction_code, format, before`);
}

function gather(
  row: SeriesRow,
  { files, jumps, nowMs }: { files: readonly UnloadedRow[]; jumps: readonly JumpRow[]; nowMs: number },
): SeriesFacts {
  const { source, format, shape, gaps, checked_at, next_period: next, overdue_at, overdue_ms } = row;
  const { first, last, before_missing, out_of_order, out_of_order_count, last_loaded_at } = row;
  const ofSource = files.filter((file) => file.source === source);
  const ofFormat = shape === NUMBERS ? jumps.filter((jump) => jump.format === format) : [];
  const missing = source === null ? findJumped(ofFormat) : { ...findMissing(gaps, ofSource), before_missing };
  return {
    ...{ source, format, first, last, checked_at, next, overdue_at, overdue_ms, last_loaded_at },
    ...missing,
    condition: judge(row, nowMs),
    // A checked source without a rhythm has no next period.
    expected: shape === NUMBERS || (checked_at !== null && (/^\d{9}$/.test(last ?? '') || next !== null)),
    out_of_order: readJson<SeriesFacts['out_of_order']>(out_of_order) ?? [],
    out_of_order_count,
    order_matters: !mayComeInAnyOrder(format),
  };
}

function judge(
  { checked_at, is_stopped, is_failing, overdue_ms, gaps }: SeriesRow,
  nowMs: number,
): SeriesFacts['condition'] {
  if (checked_at === null) return null;
  return judgeSource({
    isStopped: is_stopped,
    isFailing: is_failing,
    isOverdue: overdue_ms !== null && overdue_ms < nowMs,
    hasGaps: gaps.length > 0,
    isChecked: true,
  });
}

type Missing = Pick<SeriesFacts, 'missing' | 'missing_count'>;

function findMissing(gaps: readonly string[], files: readonly UnloadedRow[]): Missing {
  const absent = gaps.map((period) => ({ period, reason: 'absent' as const }));
  const missing = [...absent, ...files.map(({ period, reason }) => ({ period, reason }))];
  missing.sort((one, other) => (one.period < other.period ? -1 : 1));
  return { missing: missing.slice(0, COVERAGE_LISTED_MAX), missing_count: gaps.length + (files[0]?.count ?? 0) };
}

function findJumped(jumps: readonly JumpRow[]): Missing & Pick<SeriesFacts, 'before_missing'> {
  const missing: Missing['missing'] = [];
  let missing_count = 0;
  for (const { before, next } of jumps) {
    for (let number = before + 1; number < next && missing.length < COVERAGE_LISTED_MAX; number += 1) {
      missing.push({ period: labelNumber(number), reason: 'absent' });
    }
    missing_count += next - before - 1;
  }
  const [first] = jumps;
  return { missing, missing_count, before_missing: first === undefined ? null : labelNumber(first.before) };
}
