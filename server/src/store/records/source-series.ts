/**
 * Facts about the files of a series, which are the files of one declared source, or the files of one format and one
 * kind of period loaded by hand; and whether the order of files matters. A source belongs to every register that one of
 * its files ever brought records for: a later file without a record of the register means that nothing happened there.
 */
import { COVERAGE_LISTED_MAX, type MissingReason, type SourceCondition } from '@tmds/contract/coverage';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { judgeSource } from '../sync/source-checks.ts';
import { labelNumber } from '../sync/source-files.ts';

/** Periods here are labels, in byte order (`source_file.period`, `load_file.period`). */
export interface SeriesFacts {
  /** Null: loaded by hand. */
  source: string | null;
  format: string;
  condition: SourceCondition | null;
  first: string | null;
  last: string | null;
  /** Whether it is known which periods there should be. */
  expected: boolean;
  /** The last period loaded before the first missing one; null if none is, or none is missing. */
  before_missing: string | null;
  /** Some of the periods that are not loaded, in order. */
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

export type SeriesOfRegister = SeriesFacts & { readonly jurisdiction_code: string };

export type Missing = Pick<SeriesFacts, 'missing' | 'missing_count' | 'before_missing'>;

/** Null in `register` means all. */
export function inScope(column: Statement, register: string | null): Statement {
  return sql`(${register}::text is null or ${column} = ${register})`;
}

/** The driver returns JSON as text. */
export function readJson<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}

/**
 * Whether files of a format may be loaded in any order. They may if each statement says how old it is, so that an older
 * one never undoes a newer (`source_version`, versions of supplements, weeks of a journal). A format that is not in the
 * table is loaded in the order of its files.
 */
const ANY_ORDER: ReadonlySet<string> = new Set([
  'uspto-apc',
  'uspto-tsdr',
  'uspto-assignments',
  'uspto-ttab',
  'euipo',
  'inpi-br',
]);

export function mayComeInAnyOrder(format: string): boolean {
  return ANY_ORDER.has(format);
}

/**
 * The sources that brought records for a register. For each register the index of sources is traversed in leaps from
 * one source to the next, so that a further load costs nothing. Loads of older programs name no
 * source; theirs is found through the files of the load.
 */
const fed = (register: string | null): Statement => {
  const next = (code: Statement, after: Statement): Statement => sql`
    (select min(source) from register_load where register_load.jurisdiction_code = ${code} ${after})`;
  return sql`
    leap as (
      select register.jurisdiction_code, ${next(sql`register.jurisdiction_code`, sql``)} as source
      from register where ${inScope(sql`register.jurisdiction_code`, register)}
      union all
      select leap.jurisdiction_code, ${next(sql`leap.jurisdiction_code`, sql`and register_load.source > leap.source`)}
      from leap where leap.source is not null
    ), fed as materialized (
      select jurisdiction_code, source from leap where source is not null
      union
      select register_load.jurisdiction_code, source_file.source
      from register_load join source_file on source_file.load_id = register_load.load_id
      where register_load.source is null and ${inScope(sql`register_load.jurisdiction_code`, register)}
    )`;
};

interface SourceRow {
  jurisdiction_code: string;
  source: string;
  format: string;
  first: string;
  last: string;
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
  /** Periods that are known and not loaded: the first ones, and how many there are. */
  unloaded: string | null;
  unloaded_count: number;
}

/**
 * Facts about every source that fed a register. An index has each fact by source: only files that are not loaded and
 * files that came after a later period are read. A duplicate of a loaded file covers its period without being loaded.
 */
