/**
 * Hits as the tables hold them, against the oracle: every change that was committed is a hit once of each watch that it
 * concerns, as the right kind of event.
 */
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { HITS_OF_ROW } from '../../src/store/watches/hit-rows.ts';
import { putWatch, type WatchSubject } from '../../src/store/watches/watches.ts';
import { REGISTERS, REMOVED_MARK, registerOf } from './world.ts';

export interface HitsVerdict {
  /** Over all watches. */
  hits: number;
  /** Changes that concern a watch and are no hit of it. */
  hitsLost: number;
  /** Hits beyond the first one of a change. */
  hitsRepeated: number;
  /** Hits of changes that nobody committed, or that do not concern their watch. */
  hitsInvented: number;
  /** Hits that begin, change or stop where their record did something else. */
  hitsWrong: number;
}

/** For the records with numbers up to this one. */
const LISTED = 200;

/** One of a whole register, one that records enter and leave, one of listed records. */
const SUBJECTS: Readonly<Record<string, WatchSubject>> = {
  register: { kind: 'search', search: `jurisdiction=${REGISTERS[0]}` },
  removed: {
    kind: 'search',
    search: `jurisdiction=${REGISTERS.join('%2C')}&mark_name_startswith=${REMOVED_MARK}`,
  },
  listed: {
    kind: 'records',
    records: Array.from({ length: LISTED }, (_, at) => ({
      jurisdiction_code: registerOf(at + 1),
      uid: `u${at + 1}`,
    })).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  },
};

function keyOf({ jurisdiction_code, uid }: { jurisdiction_code: string; uid: string }): string {
  return `${jurisdiction_code} ${uid}`;
}

/** For any customer, before anything is written. */
export async function putWatches(db: Database): Promise<void> {
  const [customer] = await db.query<{ id: string }>(sql`select customer_id as id from customer limit 1`);
  for (const [id, subject] of Object.entries(SUBJECTS)) await putWatch(db, customer!.id, id, { name: id, subject });
}

export async function judgeHits(db: Database): Promise<HitsVerdict> {
  const [verdict] = await db.query<HitsVerdict>(sql`
    with version as (
      select jurisdiction_code, uid, updated_at as stamp, is_removed,
        coalesce(lag(is_removed) over earlier, false) as was_removed, lag(uid) over earlier is null as is_first
      from torture.change window earlier as (partition by jurisdiction_code, uid order by updated_at)
    ), expected as (
      select 'register' as id, jurisdiction_code, uid, stamp, case when is_first then 'begins' else 'changes' end as event
      from version where jurisdiction_code = ${REGISTERS[0]}
      union all
      select 'removed', jurisdiction_code, uid, stamp,
        case when not is_removed then 'stops' when was_removed then 'changes' else 'begins' end
      from version where is_removed or was_removed
      union all
      select 'listed', jurisdiction_code, uid, stamp, case when is_first then 'begins' else 'changes' end
      from version where uid like 'u%' and substr(uid, 2)::int <= ${LISTED}
    ), told as (
      select watch.id, hit.jurisdiction_code, hit.uid, hit_row.stamp, hit.event,
        row_number() over (partition by watch.id, hit.jurisdiction_code, hit.uid, hit_row.stamp) as place
      from watch join watch_hit as hit_row using (watch_id) cross join lateral ${HITS_OF_ROW}
    )
    select count(told.uid)::float8 as hits, count(*) filter (where told.uid is null)::float8 as "hitsLost",
      count(*) filter (where told.place > 1)::float8 as "hitsRepeated",
      count(*) filter (where expected.uid is null)::float8 as "hitsInvented",
      count(*) filter (where told.event <> expected.event)::float8 as "hitsWrong"
    from expected full join told using (id, jurisdiction_code, uid, stamp)`);
  return verdict!;
}
