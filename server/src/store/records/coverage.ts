/**
 * Through which periods of its sources each register was loaded: stored facts about loads and files, in the order of
 * their periods. `render/coverage.ts` derives the conclusions. Invariant: no read grows with what sources brought, only
 * with what is missing, out of order or loaded by hand (docs/design/change-feed.md).
 */
import type { CoverageLoad } from '@tmds/contract/coverage';
import type { JurisdictionInfo } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText } from '../../database/driver/instants.ts';
import { sql } from '../../database/driver/sql.ts';
import { countOpenRejects } from '../publish/findings.ts';
import { listHandSeries } from './hand-series.ts';
import { inScope, readJson, type SeriesFacts } from './series-facts.ts';
import { listSourceSeries } from './source-series.ts';

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