export async function listSourceSeries(
  db: Queryable,
  register: string | null,
  nowMs: number,
): Promise<SeriesOfRegister[]> {
  const covered = sql`select period from source_file where source_file.source = each.source
    and state in ('loaded', 'double')`;
  const rows = await db.query<SourceRow>(sql`
    with recursive ${fed(register)}, series as materialized (
      select each.source, first.period as first, last.period as last, newest.at, newest.format,
        unloaded.listed as unloaded, unloaded.count as unloaded_count,
        (select max(period) from (${covered}) as loaded where period
          < least(unloaded.first, (select min(gap) from unnest(source_check.gaps) as gap))) as before_missing,
        late.listed as out_of_order, late.count as out_of_order_count,
        source_check.checked_at, source_check.next_period, source_check.due_at, source_check.stopped,
        source_check.failure, coalesce(source_check.gaps, '{}') as gaps
      from (select distinct source from fed) as each
        cross join lateral (${covered} order by period limit 1) as first
        cross join lateral (${covered} order by period desc limit 1) as last
        left join lateral (
          select file.ended_at as at, load.format from source_file as file left join load on load.load_id = file.load_id
          where file.source = each.source and file.state = 'loaded' order by file.ended_at desc limit 1) as newest on true
        cross join lateral (${unloadedOf(sql`each.source`, sql`last.period`)}) as unloaded
        cross join lateral (
          select to_json((array_agg(json_build_object('period', period, 'after', newest, 'loaded_at', ${instantText(sql`at`)})
            order by at desc, period desc))[1:${COVERAGE_LISTED_MAX}::int4]) as listed, count(*)::int4 as count from (
            select period, came_after as newest, ended_at as at from source_file
            where source_file.source = each.source and came_after is not null) as jump) as late
        left join source_check on source_check.source = each.source
    )
    select fed.jurisdiction_code, series.source, coalesce(series.format, '') as format, series.first,
      series.last, series.before_missing, series.out_of_order, series.out_of_order_count,
      ${instantText(sql`series.at`)} as last_loaded_at, ${instantText(sql`series.checked_at`)} as checked_at,
      series.next_period, ${instantText(sql`series.due_at`)} as overdue_at,
      (extract(epoch from series.due_at) * 1000)::float8 as overdue_ms, series.gaps,
      coalesce(series.stopped, false) as is_stopped, series.failure is not null as is_failing,
      series.unloaded, series.unloaded_count
    from fed join series on series.source = fed.source
    order by fed.jurisdiction_code, fed.source`);
  return rows.map((row) => gather(row, nowMs));
}

/** Known periods without a loaded file; waiting ones only if a later period is loaded. */
const unloadedOf = (source: Statement, last: Statement): Statement => sql`
  select min(period) as first, count(*)::int4 as count,
    to_json((array_agg(json_build_object('period', period, 'reason', reason) order by period))
      [1:${COVERAGE_LISTED_MAX}::int4]) as listed
  from (
    select file.period, min(case when file.state in ('seen', 'fetched') then 'waiting' else file.state end) as reason
    from source_file as file
    where file.source = ${source} and file.state in ('seen', 'fetched', 'failed', 'late', 'skipped')
      and (file.state in ('failed', 'late', 'skipped') or file.period < ${last})
      and not exists (select from source_file as loaded where loaded.source = file.source
        and loaded.period = file.period and loaded.state in ('loaded', 'double'))
      and not exists (select from source_file as newer where newer.source = file.source and newer.name = file.name
        and newer.revision > file.revision)
    group by file.period
  ) as period`;

function gather(row: SourceRow, nowMs: number): SeriesOfRegister {
  const { jurisdiction_code, source, format, first, last, checked_at, next_period: next, overdue_at, overdue_ms } = row;
  return {
    ...{ jurisdiction_code, source, format, first, last, checked_at, next, overdue_at, overdue_ms },
    ...findMissing(row),
    condition: judge(row, nowMs),
    // A checked source without a rhythm has no next period.
    expected: checked_at !== null && (/^\d{9}$/.test(last) || next !== null),
    out_of_order: readJson<SeriesFacts['out_of_order']>(row.out_of_order) ?? [],
    out_of_order_count: row.out_of_order_count,
    order_matters: !mayComeInAnyOrder(format),
    last_loaded_at: row.last_loaded_at,
  };
}

function judge(
  { checked_at, is_stopped, is_failing, overdue_ms, gaps }: SourceRow,
  nowMs: number,
): SourceCondition | null {
  if (checked_at === null) return null;
  return judgeSource({
    isStopped: is_stopped,
    isFailing: is_failing,
    isOverdue: overdue_ms !== null && overdue_ms < nowMs,
    hasGaps: gaps.length > 0,
    isChecked: true,
  });
}

