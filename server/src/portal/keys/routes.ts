import { endGraceWithin, issueKeyWithin, revokeKeyWithin, rotateKeyWithin, setKeyWithin } from '../../access/keys.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { listAgreements } from '../../store/accounts/agreements.ts';
import {
  type CustomerKey,
  findCustomerKey,
  listCustomerAudit,
  listCustomerKeys,
} from '../../store/accounts/portal-keys.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  pageNotFound,
  type Redirect,
} from '../frame/call.ts';
import { NO_FIELDS, type Values } from '../frame/forms.ts';
import { doAlone, type Fault } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { keepSecret, ROTATION, readGrace, type SecretSubject, showSecret } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';
import { renderNewKey, renderRevoke, renderRotate } from './key-forms.ts';
import { renderIssued, renderKey, renderKeys } from './key-pages.ts';
import { findIssueFault, findQuotaFault, ISSUE, LIMIT, NO_AGREEMENT, RENAME, REVOKE } from './terms.ts';

export function listKeyRoutes(services: PortalServices, forgetAnswers: (keyId: string) => void): PortalRoute[] {
  const { show, submit, ask } = buildMemberRoutes(services);
  const one = '/keys/:id';
  return [
    show('/keys', showKeys, true),
    show('/keys/new', (call) => showNewKey(call, services)),
    submit('/keys', '/keys/new', ISSUE, { refused: showNewKey, answer: issue }),
    show(one, (call) => showKey(call, services), true),
    show(`${one}/text`, showText),
    submit(`${one}/name`, one, RENAME, { refused: showKey, answer: rename }),
    submit(`${one}/quota`, one, LIMIT, { refused: showKey, answer: limit }),
    ...ask(`${one}/rotate`, ROTATION, showRotate, rotate),
    submit(`${one}/grace/end`, one, NO_FIELDS, { refused: showKey, answer: endGrace }),
    ...ask(`${one}/revoke`, REVOKE, showRevoke, async (call) => {
      const answer = await revoke(call, services);
      if ('to' in answer) forgetAnswers(call.params.id ?? '');
      return answer;
    }),
  ];
}

/** The key of the path. To a customer, somebody else's key does not exist. */
async function findOwn(call: MemberCall, { database }: { database: Queryable }): Promise<CustomerKey> {
  const key = await findCustomerKey(database, call.user.customer_id, call.params.id ?? '');
  if (key === null) throw pageNotFound();
  return key;
}

async function findLive(call: MemberCall, services: { database: Queryable }): Promise<CustomerKey> {
  const key = await findOwn(call, services);
  if (key.revoked_at !== null) throw new PageRefusal(409, 'The key is revoked', 'A revoked key cannot be changed.');
  return key;
}

async function showKeys(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const { customer_id } = call.user;
  const [keys, agreements] = await Promise.all([
    listCustomerKeys(database, customer_id),
    listAgreements(database, customer_id),
  ]);
  return renderKeys(call, { keys, agreements });
}

async function showNewKey(call: MemberCall, { database }: PortalServices, fault: string | null = null): Promise<Page> {
  return renderNewKey(call, await listAgreements(database, call.user.customer_id), fault);
}

async function showKey(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const { database } = services;
  const { customer_id } = call.user;
  const key = await findOwn(call, services);
  const [agreements, activity] = await Promise.all([
    listAgreements(database, customer_id),
    listCustomerAudit(database, { customerId: customer_id, keyId: key.id, before: null }),
  ]);
  return renderKey(call, { key, agreements, activity, fault });
}

