/** Coming in and going out: the invitation, sign-in and sign-out, the own password, the appearance. */
import { html } from 'htm/preact';
import { digestText } from '../access/secret.ts';
import { insertAudit } from '../store/customers.ts';
import {
  acceptInvitation,
  deleteSessionsOf,
  findAccount,
  findInvitation,
  type OpenInvitation,
  setPassword,
  upsertAccount,
} from '../store/portal.ts';
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
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PortalServices,
  type PublicCall,
} from './call.ts';
import { csrfField, parseNext, renderFault } from './pieces.ts';
import type { Sessions } from './session.ts';

export function listAccountRoutes(services: PortalServices, sessions: Sessions): PortalRoute[] {
  return [
    { method: 'GET', url: '/', members: async () => ({ to: '/portal/monitoring' }) },
    { method: 'GET', url: '/sign-in', open: async (call) => showSignIn(call, services) },
    { method: 'POST', url: '/sign-in', open: (call) => answerSignIn(call, services, sessions) },
    { method: 'POST', url: '/sign-out', open: (call) => answerSignOut(call, sessions) },
    { method: 'GET', url: '/invitation/:token', open: (call) => showInvitation(call, services) },
    { method: 'POST', url: '/invitation/:token', open: (call) => answerInvitation(call, services, sessions) },
    { method: 'GET', url: '/account', members: async (call) => renderAccount(call, null) },
    { method: 'POST', url: '/account/password', members: (call) => answerPassword(call, services) },
    { method: 'POST', url: '/account/sessions', members: (call) => answerSessions(call, services) },
  ];
}

