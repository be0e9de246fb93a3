/** The end of an operator's view of a customer, noted where the customer's people can read it. */
import { digestText } from '../../access/secret.ts';
import type { Database } from '../../database/driver/db.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { setViewedCustomer } from '../../store/accounts/portal.ts';
import { actorOf, type MemberCall } from '../frame/call.ts';

export async function endViewing(call: MemberCall, database: Database): Promise<void> {
  const { customer_id } = call.user;
  await database.transaction(async (tx) => {
    await setViewedCustomer(tx, digestText(call.token), null);
    const entry = { actor: actorOf(call), action: 'customer.view_end', customer_id, key_id: null, change: {} };
    await insertAudit(tx, entry);
  });
}
