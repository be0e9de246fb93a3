/** The people of a customer, the form that invites another, and the question before one is removed. */
import { html } from 'htm/preact';
import type { PortalMember } from '../../store/accounts/portal.ts';
import type { PendingInvitation } from '../../store/accounts/portal-invitations.ts';
import type { AuditLine } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import { type MemberCall, type Page, typedIn } from '../frame/call.ts';
import { EMAIL_CHARACTERS_MAX } from '../frame/email.ts';
import { formFields, renderFault, renderInstant } from '../frame/pieces.ts';

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
    <h1>Team</h1>
    <div class="scroll" tabindex="0" role="region" aria-label="People">
      <table class="cards" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col">E-mail address</th>
            <th scope="col">Since</th>
            <th scope="col">Last signed in</th>
            <td role="cell"></td>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${members.map(
            (member) => html`
              <tr role="row" key=${member.user_id}>
                <th role="rowheader" scope="row" class="name"><bdi>${member.email}</bdi></th>
                <td role="cell" data-label="Since">${renderInstant(member.created_at)}</td>
                <td role="cell" data-label="Last signed in">${renderInstant(member.signed_in_at)}</td>
                <td role="cell" class="number">${renderRemoveLink(call, member)}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
    ${call.isViewing ? null : renderInviting(call, invitations, fault)}
    ${invitations.length === 0 ? null : renderInvitations(call, invitations)}
    <section>
      <h2>Latest activity</h2>
      ${renderActivity(activity)}
      <p><a href="/portal/team/activity">All activity</a></p>
    </section>
  `;
  return { title: 'Team', body, section: 'team', status: fault === null ? 200 : 422 };
}

function renderInviting(call: MemberCall, invitations: readonly PendingInvitation[], fault: string | null): unknown {
  return html`
    <section>
      <h2>Invite a person</h2>
      ${renderFault(fault)}
      ${invitations.length >= INVITATIONS_MAX ? html`<p class="empty">${TOO_MANY_INVITATIONS}</p>` : renderInvite(call)}
      <p class="hint">You send the link yourself. It also helps a colleague who forgot the password.</p>
    </section>
  `;
}

function renderInvite(call: MemberCall): unknown {
  return html`
    <form method="post" action="/portal/team/invitations" class="row">
      ${formFields(call)}
      <label for="email">E-mail address</label>
      <input id="email" name="email" type="email" required maxlength=${EMAIL_CHARACTERS_MAX} value=${typedIn(call, 'email') ?? ''} />
      <button type="submit">Make a link</button>
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
      <div class="scroll" tabindex="0" role="region" aria-label="Open invitations">
        <table class="cards" role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col">E-mail address</th>
              <th scope="col">Created</th>
              <th scope="col">Valid until</th>
              <td role="cell"></td>
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${invitations.map(
              ({ id, email, created_at, expires_at }) => html`
                <tr role="row" key=${id}>
                  <th role="rowheader" scope="row" class="name"><bdi>${email}</bdi></th>
                  <td role="cell" data-label="Created">${renderInstant(created_at)}</td>
                  <td role="cell" data-label="Valid until">${renderInstant(expires_at)}</td>
                  <td role="cell" class="number">${call.isViewing ? null : renderWithdraw(call, id, email)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </section>
  `;
}

function renderWithdraw(call: MemberCall, id: string, email: string): unknown {
  return html`
    <form method="post" action=${`/portal/team/invitations/${id}/withdraw`}>
      ${formFields(call)}
      <button class="quiet" type="submit">Withdraw<span class="unseen"> ${email}</span></button>
    </form>
  `;
}

export function renderRemove(call: MemberCall, member: PortalMember): Page {
  const body = html`
    <section class="narrow">
      <p class="trail"><a href="/portal/team">Team</a></p>
      <h1>Remove <bdi>${member.email}</bdi></h1>
      <p>This person's sessions and open invitations end at once. Keys and past activity stay.</p>
      <form method="post" action=${`/portal/team/${member.user_id}/remove`}>
        ${formFields(call)}
        <button type="submit" class="danger">Remove the person</button>
      </form>
    </section>
  `;
  return { title: 'Remove a person', body, section: 'team' };
}
