/** The people of a customer and their invitations. All people of a customer have the same rights. */
import { inviteWithin } from '../../access/keys.ts';
import { digestText } from '../../access/secret.ts';
import { holdCustomer, insertAudit } from '../../store/accounts/customers.ts';
import { findMember, listMembers, type PortalMember, removeMember } from '../../store/accounts/portal.ts';
import {
  endInvitations,
  listInvitations,
  lockAddress,
  withdrawInvitation,
} from '../../store/accounts/portal-invitations.ts';
import { listCustomerAudit } from '../../store/accounts/portal-keys.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
  pageNotFound,
} from '../frame/call.ts';
import { parseEmail } from '../frame/email.ts';
import { doOnce } from '../frame/once.ts';
import { keepSecret, showSecret } from '../frame/shown-once.ts';
import type { PortalServices } from '../services.ts';
import { showActivity } from './activity.ts';
import { renderLink } from './link-page.ts';
import { INVITATIONS_MAX, renderRemove, renderTeam, TOO_MANY_INVITATIONS } from './team-page.ts';

/** Lines of activity that the team's own page shows. */
const LATEST_LINES = 10;

export function listTeamRoutes(services: PortalServices): PortalRoute[] {
  const team = { page: () => '/portal/team', keeps: ['email'] };
  const removal = { page: ({ params }: PublicCall) => `/portal/team/${params.id}/remove`, keeps: [] };
  return [
    { method: 'GET', url: '/team', viewable: true, members: (call) => showTeam(call, services, null) },
    { method: 'POST', url: '/team/invitations', form: team, members: (call) => invite(call, services) },
    { method: 'GET', url: '/team/invitations/:id/link', members: (call) => showLink(call, services) },
    {
      method: 'POST',
      url: '/team/invitations/:id/withdraw',
      form: team,
      members: (call) => withdraw(call, services),
    },
    {
      method: 'GET',
      url: '/team/:id/remove',
      members: async (call) => renderRemove(call, await findOther(call, services)),
    },
    { method: 'POST', url: '/team/:id/remove', form: removal, members: (call) => remove(call, services) },
    { method: 'GET', url: '/team/activity', viewable: true, members: (call) => showActivity(call, services) },
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
  if (email === null) return showTeam(call, services, 'That is not an e-mail address.');
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
    const { token, expires_at } = await inviteWithin(tx, { customer: customer.name, email, actor: actorOf(call) });
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
    const { customer_id } = user;
    const audit = { actor: actorOf(call), action: 'invitation.withdraw', customer_id, key_id: null, change: { email } };
    await insertAudit(tx, audit);
    return { to: '/portal/team?done=withdrawn' };
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

async function remove(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { user, params } = call;
  if (params.id === user.user_id) await findOther(call, services);
  return doOnce(call, services.database, async (tx) => {
    const member = await findMember(tx, user.customer_id, params.id ?? '');
    if (member === null) throw pageNotFound();
    const { customer_id } = user;
    await lockAddress(tx, member.email);
    await removeMember(tx, member.user_id);
    await endInvitations(tx, member.email, { customerId: customer_id });
    const change = { email: member.email };
    await insertAudit(tx, { actor: actorOf(call), action: 'user.remove', customer_id, key_id: null, change });
    return { to: '/portal/team?done=removed' };
  });
}
