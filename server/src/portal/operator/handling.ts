/** The password that a page requires again before a harmful action, and the form that asks for it. */
import { html } from 'htm/preact';
import type { SignedInCall } from '../frame/call.ts';
import { renderActions, renderButton, renderLinkButton } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formFields } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import { signIn } from '../sign-in/passwords.ts';

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
