/** Keys of the customer: seen, issued within the agreement, renamed, limited, rotated, revoked; each change audited. */
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import {
  type IssuedKey,
  isProduct,
  issueKeyWithin,
  revokeKeyWithin,
  rotateKey,
  setKey,
  setKeyWithin,
} from '../access/keys.ts';
import {
  type Agreement,
  type CustomerKey,
  findCustomerKey,
  KEYS_MAX,
  listAgreements,
  listCustomerAudit,
  listCustomerKeys,
  lockCustomer,
  notePortalKey,
  noteQuota,
} from '../store/portal-keys.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PortalServices,
  pageNotFound,
} from './call.ts';
import { GRACES, renderIssued, renderKey, renderKeys, renderNewKey, renderRevoke, renderRotate } from './keys-pages.ts';

/** Characters of a key's name. */
const NAME_MAX = 100;
const QUOTA_MAX = 1_000_000_000_000;

export function listKeyRoutes(services: PortalServices): PortalRoute[] {
  const route = (
    method: 'GET' | 'POST',
    url: string,
    work: (call: MemberCall, services: PortalServices) => Promise<PortalAnswer>,
  ): PortalRoute => ({ method, url, members: (call) => work(call, services) });
  return [
    route('GET', '/keys', showKeys),
    route('POST', '/keys', issue),
    route('GET', '/keys/new', async (call) => showNewKey(call, services, null)),
    route('GET', '/keys/:id', async (call) => showKey(call, services, null)),
    route('POST', '/keys/:id/name', rename),
    route('POST', '/keys/:id/quota', limit),
    route('GET', '/keys/:id/rotate', async (call) => renderRotate(call, await findOwn(call, services))),
    route('POST', '/keys/:id/rotate', rotate),
    route('GET', '/keys/:id/revoke', async (call) => renderRevoke(call, await findOwn(call, services), null)),
    route('POST', '/keys/:id/revoke', revoke),
  ];
}

/** The key of the path if it is the customer's; a key of anybody else does not exist for them. */
async function findOwn(call: MemberCall, { database }: PortalServices): Promise<CustomerKey> {
  const key = await findCustomerKey(database, call.user.customer_id, call.params.id ?? '');
  if (key === null) throw pageNotFound();
  return key;
}

async function findLive(call: MemberCall, services: PortalServices): Promise<CustomerKey> {
  const key = await findOwn(call, services);
  if (key.revoked_at !== null) throw new PageRefusal(409, 'The key is revoked', 'A revoked key stays as it is.');
  return key;
}

async function showKeys(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const { customer_id } = call.user;
  const [keys, agreements] = await Promise.all([
    listCustomerKeys(database, customer_id),
    listAgreements(database, customer_id),
  ]);
  return renderKeys(call, keys, agreements);
}

async function showNewKey(call: MemberCall, { database }: PortalServices, fault: string | null): Promise<Page> {
  return renderNewKey(call, await listAgreements(database, call.user.customer_id), fault);
}

async function showKey(call: MemberCall, services: PortalServices, fault: string | null): Promise<Page> {
  const { database } = services;
  const { customer_id } = call.user;
  const key = await findOwn(call, services);
  const [agreements, changes] = await Promise.all([
    listAgreements(database, customer_id),
    listCustomerAudit(database, { customerId: customer_id, keyId: key.id, before: null }),
  ]);
  return renderKey(call, { key, agreements, changes, fault });
}

async function issue(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { user, form } = call;
  const name = parseName(form.get('name'));
  const products = PRODUCTS.filter((product) => form.getAll('product').includes(product)).filter(isProduct);
  const quota = parseQuota(form.get('quota') ?? '');
  if (name === null) return showNewKey(call, services, `A name has 1 to ${NAME_MAX} characters.`);
  if (products.length === 0) return showNewKey(call, services, 'Choose at least one product.');
  if (quota === undefined) return showNewKey(call, services, 'The units a month are a whole number, or left empty.');
  const outcome = await services.database.transaction(async (tx): Promise<IssuedKey | string> => {
    const { name: customer } = await lockCustomer(tx, user.customer_id);
    const agreements = await listAgreements(tx, user.customer_id);
    const terms = agreements.filter(({ product }) => products.includes(product));
    const fault = findIssueFault(terms, products, quota);
    if (fault !== null) return fault;
    const rateLimitPerMinute = Math.min(...terms.map((term) => term.rate_limit_per_minute));
    const order = { customer, name, products, rateLimitPerMinute, quota, actor: actorOf(user) };
    const issued = await issueKeyWithin(tx, order);
    await notePortalKey(tx, issued.id, 'issued');
    return issued;
  });
  if (typeof outcome === 'string') return showNewKey(call, services, outcome);
  return renderIssued(call, outcome, { title: 'Your new key', name, graceUntil: null });
}

