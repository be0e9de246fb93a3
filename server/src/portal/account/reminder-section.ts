/** Whether a person is reminded of dates by mail, on the page of the account. */
import { html } from 'htm/preact';
import type { SignedInCall } from '../frame/call.ts';
import { renderButton } from '../frame/components.ts';
import { formFields } from '../frame/pieces.ts';

export function renderReminder(call: SignedInCall, isOn: boolean): unknown {
  return html`
    <section class="narrow">
      <h2>Reminders of dates</h2>
      <p>
        ${isOn ? 'You are reminded' : 'You can be reminded'} by mail of dates among watched marks, stated and computed,
        90, 30 and 7 days before: one mail a day at most, with mark, register, number, and what is due.
      </p>
      <form method="post" action="/portal/account/reminders">
        ${formFields(call)}
        <input type="hidden" name="reminders" value=${isOn ? 'off' : 'on'} />
        ${renderButton(isOn ? 'Send no reminders' : 'Remind me of dates', 'second')}
      </form>
    </section>
  `;
}
