/** The keys of a customer: list, issue, rename, limit, rotate, revoke. Every change is audited. */
import { PRODUCTS } from '@tmds/contract/enums';
import {
  endGraceWithin,
  isProduct,
  issueKeyWithin,
  revokeKeyWithin,
  rotateKeyWithin,
  setKeyWithin,
} from '../../access/keys.ts';
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
import { doAlone, type Fault } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { keepSecret, readGrace, type SecretSubject, showSecret } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';
import { renderNewKey, renderRevoke, renderRotate } from './key-forms.ts';
import { renderIssued, renderKey, renderKeys } from './key-pages.ts';
import {
  findIssueFault,
  findQuotaFault,
  NAME_FAULT,
  NO_AGREEMENT,
  parseName,
  parseQuota,
  QUOTA_FAULT,
} from './terms.ts';

export function listKeyRoutes(services: PortalServices, forgetAnswers: (keyId: string) => void): PortalRoute[] {
  const { show, change } = buildMemberRoutes(services);
  return [
    show('/keys', showKeys, true),
    change('/keys', '/keys/new', ['name', 'product', 'quota'], issue),
    show('/keys/new', async (call) => showNewKey(call, services, null)),
    show('/keys/:id', async (call) => showKey(call, services, null), true),
    show('/keys/:id/text', showText),
    change('/keys/:id/name', '/keys/:id', ['name'], rename),
    change('/keys/:id/quota', '/keys/:id', ['quota'], limit),
    show('/keys/:id/rotate', async (call) => {
      const key = await findLive(call, services);
      return renderRotate(call, key, `/portal/keys/${key.id}`);
    }),
    change('/keys/:id/rotate', '/keys/:id/rotate', ['grace'], rotate),
    change('/keys/:id/grace/end', '/keys/:id', [], endGrace),
    show('/keys/:id/revoke', async (call) => renderRevoke(call, await findLive(call, services), null)),
    change('/keys/:id/revoke', '/keys/:id/revoke', [], async (call) => {
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

async function showNewKey(call: MemberCall, { database }: PortalServices, fault: string | null): Promise<Page> {
  return renderNewKey(call, await listAgreements(database, call.user.customer_id), fault);
}

async function showKey(call: MemberCall, services: PortalServices, fault: string | null): Promise<Page> {
  const { database } = services;
  const { customer_id } = call.user;
  const key = await findOwn(call, services);
  const [agreements, activity] = await Promise.all([
    listAgreements(database, customer_id),
    listCustomerAudit(database, { customerId: customer_id, keyId: key.id, before: null }),
  ]);
  return renderKey(call, { key, agreements, activity, fault });
}

async function issue(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { user, form } = call;
  const name = parseName(form.get('name'));
  const products = PRODUCTS.filter((product) => form.getAll('product').includes(product)).filter(isProduct);
  const quota = parseQuota(form.get('quota') ?? '');
  if (name === null) return showNewKey(call, services, NAME_FAULT);
  if (products.length === 0) return showNewKey(call, services, 'Choose at least one product.');
  if (quota === undefined) return showNewKey(call, services, QUOTA_FAULT);
  const outcome = await doAlone(call, services.database, async (tx, customer) => {
    const agreements = await listAgreements(tx, user.customer_id);
    const terms = agreements.filter(({ product }) => products.includes(product));
    const fault = findIssueFault(terms, products, quota);
    if (fault !== null) return { fault };
    const rateLimitPerMinute = Math.min(...terms.map((term) => term.rate_limit_per_minute));
    const order = { customer, name, products, rateLimitPerMinute, quota, actor: actorOf(call), byCustomer: true };
    const { id, key } = await issueKeyWithin(tx, order);
    await keepSecret(tx, call, secretOf(id), { title: 'Your new key', text: key, until: null });
    return { to: `/portal/keys/${id}/text` };
  });
  return 'fault' in outcome ? showNewKey(call, services, outcome.fault) : outcome;
}

const secretOf = (id: string): SecretSubject => ({ kind: 'key', id });

async function showText(call: MemberCall, services: PortalServices): Promise<Page> {
  const key = await findOwn(call, services);
  const path = `/portal/keys/${key.id}`;
  return renderIssued(key, await showSecret(call, services.database, secretOf(key.id), path), path);
}

async function rename(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const name = parseName(call.form.get('name'));
  return changeKey(call, services, async (tx, key) => {
    if (name === null) return { fault: NAME_FAULT };
    await setKeyWithin(tx, { id: key.id, actor: actorOf(call), byCustomer: true, name });
    return { to: `/portal/keys/${key.id}?done=renamed` };
  });
}

/** Changes a live key under the customer's lock; a fault is shown on the key's page. */
async function changeKey(
  call: MemberCall,
  services: PortalServices,
  work: (tx: Transaction, key: CustomerKey) => Promise<Redirect | Fault>,
): Promise<PortalAnswer> {
  const outcome = await doAlone(call, services.database, async (tx) =>
    work(tx, await findLive(call, { database: tx })),
  );
  if (!('fault' in outcome)) return outcome;
  return { ...(await showKey(call, services, outcome.fault)), status: 422 };
}

/** The lock keeps two changes from taking the same units. */
async function limit(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const quota = parseQuota(call.form.get('quota') ?? '');
  return changeKey(call, services, async (tx, key) => {
    if (quota === undefined) return { fault: QUOTA_FAULT };
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

async function rotate(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const grace = readGrace(call);
  return changeKey(call, services, async (tx, { id, name }) => {
    const { key } = await rotateKeyWithin(tx, { id, graceSeconds: grace.seconds, actor: actorOf(call) });
    const secret = { title: `New secret for “${name ?? id}”`, text: key, until: grace.label };
    await keepSecret(tx, call, secretOf(id), secret);
    return { to: `/portal/keys/${id}/text` };
  });
}

async function endGrace(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  return changeKey(call, services, async (tx, { id, grace_ends_at }) => {
    if (grace_ends_at === null) return { fault: 'The old secret of this key has stopped working already.' };
    await endGraceWithin(tx, { id, actor: actorOf(call) });
    return { to: `/portal/keys/${id}?done=grace_ended` };
  });
}

async function revoke(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  if (call.form.get('sure') !== 'yes') {
    return renderRevoke(call, await findLive(call, services), 'Confirm that you mean it.');
  }
  return changeKey(call, services, async (tx, { id }) => {
    await revokeKeyWithin(tx, { id, actor: actorOf(call), byCustomer: true });
    return { to: `/portal/keys/${id}?done=revoked` };
  });
}