function findIssueFault(
  terms: readonly Agreement[],
  products: readonly Product[],
  quota: number | null,
): string | null {
  if (terms.length < products.length) return 'The agreement does not hold all of these products.';
  if (terms.some((term) => term.live_keys >= KEYS_MAX)) return `There are ${KEYS_MAX} keys already: revoke one first.`;
  return findQuotaFault(terms, quota, 0);
}

/** `given` is what the key itself already has of the agreement. */
function findQuotaFault(terms: readonly Agreement[], quota: number | null, given: number): string | null {
  const bounded = terms.filter((term) => term.free !== null);
  if (bounded.length === 0) return null;
  const free = Math.min(...bounded.map((term) => term.free!)) + given;
  if (quota !== null && quota <= free && quota > 0) return null;
  if (free === 0) return 'Every unit of the agreement is given to a key: lower or revoke another one first.';
  return `The agreement has ${free} units a month left to give: name a number up to that.`;
}

async function rename(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const key = await findLive(call, services);
  const name = parseName(call.form.get('name'));
  if (name === null)
    return { ...(await showKey(call, services, `A name has 1 to ${NAME_MAX} characters.`)), status: 422 };
  await setKey(services.database, { id: key.id, actor: actorOf(call.user), name });
  return { to: `/portal/keys/${key.id}?done=renamed` };
}

/** Within what is free; under the customer's lock, so that two changes cannot both take the same units. */
async function limit(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const { database } = services;
  const key = await findLive(call, services);
  const quota = parseQuota(call.form.get('quota') ?? '');
  const fault =
    quota === undefined
      ? 'The units a month are a whole number, or left empty.'
      : await database.transaction(async (tx) => {
          await lockCustomer(tx, call.user.customer_id);
          const now = await findCustomerKey(tx, call.user.customer_id, key.id);
          const agreements = await listAgreements(tx, call.user.customer_id);
          const carried = now?.products ?? [];
          const terms = agreements.filter(({ product }) => carried.some((row) => row.product === product));
          const given = Math.min(...carried.map((row) => row.quota ?? 0));
          const found = findQuotaFault(terms, quota, given);
          if (found === null) {
            await noteQuota(tx, key.id, quota);
            await setKeyWithin(tx, { id: key.id, actor: actorOf(call.user), quota });
          }
          return found;
        });
  if (fault !== null) return { ...(await showKey(call, services, fault)), status: 422 };
  return { to: `/portal/keys/${key.id}?done=limited` };
}

async function rotate(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const key = await findLive(call, services);
  const grace = GRACES.find(({ seconds }) => String(seconds) === call.form.get('grace'));
  if (grace === undefined) throw new PageRefusal(422, 'Not understood', 'There is no such time of grace.');
  const order = { id: key.id, graceSeconds: grace.seconds, actor: actorOf(call.user) };
  const rotated = await rotateKey(services.database, order);
  return renderIssued(call, rotated, { title: 'The key is rotated', name: key.name, graceUntil: grace.label });
}

async function revoke(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const key = await findLive(call, services);
  if (call.form.get('sure') !== 'yes') {
    return renderRevoke(call, key, 'Confirm that you mean it.');
  }
  await services.database.transaction(async (tx) => {
    await revokeKeyWithin(tx, { id: key.id, actor: actorOf(call.user) });
    await notePortalKey(tx, key.id, 'revoked');
  });
  return { to: `/portal/keys/${key.id}?done=revoked` };
}

function parseName(text: string | null): string | null {
  const name = (text ?? '').normalize('NFC').replace(/\s+/g, ' ').trim();
  const isText = !/[\p{Cc}\p{Cs}]/u.test(name);
  return name !== '' && isText && [...name].length <= NAME_MAX ? name : null;
}

/** Null = unlimited; undefined = not a number. */
function parseQuota(text: string): number | null | undefined {
  const digits = text.trim().replaceAll(/[ ,_]/g, '');
  if (digits === '') return null;
  return /^\d{1,13}$/.test(digits) && Number(digits) <= QUOTA_MAX ? Number(digits) : undefined;
}
