/** The people of a customer, the form that invites another, and the question before one is removed. */
import { html } from 'htm/preact';
import type { PortalMember } from '../../store/accounts/portal.ts';
import type { PendingInvitation } from '../../store/accounts/portal-invitations.ts';
import type { AuditLine } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import { type MemberCall, type Page, typedIn } from '../frame/call.ts';
import { renderButton, renderEmpty, renderFault, renderHeading, renderTrail } from '../frame/components.ts';
import { EMAIL_CHARACTERS_MAX } from '../frame/email.ts';
import { renderConfirm, renderField } from '../frame/fields.ts';
import { formFields, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { renderTeamTabs } from './tabs.ts';

export const INVITATIONS_MAX = 50;
export const TOO_MANY_INVITATIONS = `${INVITATIONS_MAX} invitations are open. Withdraw one first.`;

export interface Team {
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
      keyOf: ({ user_id }) => user_id,
      columns: [
        { label: 'E-mail address', isHeader: true, style: 'name', cell: ({ email }) => html`<bdi>${email}</bdi>` },
        { label: 'Since', cell: ({ created_at }) => renderInstant(created_at) },
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
  return { title: 'Team', body, section: 'team', status: fault === null ? 200 : 422 };
}

function renderInviting(call: MemberCall, open: number, fault: string | null): unknown {
  return html`
    <section>
      <h2>Invite a person</h2>
      ${renderFault(fault)}
      ${open >= INVITATIONS_MAX ? renderEmpty(TOO_MANY_INVITATIONS) : renderInvite(call)}
      <p class="hint">Copy the link and send it to them. It also helps a colleague who forgot the password.</p>
    </section>
  `;
}

function renderInvite(call: MemberCall): unknown {
  return html`
    <form method="post" action="/portal/team/invitations" class="row">
      ${formFields(call)}
      ${renderField({
        id: 'email',
        label: 'E-mail address',
        attributes: {
          type: 'email',
          required: true,
          maxlength: EMAIL_CHARACTERS_MAX,
          value: typedIn(call, 'email') ?? '',
        },
      })}
      ${renderButton('Create invitation link')}
    </form>
  `;
}

function renderRemoveLink(call: MemberCall, member: PortalMember): unknown {
  if (call.isViewing) return null;
  if (member.user_id === call.user.user_id) return html`<span class="silent">you</span>`;
  return html`<a href=${`/portal/team/${member.user_id}/remove`}>Remove<span class="unseen"> ${member.email}</span>
    </a>`;
}

function renderInvitations(call: MemberCall, invitations: readonly PendingInvitation[]): unknown {
  return html`
    <section>
      <h2>Open invitations</h2>
      ${renderTable<PendingInvitation>({
        label: 'Open invitations',
        rows: invitations,
        keyOf: ({ id }) => id,
        columns: [
          { label: 'E-mail address', isHeader: true, style: 'name', cell: ({ email }) => html`<bdi>${email}</bdi>` },
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
  return html`
    <form method="post" action=${`/portal/team/invitations/${id}/withdraw`}>
      ${formFields(call)}
      ${renderButton(html`Withdraw<span class="unseen"> ${email}</span>`, 'quiet')}
    </form>
  `;
}

export function renderRemove(call: MemberCall, member: PortalMember): Page {
  const body = html`
    <section class="narrow">
      ${renderTrail({ label: 'Team', href: '/portal/team' })}
      ${renderHeading(html`Remove <bdi>${member.email}</bdi>`)}
      <p>This person's sessions and open invitations end at once. Keys and past activity stay.</p>
      ${renderConfirm({
        action: `/portal/team/${member.user_id}/remove`,
        tokens: formFields(call),
        label: 'Remove the person',
        back: '/portal/team',
      })}
    </section>
  `;
  return { title: 'Remove a person', body, section: 'team' };
}
