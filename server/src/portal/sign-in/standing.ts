/**
 * The access of a person whose identity is proven: people of a suspended customer stay outside, and operators' sign-ins
 * are recorded.
 */
import { digestText } from '../../access/secret.ts';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { setViewedCustomer } from '../../store/accounts/portal.ts';
import { actorOf, type MemberCall, PageRefusal } from '../frame/call.ts';

/** Shown only after the right password, so that a stranger learns nothing about the customer. */
export function describeSuspension(reason: string | null): string {
  const why = reason === null ? '' : ` The reason given: ${reason}`;
  return `Your company's access is suspended, so its keys are refused and its people cannot sign in.${why} Contact the operator of this service.`;
}

/** The same for people who come another way than through the sign-in form. */
export function suspended(reason: string | null): PageRefusal {
  return new PageRefusal(403, 'Access is suspended', describeSuspension(reason));
}

/** Records the sign-in of an operator in the audit; does nothing for anybody else. */
export async function noteOperator(
  db: Queryable,
  { isOperator, email }: { isOperator: boolean; email: string },
  address: string,
): Promise<void> {
  if (!isOperator) return;
  const actor = { name: `operator ${email}`, address };
  await insertAudit(db, { actor, action: 'operator.sign_in', customer_id: null, key_id: null, change: {} });
}

export async function endViewing(call: MemberCall, database: Database): Promise<void> {
  const { customer_id } = call.user;
  await database.transaction(async (tx) => {
    await setViewedCustomer(tx, digestText(call.token), null);
    const entry = { actor: actorOf(call), action: 'customer.view_end', customer_id, key_id: null, change: {} };
    await insertAudit(tx, entry);
  });
}
