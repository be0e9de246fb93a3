/** The keys of a customer: list, issue, rename, limit, rotate, revoke. Every change is audited. */

import { html } from 'htm/preact';
import { endGraceWithin, issueKeyWithin, revokeKeyWithin, rotateKeyWithin, setKeyWithin } from '../../access/keys.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { listAgreements } from '../../store/accounts/agreements.ts';
import { type CustomerKey, findCustomerKey } from '../../store/accounts/portal-keys.ts';
import { actorOf, type MemberCall, orNotFound, type Page, PageRefusal, type PortalRoute } from '../frame/call.ts';
import { NO_FIELDS } from '../frame/forms.ts';
import { doAlone } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { keepSecret, ROTATE_LABEL, ROTATION, readGrace, type SecretSubject, showSecret } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';
import { renderIssued, renderKeyTrail, showKey, showKeys, showNewKey } from './key-pages.ts';
import { findIssueFault, findQuotaFault, ISSUE, LIMIT, NO_AGREEMENT, nameOf, RENAME, REVOKE } from './terms.ts';

export function listKeyRoutes(services: PortalServices, forgetAnswers: (keyId: string) => void): PortalRoute[] {
  const { show, submit } = buildMemberRoutes(services);
  return [
    show('/keys', showKeys, true),
    show('/keys/new', showNewKey),
    submit('/keys', '/keys/new', ISSUE, {
      refused: showNewKey,
      answer: (call, { database }, { name, product: products, quota }) =>
        doAlone(call, database, async (tx, { name: customer }) => {
          const agreements = await listAgreements(tx, call.user.customer_id);
          const terms = agreements.filter(({ product }) => products.includes(product));
          const fault = findIssueFault(terms, products, quota);
          if (fault !== null) return { fault };
          const rateLimitPerMinute = Math.min(...terms.map((term) => term.rate_limit_per_minute));
          const order = { customer, name, products, rateLimitPerMinute, quota, actor: actorOf(call), byCustomer: true };
          const { id, key } = await issueKeyWithin(tx, order);
          await keepSecret(tx, call, secretOf(id), { title: 'Your new key', text: key, until: null });
          return { to: `/portal/keys/${id}/text` };
        }),
    }),
    show('/keys/:id', showOwn, true),
    show('/keys/:id/text', async (call, { database }) => {
      const key = await findOwn(call, { database });
      return renderIssued(key, await showSecret(call, database, secretOf(key.id), pathOf(key)), pathOf(key));
    }),
    ...listChanges(services, forgetAnswers),
  ];
}

/** Changes of a live key, under the customer's lock, so that two changes never take the same units. */
function listChanges(services: PortalServices, forgetAnswers: (keyId: string) => void): PortalRoute[] {
  const { change, ask } = buildMemberRoutes(services).of({ at: '/keys/:id', find: findLive, run: doAlone });
  return [
    change('name', RENAME, showOwn, async (tx, { id }, { call, values: { name } }) => {
      await setKeyWithin(tx, { id, actor: actorOf(call), byCustomer: true, name });
      return `/portal/keys/${id}?done=renamed`;
    }),
    change('quota', LIMIT, showOwn, async (tx, { id, products }, { call, values: { quota } }) => {
      const agreements = await listAgreements(tx, call.user.customer_id);
      const terms = agreements.filter(({ product }) => products.some((row) => row.product === product));
      if (terms.length < products.length) return { fault: NO_AGREEMENT };
      const given = Math.min(...products.map((row) => row.quota ?? 0));
      const fault = findQuotaFault(terms, quota, given);
      if (fault !== null) return { fault };
      await setKeyWithin(tx, { id, actor: actorOf(call), byCustomer: true, quota });
      return `/portal/keys/${id}?done=limited`;
    }),
    change('grace/end', NO_FIELDS, showOwn, async (tx, { id, grace_ends_at }, { call }) => {
      if (grace_ends_at === null) return { fault: 'The old secret of this key has stopped working already.' };
      await endGraceWithin(tx, { id, actor: actorOf(call) });
      return `/portal/keys/${id}?done=grace_ended`;
    }),
    ...ask('rotate', ROTATION, (key) => ({ title: 'Rotate the key', ...headOf(key), label: ROTATE_LABEL }), {
      work: async (tx, { id, name }, { call, values }) => {
        const { graceSeconds, until } = readGrace(values);
        const { key } = await rotateKeyWithin(tx, { id, graceSeconds, actor: actorOf(call) });
        await keepSecret(tx, call, secretOf(id), { title: `New secret for “${name ?? id}”`, text: key, until });
        return `/portal/keys/${id}/text`;
      },
    }),
    ...ask('revoke', REVOKE, askRevoke, {
      work: async (tx, { id }, { call }) => {
        await revokeKeyWithin(tx, { id, actor: actorOf(call), byCustomer: true });
        return `/portal/keys/${id}?done=revoked`;
      },
      done: ({ params }) => forgetAnswers(params.id ?? ''),
    }),
  ];
}

const pathOf = ({ id }: CustomerKey): string => `/portal/keys/${id}`;
const secretOf = (id: string): SecretSubject => ({ kind: 'key', id });

async function findOwn({ user, params }: MemberCall, { database }: { database: Queryable }): Promise<CustomerKey> {
  return orNotFound(await findCustomerKey(database, user.customer_id, params.id ?? ''));
}

async function findLive(call: MemberCall, reading: { database: Queryable }): Promise<CustomerKey> {
  const key = await findOwn(call, reading);
  if (key.revoked_at !== null) throw new PageRefusal(409, 'The key is revoked', 'A revoked key cannot be changed.');
  return key;
}

async function showOwn(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return showKey(call, services, await findOwn(call, services), fault);
}

const headOf = (key: CustomerKey) =>
  ({ section: 'keys', trail: renderKeyTrail(key, pathOf(key)), back: pathOf(key) }) as const;

const askRevoke = (key: CustomerKey) =>
  ({
    title: 'Revoke the key',
    ...headOf(key),
    words: html`
      <p>
        Every program that uses <strong><bdi>${nameOf(key)}</bdi></strong> is refused from the next second on. This
        cannot be undone.
      </p>
    `,
    label: 'Revoke the key',
    kind: 'danger',
  }) as const;
