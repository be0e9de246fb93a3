/**
 * The people of a customer, their roles and their invitations. Invariant: a team keeps an administrator, so changes of
 * roles and removals happen one after the other.
 */

import type { Transaction } from '../../database/driver/db.ts';
import { holdCustomer } from '../../store/accounts/customers.ts';
import {
  findMember,
  listAdministrators,
  listMembers,
  lockTeam,
  type PortalMember,
  removeMember,
  setRole,
} from '../../store/accounts/portal.ts';
import {
  endInvitations,
  listInvitations,
  lockAddress,
  withdrawInvitation,
} from '../../store/accounts/portal-invitations.ts';
import { listCustomerAudit } from '../../store/accounts/portal-keys.ts';
import { revokeCalendarsOf } from '../../store/dates/calendars.ts';
import { deleteReminder } from '../../store/dates/reminders.ts';
import { deleteDigest } from '../../store/webhooks/digests.ts';
import { noteActivity } from '../frame/audit-table.ts';
import {
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
  type Redirect,
} from '../frame/call.ts';
import { NO_FIELDS, type Values } from '../frame/forms.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { mayOpen } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';
import { inviteOnce, showLink } from './invitations.ts';
import {
  INVITATION,
  INVITATIONS_MAX,
  ROLE,
  renderRemove,
  renderRole,
  renderTeam,
  showActivity,
  TOO_MANY_INVITATIONS,
} from './team-page.ts';

/** Lines of activity that the team's own page shows. */
const LATEST_LINES = 10;

export function listTeamRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, ask } = buildMemberRoutes(services);
  const one = '/team/:id';
  return [
    show('/team', (call) => showTeam(call, services), true),
    submit('/team/invitations', '/team', INVITATION, { refused: showTeam, answer: invite }),
    show('/team/invitations/:id/link', (call) => showLink(call, services.database, call.params.id ?? '', BACK)),
    submit('/team/invitations/:id/withdraw', '/team', NO_FIELDS, { refused: showTeam, answer: withdraw }),
    ...ask(`${one}/remove`, NO_FIELDS, showRemove, remove),
    ...ask(`${one}/role`, ROLE, showRole, changeRole),
    show('/team/activity', showActivity, true),
  ];
}

async function findOwn(call: MemberCall, { database }: PortalServices): Promise<PortalMember> {
  const member = await findMember(database, call.user.customer_id, call.params.id ?? '');
  if (member === null) throw pageNotFound();
  return member;
}

async function showTeam(call: MemberCall, { database }: PortalServices, fault: string | null = null): Promise<Page> {
  const { customer_id: customerId } = call.user;
  const [members, invitations, activity] = await Promise.all([
    listMembers(database, customerId),
    listInvitations(database, customerId),
    listCustomerAudit(database, { customerId, keyId: null, before: null }),
  ]);
  return renderTeam(call, { members, invitations, activity: activity.slice(0, LATEST_LINES), fault });
}

async function invite(
  call: MemberCall,
  { database }: PortalServices,
  { email, role }: Values<typeof INVITATION.fields>,
): Promise<PortalAnswer | Fault> {
  const { user } = call;
  // An address that belongs to another customer is invited like any other: only its owner learns of it, from the link.
  if (email === user.email) {
    return { fault: 'That is your own address. You can change your password in your account.' };
  }
  return doOnce(call, database, async (tx) => {
    const pending = await listInvitations(tx, user.customer_id);
    if (pending.length >= INVITATIONS_MAX && !pending.some((known) => known.email === email)) {
      return { fault: TOO_MANY_INVITATIONS };
    }
    // By its current name, which an operator may have just changed.
    const customer = await holdCustomer(tx, user.customer_id);
    if (customer === null) throw pageNotFound();
    const id = await inviteOnce(tx, call, { customer: customer.name, email, role });
    return { to: `/portal/team/invitations/${id}/link` };
  });
}

