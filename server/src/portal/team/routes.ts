/** The people of the customer, who is invited, what was changed by whom. Everybody of a customer has equal rights. */
import { html } from 'htm/preact';
import { inviteWithin } from '../../access/keys.ts';
import { digestText } from '../../access/secret.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { findMember, listMembers, type PortalMember, removeMember } from '../../store/accounts/portal.ts';
import {
  endInvitations,
  listInvitations,
  lockAddress,
  type PendingInvitation,
  withdrawInvitation,
} from '../../store/accounts/portal-invitations.ts';
import { AUDIT_PAGE, type AuditLine, type AuditPosition, listCustomerAudit } from '../../store/accounts/portal-keys.ts';
import { parseEmail } from '../account/account.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
  pageNotFound,
  typedIn,
} from '../frame/call.ts';
import { doOnce } from '../frame/once.ts';
import { formFields, renderCopyable, renderFault, renderInstant } from '../frame/pieces.ts';
import { keepReveal, openReveal } from '../keys/reveal.ts';
import type { PortalServices } from '../services.ts';
import { renderChanges } from './audit-page.ts';

const INVITATIONS_MAX = 50;
const TOO_MANY = `${INVITATIONS_MAX} invitations are open: withdraw one first.`;

export function listTeamRoutes(services: PortalServices): PortalRoute[] {
  const team = { page: () => '/portal/team', keeps: ['email'] };
  const removal = { page: ({ params }: PublicCall) => `/portal/team/${params.id}/remove`, keeps: [] };
  return [
    { method: 'GET', url: '/team', members: (call) => showTeam(call, services, null) },
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
    { method: 'GET', url: '/team/changes', members: (call) => showChanges(call, services) },
  ];
}

async function findOwn(call: MemberCall, { database }: PortalServices): Promise<PortalMember> {
  const member = await findMember(database, call.user.customer_id, call.params.id ?? '');
  if (member === null) throw pageNotFound();
  return member;
}

async function showTeam(call: MemberCall, { database }: PortalServices, fault: string | null): Promise<Page> {
  const { customer_id: customerId } = call.user;
  const [members, invitations, changes] = await Promise.all([
    listMembers(database, customerId),
    listInvitations(database, customerId),
    listCustomerAudit(database, { customerId, keyId: null, before: null }),
  ]);
  return renderTeam(call, { members, invitations, changes: changes.slice(0, 10), fault });
}

async function invite(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { user, form, origin, token: session } = call;
  const email = parseEmail(form.get('email') ?? '');
  if (email === null) return showTeam(call, services, 'That is no e-mail address.');
  // Whether an address signs in for somebody else is nobody's business: the link then says so to its owner alone.
  if (email === user.email) return showTeam(call, services, 'That is you. Change the password in your account.');
  const outcome = await doOnce(call, services.database, async (tx) => {
    const pending = await listInvitations(tx, user.customer_id);
    if (pending.length >= INVITATIONS_MAX && !pending.some((known) => known.email === email)) {
      return { fault: TOO_MANY };
    }
    const { token, expires_at } = await inviteWithin(tx, { customer: user.customer, email, actor: actorOf(user) });
    const id = digestText(token).toString('hex');
    const revealed = { title: email, text: `${origin}/portal/invitation/${token}`, until: expires_at };
    await keepReveal(tx, { token: session, subject: `invitation ${id}` }, revealed);
    return { to: `/portal/team/invitations/${id}/link` };
  });
  return 'fault' in outcome ? showTeam(call, services, outcome.fault) : outcome;
}

async function showLink(call: MemberCall, { database }: PortalServices): Promise<Page> {
  if (call.fromElsewhere) throw pageNotFound();
  const revealed = await openReveal(database, { token: call.token, subject: `invitation ${call.params.id}` });
  if (revealed === null) {
    const message =
      'A link is shown once, to whoever made it. Make another one for the same address: it ends this one.';
    throw new PageRefusal(410, 'The link is no longer shown', message, '/portal/team');
  }
  const body = html`
    <section class="narrow">
      <h1>Invitation for <bdi>${revealed.title}</bdi></h1>
      <p class="notice warn" role="status">
        The link is shown only now. It opens once, until ${renderInstant(revealed.until)}. An earlier link to
        this address no longer opens.
      </p>
      ${renderCopyable('Link', revealed.text, 'link-text')}
      <p>Send it on a way that only this person reads.</p>
      <p><a class="button" href="/portal/team">Back to the team</a></p>
    </section>
  `;
  return { title: 'Invitation', body, section: 'team' };
}

