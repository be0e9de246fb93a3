/** The sign-in form: on its own page, and on the page that a form gets when the session has ended. */
import { html } from 'htm/preact';
import type { Page, PublicCall } from '../frame/call.ts';
import { EMAIL_CHARACTERS_MAX } from '../frame/email.ts';
import { formFields, parseNext, renderFault } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';

export interface SignInForm {
  readonly email: string;
  /** The page to continue to; null = the start page. */
  readonly next: string | null;
  readonly fault: string | null;
  readonly status: number;
}

const SIGNED_OUT = 'Sign in to see the page you asked for.';

export function renderSignIn(call: PublicCall, services: PortalServices, form: SignInForm): Page {
  const { next, fault, status } = form;
  const body = html`
    <section class="narrow">
      <h1>Sign in</h1>
      ${fault === null && !isStartPage(next) ? html`<p class="notice" role="status">${SIGNED_OUT}</p>` : renderFault(fault)}
      ${renderSignInForm(call, services, form)}
      <p class="hint">
        To join, you need an invitation: from a colleague, or from us with your agreement. If you forgot your password,
        ask for another invitation to the same address.
      </p>
    </section>
  `;
  return { title: 'Sign in', body, status };
}

export function renderSignInForm(
  call: PublicCall,
  { identity }: PortalServices,
  { email, next }: Pick<SignInForm, 'email' | 'next'>,
): unknown {
  const path = next === null ? null : parseNext(next);
  return html`
    <form method="post" action="/portal/sign-in" class="stack">
      ${formFields(call)}
      ${path === null ? null : html`<input type="hidden" name="next" value=${path} />`}
      <label for="email">E-mail address</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="username"
        required
        maxlength=${EMAIL_CHARACTERS_MAX}
        value=${email}
      />
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required />
      <button type="submit">Sign in</button>
    </form>
    ${identity === null ? null : renderProviderLink(new URL(identity.issuer).host, path)}
  `;
}

function isStartPage(next: string | null): boolean {
  return /^\/portal\/?$/.test(parseNext(next));
}

function renderProviderLink(host: string, next: string | null): unknown {
  const query = next === null ? '' : `?next=${encodeURIComponent(next)}`;
  return html`<p><a class="button second" href=${`/portal/identity${query}`}>Sign in with ${host}</a></p>`;
}
