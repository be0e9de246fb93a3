/** Coming in and going out: the invitation, sign-in and sign-out, the own password, the appearance. */
import { html } from 'htm/preact';
import { digestText } from '../../access/secret.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { deleteSessionsOf, findAccount, setPassword, upsertAccount } from '../../store/accounts/portal.ts';
import {
  acceptInvitation,
  endInvitations,
  findInvitation,
  lockAddress,
  type OpenInvitation,
} from '../../store/accounts/portal-invitations.ts';
import type { Transaction } from '../../store/driver/db.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
} from '../frame/call.ts';
import { doOnce } from '../frame/once.ts';
import { formFields, parseNext, renderFault } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import type { Sessions } from '../sign-in/session.ts';
import { renderSignIn } from '../sign-in/sign-in-page.ts';
import {
  ATTEMPT_WINDOW_SECONDS,
  findPasswordFault,
  hashPassword,
  mayTryLink,
  PASSWORD_MAX,
  PASSWORD_MIN,
  parseEmail,
  signIn,
} from './account.ts';

export function listAccountRoutes(services: PortalServices, sessions: Sessions): PortalRoute[] {
  const signIn = { page: () => '/portal/sign-in', keeps: ['email', 'next'] };
  const signOut = { page: () => '/portal', keeps: [] };
  const invitation = { page: ({ params }: PublicCall) => `/portal/invitation/${params.token}`, keeps: [] };
  const account = { page: () => '/portal/account', keeps: [] };
  return [
    { method: 'GET', url: '/', members: async () => ({ to: '/portal/monitoring' }) },
    { method: 'GET', url: '/sign-in', open: async (call) => showSignIn(call, services) },
    { method: 'POST', url: '/sign-in', form: signIn, open: (call) => answerSignIn(call, services, sessions) },
    { method: 'POST', url: '/sign-out', form: signOut, members: (call) => answerSignOut(call, sessions) },
    { method: 'GET', url: '/invitation/:token', open: (call) => showInvitation(call, services) },
    {
      method: 'POST',
      url: '/invitation/:token',
      form: invitation,
      open: (call) => answerInvitation(call, services, sessions),
    },
    { method: 'GET', url: '/account', members: (call) => showAccount(call, services, null) },
    { method: 'POST', url: '/account/password', form: account, members: (call) => answerPassword(call, services) },
    { method: 'POST', url: '/account/sessions', form: account, members: (call) => answerSessions(call, services) },
  ];
}

function showSignIn(call: PublicCall, services: PortalServices): PortalAnswer {
  const { query, user } = call;
  if (user !== null) return { to: parseNext(query.get('next')) };
  const form = { email: query.get('email') ?? '', next: query.get('next'), fault: null, status: 200 };
  return renderSignIn(call, services, form);
}

async function answerSignIn(call: PublicCall, services: PortalServices, sessions: Sessions): Promise<PortalAnswer> {
  const typed = call.form.get('email') ?? '';
  const password = call.form.get('password') ?? '';
  const next = call.form.get('next');
  const email = parseEmail(typed);
  const outcome =
    email === null || password.length > PASSWORD_MAX * 4
      ? ({ refused: 'wrong' } as const)
      : await signIn(services.database, { email, password, address: call.address });
  if ('refused' in outcome) {
    const tooMany = outcome.refused === 'too_many';
    const fault = tooMany
      ? `Too many attempts. Wait ${ATTEMPT_WINDOW_SECONDS / 60} minutes and try again.`
      : 'The address or the password is not right.';
    return renderSignIn(call, services, { email: typed, next, fault, status: tooMany ? 429 : 403 });
  }
  // What the browser presented ends here: a session never survives the change of who is signed in.
  if (call.token !== null) await sessions.end(call.token);
  return { to: parseNext(next), session: await sessions.start(outcome.userId) };
}

