/** The page that an invitation link opens. */
import { html } from 'htm/preact';
import type { OpenInvitation } from '../../store/accounts/portal-invitations.ts';
import type { Page, PublicCall } from '../frame/call.ts';
import { renderButton, renderFault, renderHeading } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formFields } from '../frame/pieces.ts';
import { ROLE_WORDS } from '../frame/roles.ts';
import { renderNameField } from './name-field.ts';
import { renderNewPassword } from './new-password.ts';

export interface InvitationShown extends OpenInvitation {
  /** Whether the address has an account, which keeps its role. */
  readonly isKnown: boolean;
  /** The name of that account. */
  readonly name: string | null;
}

export function renderInvitation(call: PublicCall, invitation: InvitationShown, fault: string | null): Page {
  const body = html`
    <section class="narrow">
      ${renderHeading('Welcome')}
      <p>
        ${
          invitation.customer === null
            ? 'You are invited to operate this service.'
            : html`You are invited to the portal of <strong><bdi>${invitation.customer}</bdi></strong>.`
        }
        ${invitation.customer === null || invitation.isKnown ? null : renderRole(invitation)}
        ${' '}Choose a password: from now on, you sign in with it and your e-mail address.
      </p>
      ${renderFault(fault)}
      <form method="post" class="stack">
        ${formFields(call)}
        ${renderField({
          id: 'email',
          label: 'E-mail address',
          attributes: { name: null, type: 'email', autocomplete: 'username', readonly: true, value: invitation.email },
        })}
        ${invitation.customer === null ? null : renderNameField(call.form.get('name') ?? invitation.name ?? '')}
        ${renderNewPassword()}
        ${renderButton('Set the password and sign in')}
      </form>
    </section>
  `;
  return { title: 'Invitation', body, status: fault === null ? 200 : 422 };
}

function renderRole({ role }: OpenInvitation): unknown {
  const { name, does } = ROLE_WORDS[role];
  return html`${' '}Your role: <strong>${name}</strong> (${does}).`;
}
