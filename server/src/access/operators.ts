/**
 * Who is an operator of the portal. Operators are added and removed by command only. Anyone who can run the command
 * controls the database anyway; the portal never grants that right.
 */
import { OperatorError } from '../base/errors.ts';
import type { Transaction } from '../database/driver/db.ts';
import { type Actor, insertAudit } from '../store/accounts/customers.ts';
import { findAccount, removeMember } from '../store/accounts/portal.ts';
import { endInvitations, insertInvitation, lockAddress } from '../store/accounts/portal-invitations.ts';
import { INVITATION_HOURS, type IssuedInvitation } from './keys.ts';
import { buildToken } from './secret.ts';

interface OperatorOrder {
  readonly email: string;
  readonly actor: Actor;
}

/**
 * Issues a one-time invitation; for an operator, it sets a new password. Throws OperatorError for the address of a
 * customer's person, who would have to be removed there first.
 */
export async function inviteOperator(tx: Transaction, order: OperatorOrder): Promise<IssuedInvitation> {
  const email = order.email.trim().toLowerCase();
  const { text, digest } = buildToken();
  await lockAddress(tx, email);
  const account = await findAccount(tx, email);
  if (account !== null && !account.is_operator) {
    throw new OperatorError(`${email} signs in for a customer; give another address, or have it removed there`);
  }
  await audit(tx, { email, actor: order.actor }, 'operator.invite');
  const person = { token_digest: digest, customer_id: null, email, role: 'administrator' } as const;
  const invitation = { ...person, valid_hours: INVITATION_HOURS };
  return { token: text, expires_at: await insertInvitation(tx, invitation) };
}

/** Ends the account with its sessions, and the open invitation. Throws OperatorError if there is neither. */
export async function removeOperator(tx: Transaction, order: OperatorOrder): Promise<void> {
  const email = order.email.trim().toLowerCase();
  await lockAddress(tx, email);
  const account = await findAccount(tx, email);
  const ended = await endInvitations(tx, email, { customerId: null });
  if (account?.is_operator !== true && ended === 0) {
    throw new OperatorError(`${email} is not an operator; tmds operator list shows them`);
  }
  if (account?.is_operator === true) await removeMember(tx, account.user_id);
  await audit(tx, { email, actor: order.actor }, 'operator.remove');
}

async function audit(tx: Transaction, { email, actor }: OperatorOrder, action: string): Promise<void> {
  await insertAudit(tx, { actor, action, customer_id: null, key_id: null, change: { email } });
}
