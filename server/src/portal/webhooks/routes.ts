/** The webhooks of a customer: list, add, switch off and on, rotate, delete, replay. Every change is audited. */

import { WEBHOOKS_MAX } from '@tmds/contract/webhooks';
import { buildKeyId } from '../../access/secret.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { listWatches } from '../../store/watches/watches.ts';
import { insertTest, listTests, TESTS_MAX, TESTS_MINUTES } from '../../store/webhooks/tests.ts';
import {
  type CustomerWebhook,
  countWebhooks,
  deleteWebhook,
  endFormerSecret,
  findWebhook,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  replaceSecret,
  replayDelivery,
  switchOff,
  switchOn,
} from '../../store/webhooks/webhooks.ts';
import { buildSecret } from '../../webhook/message.ts';
import { LEASE_SECONDS } from '../../webhook/sender.ts';
import { parseTarget } from '../../webhook/target.ts';
import { noteActivity } from '../frame/audit-table.ts';
import { type MemberCall, type Page, type PortalRoute, pageNotFound, type Redirect } from '../frame/call.ts';
import { NO_FIELDS, type Values } from '../frame/forms.ts';
import { doAlone, type Fault } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { keepSecret, ROTATION, readGrace, type SecretSubject, showSecret } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';
import {
  ADDITION,
  ALL_WATCHES,
  DELETION,
  renderDelete,
  renderNewWebhook,
  renderRotate,
  TOO_MANY_WEBHOOKS,
} from './webhook-forms.ts';
import { renderSecretOnce, renderWebhook, renderWebhooks } from './webhook-pages.ts';

/** Deliveries of one page. */
const DELIVERIES_SHOWN = 50;
/** Test events of one page. */
const TESTS_SHOWN = 5;
/** Watches in the field that chooses one. */
const WATCHES_OFFERED = 500;

export function listWebhookRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit, ask } = buildMemberRoutes(services);
  const one = '/webhooks/:id';
  const change = (url: string, answer: typeof turnOff): PortalRoute =>
    submit(`${one}/${url}`, one, NO_FIELDS, { refused: showWebhook, answer });
  return [
    show('/webhooks', showWebhooks, true),
    submit('/webhooks', '/webhooks/new', ADDITION, { refused: showNewWebhook, answer: add }),
    show('/webhooks/new', (call) => showNewWebhook(call, services)),
    show(one, (call) => showWebhook(call, services), true),
    show(`${one}/secret`, showSecretOnce),
    ...ask(`${one}/rotate`, ROTATION, showRotate, rotate),
    change('grace/end', endGrace),
    change('off', turnOff),
    change('on', turnOn),
    ...ask(`${one}/delete`, DELETION, showDelete, remove),
    change('test', sendTest),
    change('deliveries/:delivery/replay', replay),
  ];
}

/** The webhook of the path. To a customer, somebody else's does not exist. */
async function findOwn(call: MemberCall, { database }: { database: Queryable }): Promise<CustomerWebhook> {
  const webhook = await findWebhook(database, call.user.customer_id, call.params.id ?? '');
  if (webhook === null) throw pageNotFound();
  return webhook;
}

async function showWebhooks(call: MemberCall, { database }: PortalServices): Promise<Page> {
  return renderWebhooks(call, await listWebhooks(database, call.user.customer_id));
}

async function showNewWebhook(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const { database, webhookPrivate } = services;
  const { customer_id } = call.user;
  const [watches, webhooks] = await Promise.all([
    listWatches(database, customer_id, { after: null, limit: WATCHES_OFFERED }),
    listWebhooks(database, customer_id),
  ]);
  return renderNewWebhook(call, { watches, webhooks: webhooks.length, privateTargets: webhookPrivate, fault });
}

async function showWebhook(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  const webhook = await findOwn(call, services);
  const [, created_at = '', delivery_id = ''] = POSITION.exec(call.query.get('before') ?? '') ?? [];
  const { webhook_id: webhookId } = webhook;
  const [found, tests] = await Promise.all([
    listDeliveries(services.database, {
      webhookId,
      before: created_at === '' ? null : { created_at, delivery_id },
      limit: DELIVERIES_SHOWN + 1,
    }),
    listTests(services.database, { webhookId, lostSeconds: LEASE_SECONDS, limit: TESTS_SHOWN }),
  ]);
  const deliveries = found.slice(0, DELIVERIES_SHOWN);
  const last = deliveries.at(-1);
  const older =
    found.length > DELIVERIES_SHOWN && last !== undefined
      ? `/portal/webhooks/${webhookId}?before=${last.created_at}_${last.delivery_id}`
      : null;
  return renderWebhook(call, { webhook, tests, deliveries, older, fault });
}

