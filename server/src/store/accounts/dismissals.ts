/** Matters that operators have dismissed from their overview, until they change. Who did it is in the audit too. */
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';

/** A matter that lasts longer is shown again. */
export const DISMISSAL_DAYS = 365;

export interface Matter {
  /** Names it for as long as it lasts. */
  readonly matter: string;
  /** How it is; a dismissal counts for this state alone. */
  readonly state: string;
}

export interface Dismissal extends Matter {
  readonly note: string;
  readonly actor: string;
  readonly dismissed_at: string;
}

/** The dismissals of these matters as they are now; the caller bounds them. */
export async function listDismissals(db: Queryable, matters: readonly Matter[]): Promise<Dismissal[]> {
  return await db.query<Dismissal>(sql`
    select d.matter, d.state, d.note, d.actor, ${instantText(sql`d.dismissed_at`)} as dismissed_at
    from unnest(${matters.map(({ matter }) => matter)}::text[], ${matters.map(({ state }) => state)}::text[])
      as now_is (matter, state)
    join dismissal d on d.matter = now_is.matter and d.state = now_is.state
    where d.dismissed_at > now() - make_interval(days => ${DISMISSAL_DAYS}::int)
    order by d.dismissed_at desc, d.matter`);
}

/** Replaces an earlier dismissal of the same matter. */
export async function dismiss(db: Queryable, dismissal: Omit<Dismissal, 'dismissed_at'>): Promise<void> {
  const { matter, state, note, actor } = dismissal;
  await db.query(sql`
    insert into dismissal (matter, state, note, actor, dismissed_at)
    values (${matter}, ${state}, ${note}, ${actor}, now())
    on conflict (matter) do update set state = excluded.state, note = excluded.note,
      actor = excluded.actor, dismissed_at = excluded.dismissed_at`);
}

/** Shows the matter again; false if it was not dismissed. */
export async function recallMatter(db: Queryable, matter: string): Promise<boolean> {
  const gone = await db.query(sql`delete from dismissal where matter = ${matter} returning matter`);
  return gone.length > 0;
}
