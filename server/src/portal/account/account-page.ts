/** The page of a person's own account. */

import { html } from 'htm/preact';
import { type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import { renderButton, renderEmpty, renderFault, renderHeading } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formFields } from '../frame/pieces.ts';
import { ROLE_WORDS } from '../frame/roles.ts';
import { renderNameField, renderNewPassword } from '../sign-in/passwords.ts';

const NO_PASSWORD =
  'You sign in with the identity provider and have no password here. To get one, ask for an invitation to your address.';

interface AccountView {
  readonly hasPassword: boolean;
  /** Whether the person gets a digest; null = a digest cannot be requested. */
  readonly digest: boolean | null;
  /** Likewise, whether the person is reminded of dates. */
  readonly reminder: boolean | null;
  readonly fault: string | null;
}

export function renderAccount(call: SignedInCall, { hasPassword, digest, reminder, fault }: AccountView): Page {
  const { email, customer, role } = call.person;
  const body = html`
    ${renderHeading('Your account')}
    <p>
      Signed in as <strong><bdi>${email}</bdi></strong>
      ${customer === null ? ', an operator of this service.' : html`${' '}for <strong><bdi>${customer}</bdi></strong>, as <strong>${ROLE_WORDS[role].name}</strong> (${ROLE_WORDS[role].does}).`}
    </p>
    ${customer === null ? null : renderName(call)}
    <section class="narrow">
      <h2>Password</h2>
      ${renderFault(fault)}
      ${hasPassword ? renderPasswordForm(call) : renderEmpty(NO_PASSWORD)}
    </section>
    ${digest === null ? null : renderDigest(call, digest)}
    ${reminder === null ? null : renderReminder(call, reminder)}
    <section class="narrow">
      <h2>Other sessions</h2>
      <p>End all your sessions except this one, for example on a computer that you no longer use.</p>
      <form method="post" action="/portal/account/sessions">
        ${formFields(call)}
        ${renderButton('End other sessions', 'second')}
      </form>
    </section>
  `;
  return { title: 'Your account', body, section: 'account', status: fault === null ? 200 : 422 };
}

function renderName(call: SignedInCall): unknown {
  return html`
    <section class="narrow">
      <h2>Name</h2>
      <form method="post" action="/portal/account/name" class="stack">
        ${formFields(call)}
        ${renderNameField(typedIn(call, 'name') ?? call.person.name ?? '')}
        ${renderButton('Save the name')}
      </form>
    </section>
  `;
}

function renderDigest(call: SignedInCall, isOn: boolean): unknown {
  return html`
    <section class="narrow">
      <h2>Mail</h2>
      <p>
        ${isOn ? 'You get a daily digest' : 'You can get a daily digest'} of the hits of your watches: the number of
        hits of each, without details of records. On a day without hits there is none.
      </p>
      <form method="post" action="/portal/account/digest">
        ${formFields(call)}
        <input type="hidden" name="digest" value=${isOn ? 'off' : 'on'} />
        ${renderButton(isOn ? 'Send no digest' : 'Send me a daily digest', 'second')}
      </form>
    </section>
  `;
}

function renderPasswordForm(call: SignedInCall): unknown {
  return html`
    <form method="post" action="/portal/account/password" class="stack">
      ${formFields(call)}
      <input type="hidden" name="username" autocomplete="username" value=${call.person.email} />
      ${renderField({
        id: 'current',
        label: 'Current password',
        attributes: { type: 'password', autocomplete: 'current-password', required: true },
      })}
      ${renderNewPassword()}
      ${renderButton('Change the password', 'second')}
    </form>
  `;
}

function renderReminder(call: SignedInCall, isOn: boolean): unknown {
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
