/** The series of files loaded by hand: those of one format and one kind of period. */
import { COVERAGE_LISTED_MAX } from '@tmds/contract/coverage';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { labelNumber } from '../sync/source-files.ts';
import {
  inScope,
  type Missing,
  mayComeInAnyOrder,
  readJson,
  type SeriesFacts,
  type SeriesOfRegister,
} from './series-facts.ts';

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
