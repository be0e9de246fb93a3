/** Keys of the customer: seen, issued within the agreement, renamed, limited, rotated, revoked; each change audited. */
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import {
  endGraceWithin,
  isProduct,
  issueKeyWithin,
  revokeKeyWithin,
  rotateKeyWithin,
  setKeyWithin,
} from '../../access/keys.ts';
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
} from '../../store/accounts/portal-keys.ts';
import type { Queryable, Transaction } from '../../store/driver/db.ts';
import type { Answers } from '../frame/answers.ts';
import {
  actorOf,
  type MemberCall,
  type Page,
  PageRefusal,
  type PortalAnswer,
  type PortalRoute,
  type PublicCall,
  pageNotFound,
  type Redirect,
} from '../frame/call.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import type { PortalServices } from '../services.ts';
import { GRACES, renderNewKey, renderRevoke, renderRotate } from './forms.ts';
import { renderIssued, renderKey, renderKeys } from './pages.ts';
import { keepReveal, openReveal } from './reveal.ts';

/** Characters of a key's name. */
const NAME_MAX = 100;
const QUOTA_MAX = 1_000_000_000_000;
const NO_AGREEMENT = 'There is no agreement to take units from. Write to the operator of this service.';

type Work = (call: MemberCall, services: PortalServices) => Promise<PortalAnswer>;

export function listKeyRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const show = (url: string, work: Work): PortalRoute => ({
    method: 'GET',
    url,
    members: (call) => work(call, services),
  });
  const change = (url: string, page: string, keeps: readonly string[], work: Work): PortalRoute => ({
    method: 'POST',
    url,
    form: { page: ({ params }: PublicCall) => page.replace(':id', encodeURIComponent(params.id ?? '')), keeps },
    members: (call) => work(call, services),
  });
  return [
    show('/keys', showKeys),
    change('/keys', '/portal/keys/new', ['name', 'product', 'quota'], issue),
    show('/keys/new', async (call) => showNewKey(call, services, null)),
    show('/keys/:id', async (call) => showKey(call, services, null)),
    show('/keys/:id/text', showText),
    change('/keys/:id/name', '/portal/keys/:id', ['name'], rename),
    change('/keys/:id/quota', '/portal/keys/:id', ['quota'], limit),
    show('/keys/:id/rotate', async (call) => renderRotate(call, await findLive(call, services))),
    change('/keys/:id/rotate', '/portal/keys/:id/rotate', ['grace'], rotate),
    change('/keys/:id/grace/end', '/portal/keys/:id', [], endGrace),
    show('/keys/:id/revoke', async (call) => renderRevoke(call, await findLive(call, services), null)),
    change('/keys/:id/revoke', '/portal/keys/:id/revoke', [], async (call) => {
      const answer = await revoke(call, services);
      if ('to' in answer) answers.drop(call.params.id ?? '');
      return answer;
    }),
  ];
}

/** The key of the path if it is the customer's; a key of anybody else does not exist for them. */
async function findOwn(call: MemberCall, { database }: { database: Queryable }): Promise<CustomerKey> {
  const key = await findCustomerKey(database, call.user.customer_id, call.params.id ?? '');
  if (key === null) throw pageNotFound();
  return key;
}

async function findLive(call: MemberCall, services: { database: Queryable }): Promise<CustomerKey> {
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
  const outcome = await doOnce(call, services.database, async (tx) => {
    const { name: customer } = await lockCustomer(tx, user.customer_id);
    const agreements = await listAgreements(tx, user.customer_id);
    const terms = agreements.filter(({ product }) => products.includes(product));
    const fault = findIssueFault(terms, products, quota);
    if (fault !== null) return { fault };
    const rateLimitPerMinute = Math.min(...terms.map((term) => term.rate_limit_per_minute));
    const order = { customer, name, products, rateLimitPerMinute, quota, actor: actorOf(user) };
    const { id, key } = await issueKeyWithin(tx, order);
    await notePortalKey(tx, id, 'issued');
    await keepReveal(tx, textOf(call, id), { title: 'Your new key', text: key, until: null });
    return { to: `/portal/keys/${id}/text` };
  });
  return 'fault' in outcome ? showNewKey(call, services, outcome.fault) : outcome;
}

