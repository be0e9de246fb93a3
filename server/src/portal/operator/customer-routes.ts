/** Customers, as `tmds customer` has them: list, add, rename, invite, suspend, resume, remove; and viewing one. */

import { removeCustomer, renameCustomer, resumeCustomer, suspendCustomer } from '../../access/customers.ts';
import { addCustomer } from '../../access/keys.ts';
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
import { NO_FIELDS, type Values } from '../frame/forms.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { buildUsageFile, listMonths, readKeyDays } from '../monitoring/report.ts';
import type { PortalServices } from '../services.ts';
import { endViewing } from '../sign-in/standing.ts';
import { inviteOnce, showLink } from '../team/invitations.ts';
import { CUSTOMER_STATES, renderCustomer, renderCustomers, renderRemove, renderSuspend } from './customer-pages.ts';
import { readChoice, readText } from './listing.ts';
import { CUSTOMER, findPasswordFault, INVITATION, REMOVAL, SUSPENSION } from './terms.ts';

/** Lines of activity that the page of a customer shows. */
const LATEST_LINES = 10;

export function listCustomerRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, ask } = buildOperatorRoutes(services);
  const list = '/customers';
  const one = '/customers/:id';
  const refused = showCustomer;
  return [
    show(list, (call) => showCustomers(call, services)),
    submit(list, list, CUSTOMER, { refused: showCustomers, answer: add }),
    show(one, (call) => showCustomer(call, services)),
    show(`${one}/usage.csv`, downloadUsage),
    submit(`${one}/name`, one, CUSTOMER, { refused, answer: rename }),
    submit(`${one}/invitations`, one, INVITATION, { refused, answer: invite }),
    show(`${one}/invitations/:invitation`, showInvitation),
    ...ask(`${one}/suspend`, SUSPENSION, showQuestion(renderSuspend), suspend),
    submit(`${one}/resume`, one, NO_FIELDS, { refused, answer: resume }),
    ...ask(`${one}/remove`, REMOVAL, showQuestion(renderRemove), remove),
    submit(`${one}/view`, one, NO_FIELDS, { refused, answer: view }),
    submit('/view/end', list, NO_FIELDS, { refused: showCustomers, answer: endView }),
  ];
}

async function showCustomers(
  call: SignedInCall,
  { database }: PortalServices,
  fault: string | null = null,
): Promise<Page> {
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

async function showCustomer(call: SignedInCall, services: PortalServices, fault: string | null = null): Promise<Page> {
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

function add(
  call: SignedInCall,
  { database }: PortalServices,
  { name }: Values<typeof CUSTOMER.fields>,
): Promise<Redirect | Fault> {
  return doOnce(call, database, async (tx): Promise<Redirect | Fault> => {
    const { customer_id, is_new } = await addCustomer(tx, name, actorOf(call));
    if (!is_new) return { fault: `A customer ${name} already exists.` };
    return { to: `/portal/operator/customers/${customer_id}?done=customer_added` };
  });
}

/** Changes the customer of the page; an impossible change is a fault. */
async function changeCustomer(
  call: SignedInCall,
  services: PortalServices,
  work: (tx: Transaction, customer: Customer) => Promise<Redirect | Fault>,
): Promise<Redirect | Fault> {
  const customer = await findCurrent(call, services);
  return doOnce(call, services.database, async (tx): Promise<Redirect | Fault> => {
    try {
      return await work(tx, customer);
    } catch (error) {
      if (error instanceof OperatorError) return { fault: `Not possible: ${error.message}.` };
      throw error;
    }
  });
}

function rename(
  call: SignedInCall,
  services: PortalServices,
  { name }: Values<typeof CUSTOMER.fields>,
): Promise<Redirect | Fault> {
  return changeCustomer(call, services, async (tx, customer) => {
    await renameCustomer(tx, { customer: customer.name, name, actor: actorOf(call) });
    return { to: `${pathOf(customer)}?done=customer_renamed` };
  });
}

function invite(
  call: SignedInCall,
  services: PortalServices,
  { email }: Values<typeof INVITATION.fields>,
): Promise<Redirect | Fault> {
  return changeCustomer(call, services, async (tx, customer) => {
    const id = await inviteOnce(tx, call, { customer: customer.name, email });
    return { to: `${pathOf(customer)}/invitations/${id}` };
  });
}

async function showInvitation(call: SignedInCall, services: PortalServices): Promise<Page> {
  const href = pathOf(await findCustomer(call, services));
  const back = { href, label: 'Back to the customer', section: 'operator/customers' } as const;
  return showLink(call, services.database, call.params.invitation ?? '', back);
}

function showQuestion(
  render: typeof renderSuspend,
): (call: SignedInCall, services: PortalServices, fault?: string) => Promise<Page> {
  return async (call, services, fault) => {
    const customer = await findCurrent(call, services);
    const liveKeys = await countLiveKeys(services.database, customer.customer_id);
    return render(call, { customer, liveKeys, fault: fault ?? null });
  };
}

async function suspend(
  call: SignedInCall,
  services: PortalServices,
  { reason, password }: Values<typeof SUSPENSION.fields>,
): Promise<Redirect | Fault> {
  const fault = await findPasswordFault(call, services, password);
  if (fault !== null) return fault;
  return changeCustomer(call, services, async (tx, customer) => {
    await suspendCustomer(tx, { customer: customer.name, reason, actor: actorOf(call) });
    return { to: `${pathOf(customer)}?done=customer_suspended` };
  });
}

function resume(call: SignedInCall, services: PortalServices): Promise<Redirect | Fault> {
  return changeCustomer(call, services, async (tx, customer) => {
    await resumeCustomer(tx, { customer: customer.name, actor: actorOf(call) });
    return { to: `${pathOf(customer)}?done=customer_resumed` };
  });
}

async function remove(
  call: SignedInCall,
  services: PortalServices,
  { confirmed, password }: Values<typeof REMOVAL.fields>,
): Promise<Redirect | Fault> {
  const { name } = await findCurrent(call, services);
  const fault = await findPasswordFault(call, services, password);
  if (fault !== null) return fault;
  if (confirmed.trim() !== name) return { fault: 'That is not the name of the customer.' };
  return changeCustomer(call, services, async (tx, customer) => {
    await removeCustomer(tx, { customer: customer.name, actor: actorOf(call) });
    return { to: `${pathOf(customer)}?done=customer_removed` };
  });
}

/** Noted with the customer, whose people can read it. */
function view(call: SignedInCall, services: PortalServices): Promise<Redirect | Fault> {
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
