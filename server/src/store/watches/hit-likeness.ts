/** Why hits of watches for likeness are alike, as it was when they were hit. It does not know how names compare. */

import type { HitLikeness } from '@tmds/contract/watches';
import { keyLists } from '../../database/distributed/by-key.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText } from '../../database/driver/instants.ts';
import { sql } from '../../database/driver/sql.ts';
import { nameHit } from './hit-handling.ts';
import type { EventPosition } from './version-events.ts';

export interface NewLikeness extends EventPosition {
  readonly watch_id: string;
  readonly likeness: HitLikeness;
}

export async function insertLikeness(tx: Transaction, rows: readonly NewLikeness[]): Promise<void> {
  if (rows.length === 0) return;
  const listed = rows.map(({ likeness, watch_id, stamp, jurisdiction_code, uid }) => ({
    ...{ watch_id, stamp, jurisdiction_code, uid },
    likeness: JSON.stringify(likeness),
  }));
  await tx.query(
    sql`
    insert into hit_likeness (watch_id, stamp, jurisdiction_code, uid, likeness)
    select watch_id, stamp, jurisdiction_code, uid, likeness
    from json_to_recordset(${JSON.stringify(listed)}::json)
      as row (watch_id uuid, stamp timestamptz, jurisdiction_code text, uid text, likeness text)`,
    { prepare: false },
  );
}

/** By `nameHit`; a hit of a watch of another kind is left out. */
export async function listLikeness(
  db: Queryable,
  watchId: string,
  hits: readonly EventPosition[],
): Promise<ReadonlyMap<string, HitLikeness>> {
  if (hits.length === 0) return new Map();
  const rows = await db.query<EventPosition & { likeness: string }>(sql`
    select ${instantText(sql`held.stamp`)} as stamp, held.jurisdiction_code, held.uid, held.likeness
    from unnest(${hits.map(({ stamp }) => stamp)}::timestamptz[],
        ${keyLists(hits)}) as listed (stamp, jurisdiction_code, uid)
      join hit_likeness held on held.watch_id = ${watchId} and held.stamp = listed.stamp
        and held.jurisdiction_code = listed.jurisdiction_code and held.uid = listed.uid`);
  return new Map(rows.map((row) => [nameHit(row), parseLikeness(row.likeness)]));
}

/** Earlier versions did not note what the name is of the mark. */
function parseLikeness(text: string): HitLikeness {
  const { name, held_as = null, ...rest } = JSON.parse(text) as Omit<HitLikeness, 'held_as'> & Partial<HitLikeness>;
  return { name, held_as, ...rest };
}