async function withdraw(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  const { user, params } = call;
  const id = Buffer.from(/^[0-9a-f]{64}$/.test(params.id ?? '') ? params.id! : '', 'hex');
  return doOnce(call, database, async (tx) => {
    const email = await withdrawInvitation(tx, user.customer_id, id);
    if (email === null) throw pageNotFound();
    const { customer_id } = user;
    const audit = { actor: actorOf(user), action: 'invitation.withdraw', customer_id, key_id: null, change: { email } };
    await insertAudit(tx, audit);
    return { to: '/portal/team?done=withdrawn' };
  });
}

/** The person of the path; oneself is not to be removed, and nobody is who already was. */
async function findOther(call: MemberCall, services: PortalServices): Promise<PortalMember> {
  const member = await findOwn(call, services);
  if (member.user_id !== call.user.user_id) return member;
  throw new PageRefusal(409, 'That is you', 'Ask somebody else of the team, so that nobody locks everybody out.');
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
    await endInvitations(tx, member.email, customer_id);
    const change = { email: member.email };
    await insertAudit(tx, { actor: actorOf(user), action: 'user.remove', customer_id, key_id: null, change });
    return { to: '/portal/team?done=removed' };
  });
}

interface Team {
  readonly members: readonly PortalMember[];
  readonly invitations: readonly PendingInvitation[];
  readonly changes: readonly AuditLine[];
  readonly fault: string | null;
}

function renderTeam(call: MemberCall, { members, invitations, changes, fault }: Team): Page {
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
    <section>
      <h2>Invite a person</h2>
      ${renderFault(fault)}
      ${invitations.length >= INVITATIONS_MAX ? html`<p class="empty">${TOO_MANY}</p>` : renderInvite(call)}
      <p class="hint">The link is for you to pass on. It also serves a colleague who forgot the password.</p>
    </section>
    ${invitations.length === 0 ? null : renderInvitations(call, invitations)}
    <section>
      <h2>Latest changes</h2>
      ${renderChanges(changes)}
      <p><a href="/portal/team/changes">All changes</a></p>
    </section>
  `;
  return { title: 'Team', body, section: 'team', status: fault === null ? 200 : 422 };
}

function renderInvite(call: MemberCall): unknown {
  return html`
    <form method="post" action="/portal/team/invitations" class="row">
      ${formFields(call)}
      <label for="email">E-mail address</label>
      <input id="email" name="email" type="email" required maxlength="254" value=${typedIn(call, 'email') ?? ''} />
      <button type="submit">Make a link</button>
    </form>
  `;
}

function renderRemoveLink(call: MemberCall, member: PortalMember): unknown {
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
              <th scope="col">Made</th>
              <th scope="col">Opens until</th>
              <td role="cell"></td>
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${invitations.map(
              ({ id, email, created_at, expires_at }) => html`
                <tr role="row" key=${id}>
                  <th role="rowheader" scope="row" class="name"><bdi>${email}</bdi></th>
                  <td role="cell" data-label="Made">${renderInstant(created_at)}</td>
                  <td role="cell" data-label="Opens until">${renderInstant(expires_at)}</td>
                  <td role="cell" class="number">
                    <form method="post" action=${`/portal/team/invitations/${id}/withdraw`}>
                      ${formFields(call)}
                      <button class="quiet" type="submit">Withdraw<span class="unseen"> ${email}</span></button>
                    </form>
                  </td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    </section>
  `;
}

function renderRemove(call: MemberCall, member: PortalMember): Page {
  const body = html`
    <section class="narrow">
      <p class="trail"><a href="/portal/team">Team</a></p>
      <h1>Remove <bdi>${member.email}</bdi></h1>
      <p>Every session and open invitation of this person ends at once. Keys and what was changed stay.</p>
      <form method="post" action=${`/portal/team/${member.user_id}/remove`}>
        ${formFields(call)}
        <button type="submit" class="danger">Remove the person</button>
      </form>
    </section>
  `;
  return { title: 'Remove a person', body, section: 'team' };
}

async function showChanges(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const before = parsePosition(call.query.get('before'));
  const found = await listCustomerAudit(database, { customerId: call.user.customer_id, keyId: null, before });
  const changes = found.slice(0, AUDIT_PAGE);
  const last = found.length > AUDIT_PAGE ? changes.at(-1) : undefined;
  const body = html`
    <p class="trail"><a href="/portal/team">Team</a></p>
    <h1>Changes</h1>
    ${renderChanges(changes)}
    ${
      last === undefined
        ? null
        : html`<p>
      <a href=${`/portal/team/changes?before=${last.at}_${last.audit_id}`}>Older</a></p>`
    }
  `;
  return { title: 'Changes', body, section: 'team', wide: true };
}

function parsePosition(text: string | null): AuditPosition | null {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(\w{8}(?:-\w{4}){3}-\w{12})$/.exec(text ?? '');
  const isReal = match !== null && !Number.isNaN(Date.parse(match[1]!)) && /^[0-9a-f-]+$/.test(match[2]!);
  return !isReal ? null : { at: match[1]!, audit_id: match[2]! };
}
