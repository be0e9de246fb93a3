/** A person's own account: the name, the password, mail, and sessions elsewhere. */

import { html } from 'htm/preact';
import { digestText } from '../../access/secret.ts';
import { insertAudit } from '../../store/accounts/customers.ts';
import { deleteSessionsOf, findAccount, setName, setPassword } from '../../store/accounts/portal.ts';
import { endInvitations, lockAddress } from '../../store/accounts/portal-invitations.ts';
import { deleteReminder, hasReminder, insertReminder } from '../../store/dates/reminders.ts';
import { deleteDigest, hasDigest, insertDigest } from '../../store/webhooks/digests.ts';
import { noteActivity } from '../frame/audit-table.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type SignedInCall,
} from '../frame/call.ts';
import { renderButton, renderEmpty, renderFault, renderHeading } from '../frame/components.ts';
import { buttonsField, unkeptField } from '../frame/field-kinds.ts';
import { declareForm, type Field, NO_FIELDS, renderButtonForm, renderForm, type Values } from '../frame/forms.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildMemberRoutes, buildPeopleRoutes } from '../frame/page-routes.ts';
import { mayOpen, PERSON_NAME, ROLE_WORDS } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';
import { findPasswordFault, hashPassword, NEW_PASSWORD, renderUsername, signIn } from '../sign-in/passwords.ts';
import { showWhoHelps } from '../team/who-helps-page.ts';

const NAME = declareForm({ name: PERSON_NAME });
const PASSWORD = declareForm({
  current: unkeptField({
    label: 'Current password',
    attributes: { type: 'password', autocomplete: 'current-password', required: true },
  }),
  ...NEW_PASSWORD,
});

/** Two buttons, of which the page shows the one that changes something. */
function declareSwitch(name: string, { on, off }: Readonly<Record<'on' | 'off', string>>) {
  return declareForm<Readonly<Record<string, Field<'on' | 'off'>>>>({
    [name]: buttonsField({ on: { label: on }, off: { label: off } }),
  });
}

/** Mail that a person can request. `words`: before and after it is requested. */
const MAILS = [
  {
    name: 'digest',
    heading: 'Mail',
    words: { on: 'You get a daily digest', off: 'You can get a daily digest' },
    about:
      'of the hits of your watches: the number of hits of each, without details of records. On a day without hits there is none.',
    form: declareSwitch('digest', { on: 'Send me a daily digest', off: 'Send no digest' }),
    has: hasDigest,
    insert: insertDigest,
    remove: deleteDigest,
  },
  {
    name: 'reminders',
    heading: 'Reminders of dates',
    words: { on: 'You are reminded', off: 'You can be reminded' },
    about:
      'by mail of dates among watched marks, stated and computed, 90, 30 and 7 days before: one mail a day at most, with mark, register, number, and what is due.',
    form: declareSwitch('reminders', { on: 'Remind me of dates', off: 'Send no reminders' }),
    has: hasReminder,
    insert: insertReminder,
    remove: deleteReminder,
  },
] as const;
type Mail = (typeof MAILS)[number];

export function listAccountRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit } = buildPeopleRoutes(services);
  const ofMembers = buildMemberRoutes(services);
  const page = '/account';
  const refused = showAccount;
  return [
    show(page, (call) => showAccount(call, services)),
    ofMembers.submit(`${page}/name`, page, NAME, {
      refused,
      answer: (call, { database }, { name }) =>
        doOnce(call, database, async (tx) => {
          await setName(tx, call.person.user_id, name);
          await noteActivity(tx, call, 'user.name', { email: call.person.email, name });
          return { to: '/portal/account?done=named' };
        }),
    }),
    submit(`${page}/password`, page, PASSWORD, { refused, answer: changePassword }),
    ...MAILS.map((mail) =>
      ofMembers.submit(`${page}/${mail.name}`, page, mail.form, {
        answer: (call, _services, { [mail.name]: wanted }) => request(call, services, mail, wanted === 'on'),
      }),
    ),
    submit(`${page}/sessions`, page, NO_FIELDS, {
      refused,
      answer: (call, { database }) =>
        doOnce(call, database, async (tx) => {
          await deleteSessionsOf(tx, call.person.user_id, digestText(call.token));
          return { to: '/portal/account?done=sessions' };
        }),
    }),
  ];
}

