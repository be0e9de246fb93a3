/** The people of a customer, the form that invites another, the question before one is removed, and the activity. */

import { html } from 'htm/preact';
import { type PortalMember, ROLES } from '../../store/accounts/portal.ts';
import type { PendingInvitation } from '../../store/accounts/portal-invitations.ts';
import { AUDIT_PAGE, type AuditLine, type AuditPosition, listCustomerAudit } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderButton,
  renderEmpty,
  renderFault,
  renderHeading,
  renderPager,
  renderTabs,
  renderTrail,
} from '../frame/components.ts';
import { choiceField } from '../frame/field-kinds.ts';
import { declareForm, NO_FIELDS, renderButtonForm, renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { renderInstant } from '../frame/pieces.ts';
import { EMAIL, nameOfPerson, ROLE_WORDS } from '../frame/roles.ts';
import { renderTable } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';

export const INVITATIONS_MAX = 50;
export const TOO_MANY_INVITATIONS = `${INVITATIONS_MAX} invitations are open. Withdraw one first.`;

const ROLE_FAULT = 'Choose a role.';

export const INVITATION = declareForm({
  email: EMAIL,
  role: choiceField({
    as: 'select',
    label: 'Role',
    choices: ROLES.toReversed().map((value) => ({ value, label: ROLE_WORDS[value].name })),
    initial: 'member',
    absent: 'member',
    fault: ROLE_FAULT,
  }),
});
export const ROLE = declareForm({
  role: choiceField({
    as: 'radio',
    label: 'Role',
    choices: ROLES.map((value) => ({ value, label: describeRole(value) })),
    initial: 'member',
    absent: 'member',
    fault: ROLE_FAULT,
  }),
});

interface Team {
  readonly members: readonly PortalMember[];
  readonly invitations: readonly PendingInvitation[];
  readonly activity: readonly AuditLine[];
  readonly fault: string | null;
}

export function renderTeam(call: MemberCall, { members, invitations, activity, fault }: Team): Page {
  const body = html`
    ${renderHeading('Team')}
    ${renderTeamTabs('people')}
    ${renderTable<PortalMember>({
      label: 'People',
      rows: members,
      columns: [
        { label: 'Name', isHeader: true, style: 'name', cell: (member) => renderPerson(call, member) },
        { label: 'E-mail address', style: 'name', cell: ({ email }) => html`<bdi>${email}</bdi>` },
        { label: 'Role', cell: (member) => html`<span>${renderRoleLink(call, member)}</span>` },
        { label: 'Joined', cell: ({ created_at }) => renderInstant(created_at) },
        { label: 'Last signed in', cell: ({ signed_in_at }) => renderInstant(signed_in_at) },
        { label: 'Remove', isUnlabelled: true, style: 'number', cell: (member) => renderRemoveLink(call, member) },
      ],
    })}
    ${call.isViewing ? null : renderInviting(call, invitations.length, fault)}
    ${invitations.length === 0 ? null : renderInvitations(call, invitations)}
    <section>
      <h2>Latest activity</h2>
      ${renderActivity(activity)}
    </section>
  `;
  return { title: 'Team', body, section: 'team' };
}

function renderInviting(call: MemberCall, open: number, fault: string | null): unknown {
  return html`
    <section>
      <h2>Invite a person</h2>
      ${renderFault(fault)}
      ${
        open >= INVITATIONS_MAX
          ? renderEmpty(TOO_MANY_INVITATIONS)
          : renderForm(call, INVITATION, {
              action: '/portal/team/invitations',
              label: 'Create invitation link',
              layout: 'row',
            })
      }
      <p class="hint">${ROLES.map((role) => `${describeRole(role)}.`).join(' ')}</p>
      <p class="hint">
        Copy the link and send it to them. It also helps a colleague who forgot the password: the colleague keeps the
        current role.
      </p>
    </section>
  `;
}

function renderPerson({ user, isViewing }: MemberCall, member: PortalMember): unknown {
  const you = !isViewing && member.user_id === user.user_id ? html` <span class="silent">(you)</span>` : null;
  const name = member.name === null ? html`<span class="silent">no name yet</span>` : html`<bdi>${member.name}</bdi>`;
  return html`<span>${name}${you}</span>`;
}

function describeRole(role: PortalMember['role']): string {
  return `${ROLE_WORDS[role].name}: ${ROLE_WORDS[role].does}`;
}

function renderRoleLink(call: MemberCall, member: PortalMember): unknown {
  const { name } = ROLE_WORDS[member.role];
  if (call.isViewing) return name;
  return html`${name} <a href=${`/portal/team/${member.user_id}/role`}>Change<span class="unseen"> the role of ${nameOfPerson(member)}</span></a>`;
}

export function renderRole(call: MemberCall, member: PortalMember, fault: string | null): Page {
  return buildFormPage(
    {
      title: 'Change a role',
      heading: html`Role of <bdi>${nameOfPerson(member)}</bdi>`,
      section: 'team',
      trail: TRAIL,
      fault,
    },
    renderForm(call, ROLE, {
      action: `/portal/team/${member.user_id}/role`,
      label: 'Change the role',
      shown: { role: { value: member.role } },
      back: '/portal/team',
    }),
  );
}

function renderRemoveLink(call: MemberCall, member: PortalMember): unknown {
  if (call.isViewing) return null;
  if (member.user_id === call.user.user_id) return null;
  return html`<a href=${`/portal/team/${member.user_id}/remove`}>Remove<span class="unseen"> ${nameOfPerson(member)}</span>
    </a>`;
}

function renderInvitations(call: MemberCall, invitations: readonly PendingInvitation[]): unknown {
  return html`
    <section>
      <h2>Open invitations</h2>
      ${renderTable<PendingInvitation>({
        label: 'Open invitations',
        rows: invitations,
        columns: [
          { label: 'E-mail address', isHeader: true, style: 'name', cell: ({ email }) => html`<bdi>${email}</bdi>` },
          { label: 'Role', cell: ({ role }) => ROLE_WORDS[role].name },
          { label: 'Created', cell: ({ created_at }) => renderInstant(created_at) },
          { label: 'Valid until', cell: ({ expires_at }) => renderInstant(expires_at) },
          {
            label: 'Withdraw',
            isUnlabelled: true,
            style: 'number',
            cell: ({ id, email }) => (call.isViewing ? null : renderWithdraw(call, id, email)),
          },
        ],
      })}
    </section>
  `;
}

function renderWithdraw(call: MemberCall, id: string, email: string): unknown {
  const button = renderButton(html`Withdraw<span class="unseen"> ${email}</span>`, 'quiet');
  return renderButtonForm(call, `/portal/team/invitations/${id}/withdraw`, button);
}

const TRAIL = renderTrail({ label: 'Team', href: '/portal/team' });

export function renderRemove(call: MemberCall, member: PortalMember, fault: string | null): Page {
  return buildFormPage(
    {
      title: 'Remove a person',
      heading: html`Remove <bdi>${nameOfPerson(member)}</bdi>`,
      section: 'team',
      trail: TRAIL,
      fault,
      refusedStatus: 409,
    },
    html`<p>This person's sessions and open invitations end at once. Keys and past activity stay.</p>
      ${renderForm(call, NO_FIELDS, {
        action: `/portal/team/${member.user_id}/remove`,
        label: 'Remove the person',
        kind: 'danger',
        back: '/portal/team',
      })}`,
  );
}

function renderTeamTabs(here: 'people' | 'activity'): unknown {
  return renderTabs('Team', [
    { label: 'People', href: '/portal/team', isHere: here === 'people' },
    { label: 'Activity', href: '/portal/team/activity', isHere: here === 'activity' },
  ]);
}

export async function showActivity(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const before = parsePosition(call.query.get('before'));
  const found = await listCustomerAudit(database, { customerId: call.user.customer_id, keyId: null, before });
  const lines = found.slice(0, AUDIT_PAGE);
  const last = found.length > AUDIT_PAGE ? lines.at(-1) : undefined;
  const body = html`
    ${renderHeading('Activity')}
    ${renderTeamTabs('activity')}
    ${renderActivity(lines)}
    ${
      last === undefined
        ? null
        : renderPager([{ label: 'Older', href: `/portal/team/activity?before=${last.at}_${last.audit_id}` }])
    }
  `;
  return { title: 'Activity', body, section: 'team' };
}

const POSITION = /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The last line of the previous page. */
export function parsePosition(text: string | null): AuditPosition | null {
  const { at = '', id = '' } = POSITION.exec(text ?? '')?.groups ?? {};
  return Number.isNaN(Date.parse(at)) ? null : { at, audit_id: id };
}
