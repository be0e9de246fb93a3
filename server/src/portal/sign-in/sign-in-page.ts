/** The sign-in form: on its own page, and on the page after a form whose session has ended. */
import { html } from 'htm/preact';
import type { Page, PublicCall } from '../frame/call.ts';
import { renderButton, renderFault, renderHeading, renderLinkButton, renderNotice } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formFields, parseNext } from '../frame/pieces.ts';
import { EMAIL_CHARACTERS_MAX } from '../frame/roles.ts';
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
      ${renderField({
        id: 'email',
        label: 'E-mail address',
        attributes: {
          type: 'email',
          autocomplete: 'username',
          required: true,
          maxlength: EMAIL_CHARACTERS_MAX,
          value: email,
        },
      })}
      ${renderField({
        id: 'password',
        label: 'Password',
        attributes: { type: 'password', autocomplete: 'current-password', required: true },
      })}
      ${renderButton('Sign in')}
    </form>
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