/** Under which the text of a new key is kept until its page has shown it. */
function textOf({ token }: MemberCall, id: string): { token: string; subject: string } {
  return { token, subject: `key ${id}` };
}

async function showText(call: MemberCall, services: PortalServices): Promise<Page> {
  const key = await findOwn(call, services);
  const path = `/portal/keys/${key.id}`;
  // A link on another site could otherwise use the one showing up.
  const revealed = call.fromElsewhere ? null : await openReveal(services.database, textOf(call, key.id));
  if (revealed !== null) return renderIssued(key, revealed);
  const message = 'A text is shown once, to whoever made it. Who has not kept it rotates the key and gets another one.';
  throw new PageRefusal(410, 'The text of the key is no longer shown', message, path);
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
  const name = parseName(call.form.get('name'));
  return changeKey(call, services, async (tx, key) => {
    if (name === null) return { fault: `A name has 1 to ${NAME_MAX} characters.` };
    await setKeyWithin(tx, { id: key.id, actor: actorOf(call.user), name });
    return { to: `/portal/keys/${key.id}?done=renamed` };
  });
}

/** A change of a live key from its page, where its fault is shown; under the customer's lock. */
async function changeKey(
  call: MemberCall,
  services: PortalServices,
  work: (tx: Transaction, key: CustomerKey) => Promise<Redirect | Fault>,
): Promise<PortalAnswer> {
  const outcome = await doOnce(call, services.database, async (tx) => {
    await lockCustomer(tx, call.user.customer_id);
    return work(tx, await findLive(call, { database: tx }));
  });
  if (!('fault' in outcome)) return outcome;
  return { ...(await showKey(call, services, outcome.fault)), status: 422 };
}

/** Within what is free; two changes cannot both take the same units. */
async function limit(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const quota = parseQuota(call.form.get('quota') ?? '');
  return changeKey(call, services, async (tx, key) => {
    if (quota === undefined) return { fault: 'The units a month are a whole number, or left empty.' };
    const agreements = await listAgreements(tx, call.user.customer_id);
    const terms = agreements.filter(({ product }) => key.products.some((row) => row.product === product));
    if (terms.length < key.products.length) return { fault: NO_AGREEMENT };
    const given = Math.min(...key.products.map((row) => row.quota ?? 0));
    const fault = findQuotaFault(terms, quota, given);
    if (fault !== null) return { fault };
    await noteQuota(tx, key.id, quota);
    await setKeyWithin(tx, { id: key.id, actor: actorOf(call.user), quota });
    return { to: `/portal/keys/${key.id}?done=limited` };
  });
}

async function rotate(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  const grace = GRACES.find(({ seconds }) => String(seconds) === call.form.get('grace'));
  if (grace === undefined) throw new PageRefusal(422, 'Not understood', 'There is no such time of grace.');
  return changeKey(call, services, async (tx, { id }) => {
    const { key } = await rotateKeyWithin(tx, { id, graceSeconds: grace.seconds, actor: actorOf(call.user) });
    const revealed = { title: 'The key is rotated', text: key, until: grace.label };
    await keepReveal(tx, textOf(call, id), revealed);
    return { to: `/portal/keys/${id}/text` };
  });
}

async function endGrace(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  return changeKey(call, services, async (tx, { id, grace_ends_at }) => {
    if (grace_ends_at === null) return { fault: 'No old text of this key is accepted any more.' };
    await endGraceWithin(tx, { id, actor: actorOf(call.user) });
    return { to: `/portal/keys/${id}?done=grace_ended` };
  });
}

async function revoke(call: MemberCall, services: PortalServices): Promise<PortalAnswer> {
  if (call.form.get('sure') !== 'yes') {
    return renderRevoke(call, await findLive(call, services), 'Confirm that you mean it.');
  }
  return changeKey(call, services, async (tx, { id }) => {
    await revokeKeyWithin(tx, { id, actor: actorOf(call.user) });
    await notePortalKey(tx, id, 'revoked');
    return { to: `/portal/keys/${id}?done=revoked` };
  });
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
