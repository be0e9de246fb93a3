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
import { doOnce, type Fault } from '../frame/once.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { keepSecret, readGrace, showSecret } from '../frame/secrets.ts';
import { renderRotate } from '../keys/key-forms.ts';
import { renderIssued } from '../keys/key-pages.ts';
import type { PortalServices } from '../services.ts';
import { findPasswordFault } from './handling.ts';
import { KEY_STATES, renderAllKeys, renderNewOwnedKey, renderOwnedKey, renderRevokeOwned } from './key-pages.ts';
import { readChoice, readText } from './listing.ts';
import { NAME_FAULT, parseCustomerName, parseTerms } from './terms.ts';

export function listKeyRoutes(services: PortalServices, forgetAnswers: (keyId: string) => void): PortalRoute[] {
  const { show, change } = buildOperatorRoutes(services);
  const terms = ['name', 'product', 'rate', 'quota'];
  const one = '/keys/:id';
  const ofCustomer = '/customers/:id/keys';
  return [
    show('/keys', showKeys),
    show(`${ofCustomer}/new`, async (call) => showNewKey(call, services, null)),
    change(ofCustomer, `${ofCustomer}/new`, terms, issue),
    show(one, async (call) => showKey(call, services, null)),
    show(`${one}/text`, showText),
    change(`${one}/set`, one, terms, set),
    show(`${one}/rotate`, async (call) => renderRotate(call, await findLive(call, services), pathOf(call))),
    change(`${one}/rotate`, `${one}/rotate`, ['grace'], rotate),
    show(`${one}/revoke`, async (call) => renderRevokeOwned(call, await findLive(call, services), null)),
    change(`${one}/revoke`, `${one}/revoke`, [], async (call) => {
      const answer = await revoke(call, services);
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

async function showKey(call: SignedInCall, services: PortalServices, fault: string | null): Promise<Page> {
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

async function showNewKey(call: SignedInCall, services: PortalServices, fault: string | null): Promise<Page> {
  return renderNewOwnedKey(call, await findCustomer(call, services), fault);
}

async function issue(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const { name: customer } = await findCustomer(call, services);
  const typed = call.form.get('name') ?? '';
  const name = typed.trim() === '' ? null : parseCustomerName(typed);
  if (name === null && typed.trim() !== '') return showNewKey(call, services, NAME_FAULT);
  const terms = parseTerms(call.form);
  if ('fault' in terms) return showNewKey(call, services, terms.fault);
  return doOnce(call, services.database, async (tx): Promise<Redirect> => {
    const issued = await issueKeyWithin(tx, { customer, name, ...terms, actor: actorOf(call) });
    return showOnce(tx, call, issued, { title: 'The new key', until: null });
  });
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

/** Changes a live key; an impossible change is reported on its page. */
async function changeKey(
  call: SignedInCall,
  services: PortalServices,
  work: (tx: Transaction, id: string) => Promise<Redirect | Fault>,
): Promise<PortalAnswer> {
  const outcome = await doOnce(call, services.database, async (tx) => {
    const { id } = await findLive(call, { database: tx });
    return work(tx, id);
  });
  return 'fault' in outcome ? showKey(call, services, outcome.fault) : outcome;
}

async function set(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const name = parseCustomerName(call.form.get('name'));
  const terms = parseTerms(call.form);
  return changeKey(call, services, async (tx, id) => {
    if ('fault' in terms) return terms;
    if (name === null && call.form.get('name') !== '') return { fault: NAME_FAULT };
    await setKeyWithin(tx, { id, actor: actorOf(call), ...(name === null ? {} : { name }), ...terms });
    return { to: `${pathOf(call)}?done=key_set` };
  });
}

async function rotate(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const grace = readGrace(call);
  return changeKey(call, services, async (tx, id) => {
    const issued = await rotateKeyWithin(tx, { id, graceSeconds: grace.seconds, actor: actorOf(call) });
    return showOnce(tx, call, issued, { title: 'New secret for the key', until: grace.label });
  });
}

async function revoke(call: SignedInCall, services: PortalServices): Promise<PortalAnswer> {
  const fault = await findPasswordFault(call, services);
  if (fault !== null) return renderRevokeOwned(call, await findLive(call, services), fault);
  return changeKey(call, services, async (tx, id) => {
    await revokeKeyWithin(tx, { id, actor: actorOf(call) });
    return { to: `${pathOf(call)}?done=revoked` };
  });
}