const BACK = { href: '/portal/team', label: 'Back to the team', section: 'team' } as const;

async function withdraw(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  const { user, params } = call;
  const id = Buffer.from(/^[0-9a-f]{64}$/.test(params.id ?? '') ? params.id! : '', 'hex');
  return doOnce(call, database, async (tx) => {
    const email = await withdrawInvitation(tx, user.customer_id, id);
    if (email === null) throw pageNotFound();
    await noteActivity(tx, call, 'invitation.withdraw', { email });
    return { to: '/portal/team?done=withdrawn' };
  });
}

const LAST_ADMINISTRATOR = 'This is the only administrator. Make somebody else an administrator first.';

/** Whether the team would have no administrator without this one. The caller has the lock of the team. */
async function isLastAdministrator(tx: Transaction, customerId: string, { user_id }: PortalMember): Promise<boolean> {
  const administrators = await listAdministrators(tx, customerId, 2);
  return administrators.every((administrator) => administrator.user_id === user_id);
}

/** The requester may have been removed or demoted while the form was on its way. */
async function checkStillAdministrator(tx: Transaction, { user }: MemberCall): Promise<void> {
  const own = await findMember(tx, user.customer_id, user.user_id);
  if (own?.role !== 'administrator') throw pageNotFound();
}

async function showRole(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderRole(call, await findOwn(call, services), fault);
}

async function changeRole(
  call: MemberCall,
  services: PortalServices,
  { role }: Values<typeof ROLE.fields>,
): Promise<PortalAnswer | Fault> {
  const { user, params } = call;
  await findOwn(call, services);
  return doOnce(call, services.database, async (tx) => {
    await lockTeam(tx, user.customer_id);
    await checkStillAdministrator(tx, call);
    const current = await findMember(tx, user.customer_id, params.id ?? '');
    if (current === null) throw pageNotFound();
    if (role !== 'administrator' && (await isLastAdministrator(tx, user.customer_id, current))) {
      return { fault: LAST_ADMINISTRATOR };
    }
    await setRole(tx, current.user_id, role);
    if (!mayOpen({ role, is_operator: false }, 'watches')) {
      await deleteDigest(tx, current.user_id);
      await deleteReminder(tx, current.user_id);
      await revokeCalendarsOf(tx, current.user_id);
    }
    await noteActivity(tx, call, 'user.role', { email: current.email, role });
    // Who has demoted himself no longer sees the team.
    const isOwn = current.user_id === user.user_id && role !== 'administrator';
    return { to: isOwn ? '/portal?done=role' : '/portal/team?done=role' };
  });
}

/** The person of the path, unless it is the requester. */
async function findOther(call: MemberCall, services: PortalServices): Promise<PortalMember> {
  const member = await findOwn(call, services);
  if (member.user_id !== call.user.user_id) return member;
  throw new PageRefusal(
    409,
    'You cannot remove yourself',
    'Ask a colleague to do it, so that somebody always has access.',
  );
}

async function showRemove(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderRemove(call, await findOther(call, services), fault);
}

async function remove(call: MemberCall, services: PortalServices): Promise<PortalAnswer | Fault> {
  const { user, params } = call;
  if (params.id === user.user_id) await findOther(call, services);
  return doOnce(call, services.database, async (tx): Promise<Redirect | Fault> => {
    await lockTeam(tx, user.customer_id);
    await checkStillAdministrator(tx, call);
    const current = await findMember(tx, user.customer_id, params.id ?? '');
    if (current === null) throw pageNotFound();
    if (await isLastAdministrator(tx, user.customer_id, current)) return { fault: LAST_ADMINISTRATOR };
    const { customer_id } = user;
    await lockAddress(tx, current.email);
    await removeMember(tx, current.user_id);
    await endInvitations(tx, current.email, { customerId: customer_id });
    await noteActivity(tx, call, 'user.remove', { email: current.email });
    return { to: '/portal/team?done=removed' };
  });
}