async function issue(
  call: MemberCall,
  services: PortalServices,
  { name, product: products, quota }: Values<typeof ISSUE.fields>,
): Promise<PortalAnswer | Fault> {
  return doAlone(call, services.database, async (tx, customer) => {
    const agreements = await listAgreements(tx, call.user.customer_id);
    const terms = agreements.filter(({ product }) => products.includes(product));
    const fault = findIssueFault(terms, products, quota);
    if (fault !== null) return { fault };
    const rateLimitPerMinute = Math.min(...terms.map((term) => term.rate_limit_per_minute));
    const order = { customer, name, products, rateLimitPerMinute, quota, actor: actorOf(call), byCustomer: true };
    const { id, key } = await issueKeyWithin(tx, order);
    await keepSecret(tx, call, secretOf(id), { title: 'Your new key', text: key, until: null });
    return { to: `/portal/keys/${id}/text` };
  });
}

const secretOf = (id: string): SecretSubject => ({ kind: 'key', id });

async function showText(call: MemberCall, services: PortalServices): Promise<Page> {
  const key = await findOwn(call, services);
  const path = `/portal/keys/${key.id}`;
  return renderIssued(key, await showSecret(call, services.database, secretOf(key.id), path), path);
}

async function showRotate(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const key = await findLive(call, services);
  return renderRotate(call, key, `/portal/keys/${key.id}`, fault);
}

async function showRevoke(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderRevoke(call, await findLive(call, services), fault);
}

/** Changes a live key under the customer's lock, so that two changes never take the same units. */
function changeKey(
  call: MemberCall,
  { database }: PortalServices,
  work: (tx: Transaction, key: CustomerKey) => Promise<Redirect | Fault>,
): Promise<Redirect | Fault> {
  return doAlone(call, database, async (tx) => work(tx, await findLive(call, { database: tx })));
}

function rename(
  call: MemberCall,
  services: PortalServices,
  { name }: Values<typeof RENAME.fields>,
): Promise<Redirect | Fault> {
  return changeKey(call, services, async (tx, { id }) => {
    await setKeyWithin(tx, { id, actor: actorOf(call), byCustomer: true, name });
    return { to: `/portal/keys/${id}?done=renamed` };
  });
}

function limit(
  call: MemberCall,
  services: PortalServices,
  { quota }: Values<typeof LIMIT.fields>,
): Promise<Redirect | Fault> {
  return changeKey(call, services, async (tx, key) => {
    const agreements = await listAgreements(tx, call.user.customer_id);
    const terms = agreements.filter(({ product }) => key.products.some((row) => row.product === product));
    if (terms.length < key.products.length) return { fault: NO_AGREEMENT };
    const given = Math.min(...key.products.map((row) => row.quota ?? 0));
    const fault = findQuotaFault(terms, quota, given);
    if (fault !== null) return { fault };
    await setKeyWithin(tx, { id: key.id, actor: actorOf(call), byCustomer: true, quota });
    return { to: `/portal/keys/${key.id}?done=limited` };
  });
}

function rotate(
  call: MemberCall,
  services: PortalServices,
  values: Values<typeof ROTATION.fields>,
): Promise<Redirect | Fault> {
  const { graceSeconds, until } = readGrace(values);
  return changeKey(call, services, async (tx, { id, name }) => {
    const { key } = await rotateKeyWithin(tx, { id, graceSeconds, actor: actorOf(call) });
    await keepSecret(tx, call, secretOf(id), { title: `New secret for “${name ?? id}”`, text: key, until });
    return { to: `/portal/keys/${id}/text` };
  });
}

function endGrace(call: MemberCall, services: PortalServices): Promise<Redirect | Fault> {
  return changeKey(call, services, async (tx, { id, grace_ends_at }) => {
    if (grace_ends_at === null) return { fault: 'The old secret of this key has stopped working already.' };
    await endGraceWithin(tx, { id, actor: actorOf(call) });
    return { to: `/portal/keys/${id}?done=grace_ended` };
  });
}

function revoke(call: MemberCall, services: PortalServices): Promise<Redirect | Fault> {
  return changeKey(call, services, async (tx, { id }) => {
    await revokeKeyWithin(tx, { id, actor: actorOf(call), byCustomer: true });
    return { to: `/portal/keys/${id}?done=revoked` };
  });
}
