/** Customers, as `tmds customer` has them: list, add, rename, invite, suspend, resume, remove; and viewing one. */

import { removeCustomer, renameCustomer, resumeCustomer, suspendCustomer } from '../../access/customers.ts';
import { addCustomer } from '../../access/keys.ts';
import { digestText } from '../../access/secret.ts';
import { OperatorError } from '../../base/errors.ts';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { type Customer, findCustomerById, holdCustomer, insertAudit } from '../../store/accounts/customers.ts';
import { setViewedCustomer } from '../../store/accounts/portal.ts';
import {
  actorOf,
  orNotFound,
  type Page,
  PageRefusal,
  type PortalRoute,
  type Redirect,
  type SignedInCall,
} from '../frame/call.ts';
import { NO_FIELDS } from '../frame/forms.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { buildUsageFile, readKeyDays } from '../monitoring/report.ts';
import type { PortalServices } from '../services.ts';
import { endViewing } from '../sign-in/standing.ts';
import { inviteOnce, showLink } from '../team/invitations.ts';
import { askRemoval, askSuspension, pathOf, showCustomer, showCustomers } from './customer-pages.ts';
import { CUSTOMER, findPasswordFault, INVITATION, REMOVAL, SUSPENSION } from './terms.ts';

export function listCustomerRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit } = buildOperatorRoutes(services);
  return [
    show('/customers', showCustomers),
    submit('/customers', '/customers', CUSTOMER, {
      refused: showCustomers,
      answer: (call, { database }, { name }) =>
        doOnce(call, database, async (tx): Promise<Redirect | Fault> => {
          const { customer_id, is_new } = await addCustomer(tx, name, actorOf(call));
          if (!is_new) return { fault: `A customer ${name} already exists.` };
          return { to: `/portal/operator/customers/${customer_id}?done=customer_added` };
        }),
    }),
    show('/customers/:id', showOne),
    show('/customers/:id/usage.csv', async (call, { database }) => {
      const { customer_id } = await findCustomer(call, { database });
      const named = { month: call.query.get('month'), keyId: null };
      return buildUsageFile(await readKeyDays(database, customer_id, named));
    }),
    show('/customers/:id/invitations/:invitation', async (call, { database }) => {
      const href = pathOf(await findCustomer(call, { database }));
      const back = { href, label: 'Back to the customer', section: 'operator/customers' } as const;
      return showLink(call, database, call.params.invitation ?? '', back);
    }),
    ...listChanges(services),
    submit('/view/end', '/customers', NO_FIELDS, {
      answer: async (call, { database }) => {
        const { user } = call;
        if (user === null) return { to: '/portal/operator/customers' };
        await endViewing({ ...call, user }, database);
        return { to: `/portal/operator/customers/${user.customer_id}?done=view_ended` };
      },
    }),
  ];
}

function listChanges(services: PortalServices): PortalRoute[] {
  const { of } = buildOperatorRoutes(services);
  const { change, ask } = of({ at: '/customers/:id', find: findCurrent, run: doIfPossible, isFoundFirst: true });
  return [
    change('name', CUSTOMER, showOne, async (tx, customer, { call, values: { name } }) => {
      await renameCustomer(tx, { customer: customer.name, name, actor: actorOf(call) });
      return `${pathOf(customer)}?done=customer_renamed`;
    }),
    change('invitations', INVITATION, showOne, async (tx, customer, { call, values: { email } }) => {
      const { name } = orNotFound(await holdCustomer(tx, customer.customer_id));
      const id = await inviteOnce(tx, call, { customer: name, email });
      return `${pathOf(customer)}/invitations/${id}`;
    }),
    ...ask('suspend', SUSPENSION, askSuspension, {
      judge: findPasswordFault,
      work: async (tx, customer, { call, values: { reason } }) => {
        await suspendCustomer(tx, { customer: customer.name, reason, actor: actorOf(call) });
        return `${pathOf(customer)}?done=customer_suspended`;
      },
    }),
    change('resume', NO_FIELDS, showOne, async (tx, customer, { call }) => {
      await resumeCustomer(tx, { customer: customer.name, actor: actorOf(call) });
      return `${pathOf(customer)}?done=customer_resumed`;
    }),
    ...ask('remove', REMOVAL, askRemoval, {
      judge: findPasswordFault,
      work: async (tx, customer, { call, values: { confirmed } }) => {
        if (confirmed.trim() !== customer.name) return { fault: 'That is not the name of the customer.' };
        await removeCustomer(tx, { customer: customer.name, actor: actorOf(call) });
        return `${pathOf(customer)}?done=customer_removed`;
      },
    }),
    // Noted with the customer, whose people can read it.
    change('view', NO_FIELDS, showOne, async (tx, { customer_id }, { call }) => {
      await setViewedCustomer(tx, digestText(call.token), customer_id);
      await insertAudit(tx, { actor: actorOf(call), action: 'customer.view', customer_id, key_id: null, change: {} });
      return '/portal';
    }),
  ];
}

type Reading = { readonly database: Queryable };

async function findCustomer({ params }: SignedInCall, { database }: Reading): Promise<Customer> {
  return orNotFound(await findCustomerById(database, params.id ?? ''));
}

async function findCurrent(call: SignedInCall, reading: Reading): Promise<Customer> {
  const customer = await findCustomer(call, reading);
  if (customer.removed_at === null) return customer;
  throw new PageRefusal(409, 'The customer is removed', 'A removed customer cannot be changed.', pathOf(customer));
}

async function showOne(call: SignedInCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return showCustomer(call, services, await findCustomer(call, services), fault);
}

/** Once; an impossible change is a fault. */
function doIfPossible(
  call: SignedInCall,
  database: Database,
  work: (tx: Transaction) => Promise<Redirect | Fault>,
): Promise<Redirect | Fault> {
  return doOnce(call, database, async (tx): Promise<Redirect | Fault> => {
    try {
      return await work(tx);
    } catch (error) {
      if (error instanceof OperatorError) return { fault: `Not possible: ${error.message}.` };
      throw error;
    }
  });
}
