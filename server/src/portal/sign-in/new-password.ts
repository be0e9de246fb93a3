/** The two fields in which a new password is typed. */
import { html } from 'htm/preact';
import { PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts';

export function renderNewPassword(): unknown {
  return html`
    <label for="password">New password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="new-password"
      required
      minlength=${PASSWORD_MIN}
      maxlength=${PASSWORD_MAX}
      aria-describedby="password-hint"
    />
    <p id="password-hint" class="hint">At least ${PASSWORD_MIN} characters. A whole sentence makes a good password.</p>
    <label for="repeated">Repeat the password</label>
    <input id="repeated" name="repeated" type="password" autocomplete="new-password" required />
  `;
}