async function answerSignOut(call: MemberCall, sessions: Sessions): Promise<PortalAnswer> {
  await sessions.end(call.token);
  return { to: '/portal/sign-in?done=signed_out', session: null };
}

/** Null when the link opens nothing; throws PageRefusal where it cannot be taken. */
async function findInvitationOf(call: PublicCall, { database }: PortalServices): Promise<OpenInvitation | null> {
  if (!(await mayTryLink(database, call.address))) {
    throw new PageRefusal(429, 'Too many attempts', 'Wait a quarter of an hour and open the link again.');
  }
  const invitation = await findInvitation(database, digestText(call.params.token ?? ''));
  const known = invitation === null ? null : await findAccount(database, invitation.email);
  if (known !== null && known.customer_id !== invitation?.customer_id) throw addressTaken();
  return invitation;
}

function linkClosed(): PageRefusal {
  const message = 'The link was used, withdrawn or has expired. Ask for another invitation.';
  return new PageRefusal(404, 'This link does not open', message);
}

async function showInvitation(call: PublicCall, services: PortalServices): Promise<PortalAnswer> {
  const invitation = await findInvitationOf(call, services);
  if (invitation === null) throw linkClosed();
  return renderInvitation(call, invitation, null);
}

function addressTaken(): PageRefusal {
  const message = 'This address already signs in for another customer. Ask for an invitation to another address.';
  return new PageRefusal(409, 'The address is taken', message);
}

async function answerInvitation(call: PublicCall, services: PortalServices, sessions: Sessions): Promise<PortalAnswer> {
  const { database } = services;
  const tokenDigest = digestText(call.params.token ?? '');
  const invitation = await findInvitationOf(call, services);
  // Of a double click the first sending closed the link; the second is led to where that one led.
  if (invitation === null && !call.isFormFresh) throw linkClosed();
  const password = call.form.get('password') ?? '';
  const fault = findPasswordFault(password, call.form.get('repeated') ?? '', invitation?.email ?? '');
  if (invitation !== null && fault !== null) return renderInvitation(call, invitation, fault);
  const passwordHash = invitation === null ? null : await hashPassword(password);
  const outcome = await doOnce(call, database, async (tx) => {
    if (invitation === null || passwordHash === null) throw linkClosed();
    return { to: '/portal/keys', joined: await join(tx, invitation.email, tokenDigest, passwordHash) };
  });
  if (!('joined' in outcome)) return outcome;
  if (call.token !== null) await sessions.end(call.token);
  return { to: outcome.to, session: await sessions.start(outcome.joined) };
}

/** Uses the link up and sets the password; resolves to the person. */
async function join(tx: Transaction, address: string, tokenDigest: Buffer, passwordHash: string): Promise<string> {
  await lockAddress(tx, address);
  const accepted = await acceptInvitation(tx, tokenDigest);
  if (accepted === null) throw linkClosed();
  const { customer_id, email } = accepted;
  const user = await upsertAccount(tx, { customer_id, email, password_hash: passwordHash });
  if (user === null) throw addressTaken();
  await endInvitations(tx, email, null);
  await deleteSessionsOf(tx, user, null);
  const audit = { actor: `portal ${email}`, action: 'user.join', customer_id, key_id: null, change: { email } };
  await insertAudit(tx, audit);
  return user;
}

function renderInvitation(call: PublicCall, invitation: OpenInvitation, fault: string | null): Page {
  const body = html`
    <section class="narrow">
      <h1>Welcome</h1>
      <p>
        You are invited to the portal of <strong><bdi>${invitation.customer}</bdi>
          </strong>. Choose a password; with it and
        your address you sign in from now on.
      </p>
      ${renderFault(fault)}
      <form method="post" class="stack">
        ${formFields(call)}
        <label for="email">E-mail address</label>
        <input id="email" type="email" autocomplete="username" readonly value=${invitation.email} />
        ${renderNewPassword()}
        <button type="submit">Set the password and sign in</button>
      </form>
    </section>
  `;
  return { title: 'Invitation', body, status: fault === null ? 200 : 422 };
}

