/** Customers, as `tmds customer` has them: list, add, rename, invite, suspend, resume, remove; and viewing one. */

import { removeCustomer, renameCustomer, resumeCustomer, suspendCustomer } from '../../access/customers.ts';
import { addCustomer, inviteWithin } from '../../access/keys.ts';
import { digestText } from '../../access/secret.ts';
import { OperatorError } from '../../base/errors.ts';
import type { Transaction } from '../../database/driver/db.ts';
import { listAgreements } from '../../store/accounts/agreements.ts';
import { type Customer, countLiveKeys, findCustomerById, insertAudit } from '../../store/accounts/customers.ts';
import { listCustomerLines } from '../../store/accounts/operator-customers.ts';
import { listMembers, setViewedCustomer } from '../../store/accounts/portal.ts';
import { listInvitations } from '../../store/accounts/portal-invitations.ts';
import { listCustomerAudit, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import { findMonths, listDayUnits } from '../../store/accounts/portal-reports.ts';
import {
  actorOf,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
  type Redirect,
  type SignedInCall,
} from '../frame/call.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { parseEmail } from '../frame/roles.ts';
import { keepSecret, showSecret } from '../frame/secrets.ts';
import { buildUsageFile, listMonths, readKeyDays } from '../monitoring/report.ts';
import type { PortalServices } from '../services.ts';
import { endViewing } from '../sign-in/standing.ts';
import { renderLink } from '../team/link-page.ts';
import { CUSTOMER_STATES, renderCustomer, renderCustomers, renderRemove, renderSuspend } from './customer-pages.ts';
import { findPasswordFault } from './handling.ts';
import { readChoice, readText } from './listing.ts';
import { NAME_FAULT, parseCustomerName, parseReason, REASON_FAULT } from './terms.ts';

/** Lines of activity that the page of a customer shows. */
const LATEST_LINES = 10;

export function listCustomerRoutes(services: PortalServices): PortalRoute[] {
  const { show, change } = buildOperatorRoutes(services);
  const list = '/customers';
  const one = '/customers/:id';
  const question = (render: typeof renderSuspend) => async (call: SignedInCall) => ask(call, services, render, null);
  return [
    show(list, async (call) => showCustomers(call, services, null)),
    change(list, list, ['name'], add),
    show(one, async (call) => showCustomer(call, services, null)),
    show(`${one}/usage.csv`, downloadUsage),
    change(`${one}/name`, one, ['name'], rename),
    change(`${one}/invitations`, one, ['email'], invite),
    show(`${one}/invitations/:invitation`, showLink),
    show(`${one}/suspend`, question(renderSuspend)),
    change(`${one}/suspend`, `${one}/suspend`, ['reason'], suspend),
    change(`${one}/resume`, one, [], resume),
    show(`${one}/remove`, question(renderRemove)),
    change(`${one}/remove`, `${one}/remove`, [], remove),
    change(`${one}/view`, one, [], view),
    change('/view/end', list, [], endView),
  ];
}

async function showCustomers(call: SignedInCall, { database }: PortalServices, fault: string | null): Promise<Page> {
  const { query } = call;
  const search = {
    text: readText(query, 'q'),
    state: readChoice(query, 'state', CUSTOMER_STATES),
    after: readText(query, 'after'),
  };
  return renderCustomers(call, { search, found: await listCustomerLines(database, search), fault });
}

async function findCustomer(call: SignedInCall, { database }: PortalServices): Promise<Customer> {
  const customer = await findCustomerById(database, call.params.id ?? '');
  if (customer === null) throw pageNotFound();
  return customer;
}

async function findCurrent(call: SignedInCall, services: PortalServices): Promise<Customer> {
  const customer = await findCustomer(call, services);
  if (customer.removed_at === null) return customer;
  throw new PageRefusal(409, 'The customer is removed', 'A removed customer cannot be changed.', pathOf(customer));
}

function pathOf({ customer_id }: Customer): string {
  return `/portal/operator/customers/${customer_id}`;
}

async function showCustomer(call: SignedInCall, services: PortalServices, fault: string | null): Promise<Page> {
  const { database } = services;
  const customer = await findCustomer(call, services);
  const { customer_id: customerId } = customer;
  const { current, today } = await findMonths(database);
  const months = listMonths(current);
  const month = readChoice(call.query, 'month', months) ?? current;
  const [agreements, keys, members, invitations, days, activity] = await Promise.all([
    listAgreements(database, customerId),
    listCustomerKeys(database, customerId),
    listMembers(database, customerId),
    listInvitations(database, customerId),
    listDayUnits(database, { customerId, keyId: null, month }),
    listCustomerAudit(database, { customerId, keyId: null, before: null }),
  ]);
  const reports = { agreements, keys, members, invitations, months, month, today, days };
  return renderCustomer(call, { customer, ...reports, activity: activity.slice(0, LATEST_LINES), fault });
}

async function downloadUsage(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const { customer_id } = await findCustomer(call, services);
  const named = { month: call.query.get('month'), keyId: null };
  return buildUsageFile(await readKeyDays(services.database, customer_id, named));
}

async function add(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const name = parseCustomerName(call.form.get('name'));
  if (name === null) return showCustomers(call, services, NAME_FAULT);
  const outcome = await doOnce(call, services.database, async (tx): Promise<Redirect | Fault> => {
    const { customer_id, is_new } = await addCustomer(tx, name, actorOf(call));
    if (!is_new) return { fault: `A customer ${name} already exists.` };
    return { to: `/portal/operator/customers/${customer_id}?done=customer_added` };
  });
  return 'fault' in outcome ? showCustomers(call, services, outcome.fault) : outcome;
}

/** Changes the customer of the page; an impossible change is reported there. */
async function changeCustomer(
  call: SignedInCall,
  services: PortalServices,
  work: (tx: Transaction, customer: Customer) => Promise<Redirect | Fault>,
): Promise<PortalAnswer> {
  const customer = await findCurrent(call, services);
  const outcome = await doOnce(call, services.database, async (tx): Promise<Redirect | Fault> => {
    try {
      return await work(tx, customer);
    } catch (error) {
      if (error instanceof OperatorError) return { fault: `Not possible: ${error.message}.` };
      throw error;
    }
  });
  return 'fault' in outcome ? showCustomer(call, services, outcome.fault) : outcome;
}

async function rename(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const name = parseCustomerName(call.form.get('name'));
  return changeCustomer(call, services, async (tx, customer) => {
    if (name === null) return { fault: NAME_FAULT };
    await renameCustomer(tx, { customer: customer.name, name, actor: actorOf(call) });
    return { to: `${pathOf(customer)}?done=customer_renamed` };
  });
}

async function invite(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const email = parseEmail(call.form.get('email') ?? '');
  return changeCustomer(call, services, async (tx, customer) => {
    if (email === null) return { fault: 'That is not an e-mail address.' };
    const { token, expires_at } = await inviteWithin(tx, { customer: customer.name, email, actor: actorOf(call) });
    const id = digestText(token).toString('hex');
    const link = { title: email, text: `${call.origin}/portal/invitation/${token}`, until: expires_at };
    await keepSecret(tx, call, { kind: 'invitation', id }, link);
    return { to: `${pathOf(customer)}/invitations/${id}` };
  });
}

async function showLink(call: SignedInCall, services: PortalServices): Promise<Page> {
  const path = pathOf(await findCustomer(call, services));
  const invitation = { kind: 'invitation', id: call.params.invitation ?? '' } as const;
  const link = await showSecret(call, services.database, invitation, path);
  return renderLink(link, { href: path, label: 'Back to the customer', section: 'operator/customers' });
}

async function ask(
  call: SignedInCall,
  services: PortalServices,
  render: typeof renderSuspend,
  fault: string | null,
): Promise<Page> {
  const customer = await findCurrent(call, services);
  return render(call, { customer, liveKeys: await countLiveKeys(services.database, customer.customer_id), fault });
}

async function suspend(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const reason = parseReason(call.form.get('reason'));
  if (reason === undefined) return ask(call, services, renderSuspend, REASON_FAULT);
  const fault = await findPasswordFault(call, services);
  if (fault !== null) return ask(call, services, renderSuspend, fault);
  return changeCustomer(call, services, async (tx, customer) => {
    await suspendCustomer(tx, { customer: customer.name, reason, actor: actorOf(call) });
    return { to: `${pathOf(customer)}?done=customer_suspended` };
  });
}

async function resume(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  return changeCustomer(call, services, async (tx, customer) => {
    await resumeCustomer(tx, { customer: customer.name, actor: actorOf(call) });
    return { to: `${pathOf(customer)}?done=customer_resumed` };
  });
}

async function remove(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const { name } = await findCurrent(call, services);
  const isConfirmed = call.form.get('confirmed')?.trim() === name;
  const fault = await findPasswordFault(call, services);
  if (fault !== null) return ask(call, services, renderRemove, fault);
  if (!isConfirmed) return ask(call, services, renderRemove, 'That is not the name of the customer.');
  return changeCustomer(call, services, async (tx, customer) => {
    await removeCustomer(tx, { customer: customer.name, actor: actorOf(call) });
    return { to: `${pathOf(customer)}?done=customer_removed` };
  });
}

/** Noted with the customer, whose people can read it. */
async function view(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  return changeCustomer(call, services, async (tx, { customer_id }) => {
    await setViewedCustomer(tx, digestText(call.token), customer_id);
    await insertAudit(tx, { actor: actorOf(call), action: 'customer.view', customer_id, key_id: null, change: {} });
    return { to: '/portal' };
  });
}

async function endView(call: SignedInCall, { database }: PortalServices): Promise<PortalAnswer> {
  const { user } = call;
  if (user === null) return { to: '/portal/operator/customers' };
  await endViewing({ ...call, user }, database);
  return { to: `/portal/operator/customers/${user.customer_id}?done=view_ended` };
}
