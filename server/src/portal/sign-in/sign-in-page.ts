/** The sign-in form: on its own page, and on the page after a form whose session has ended. */
import { html } from 'htm/preact';
import type { Page, PublicCall } from '../frame/call.ts';
import { renderFault, renderHeading, renderLinkButton, renderNotice } from '../frame/components.ts';
import { hiddenField, textField, unkeptField } from '../frame/field-kinds.ts';
import { declareForm, renderForm, untyped } from '../frame/forms.ts';
import { parseNext } from '../frame/pieces.ts';
import { EMAIL_ATTRIBUTES } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';

export interface SignInForm {
  readonly email: string;
  /** The page to continue to; null = the start page. */
  readonly next: string | null;
  readonly fault: string | null;
  readonly status: number;
}

export const SIGN_IN = declareForm({
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
