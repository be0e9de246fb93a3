/** A line of a customer's activity: what a person of the team did. */
import { insertAudit } from '../../store/accounts/customers.ts';
import type { Queryable } from '../../store/driver/db.ts';
import { actorOf, type MemberCall } from './call.ts';

export async function noteActivity(
  tx: Queryable,
  call: MemberCall,
  action: string,
  change: Record<string, unknown>,
): Promise<void> {
  await insertAudit(tx, { actor: actorOf(call), action, customer_id: call.user.customer_id, key_id: null, change });
}