async function request(
  call: MemberCall,
  services: PortalServices,
  mail: Mail,
  isWanted: boolean,
): Promise<PortalAnswer> {
  const { database, sendsMail } = services;
  if (isWanted && !mayOpen(call.person, 'watches')) return showWhoHelps(call, services);
  if (isWanted && !sendsMail) throw new PageRefusal(409, 'No mail', 'This service sends no mail.', '/portal/account');
  return doOnce(call, database, async (tx) => {
    await (isWanted ? mail.insert : mail.remove)(tx, call.person.user_id);
    return { to: `/portal/account?done=${mail.name}_${isWanted ? 'on' : 'off'}` };
  });
}

async function changePassword(
  call: SignedInCall,
  { database }: PortalServices,
  { current, password, repeated }: Values<typeof PASSWORD.fields>,
): Promise<PortalAnswer | Fault> {
  const { person, token } = call;
  const { customer_id, email } = person;
  const fault = findPasswordFault(password, repeated, email);
  if (fault !== null) return { fault };
  const passwordHash = await hashPassword(password);
  // Before the transaction: it takes a connection, for which transactions would wait for each other.
  const signedIn = await signIn(database, { email, password: current, address: call.address });
  return doOnce(call, database, async (tx) => {
    if ('refused' in signedIn) {
      const isWrong = signedIn.refused === 'wrong';
      return { fault: isWrong ? 'The current password is wrong.' : 'Too many attempts. Try again later.' };
    }
    await lockAddress(tx, email);
    await setPassword(tx, person.user_id, passwordHash);
    // An open invitation could set yet another password, so it ends too.
    await endInvitations(tx, email, { customerId: customer_id });
    await deleteSessionsOf(tx, person.user_id, digestText(token));
    const action = person.is_operator ? 'operator.password' : 'user.password';
    await insertAudit(tx, { actor: actorOf(call), action, customer_id, key_id: null, change: { email } });
    return { to: '/portal/account?done=password' };
  });
}

const NO_PASSWORD =
  'You sign in with the identity provider and have no password here. To get one, ask for an invitation to your address.';

async function showAccount(
  call: SignedInCall,
  { database, sendsMail }: PortalServices,
  fault: string | null = null,
): Promise<Page> {
  const { email, user_id, customer, customer_id, role, name } = call.person;
  const account = await findAccount(database, email);
  const mayAsk = sendsMail && customer_id !== null && mayOpen(call.person, 'watches');
  const mails = mayAsk ? MAILS : [];
  const requested = await Promise.all(mails.map(({ has }) => has(database, user_id)));
  const body = html`
    ${renderHeading('Your account')}
    <p>
      Signed in as <strong><bdi>${email}</bdi></strong>
      ${customer === null ? ', an operator of this service.' : html`${' '}for <strong><bdi>${customer}</bdi></strong>, as <strong>${ROLE_WORDS[role].name}</strong> (${ROLE_WORDS[role].does}).`}
    </p>
    ${
      customer === null
        ? null
        : html`
            <section class="narrow">
              <h2>Name</h2>
              ${renderForm(call, NAME, { action: '/portal/account/name', label: 'Save the name', shown: { name: { value: name } } })}
            </section>
          `
    }
    <section class="narrow">
      <h2>Password</h2>
      ${renderFault(fault)}
      ${
        account?.password_hash == null
          ? renderEmpty(NO_PASSWORD)
          : renderForm(call, PASSWORD, {
              action: '/portal/account/password',
              before: renderUsername(email),
              label: 'Change the password',
              kind: 'second',
            })
      }
    </section>
    ${mails.map((mail, at) => renderMail(call, mail, requested[at] === true))}
    <section class="narrow">
      <h2>Other sessions</h2>
      <p>End all your sessions except this one, for example on a computer that you no longer use.</p>
      ${renderButtonForm(call, '/portal/account/sessions', renderButton('End other sessions', 'second'))}
    </section>
  `;
  return { title: 'Your account', body, section: 'account' };
}

function renderMail(call: SignedInCall, { name, heading, words, about, form }: Mail, isOn: boolean): unknown {
  return html`
    <section class="narrow">
      <h2>${heading}</h2>
      <p>${words[isOn ? 'on' : 'off']} ${about}</p>
      ${renderForm(call, form, {
        action: `/portal/account/${name}`,
        layout: null,
        shown: { [name]: { offers: [isOn ? 'off' : 'on'] } },
        label: null,
      })}
    </section>
  `;
}
