/**
 * The people of a customer, their roles and their invitations. Invariant: a team keeps an administrator, so changes of
 * roles and removals happen one after the other.
 */

import { inviteWithin } from '../../access/keys.ts';
import { digestText } from '../../access/secret.ts';
import type { Transaction } from '../../database/driver/db.ts';
import { holdCustomer } from '../../store/accounts/customers.ts';
import {
  findMember,
  listAdministrators,
  listMembers,
  lockTeam,
  type PortalMember,
  ROLES,
  type Role,
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
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
  type Redirect,
} from '../frame/call.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { mayOpen, parseEmail } from '../frame/roles.ts';
import { keepSecret, showSecret } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';
import { renderLink } from './link-page.ts';
import {
  INVITATIONS_MAX,
  renderRemove,
  renderRole,
  renderTeam,
  showActivity,
  TOO_MANY_INVITATIONS,
} from './team-page.ts';

/** Lines of activity that the team's own page shows. */
const LATEST_LINES = 10;

export function listTeamRoutes(services: PortalServices): PortalRoute[] {
  const { show, change } = buildMemberRoutes(services);
  const one = '/team/:id';
  return [
    show('/team', (call) => showTeam(call, services, null), true),
    change('/team/invitations', '/team', ['email', 'role'], invite),
    show('/team/invitations/:id/link', showLink),
    change('/team/invitations/:id/withdraw', '/team', ['email', 'role'], withdraw),
    show(`${one}/remove`, async (call) => renderRemove(call, await findOther(call, services), null)),
    change(`${one}/remove`, `${one}/remove`, [], remove),
    show(`${one}/role`, async (call) => renderRole(call, await findOwn(call, services), null)),
    change(`${one}/role`, `${one}/role`, ['role'], changeRole),
    show('/team/activity', showActivity, true),
  ];
}

async function findOwn(call: MemberCall, { database }: PortalServices): Promise<PortalMember> {
  const member = await findMember(database, call.user.customer_id, call.params.id ?? '');
  if (member === null) throw pageNotFound();
  return member;
}

async function showTeam(call: MemberCall, { database }: PortalServices, fault: string | null): Promise<Page> {
  const { customer_id: customerId } = call.user;
  const [members, invitations, activity] = await Promise.all([
    listMembers(database, customerId),
    listInvitations(database, customerId),
    listCustomerAudit(database, { customerId, keyId: null, before: null }),
  ]);
  return renderTeam(call, { members, invitations, activity: activity.slice(0, LATEST_LINES), fault });
}

async function invite(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { user, form, origin } = call;
  const email = parseEmail(form.get('email') ?? '');
  const role = readRole(form);
  if (email === null) return showTeam(call, services, 'That is not an e-mail address.');
  if (role === null) return showTeam(call, services, NO_ROLE);
  // An address that belongs to another customer is invited like any other: only its owner learns of it, from the link.
  if (email === user.email)
    return showTeam(call, services, 'That is your own address. You can change your password in your account.');
  const outcome = await doOnce(call, services.database, async (tx) => {
    const pending = await listInvitations(tx, user.customer_id);
    if (pending.length >= INVITATIONS_MAX && !pending.some((known) => known.email === email)) {
      return { fault: TOO_MANY_INVITATIONS };
    }
    // By its current name, which an operator may have just changed.
    const customer = await holdCustomer(tx, user.customer_id);
    if (customer === null) throw pageNotFound();
    const { token, expires_at } = await inviteWithin(tx, {
      customer: customer.name,
      email,
      role,
      actor: actorOf(call),
    });
    const id = digestText(token).toString('hex');
    const link = { title: email, text: `${origin}/portal/invitation/${token}`, until: expires_at };
    await keepSecret(tx, call, { kind: 'invitation', id }, link);
    return { to: `/portal/team/invitations/${id}/link` };
  });
  return 'fault' in outcome ? showTeam(call, services, outcome.fault) : outcome;
}

async function showLink(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const link = await showSecret(call, database, { kind: 'invitation', id: call.params.id ?? '' }, '/portal/team');
  return renderLink(link, { href: '/portal/team', label: 'Back to the team', section: 'team' });
}

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

const NO_ROLE = 'Choose a role.';

function readRole(form: URLSearchParams): Role | null {
  const chosen = form.get('role') ?? 'member';
  return ROLES.find((role) => role === chosen) ?? null;
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

async function changeRole(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { user, params, form } = call;
  const member = await findOwn(call, services);
  const role = readRole(form);
  if (role === null) return renderRole(call, member, NO_ROLE);
  const outcome = await doOnce(call, services.database, async (tx) => {
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
  return 'fault' in outcome ? renderRole(call, member, outcome.fault) : outcome;
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

async function remove(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { user, params } = call;
  if (params.id === user.user_id) await findOther(call, services);
  const member = await findMember(services.database, user.customer_id, params.id ?? '');
  const outcome = await doOnce(call, services.database, async (tx): Promise<Redirect | Fault> => {
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
  return 'fault' in outcome && member !== null ? renderRemove(call, member, outcome.fault) : (outcome as Redirect);
}
