/**
 * The people of a customer, their roles and their invitations. Invariant: a team keeps an administrator, so changes of
 * roles and removals happen one after the other.
 */

import { html } from 'htm/preact';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { holdCustomer } from '../../store/accounts/customers.ts';
import {
  findMember,
  listAdministrators,
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
import { revokeCalendarsOf } from '../../store/dates/calendars.ts';
import { deleteReminder } from '../../store/dates/reminders.ts';
import { deleteDigest } from '../../store/webhooks/digests.ts';
import { noteActivity } from '../frame/audit-table.ts';
import { type MemberCall, orNotFound, PageRefusal, type PortalRoute, pageNotFound } from '../frame/call.ts';
import { renderTrail } from '../frame/components.ts';
import { NO_FIELDS } from '../frame/forms.ts';
import { doOnce } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { mayOpen, nameOfPerson } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';
import { inviteOnce, showLink } from './invitations.ts';
import { INVITATION, INVITATIONS_MAX, ROLE, showActivity, showTeam, TOO_MANY_INVITATIONS } from './team-page.ts';

const BACK = { href: '/portal/team', label: 'Back to the team', section: 'team' } as const;

export function listTeamRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit } = buildMemberRoutes(services);
  return [
    show('/team', showTeam, true),
    submit('/team/invitations', '/team', INVITATION, {
      refused: showTeam,
      answer: async (call, { database }, { email, role }) => {
        const { user } = call;
        // An address that belongs to another customer is invited like any other: only its owner learns of it, from the
        // link.
        if (email === user.email) {
          return { fault: 'That is your own address. You can change your password in your account.' };
        }
        return doOnce(call, database, async (tx) => {
          await lockTeam(tx, user.customer_id);
          const pending = await listInvitations(tx, user.customer_id);
          if (pending.length >= INVITATIONS_MAX && !pending.some((known) => known.email === email)) {
            return { fault: TOO_MANY_INVITATIONS };
          }
          // By its current name, which an operator may have just changed.
          const { name: customer } = orNotFound(await holdCustomer(tx, user.customer_id));
          const id = await inviteOnce(tx, call, { customer, email, role });
          return { to: `/portal/team/invitations/${id}/link` };
        });
      },
    }),
    show('/team/invitations/:id/link', (call) => showLink(call, services.database, call.params.id ?? '', BACK)),
    submit('/team/invitations/:id/withdraw', '/team', NO_FIELDS, {
      refused: showTeam,
      answer: (call, { database }) =>
        doOnce(call, database, async (tx) => {
          const { user, params } = call;
          const id = Buffer.from(/^[0-9a-f]{64}$/.test(params.id ?? '') ? params.id! : '', 'hex');
          const email = orNotFound(await withdrawInvitation(tx, user.customer_id, id));
          await noteActivity(tx, call, 'invitation.withdraw', { email });
          return { to: '/portal/team?done=withdrawn' };
        }),
    }),
    ...listChanges(services),
    show('/team/activity', showActivity, true),
  ];
}

function listChanges(services: PortalServices): PortalRoute[] {
  const { of } = buildMemberRoutes(services);
  const at = '/team/:id';
  return [
    ...of({ at, find: findOther, run: doOnce }).ask('remove', NO_FIELDS, askRemove, {
      work: async (tx, _member, { call }) => {
        const current = await lockMember(tx, call);
        const { customer_id: customerId } = call.user;
        if (await isLastAdministrator(tx, customerId, current)) return { fault: LAST_ADMINISTRATOR };
        await lockAddress(tx, current.email);
        await removeMember(tx, current.user_id);
        await endInvitations(tx, current.email, { customerId });
        await noteActivity(tx, call, 'user.remove', { email: current.email });
        return '/portal/team?done=removed';
      },
    }),
    ...of({ at, find: findMemberOf, run: doOnce, isFoundFirst: true }).ask('role', ROLE, askRole, {
      work: async (tx, _member, { call, values: { role } }) => {
        const current = await lockMember(tx, call);
        const { user } = call;
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
        return isOwn ? '/portal?done=role' : '/portal/team?done=role';
      },
    }),
  ];
}

const HEAD = {
  section: 'team',
  trail: renderTrail({ label: 'Team', href: '/portal/team' }),
  back: '/portal/team',
} as const;

const askRemove = (member: PortalMember) =>
  ({
    title: 'Remove a person',
    heading: html`Remove <bdi>${nameOfPerson(member)}</bdi>`,
    ...HEAD,
    refusedStatus: 409,
    words: html`<p>This person's sessions and open invitations end at once. Keys and past activity stay.</p>`,
    label: 'Remove the person',
    kind: 'danger',
  }) as const;

const askRole = (member: PortalMember) =>
  ({
    title: 'Change a role',
    heading: html`Role of <bdi>${nameOfPerson(member)}</bdi>`,
    ...HEAD,
    label: 'Change the role',
    shown: { role: { value: member.role } },
  }) as const;

type Reading = { readonly database: Queryable };

async function findMemberOf({ user, params }: MemberCall, { database }: Reading): Promise<PortalMember> {
  return orNotFound(await findMember(database, user.customer_id, params.id ?? ''));
}

/** The same, unless it is the requester. */
async function findOther(call: MemberCall, reading: Reading): Promise<PortalMember> {
  const member = await findMemberOf(call, reading);
  if (member.user_id !== call.user.user_id) return member;
  const message = 'Ask a colleague to do it, so that somebody always has access.';
  throw new PageRefusal(409, 'You cannot remove yourself', message);
}

const LAST_ADMINISTRATOR = 'This is the only administrator. Make somebody else an administrator first.';

/** The person of the path under the lock of the team. The requester may have been removed or demoted in between. */
async function lockMember(tx: Transaction, call: MemberCall): Promise<PortalMember> {
  const { user } = call;
  await lockTeam(tx, user.customer_id);
  const own = await findMember(tx, user.customer_id, user.user_id);
  if (own?.role !== 'administrator') throw pageNotFound();
  return findMemberOf(call, { database: tx });
}

/** Whether the team would have no administrator without this one. The caller has the lock of the team. */
async function isLastAdministrator(tx: Transaction, customerId: string, { user_id }: PortalMember): Promise<boolean> {
  const administrators = await listAdministrators(tx, customerId, 2);
  return administrators.every((administrator) => administrator.user_id === user_id);
}