function showSignIn(call: PublicCall, services: PortalServices): PortalAnswer {
  if (call.user !== null) return { to: parseNext(call.query.get('next')) };
  const form = { email: '', next: call.query.get('next'), fault: null, status: 200 };
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

async function answerSignOut(call: PublicCall, sessions: Sessions): Promise<PortalAnswer> {
  if (call.token !== null) await sessions.end(call.token);
  return { to: '/portal/sign-in?done=signed_out', session: null };
}

interface SignInForm {
  readonly email: string;
  readonly next: string | null;
  readonly fault: string | null;
  readonly status: number;
}

const SIGNED_OUT = 'Nobody is signed in here, or the session has ended. Sign in to go on to the page you asked for.';

/** To more than the start page. */
function leadsOn(next: string | null): boolean {
  return !/^\/portal\/?$/.test(parseNext(next));
}

function renderSignIn(
  call: PublicCall,
  { identity }: PortalServices,
  { email, next, fault, status }: SignInForm,
): Page {
  const body = html`
    <section class="narrow">
      <h1>Sign in</h1>
      ${fault === null && leadsOn(next) ? html`<p class="notice" role="status">${SIGNED_OUT}</p>` : renderFault(fault)}
      <form method="post" action="/portal/sign-in" class="stack">
        ${csrfField(call)}
        ${next === null ? null : html`<input type="hidden" name="next" value=${parseNext(next)} />`}
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value=${email} />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <button type="submit">Sign in</button>
      </form>
      ${identity === null ? null : renderOtherWay(new URL(identity.issuer).host)}
      <p class="hint">
        There is no sign-up: you come in with an invitation, from your team or with your agreement. Whoever forgot the
        password asks for another invitation to the same address.
      </p>
    </section>
  `;
  return { title: 'Sign in', body, status };
}

function renderOtherWay(host: string): unknown {
  return html`<p><a class="button second" href="/portal/identity">Sign in with ${host}</a></p>`;
}

async function findOpen(call: PublicCall, { database }: PortalServices): Promise<OpenInvitation> {
  if (!(await mayTryLink(database, call.address))) {
    throw new PageRefusal(429, 'Too many attempts', 'Wait a quarter of an hour and open the link again.');
  }
  const invitation = await findInvitation(database, digestText(call.params.token ?? ''));
  if (invitation === null) throw linkClosed();
  return invitation;
}

function linkClosed(): PageRefusal {
  const message = 'The link was used, withdrawn or has expired. Ask for another invitation.';
  return new PageRefusal(404, 'This link does not open', message);
}

async function showInvitation(call: PublicCall, services: PortalServices): Promise<PortalAnswer> {
  return renderInvitation(call, await findOpen(call, services), null);
}

async function answerInvitation(call: PublicCall, services: PortalServices, sessions: Sessions): Promise<PortalAnswer> {
  const { database } = services;
  const invitation = await findOpen(call, services);
  const password = call.form.get('password') ?? '';
  const fault = findPasswordFault(password, call.form.get('repeated') ?? '', invitation.email);
  if (fault !== null) return renderInvitation(call, invitation, fault);
  const passwordHash = await hashPassword(password);
  const userId = await database.transaction(async (tx) => {
    const accepted = await acceptInvitation(tx, digestText(call.params.token ?? ''));
    if (accepted === null) throw linkClosed();
    const { customer_id, email } = accepted;
    const user = await upsertAccount(tx, { customer_id, email, password_hash: passwordHash });
    if (user === null) {
      const message = 'This address already signs in for another customer. Ask for an invitation to another address.';
      throw new PageRefusal(409, 'The address is taken', message);
    }
    await deleteSessionsOf(tx, user, null);
    const audit = { actor: `portal ${email}`, action: 'user.join', customer_id, key_id: null, change: { email } };
    await insertAudit(tx, audit);
    return user;
  });
  if (call.token !== null) await sessions.end(call.token);
  return { to: '/portal/keys', session: await sessions.start(userId) };
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
        ${csrfField(call)}
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

function renderAccount(call: MemberCall, fault: string | null): Page {
  const { email, customer } = call.user;
  const body = html`
    <h1>Your account</h1>
    <p>Signed in as <strong><bdi>${email}</bdi></strong> for <strong><bdi>${customer}</bdi></strong>.</p>
    <section class="narrow">
      <h2>Password</h2>
      ${renderFault(fault)}
      <form method="post" action="/portal/account/password" class="stack">
        ${csrfField(call)}
        <input type="hidden" name="username" autocomplete="username" value=${email} />
        <label for="current">Present password</label>
        <input id="current" name="current" type="password" autocomplete="current-password" required />
        ${renderNewPassword()}
        <button type="submit">Change the password</button>
      </form>
    </section>
    <section class="narrow">
      <h2>Other sessions</h2>
      <p>End every session of yours but this one, for example on a machine you no longer use.</p>
      <form method="post" action="/portal/account/sessions">
        ${csrfField(call)}
        <button type="submit" class="second">End other sessions</button>
      </form>
    </section>
  `;
  return { title: 'Your account', body, section: 'account', status: fault === null ? 200 : 422 };
}

async function answerPassword(call: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  const { user, form, token } = call;
  const password = form.get('password') ?? '';
  const fault = findPasswordFault(password, form.get('repeated') ?? '', user.email);
  if (fault !== null) return renderAccount(call, fault);
  const current = { email: user.email, password: form.get('current') ?? '', address: call.address };
  const outcome = await signIn(database, current);
  if ('refused' in outcome) {
    const wrong = outcome.refused === 'wrong';
    return renderAccount(call, wrong ? 'The present password is not right.' : 'Too many attempts. Wait a while.');
  }
  const passwordHash = await hashPassword(password);
  await database.transaction(async (tx) => {
    await setPassword(tx, user.user_id, passwordHash);
    await deleteSessionsOf(tx, user.user_id, token === null ? null : digestText(token));
    const { customer_id, email } = user;
    await insertAudit(tx, {
      actor: actorOf(user),
      action: 'user.password',
      customer_id,
      key_id: null,
      change: { email },
    });
  });
  return { to: '/portal/account?done=password' };
}

async function answerSessions({ user, token }: MemberCall, { database }: PortalServices): Promise<PortalAnswer> {
  await deleteSessionsOf(database, user.user_id, token === null ? null : digestText(token));
  return { to: '/portal/account?done=sessions' };
}

/** True when somebody of this customer or another already signs in with the address. */
export async function isTaken({ database }: PortalServices, email: string): Promise<boolean> {
  return (await findAccount(database, email)) !== null;
}
