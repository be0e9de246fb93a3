/** The invitation link: it opens once, sets a password and signs the person in. */

import { html } from 'htm/preact';
import { digestText } from '../../access/secret.ts';
import type { Transaction } from '../../database/driver/db.ts';
import { holdCustomer, insertAudit } from '../../store/accounts/customers.ts';
import { deleteSessionsOf, findAccount, upsertAccount } from '../../store/accounts/portal.ts';
import {
  acceptInvitation,
  endInvitations,
  findInvitation,
  lockAddress,
  type OpenInvitation,
} from '../../store/accounts/portal-invitations.ts';
import { type Page, PageRefusal, type PortalAnswer, type PortalRoute, type PublicCall } from '../frame/call.ts';
import { renderFault, renderHeading } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { declareForm, isFault, renderForm } from '../frame/forms.ts';
import { doOnce } from '../frame/once.ts';
import { PERSON_NAME, ROLE_WORDS } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';
import { findPasswordFault, hashPassword, mayTryLink, NEW_PASSWORD } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import { suspended } from './standing.ts';

/** An operator joins without a name. */
const OPERATOR = declareForm(NEW_PASSWORD);
const JOINING = declareForm({ name: PERSON_NAME, ...NEW_PASSWORD });

export function listInvitationRoutes(services: PortalServices, sessions: Sessions): PortalRoute[] {
  const url = '/invitation/:token';
  const form = { page: ({ params }: PublicCall) => `/portal/invitation/${params.token}`, keeps: JOINING.keeps };
  return [
    { method: 'GET', url, open: (call) => showInvitation(call, services) },
    { method: 'POST', url, form, open: (call) => answerInvitation(call, services, sessions) },
  ];
}

/** Null when the link is not valid; throws PageRefusal when the person cannot accept it. */
async function findInvitationOf(call: PublicCall, { database }: PortalServices): Promise<InvitationShown | null> {
  if (!(await mayTryLink(database, call.address))) {
    throw new PageRefusal(429, 'Too many attempts', 'Wait a quarter of an hour and open the link again.');
  }
  const invitation = await findInvitation(database, digestText(call.params.token ?? ''));
  const known = invitation === null ? null : await findAccount(database, invitation.email);
  if (known !== null && known.customer_id !== invitation?.customer_id) throw addressTaken();
  if (known?.suspended === true) throw suspended(known.suspension_reason);
  return invitation === null ? null : { ...invitation, isKnown: known !== null, name: known?.name ?? null };
}

function linkClosed(): PageRefusal {
  const message = 'The link has been used or withdrawn, or it has expired. Ask for a new invitation.';
  return new PageRefusal(404, 'This link is not valid', message);
}

function addressTaken(): PageRefusal {
  const message = 'This address already belongs to another customer. Ask for an invitation to a different address.';
  return new PageRefusal(409, 'The address is taken', message);
}

async function showInvitation(call: PublicCall, services: PortalServices): Promise<PortalAnswer> {
  const invitation = await findInvitationOf(call, services);
  if (invitation === null) throw linkClosed();
  return renderInvitation(call, invitation, null);
}

async function answerInvitation(call: PublicCall, services: PortalServices, sessions: Sessions): Promise<PortalAnswer> {
  const { database } = services;
  const tokenDigest = digestText(call.params.token ?? '');
  const invitation = await findInvitationOf(call, services);
  // After a double click the link is closed already; the second form then leads where the first one led.
  if (invitation === null && !call.isFormFresh) throw linkClosed();
  const values = JOINING.read(call.form);
  const { name, password, repeated } = isFault(values) ? { name: null, password: '', repeated: '' } : values;
  const fault = isFault(values) ? values.fault : findPasswordFault(password, repeated, invitation?.email ?? '');
  if (invitation !== null && fault !== null) return renderInvitation(call, invitation, fault);
  const passwordHash = invitation === null ? null : await hashPassword(password);
  const outcome = await doOnce(call, database, async (tx) => {
    if (invitation === null || passwordHash === null) throw linkClosed();
    const to = invitation.customer_id === null ? '/portal/operator' : '/portal';
    return {
      to,
      userId: await join(tx, invitation, { tokenDigest, name, passwordHash, address: call.address }),
    };
  });
  if (!('userId' in outcome)) return outcome;
  if (call.token !== null) await sessions.end(call.token);
  return { to: outcome.to, session: await sessions.start(outcome.userId) };
}

/** Closes the link and sets the password; resolves to the id of the person. */
async function join(
  tx: Transaction,
  invitation: InvitationShown,
  {
    tokenDigest,
    name,
    passwordHash,
    address,
  }: { tokenDigest: Buffer; name: string | null; passwordHash: string; address: string },
): Promise<string> {
  const customer = invitation.customer_id === null ? null : await holdCustomer(tx, invitation.customer_id);
  if (customer !== null && customer.suspended_at !== null) throw suspended(customer.suspension_reason);
  await lockAddress(tx, invitation.email);
  const accepted = await acceptInvitation(tx, tokenDigest);
  if (accepted === null) throw linkClosed();
  const { customer_id, email, role } = accepted;
  const userId = await upsertAccount(tx, { customer_id, email, password_hash: passwordHash, name, role });
  if (userId === null) throw addressTaken();
  await endInvitations(tx, email, null);
  await deleteSessionsOf(tx, userId, null);
  const isOperator = customer_id === null;
  const actor = { name: `${isOperator ? 'operator' : 'portal'} ${email}`, address };
  const action = isOperator ? 'operator.join' : 'user.join';
  await insertAudit(tx, { actor, action, customer_id, key_id: null, change: { email } });
  return userId;
}

export interface InvitationShown extends OpenInvitation {
  /** Whether the address has an account, which keeps its role. */
  readonly isKnown: boolean;
  readonly name: string | null;
}

function renderInvitation(call: PublicCall, invitation: InvitationShown, fault: string | null): Page {
  const joining = {
    action: `/portal/invitation/${call.params.token}`,
    before: renderField({
      id: 'email',
      label: 'E-mail address',
      attributes: { name: null, type: 'email', autocomplete: 'username', readonly: true, value: invitation.email },
    }),
    label: 'Set the password and sign in',
  };
  const body = html`
    <section class="narrow">
      ${renderHeading('Welcome')}
      <p>
        ${
          invitation.customer === null
            ? 'You are invited to operate this service.'
            : html`You are invited to the portal of <strong><bdi>${invitation.customer}</bdi></strong>.`
        }
        ${invitation.customer === null || invitation.isKnown ? null : renderRole(invitation)}
        ${' '}Choose a password: from now on, you sign in with it and your e-mail address.
      </p>
      ${renderFault(fault)}
      ${
        invitation.customer === null
          ? renderForm(call, OPERATOR, joining)
          : renderForm(call, JOINING, { ...joining, shown: { name: { value: invitation.name } } })
      }
    </section>
  `;
  return { title: 'Invitation', body, status: fault === null ? 200 : 422 };
}

function renderRole({ role }: OpenInvitation): unknown {
  const { name, does } = ROLE_WORDS[role];
  return html`${' '}Your role: <strong>${name}</strong> (${does}).`;
}
