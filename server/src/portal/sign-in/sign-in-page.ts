/** The sign-in, on its page and wherever somebody turns out to have been signed out. */
import { html } from 'htm/preact';
import { EMAIL_CHARACTERS_MAX } from '../account/account.ts';
import type { Page, PublicCall } from '../frame/call.ts';
import { formFields, parseNext, renderFault } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';

export interface SignInForm {
  readonly email: string;
  /** Where it leads; null = the start page. */
  readonly next: string | null;
  readonly fault: string | null;
  readonly status: number;
}

const SIGNED_OUT = 'Nobody is signed in here, or the session has ended. Sign in to go on to the page you asked for.';

export function renderSignIn(call: PublicCall, services: PortalServices, form: SignInForm): Page {
  const { next, fault, status } = form;
  const body = html`
    <section class="narrow">
      <h1>Sign in</h1>
      ${fault === null && leadsOn(next) ? html`<p class="notice" role="status">${SIGNED_OUT}</p>` : renderFault(fault)}
      ${renderSignInForm(call, services, form)}
      <p class="hint">
        There is no sign-up: you come in with an invitation, from your team or with your agreement. Whoever forgot the
        password asks for another invitation to the same address.
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
    ${identity === null ? null : renderOtherWay(new URL(identity.issuer).host, path)}
  `;
}

/** To more than the start page. */
function leadsOn(next: string | null): boolean {
  return !/^\/portal\/?$/.test(parseNext(next));
}

function renderOtherWay(host: string, next: string | null): unknown {
  const query = next === null ? '' : `?next=${encodeURIComponent(next)}`;
  return html`<p><a class="button second" href=${`/portal/identity${query}`}>Sign in with ${host}</a></p>`;
}
