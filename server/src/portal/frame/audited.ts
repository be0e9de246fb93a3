/** A line of a customer's activity: what a person of the team did. */

import type { Queryable } from '../../database/driver/db.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import type { ActionName } from './audit-table.ts';
import { actorOf, type MemberCall } from './call.ts';

export async function noteActivity(
  tx: Queryable,
  call: MemberCall,
  action: ActionName,
  change: Record<string, unknown>,
): Promise<void> {
  await insertAudit(tx, { actor: actorOf(call), action, customer_id: call.user.customer_id, key_id: null, change });
}