function findMissing({ gaps, unloaded, unloaded_count, before_missing }: SourceRow): Missing {
  const absent = gaps.map((period) => ({ period, reason: 'absent' as const }));
  const missing = [...absent, ...(readJson<Missing['missing']>(unloaded) ?? [])];
  missing.sort((one, other) => (one.period < other.period ? -1 : 1));
  return {
    missing: missing.slice(0, COVERAGE_LISTED_MAX),
    missing_count: gaps.length + unloaded_count,
    before_missing,
  };
}

/** Every file that was loaded by hand, when, and its position within its load. */
const byHand = (register: string | null): Statement => sql`
  by_hand as materialized (
    select distinct loaded.jurisdiction_code, load.format, load_file.period, load.finished_at as at,
      case when load_file.period is null then 0 else load_file.number end as number,
      regexp_replace(load_file.period, '[0-9]', '0', 'g') as shape
    from register_load as loaded join load on load.load_id = loaded.load_id and load.state = 'finished'
    left join load_file on load_file.load_id = loaded.load_id
    where loaded.source is null and ${inScope(sql`loaded.jurisdiction_code`, register)}
      and not exists (select from source_file where source_file.load_id = loaded.load_id)
      -- What a source brought too is not by hand.
      and not exists (select from source_file where source_file.digest = load_file.digest
        and source_file.state in ('loaded', 'double'))
  )`;

/** The form of numeric labels. */
const NUMBERS = labelNumber(0);

/**
 * Periods of files loaded by hand. Their order is judged by when each was last loaded: a period that is loaded again
 * after an older one came late states what is newer once more. `store/sync/source-files.ts` judges the files of sources
 * the same way.
 */
export async function listHandSeries(db: Queryable, register: string | null): Promise<SeriesOfRegister[]> {
  const [rows, jumps] = await Promise.all([listPlaced(db, register), listJumps(db, register)]);
  return rows.map(({ shape, out_of_order, ...row }) => {
    const isOfRow = (jump: JumpRow): boolean =>
      jump.jurisdiction_code === row.jurisdiction_code && jump.format === row.format;
    return {
      ...row,
      ...{ source: null, condition: null, checked_at: null, next: null, overdue_at: null, overdue_ms: null },
      ...findJumped(shape === NUMBERS ? jumps.filter(isOfRow) : []),
      expected: shape === NUMBERS,
      out_of_order: readJson<SeriesFacts['out_of_order']>(out_of_order) ?? [],
      order_matters: !mayComeInAnyOrder(row.format),
    };
  });
}

interface HandRow
  extends Pick<
    SeriesOfRegister,
    'jurisdiction_code' | 'format' | 'first' | 'last' | 'out_of_order_count' | 'last_loaded_at'
  > {
  /** The form of its files' labels, such as `0000-00-00`; null if they have none. */
  shape: string | null;
  out_of_order: string | null;
}

async function listPlaced(db: Queryable, register: string | null): Promise<HandRow[]> {
  return await db.query<HandRow>(sql`
    with ${byHand(register)}, latest as (
      select distinct on (jurisdiction_code, format, shape, period) jurisdiction_code, format, shape, period, at, number
      from by_hand order by jurisdiction_code, format, shape, period, at desc, number desc
    ), placed as (
      select jurisdiction_code, format, shape, period, at, number,
        max(period) over (partition by jurisdiction_code, format, shape
          order by at, number rows between unbounded preceding and 1 preceding) as newest
      from latest
    )
    select jurisdiction_code, format, shape, min(period) as first, max(period) as last,
      (count(*) filter (where period < newest))::int4 as out_of_order_count,
      to_json((array_agg(json_build_object('period', period, 'after', newest, 'loaded_at', ${instantText(sql`at`)})
        order by at desc, number desc) filter (where period < newest))[1:${COVERAGE_LISTED_MAX}::int4]) as out_of_order,
      ${instantText(sql`max(at)`)} as last_loaded_at
    from placed group by jurisdiction_code, format, shape
    order by jurisdiction_code, format, shape`);
}

interface JumpRow {
  jurisdiction_code: string;
  format: string;
  /** The numbers around what is missing, neither included. */
  before: number;
  next: number;
}

/** Gaps in the numbers of files that were loaded by hand. */
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

function findJumped(jumps: readonly JumpRow[]): Missing {
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
