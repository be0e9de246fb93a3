/** The page that an invitation link opens. */
import { html } from 'htm/preact';
import type { OpenInvitation } from '../../store/accounts/portal-invitations.ts';
import type { Page, PublicCall } from '../frame/call.ts';
import { renderButton, renderFault, renderHeading } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formFields } from '../frame/pieces.ts';
import { renderNewPassword } from './new-password.ts';

export function renderInvitation(call: PublicCall, invitation: OpenInvitation, fault: string | null): Page {
  const body = html`
    <section class="narrow">
      ${renderHeading('Welcome')}
      <p>
        ${
          invitation.customer === null
            ? 'You are invited to operate this service.'
            : html`You are invited to the portal of <strong><bdi>${invitation.customer}</bdi></strong>.`
        }
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
        ${renderNewPassword()}
        ${renderButton('Set the password and sign in')}
      </form>
    </section>
  `;
  return { title: 'Invitation', body, status: fault === null ? 200 : 422 };
}
