/** Signing in and out: with a password, with an invitation, with the identity provider. */

import { html } from 'htm/preact';
import type { Page, PortalAnswer, PortalRoute, PublicCall, SignedInCall } from '../frame/call.ts';
import { renderFault, renderHeading, renderLinkButton, renderNotice } from '../frame/components.ts';
import { hiddenField, textField, unkeptField } from '../frame/field-kinds.ts';
import { declareForm, renderForm, untyped } from '../frame/forms.ts';
import { parseNext } from '../frame/pieces.ts';
import { EMAIL_ATTRIBUTES, parseEmail } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';
import { listIdentityRoutes } from './identity.ts';
import { listInvitationRoutes } from './invitation.ts';
import { ATTEMPT_WINDOW_SECONDS, PASSWORD_MAX, type SignIn, signIn } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import { describeSuspension, endViewing, noteOperator } from './standing.ts';

export function listSignInRoutes(services: PortalServices, sessions: Sessions): PortalRoute[] {
  const signInForm = { page: () => '/portal/sign-in', keeps: SIGN_IN.keeps };
  const signOutForm = { page: () => '/portal', keeps: [] };
  return [
    { method: 'GET', url: '/sign-in', open: async (call) => showSignIn(call, services) },
    { method: 'POST', url: '/sign-in', form: signInForm, open: (call) => answerSignIn(call, services, sessions) },
    { method: 'POST', url: '/sign-out', form: signOutForm, people: (call) => answerSignOut(call, services, sessions) },
    ...listInvitationRoutes(services, sessions),
    ...listProviderRoutes(services, sessions),
  ];
}

function listProviderRoutes(services: PortalServices, sessions: Sessions): PortalRoute[] {
  const { identity, publicUrl } = services;
  if (identity === null || publicUrl === null) return [];
  return listIdentityRoutes(services, sessions, identity, `${publicUrl}/portal/identity/return`);
}

function showSignIn(call: PublicCall, services: PortalServices): PortalAnswer {
  const { query, person } = call;
  if (person !== null) return { to: parseNext(query.get('next')) };
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
    const status = outcome.refused === 'too_many' ? 429 : 403;
    return renderSignIn(call, services, { email: typed, next, fault: describeRefusal(outcome), status });
  }
  // A session never survives a change of who is signed in, so the browser's earlier one ends here.
  if (call.token !== null) await sessions.end(call.token);
  await noteOperator(services.database, { ...outcome, email: email ?? '' }, call.address);
  return { to: parseNext(next), session: await sessions.start(outcome.userId) };
}

function describeRefusal(outcome: Exclude<SignIn, { userId: string }>): string {
  if (outcome.refused === 'suspended') return describeSuspension(outcome.reason);
  return outcome.refused === 'too_many'
    ? `Too many attempts. Wait ${ATTEMPT_WINDOW_SECONDS / 60} minutes and try again.`
    : 'The address or the password is wrong.';
}

async function answerSignOut(
  call: SignedInCall,
  { database }: PortalServices,
  sessions: Sessions,
): Promise<PortalAnswer> {
  if (call.isViewing && call.user !== null) await endViewing({ ...call, user: call.user }, database);
  await sessions.end(call.token);
  return { to: '/portal/sign-in?done=signed_out', session: null };
}

export interface SignInForm {
  readonly email: string;
  /** The page to continue to; null = the start page. */
  readonly next: string | null;
  readonly fault: string | null;
  readonly status: number;
}

const SIGN_IN = declareForm({
  next: hiddenField(),
  email: textField({
    label: 'E-mail address',
    attributes: { ...EMAIL_ATTRIBUTES, autocomplete: 'username' },
    read: (text) => text,
  }),
  password: unkeptField({
    label: 'Password',
    attributes: { type: 'password', autocomplete: 'current-password', required: true },
  }),
});

const SIGNED_OUT = 'Sign in to see the page you asked for.';

function renderSignIn(call: PublicCall, services: PortalServices, form: SignInForm): Page {
  const { next, fault, status } = form;
  const body = html`
    <section class="narrow">
      ${renderHeading('Sign in')}
      ${fault === null && !isStartPage(next) ? renderNotice('plain', SIGNED_OUT, 'status') : renderFault(fault)}
      ${renderSignInForm(call, services, form)}
      <p class="hint">
        To join, you need an invitation: from a colleague, or from us with your agreement. If you forgot your password,
        ask for another invitation to the same address.
      </p>
    </section>
  `;
  return { title: 'Sign in', body, status };
}

/** Nothing that another form of the page's address or of what was sent has is taken for typed here. */
export function renderSignInForm(
  call: PublicCall,
  { identity }: PortalServices,
  { email, next }: Pick<SignInForm, 'email' | 'next'>,
): unknown {
  const path = next === null ? null : parseNext(next);
  return html`
    ${renderForm(untyped(call), SIGN_IN, {
      action: '/portal/sign-in',
      shown: { email: { value: email }, next: { value: path } },
      label: 'Sign in',
    })}
    ${identity === null ? null : renderProviderLink(new URL(identity.issuer).host, path)}
  `;
}

function isStartPage(next: string | null): boolean {
  return /^\/portal\/?$/.test(parseNext(next));
}

function renderProviderLink(host: string, next: string | null): unknown {
  const query = next === null ? '' : `?next=${encodeURIComponent(next)}`;
  return html`<p>${renderLinkButton(`Sign in with ${host}`, `/portal/identity${query}`, 'second')}</p>`;
}