const POSITION = /^(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

async function add(
  call: MemberCall,
  { database, webhookPrivate, webhookSecrets }: PortalServices,
  { url, watch: chosen }: Values<typeof ADDITION.fields>,
): Promise<Redirect | Fault> {
  const { user } = call;
  const target = parseTarget(url, webhookPrivate);
  if ('fault' in target) return target;
  const watch = chosen === ALL_WATCHES ? null : chosen;
  const id = buildKeyId();
  const text = buildSecret();
  const secret = await webhookSecrets.seal(id, text);
  return doAlone(call, database, async (tx) => {
    if ((await countWebhooks(tx, user.customer_id)) >= WEBHOOKS_MAX) return { fault: TOO_MANY_WEBHOOKS };
    const webhook = { webhook_id: id, customer_id: user.customer_id, ...target, watch, secret };
    if (!(await insertWebhook(tx, webhook))) return { fault: 'There is no such watch. Choose one from the list.' };
    await noteActivity(tx, call, 'webhook.add', { webhook: id, receiver: target.host, watch: watch ?? 'all' });
    await keepSecret(tx, call, secretOf(id), { title: 'The secret of your new webhook', text, until: null });
    return { to: `/portal/webhooks/${id}/secret` };
  });
}

const secretOf = (id: string): SecretSubject => ({ kind: 'webhook', id });

async function showSecretOnce(call: MemberCall, services: PortalServices): Promise<Page> {
  const webhook = await findOwn(call, services);
  const { webhook_id: id } = webhook;
  return renderSecretOnce(webhook, await showSecret(call, services.database, secretOf(id), `/portal/webhooks/${id}`));
}

async function showRotate(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderRotate(call, await findOwn(call, services), fault);
}

async function showDelete(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return renderDelete(call, await findOwn(call, services), fault);
}

/** Changes a webhook under the customer's lock. */
function changeOwn(
  call: MemberCall,
  { database }: PortalServices,
  work: (tx: Transaction, webhook: CustomerWebhook) => Promise<Redirect | Fault>,
): Promise<Redirect | Fault> {
  return doAlone(call, database, async (tx) => work(tx, await findOwn(call, { database: tx })));
}

async function rotate(
  call: MemberCall,
  services: PortalServices,
  values: Values<typeof ROTATION.fields>,
): Promise<Redirect | Fault> {
  const { graceSeconds, until } = readGrace(values);
  const text = buildSecret();
  const secret = await services.webhookSecrets.seal(call.params.id ?? '', text);
  return changeOwn(call, services, async (tx, { webhook_id: id }) => {
    await replaceSecret(tx, { id, secret, graceSeconds });
    await noteActivity(tx, call, 'webhook.rotate', { webhook: id, grace_seconds: graceSeconds });
    await keepSecret(tx, call, secretOf(id), { title: 'New secret for the webhook', text, until });
    return { to: `/portal/webhooks/${id}/secret` };
  });
}

async function endGrace(call: MemberCall, services: PortalServices): Promise<Redirect | Fault> {
  return changeOwn(call, services, async (tx, { webhook_id: id, former_ends_at }) => {
    if (former_ends_at === null) return { fault: 'The old secret of this webhook has ended already.' };
    await endFormerSecret(tx, id);
    await noteActivity(tx, call, 'webhook.end_grace', { webhook: id });
    return { to: `/portal/webhooks/${id}?done=webhook_grace_ended` };
  });
}

async function turnOff(call: MemberCall, services: PortalServices): Promise<Redirect | Fault> {
  return changeOwn(call, services, async (tx, { webhook_id: id }) => {
    if (!(await switchOff(tx, id))) return { fault: 'The webhook is off already.' };
    await noteActivity(tx, call, 'webhook.off', { webhook: id });
    return { to: `/portal/webhooks/${id}?done=webhook_off` };
  });
}

async function turnOn(call: MemberCall, services: PortalServices): Promise<Redirect | Fault> {
  return changeOwn(call, services, async (tx, { webhook_id: id }) => {
    if (!(await switchOn(tx, id))) return { fault: 'The webhook is on already.' };
    await noteActivity(tx, call, 'webhook.on', { webhook: id });
    return { to: `/portal/webhooks/${id}?done=webhook_on` };
  });
}

async function remove(call: MemberCall, services: PortalServices): Promise<Redirect | Fault> {
  return changeOwn(call, services, async (tx, { webhook_id: id, url }) => {
    await deleteWebhook(tx, id);
    await noteActivity(tx, call, 'webhook.delete', { webhook: id, receiver: new URL(url).host });
    return { to: '/portal/webhooks?done=webhook_deleted' };
  });
}

async function replay(call: MemberCall, services: PortalServices): Promise<Redirect | Fault> {
  const deliveryId = call.params.delivery ?? '';
  return changeOwn(call, services, async (tx, { webhook_id: id, off_since }) => {
    if (off_since !== null) return { fault: 'The webhook is off. Switch it on before you replay a delivery.' };
    if (!(await replayDelivery(tx, { webhookId: id, deliveryId }))) {
      return { fault: 'This delivery is no longer kept.' };
    }
    await noteActivity(tx, call, 'webhook.replay', { webhook: id, delivery: deliveryId });
    return { to: `/portal/webhooks/${id}?done=replayed` };
  });
}

/** The sender makes its one attempt within seconds, wherever it runs. */
async function sendTest(call: MemberCall, services: PortalServices): Promise<Redirect | Fault> {
  const { customer_id: customerId } = call.user;
  return changeOwn(call, services, async (tx, { webhook_id: id, url }) => {
    if ((await insertTest(tx, { customerId, webhookId: id })) === null) return { fault: TOO_MANY_TESTS };
    await noteActivity(tx, call, 'webhook.test', { webhook: id, receiver: new URL(url).host });
    return { to: `/portal/webhooks/${id}#tests` };
  });
}

const TOO_MANY_TESTS = `Your team has sent ${TESTS_MAX} test events in the last ${TESTS_MINUTES} minutes. Wait a few minutes before the next one.`;
