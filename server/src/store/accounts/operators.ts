/** Operators of the portal, and their open invitations. They belong to no customer. */
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';

export interface OperatorRow {
  email: string;
  /** `invited`: a link is open, and nobody has signed in with this address. */
  state: 'invited' | 'active';
  /** When the account or the invitation was created. */
  created_at: string;
  signed_in_at: string | null;
}

const LISTED_MAX = 1000;

/** Sorted by address. */
export async function listOperators(db: Queryable): Promise<OperatorRow[]> {
  return db.query<OperatorRow>(sql`
    select email, 'active' as state, ${instantText(sql`created_at`)} as created_at,
      ${instantText(sql`signed_in_at`)} as signed_in_at
    from portal_user where is_operator and removed_at is null
    union all
    select email, 'invited', ${instantText(sql`created_at`)}, null
    from invitation i where is_operator and accepted_at is null and ended_at is null and expires_at > now()
      and not exists (select from portal_user u where u.email = i.email and u.removed_at is null)
    order by email limit ${LISTED_MAX}::int`);
}
