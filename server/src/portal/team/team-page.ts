/** The people of a customer: the table, the form that invites another, and the activity. */

import { html } from 'htm/preact';
import { listMembers, type PortalMember, ROLES } from '../../store/accounts/portal.ts';
import { listInvitations, type PendingInvitation } from '../../store/accounts/portal-invitations.ts';
import { AUDIT_PAGE, listCustomerAudit } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderButton, renderEmpty, renderFault, renderHeading, renderTabs } from '../frame/components.ts';
import { choiceField } from '../frame/field-kinds.ts';
import { declareForm, renderButtonForm, renderForm } from '../frame/forms.ts';
import { cutPage, readPosition, renderFurther } from '../frame/paging.ts';
import { renderInstant } from '../frame/pieces.ts';
import { EMAIL, nameOfPerson, ROLE_WORDS } from '../frame/roles.ts';
import { renderTable } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';

export const INVITATIONS_MAX = 50;
export const TOO_MANY_INVITATIONS = `${INVITATIONS_MAX} invitations are open. Withdraw one first.`;
const LATEST_LINES = 10;

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

export async function showTeam(
  call: MemberCall,
  { database }: PortalServices,
  fault: string | null = null,
): Promise<Page> {
  const { customer_id: customerId, user_id: ownId } = call.user;
  const [members, invitations, activity] = await Promise.all([
    listMembers(database, customerId),
    listInvitations(database, customerId),
    listCustomerAudit(database, { customerId, keyId: null, before: null }),
  ]);
  const { isViewing } = call;
  const body = html`
    ${renderHeading('Team')}
    ${renderTeamTabs('people')}
    ${renderTable<PortalMember>({
      label: 'People',
      rows: members,
      columns: [
        {
          label: 'Name',
          isHeader: true,
          style: 'name',
          cell: ({ name, user_id }) => html`
            <span>${name === null ? html`<span class="silent">no name yet</span>` : html`<bdi>${name}</bdi>`}${
              !isViewing && user_id === ownId ? html` <span class="silent">(you)</span>` : null
            }</span>
          `,
        },
        { label: 'E-mail address', style: 'name', cell: ({ email }) => html`<bdi>${email}</bdi>` },
        {
          label: 'Role',
          cell: (member) => html`
            <span>${ROLE_WORDS[member.role].name}${isViewing ? null : html` ${linkTo(member, 'role', 'Change', ' the role of')}`}</span>
          `,
        },
        { label: 'Joined', cell: ({ created_at }) => renderInstant(created_at) },
        { label: 'Last signed in', cell: ({ signed_in_at }) => renderInstant(signed_in_at) },
        {
          label: 'Remove',
          isUnlabelled: true,
          style: 'number',
          cell: (member) => (isViewing || member.user_id === ownId ? null : linkTo(member, 'remove', 'Remove', '')),
        },
      ],
    })}
    ${isViewing ? null : renderInviting(call, invitations.length, fault)}
    ${invitations.length === 0 ? null : renderInvitations(call, invitations)}
    <section>
      <h2>Latest activity</h2>
      ${renderActivity(activity.slice(0, LATEST_LINES))}
    </section>
  `;
  return { title: 'Team', body, section: 'team' };
}

function linkTo(member: PortalMember, page: string, label: string, about: string): unknown {
  return html`<a href=${`/portal/team/${member.user_id}/${page}`}>${label}<span class="unseen">${about} ${nameOfPerson(member)}</span></a>`;
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

function describeRole(role: PortalMember['role']): string {
  return `${ROLE_WORDS[role].name}: ${ROLE_WORDS[role].does}`;
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
            cell: ({ id, email }) =>
              call.isViewing
                ? null
                : renderButtonForm(
                    call,
                    `/portal/team/invitations/${id}/withdraw`,
                    renderButton(html`Withdraw<span class="unseen"> ${email}</span>`, 'quiet'),
                  ),
          },
        ],
      })}
    </section>
  `;
}

function renderTeamTabs(here: 'people' | 'activity'): unknown {
  return renderTabs('Team', [
    { label: 'People', href: '/portal/team', isHere: here === 'people' },
    { label: 'Activity', href: '/portal/team/activity', isHere: here === 'activity' },
  ]);
}

export async function showActivity(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const { customer_id: customerId } = call.user;
  const found = await listCustomerAudit(database, { customerId, keyId: null, before: readPosition(call.query) });
  const { rows, further } = cutPage(
    found,
    AUDIT_PAGE,
    ({ at, audit_id }) => `/portal/team/activity?before=${at}_${audit_id}`,
  );
  const body = html`
    ${renderHeading('Activity')}
    ${renderTeamTabs('activity')}
    ${renderActivity(rows)}
    ${renderFurther(further, 'Older', null)}
  `;
  return { title: 'Activity', body, section: 'team' };
}
