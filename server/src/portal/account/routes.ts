/** A person's own account: the password, and sessions elsewhere. */

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
import { doOnce } from '../frame/once.ts';
import { buildMemberRoutes, buildPeopleRoutes } from '../frame/page-routes.ts';
import { mayOpen, PERSON_NAME_FAULT, parsePersonName } from '../frame/roles.ts';
import type { PortalServices } from '../services.ts';
import { findPasswordFault, hashPassword, signIn } from '../sign-in/passwords.ts';
import { showWhoHelps } from '../team/who-helps-page.ts';
import { renderAccount } from './account-page.ts';

export function listAccountRoutes(services: PortalServices): PortalRoute[] {
  const { show, change } = buildPeopleRoutes(services);
  const ofMembers = buildMemberRoutes(services);
  const page = '/account';
  return [
    show(page, (call) => showAccount(call, services, null)),
    ofMembers.change(`${page}/name`, page, ['name'], answerName),
    change(`${page}/password`, page, [], answerPassword),
    ofMembers.change(`${page}/digest`, page, [], answerDigest),
    ofMembers.change(`${page}/reminders`, page, [], answerReminders),
    change(`${page}/sessions`, page, [], answerSessions),
  ];
}

async function showAccount(call: SignedInCall, services: PortalServices, fault: string | null): Promise<Page> {
  const { database, sendsMail } = services;
  const { email, user_id, customer_id } = call.person;
  const account = await findAccount(database, email);
  const mayAsk = sendsMail && customer_id !== null && mayOpen(call.person, 'watches');
  const [digest, reminder] = mayAsk
    ? await Promise.all([hasDigest(database, user_id), hasReminder(database, user_id)])
    : [null, null];
  return renderAccount(call, { hasPassword: account?.password_hash != null, digest, reminder, fault });
}

async function answerName(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { person, form } = call;
  const name = parsePersonName(form.get('name'));
  if (name === undefined) return showAccount(call, services, PERSON_NAME_FAULT);
  return doOnce(call, services.database, async (tx) => {
    await setName(tx, person.user_id, name);
    await noteActivity(tx, call, 'user.name', { email: person.email, name });
    return { to: '/portal/account?done=named' };
  });
}

async function answerDigest(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { database, sendsMail } = services;
  const isWanted = call.form.get('digest') === 'on';
  if (isWanted && !mayOpen(call.person, 'watches')) return showWhoHelps(call, services);
  if (isWanted && !sendsMail) throw new PageRefusal(409, 'No mail', 'This service sends no mail.', '/portal/account');
  return doOnce(call, database, async (tx) => {
    if (isWanted) await insertDigest(tx, call.person.user_id);
    else await deleteDigest(tx, call.person.user_id);
    return { to: `/portal/account?done=${isWanted ? 'digest_on' : 'digest_off'}` };
  });
}

async function answerReminders(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { database, sendsMail } = services;
  const isWanted = call.form.get('reminders') === 'on';
  if (isWanted && !mayOpen(call.person, 'watches')) return showWhoHelps(call, services);
  if (isWanted && !sendsMail) throw new PageRefusal(409, 'No mail', 'This service sends no mail.', '/portal/account');
  return doOnce(call, database, async (tx) => {
    if (isWanted) await insertReminder(tx, call.person.user_id);
    else await deleteReminder(tx, call.person.user_id);
    return { to: `/portal/account?done=${isWanted ? 'reminders_on' : 'reminders_off'}` };
  });
}

async function answerPassword(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const { database } = services;
  const { person, form, token } = call;
  const password = form.get('password') ?? '';
  const fault = findPasswordFault(password, form.get('repeated') ?? '', person.email);
  if (fault !== null) return showAccount(call, services, fault);
  const passwordHash = await hashPassword(password);
  const outcome = await doOnce(call, database, async (tx) => {
    const current = { email: person.email, password: form.get('current') ?? '', address: call.address };
    const signedIn = await signIn(database, current);
    if ('refused' in signedIn) {
      const isWrong = signedIn.refused === 'wrong';
      return { fault: isWrong ? 'The current password is wrong.' : 'Too many attempts. Try again later.' };
    }
    await lockAddress(tx, person.email);
    await setPassword(tx, person.user_id, passwordHash);
    // An open invitation could set yet another password, so it ends too.
    await endInvitations(tx, person.email, { customerId: person.customer_id });
    await deleteSessionsOf(tx, person.user_id, digestText(token));
    const { customer_id, email } = person;
    const audit = {
      actor: actorOf(call),
      action: person.is_operator ? 'operator.password' : 'user.password',
      customer_id,
      key_id: null,
      change: { email },
    };
    await insertAudit(tx, audit);
    return { to: '/portal/account?done=password' };
  });
  return 'fault' in outcome ? showAccount(call, services, outcome.fault) : outcome;
}

async function answerSessions(call: SignedInCall, { database }: PortalServices): Promise<PortalAnswer> {
  return doOnce(call, database, async (tx) => {
    await deleteSessionsOf(tx, call.person.user_id, digestText(call.token));
    return { to: '/portal/account?done=sessions' };
  });
}
