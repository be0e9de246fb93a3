/** The watch that an address names. */
import { WATCH_ID_FORM } from '@tmds/contract/watches';
import type { Queryable } from '../../database/driver/db.ts';
import { findWatch, type StoredWatch } from '../../store/watches/watches.ts';
import { type MemberCall, pageNotFound } from '../frame/call.ts';

/** The watch of the path. To a customer, somebody else's does not exist. */
export async function findOwn(call: MemberCall, { database }: { database: Queryable }): Promise<StoredWatch> {
  const id = call.params.id ?? '';
  const watch = WATCH_ID_FORM.test(id) ? await findWatch(database, call.user.customer_id, id) : null;
  if (watch === null) throw pageNotFound();
  return watch;
}
