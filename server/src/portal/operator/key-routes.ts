/** Keys of all customers, as `tmds key` has them: list, show, issue, set, rotate, revoke. */

import { type IssuedKey, issueKeyWithin, revokeKeyWithin, rotateKeyWithin, setKeyWithin } from '../../access/keys.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { type Customer, findCustomerById, holdCustomer } from '../../store/accounts/customers.ts';
import { findOwnedKey, listOwnedKeys, type OwnedKey } from '../../store/accounts/operator-customers.ts';
import { listCustomerAudit } from '../../store/accounts/portal-keys.ts';
import {
  actorOf,
  orNotFound,
  type Page,
  PageRefusal,
  type PortalRoute,
  pageNotFound,
  type SignedInCall,
} from '../frame/call.ts';
import type { Values } from '../frame/forms.ts';
import { doOnce } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { readPosition } from '../frame/paging.ts';
import { keepSecret, ROTATE_LABEL, ROTATION, readGrace, showSecret } from '../frame/secrets.ts';
import { renderIssued } from '../keys/key-pages.ts';
import type { PortalServices } from '../services.ts';
import { askRevoke, headOf, KEY_STATES, renderAllKeys, renderNewOwnedKey, renderOwnedKey } from './key-pages.ts';
import { readChoice, readText } from './listing.ts';
import { findPasswordFault, KEY_TERMS, REVOCATION } from './terms.ts';

export function listKeyRoutes(services: PortalServices, forgetAnswers: (keyId: string) => void): PortalRoute[] {
  const { show, submit, of } = buildOperatorRoutes(services);
  const { change, ask } = of({ at: '/keys/:id', find: findLive, run: doOnce });
  const ofCustomer = '/customers/:id/keys';
  return [
    show('/keys', async ({ query }, { database }) => {
      const before = readPosition(query, 'key');
      const search = { text: readText(query, 'q'), state: readChoice(query, 'state', KEY_STATES), before };
      return renderAllKeys(search, await listOwnedKeys(database, search));
    }),
    show(`${ofCustomer}/new`, showNewKey),
    submit(ofCustomer, `${ofCustomer}/new`, KEY_TERMS, {
      refused: showNewKey,
      answer: async (call, { database }, { name, ...terms }) => {
        const { customer_id } = await findCustomer(call, { database });
        return doOnce(call, database, async (tx) => {
          // By its current name, under which nobody can have been renamed in between.
          const { name: customer } = orNotFound(await holdCustomer(tx, customer_id));
          const issued = await issueKeyWithin(tx, { customer, name, ...nameTerms(terms), actor: actorOf(call) });
          return { to: await showOnce(tx, call, issued, { title: 'The new key', until: null }) };
        });
      },
    }),
    show('/keys/:id', showKey),
    show('/keys/:id/text', async (call, { database }) => {
      const key = await findKey(call, { database });
      const secret = await showSecret(call, database, { kind: 'key', id: key.id }, pathOf(call));
      return { ...renderIssued(key, secret, pathOf(call)), section: 'operator/keys' };
    }),
    change('set', KEY_TERMS, showKey, async (tx, { id }, { call, values: { name, ...terms } }) => {
      await setKeyWithin(tx, { id, actor: actorOf(call), ...(name === null ? {} : { name }), ...nameTerms(terms) });
      return `${pathOf(call)}?done=key_set`;
    }),
    ...ask('rotate', ROTATION, (key) => ({ title: 'Rotate the key', ...headOf(key, 'keys'), label: ROTATE_LABEL }), {
      work: async (tx, { id }, { call, values }) => {
        const { graceSeconds, until } = readGrace(values);
        const issued = await rotateKeyWithin(tx, { id, graceSeconds, actor: actorOf(call) });
        return showOnce(tx, call, issued, { title: 'New secret for the key', until });
      },
    }),
    ...ask('revoke', REVOCATION, askRevoke, {
      judge: findPasswordFault,
      work: async (tx, { id }, { call }) => {
        await revokeKeyWithin(tx, { id, actor: actorOf(call) });
        return `${pathOf(call)}?done=revoked`;
      },
      done: ({ params }) => forgetAnswers(params.id ?? ''),
    }),
  ];
}

function pathOf({ params }: SignedInCall): string {
  return `/portal/operator/keys/${params.id}`;
}

type Reading = { readonly database: Queryable };

async function findKey({ params }: SignedInCall, { database }: Reading): Promise<OwnedKey> {
  return orNotFound(await findOwnedKey(database, params.id ?? ''));
}

async function findLive(call: SignedInCall, reading: Reading): Promise<OwnedKey> {
  const key = await findKey(call, reading);
  if (key.revoked_at === null) return key;
  throw new PageRefusal(409, 'The key is revoked', 'A revoked key cannot be changed.', pathOf(call));
}

async function showKey(call: SignedInCall, { database }: PortalServices, fault: string | null = null): Promise<Page> {
  const key = await findKey(call, { database });
  const of = { customerId: key.customer_id, keyId: key.id, before: null };
  return renderOwnedKey(call, key, await listCustomerAudit(database, of), fault);
}

async function findCustomer({ params }: SignedInCall, { database }: Reading): Promise<Customer> {
  const customer = await findCustomerById(database, params.id ?? '');
  if (customer === null || customer.removed_at !== null) throw pageNotFound();
  return customer;
}

async function showNewKey(call: SignedInCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderNewOwnedKey(call, await findCustomer(call, services), fault);
}

type Terms = Omit<Values<typeof KEY_TERMS.fields>, 'name'>;

function nameTerms({ product: products, rate: rateLimitPerMinute, quota }: Terms) {
  return { products, rateLimitPerMinute, quota };
}

/** Resolves to the path of the page that shows the secret. */
async function showOnce(
  tx: Transaction,
  call: SignedInCall,
  { id, key }: IssuedKey,
  about: { title: string; until: string | null },
): Promise<string> {
  await keepSecret(tx, call, { kind: 'key', id }, { ...about, text: key });
  return `/portal/operator/keys/${id}/text`;
}
