/** How an operators' route is declared, and the password that a page requires again before a harmful action. */
import { html } from 'htm/preact';
import type { PortalAnswer, PortalRoute, PublicCall, SignedInCall } from '../frame/call.ts';
import { renderActions, renderButton, renderLinkButton } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formFields } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import { signIn } from '../sign-in/passwords.ts';

export type OperatorHandler = (call: SignedInCall, services: PortalServices) => Promise<PortalAnswer>;

export function show(services: PortalServices, url: string, handler: OperatorHandler): PortalRoute {
  return { method: 'GET', url: `/operator${url}`, operators: (call) => handler(call, services) };
}

/** `page`: where the form is, below `/portal/operator`; of its fields, those in `keeps` survive a stale form. */
export function change(
  services: PortalServices,
  { url, page, keeps = [] }: { url: string; page: string; keeps?: readonly string[] },
  handler: OperatorHandler,
): PortalRoute {
  const pageOf = ({ params }: PublicCall): string =>
    `/portal/operator${page.replace(':id', encodeURIComponent(params.id ?? ''))}`;
  const form = { page: pageOf, keeps };
  return { method: 'POST', url: `/operator${url}`, form, operators: (call) => handler(call, services) };
}

/** Why the form is refused; null if it has the sender's password. Attempts count like those of a sign-in. */
export async function findPasswordFault(call: SignedInCall, { database }: PortalServices): Promise<string | null> {
  const { person, form, address } = call;
  const outcome = await signIn(database, { email: person.email, password: form.get('password') ?? '', address });
  if ('userId' in outcome) return null;
  return outcome.refused === 'too_many' ? 'Too many attempts. Try again later.' : 'Your password is wrong.';
}

interface Question {
  readonly action: string;
  /** Fields before the password. */
  readonly fields?: unknown;
  readonly label: string;
  /** The page to go back to. */
  readonly back: string;
}

/** The form before a harmful action, with the sender's password. */
export function renderQuestion(call: SignedInCall, { action, fields, label, back }: Question): unknown {
  return html`
    <form method="post" action=${action} class="stack">
      ${formFields(call)}
      ${fields}
      ${renderOwnPassword(call)}
      ${renderActions(renderButton(label, 'danger'), renderLinkButton('Cancel', back, 'second'))}
    </form>
  `;
}

function renderOwnPassword({ person }: SignedInCall): unknown {
  return html`
    <input type="hidden" name="username" autocomplete="username" value=${person.email} />
    ${renderField({
      id: 'password',
      label: 'Your password',
      attributes: { type: 'password', autocomplete: 'current-password', required: true },
    })}
  `;
}
