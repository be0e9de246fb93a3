/** Keys of all customers, as `tmds key` has them: list, show, issue, set, rotate, revoke. */

import { type IssuedKey, issueKeyWithin, revokeKeyWithin, rotateKeyWithin, setKeyWithin } from '../../access/keys.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { type Customer, findCustomerById } from '../../store/accounts/customers.ts';
import {
  findOwnedKey,
  type KeyPosition,
  listOwnedKeys,
  type OwnedKey,
} from '../../store/accounts/operator-customers.ts';
import { listCustomerAudit } from '../../store/accounts/portal-keys.ts';
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
import type { Values } from '../frame/forms.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { keepSecret, ROTATION, readGrace, showSecret } from '../frame/secrets.ts';
import { renderRotate } from '../keys/key-forms.ts';
import { renderIssued } from '../keys/key-pages.ts';
import type { PortalServices } from '../services.ts';
import { KEY_STATES, renderAllKeys, renderNewOwnedKey, renderOwnedKey, renderRevokeOwned } from './key-pages.ts';
import { readChoice, readText } from './listing.ts';
import { findPasswordFault, KEY_TERMS, REVOCATION } from './terms.ts';

export function listKeyRoutes(services: PortalServices, forgetAnswers: (keyId: string) => void): PortalRoute[] {
  const { show, submit, ask } = buildOperatorRoutes(services);
  const one = '/keys/:id';
  const ofCustomer = '/customers/:id/keys';
  return [
    show('/keys', showKeys),
    show(`${ofCustomer}/new`, (call) => showNewKey(call, services)),
    submit(ofCustomer, `${ofCustomer}/new`, KEY_TERMS, { refused: showNewKey, answer: issue }),
    show(one, (call) => showKey(call, services)),
    show(`${one}/text`, showText),
    submit(`${one}/set`, one, KEY_TERMS, { refused: showKey, answer: set }),
    ...ask(`${one}/rotate`, ROTATION, showRotate, rotate),
    ...ask(`${one}/revoke`, REVOCATION, showRevoke, async (call, _services, values) => {
      const answer = await revoke(call, services, values);
      if ('to' in answer) forgetAnswers(call.params.id ?? '');
      return answer;
    }),
  ];
}

function pathOf({ params }: SignedInCall): string {
  return `/portal/operator/keys/${params.id}`;
}

async function showKeys({ query }: SignedInCall, { database }: PortalServices): Promise<Page> {
  const search = {
    text: readText(query, 'q'),
    state: readChoice(query, 'state', KEY_STATES),
    before: parsePosition(query.get('before')),
  };
  return renderAllKeys(search, await listOwnedKeys(database, search));
}

const POSITION = /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(?<id>[\w-]{1,64})$/;

/** The last key of the previous page. */
function parsePosition(text: string | null): KeyPosition | null {
  const { at = '', id = '' } = POSITION.exec(text ?? '')?.groups ?? {};
  return Number.isNaN(Date.parse(at)) ? null : { created_at: at, id };
}

type Reading = { readonly database: Queryable };

async function findKey(call: SignedInCall, { database }: Reading): Promise<OwnedKey> {
  const key = await findOwnedKey(database, call.params.id ?? '');
  if (key === null) throw pageNotFound();
  return key;
}

async function findLive(call: SignedInCall, services: Reading): Promise<OwnedKey> {
  const key = await findKey(call, services);
  if (key.revoked_at === null) return key;
  throw new PageRefusal(409, 'The key is revoked', 'A revoked key cannot be changed.', pathOf(call));
}

async function showKey(call: SignedInCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const { database } = services;
  const key = await findKey(call, services);
  const of = { customerId: key.customer_id, keyId: key.id, before: null };
  return renderOwnedKey(call, { key, activity: await listCustomerAudit(database, of), fault });
}

async function findCustomer(call: SignedInCall, { database }: PortalServices): Promise<Customer> {
  const customer = await findCustomerById(database, call.params.id ?? '');
  if (customer === null || customer.removed_at !== null) throw pageNotFound();
  return customer;
}

async function showNewKey(call: SignedInCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderNewOwnedKey(call, await findCustomer(call, services), fault);
}

async function issue(
  call: SignedInCall,
  services: PortalServices,
  { name, ...terms }: Values<typeof KEY_TERMS.fields>,
): Promise<PortalAnswer> {
  const { name: customer } = await findCustomer(call, services);
  return doOnce(call, services.database, async (tx): Promise<Redirect> => {
    const issued = await issueKeyWithin(tx, { customer, name, ...nameTerms(terms), actor: actorOf(call) });
    return showOnce(tx, call, issued, { title: 'The new key', until: null });
  });
}

function nameTerms({
  product: products,
  rate: rateLimitPerMinute,
  quota,
}: Omit<Values<typeof KEY_TERMS.fields>, 'name'>) {
  return { products, rateLimitPerMinute, quota };
}

async function showOnce(
  tx: Transaction,
  call: SignedInCall,
  { id, key }: IssuedKey,
  about: { title: string; until: string | null },
): Promise<Redirect> {
  await keepSecret(tx, call, { kind: 'key', id }, { ...about, text: key });
  return { to: `/portal/operator/keys/${id}/text` };
}

async function showText(call: SignedInCall, services: PortalServices): Promise<Page> {
  const key = await findKey(call, services);
  const secret = await showSecret(call, services.database, { kind: 'key', id: key.id }, pathOf(call));
  return { ...renderIssued(key, secret, pathOf(call)), section: 'operator/keys' };
}

async function showRotate(call: SignedInCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderRotate(call, await findLive(call, services), pathOf(call), fault);
}

async function showRevoke(call: SignedInCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderRevokeOwned(call, await findLive(call, services), fault);
}

/** Changes a live key. */
function changeKey(
  call: SignedInCall,
  { database }: PortalServices,
  work: (tx: Transaction, id: string) => Promise<Redirect | Fault>,
): Promise<Redirect | Fault> {
  return doOnce(call, database, async (tx) => {
    const { id } = await findLive(call, { database: tx });
    return work(tx, id);
  });
}

function set(
  call: SignedInCall,
  services: PortalServices,
  { name, ...terms }: Values<typeof KEY_TERMS.fields>,
): Promise<Redirect | Fault> {
  return changeKey(call, services, async (tx, id) => {
    await setKeyWithin(tx, { id, actor: actorOf(call), ...(name === null ? {} : { name }), ...nameTerms(terms) });
    return { to: `${pathOf(call)}?done=key_set` };
  });
}

function rotate(
  call: SignedInCall,
  services: PortalServices,
  values: Values<typeof ROTATION.fields>,
): Promise<Redirect | Fault> {
  const { graceSeconds, until } = readGrace(values);
  return changeKey(call, services, async (tx, id) => {
    const issued = await rotateKeyWithin(tx, { id, graceSeconds, actor: actorOf(call) });
    return showOnce(tx, call, issued, { title: 'New secret for the key', until });
  });
}

async function revoke(
  call: SignedInCall,
  services: PortalServices,
  { password }: Values<typeof REVOCATION.fields>,
): Promise<Redirect | Fault> {
  const fault = await findPasswordFault(call, services, password);
  if (fault !== null) return fault;
  return changeKey(call, services, async (tx, id) => {
    await revokeKeyWithin(tx, { id, actor: actorOf(call) });
    return { to: `${pathOf(call)}?done=revoked` };
  });
}
