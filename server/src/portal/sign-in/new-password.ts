/** The two fields for a new password. */
import { html } from 'htm/preact';
import { renderField } from '../frame/fields.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts';

export function renderNewPassword(): unknown {
  return html`
    ${renderField({
      id: 'password',
      label: 'New password',
      hint: `At least ${PASSWORD_MIN} characters. A whole sentence makes a good password.`,
      attributes: {
        type: 'password',
        autocomplete: 'new-password',
        required: true,
        minlength: PASSWORD_MIN,
        maxlength: PASSWORD_MAX,
      },
    })}
    ${renderField({
      id: 'repeated',
      label: 'Repeat the password',
      attributes: { type: 'password', autocomplete: 'new-password', required: true },
    })}
  `;
}