function renderNewPassword(): unknown {
  return html`
    <label for="password">New password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="new-password"
      required
      minlength=${PASSWORD_MIN}
      maxlength=${PASSWORD_MAX}
      aria-describedby="password-hint"
    />
    <p id="password-hint" class="hint">At least ${PASSWORD_MIN} characters; a sentence is a good password.</p>
    <label for="repeated">Once more</label>
    <input id="repeated" name="repeated" type="password" autocomplete="new-password" required />
  `;
}

async function showAccount(call: MemberCall, services: PortalServices, fault: string | null): Promise<Page> {
  const account = await findAccount(services.database, call.user.email);
  return renderAccount(call, { hasPassword: account?.password_hash != null, fault });
}

function renderAccount(call: MemberCall, { hasPassword, fault }: { hasPassword: boolean; fault: string | null }): Page {
  const { email, customer } = call.user;
  const body = html`
    <h1>Your account</h1>
    <p>Signed in as <strong><bdi>${email}</bdi></strong> for <strong><bdi>${customer}</bdi></strong>.</p>
    <section class="narrow">
      <h2>Password</h2>
      ${renderFault(fault)}
      ${hasPassword ? renderPasswordForm(call) : html`<p class="empty">${NO_PASSWORD}</p>`}
    </section>
    <section class="narrow">
      <h2>Other sessions</h2>
      <p>End every session of yours but this one, for example on a machine you no longer use.</p>
      <form method="post" action="/portal/account/sessions">
        ${formFields(call)}
        <button type="submit" class="second">End other sessions</button>
      </form>
    </section>
  `;
  return { title: 'Your account', body, section: 'account', status: fault === null ? 200 : 422 };
}

const NO_PASSWORD =
  'You sign in with the identity provider and have no password here. An invitation to your address sets one.';

function renderPasswordForm(call: MemberCall): unknown {
  return html`
    <form method="post" action="/portal/account/password" class="stack">
      ${formFields(call)}
      <input type="hidden" name="username" autocomplete="username" value=${call.user.email} />
      <label for="current">Present password</label>
      <input id="current" name="current" type="password" autocomplete="current-password" required />
      ${renderNewPassword()}
      <button type="submit">Change the password</button>
    </form>
  `;
}

async function answerPassword(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { database } = services;
  const { user, form, token } = call;
  const password = form.get('password') ?? '';
  const fault = findPasswordFault(password, form.get('repeated') ?? '', user.email);
  if (fault !== null) return showAccount(call, services, fault);
  const passwordHash = await hashPassword(password);
  const outcome = await doOnce(call, database, async (tx) => {
    const current = { email: user.email, password: form.get('current') ?? '', address: call.address };
    const signedIn = await signIn(database, current);
    if ('refused' in signedIn) {
      const wrong = signedIn.refused === 'wrong';
      return { fault: wrong ? 'The present password is not right.' : 'Too many attempts. Wait a while.' };
    }
    await lockAddress(tx, user.email);
    await setPassword(tx, user.user_id, passwordHash);
    // A link with which somebody else could set another one ends with the password it was made for.
    await endInvitations(tx, user.email, user.customer_id);
    await deleteSessionsOf(tx, user.user_id, digestText(token));
    const { customer_id, email } = user;
    const audit = { actor: actorOf(user), action: 'user.password', customer_id, key_id: null, change: { email } };
    await insertAudit(tx, audit);
    return { to: '/portal/account?done=password' };
  });
  return 'fault' in outcome ? showAccount(call, services, outcome.fault) : outcome;
}

async function answerSessions(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  return doOnce(call, database, async (tx) => {
    await deleteSessionsOf(tx, call.user.user_id, digestText(call.token));
    return { to: '/portal/account?done=sessions' };
  });
}
