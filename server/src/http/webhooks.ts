/**
 * The endpoints of webhooks, which are those of the portal: they belong to the customer of the key, and every change is
 * in the customer's activity. Each write may be repeated: what is repeated is done once, except that a test event goes
 * out again once the one before has gone out, and a new secret is another one.
 */
import { WEBHOOKS_MAX } from '@tmds/contract/webhooks';
import type { Caller } from '../access/authenticate.ts';
import { buildKeyId } from '../access/secret.ts';
import { apiError } from '../base/errors.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { type Database, type Transaction, withLimits } from '../database/driver/db.ts';
import { refuse } from '../parse/body.ts';
import {
  parseDeliveries,
  parseSecretBody,
  parseWebhookBody,
  parseWebhookId,
  parseWebhooks,
  type WebhookRequest,
} from '../parse/webhooks.ts';
import {
  renderDeliveries,
  renderDelivery,
  renderWebhook,
  renderWebhooks,
  renderWithSecret,
} from '../render/webhooks.ts';
import { insertAudit, lockCustomer } from '../store/accounts/customers.ts';
import { findTest, listMessages } from '../store/webhooks/messages.ts';
import { findTestPause, findWaitingTest, insertTest, TESTS_MAX, TESTS_MINUTES } from '../store/webhooks/tests.ts';
import {
  type CustomerWebhook,
  changeWebhook,
  countWebhooks,
  deleteWebhook,
  findOwnWebhook,
  insertWebhook,
  listOwnWebhooks,
  replaceSecret,
  switchOff,
  switchOn,
} from '../store/webhooks/webhooks.ts';
import { buildSecret } from '../webhook/message.ts';
import { LEASE_SECONDS } from '../webhook/sender.ts';
import { parseTarget, type Target } from '../webhook/target.ts';
import { defineEndpoint, type Services } from './endpoint.ts';

function noSuchWebhook(): Error {
  return apiError('not_found', 'This customer has no webhook with this id; GET /v1/webhooks lists those it has.');
}

export const webhooksEndpoint = defineEndpoint({
  name: 'webhooks',
  parse: ({ values }) => parseWebhooks(values),
  read: ({ after, limit }, { accounts }, { key, signal }) =>
    listOwnWebhooks(withLimits(accounts, { signal }), key.customerId, { after, limit: limit + 1 }),
  render: (webhooks, { limit }) => renderWebhooks(webhooks.slice(0, limit), webhooks.length > limit),
});

export const webhookEndpoint = defineEndpoint({
  name: 'webhook',
  parse: ({ path }) => parseWebhookId(path.webhook),
  read: async (id, { accounts }, { key, signal }) => {
    const webhook = await findOwnWebhook(withLimits(accounts, { signal }), key.customerId, id);
    if (webhook === null) throw noSuchWebhook();
    return webhook;
  },
  render: renderWebhook,
});

export const putWebhookEndpoint = defineEndpoint({
  name: 'put_webhook',
  afterVerdict: true,
  parse: ({ path, body, bodyType }) => ({ id: parseWebhookId(path.webhook), ...parseWebhookBody(body, bodyType) }),
  read: async ({ id, ...wanted }, { accounts, config, webhookSecrets }, { key }) => {
    const target = parseTarget(wanted.url, config.webhookPrivate ?? 'refuse');
    if ('fault' in target) throw apiError('invalid_parameter', target.fault, { param: 'url' });
    const webhookId = buildKeyId();
    const secret = buildSecret();
    const sealed = await webhookSecrets.seal(webhookId, secret);
    return await alone(accounts, key, async (tx) => {
      const known = await findOwnWebhook(tx, key.customerId, id);
      if (known === null) await add(tx, key, { webhook_id: webhookId, id, target, wanted, secret: sealed });
      else await change(tx, key, { known, target, wanted });
      await turn(tx, key, known ?? { webhook_id: webhookId, id, off_since: null }, wanted);
      return { webhook: (await findOwnWebhook(tx, key.customerId, id))!, secret: known === null ? secret : null };
    });
  },
  render: ({ webhook, secret }) => renderWithSecret(webhook, secret),
});

export const deleteWebhookEndpoint = defineEndpoint({
  name: 'delete_webhook',
  afterVerdict: true,
  parse: ({ path }) => parseWebhookId(path.webhook),
  read: (id, { accounts }, { key }) =>
    changeOwn(accounts, key, id, async (tx, webhook) => {
      await deleteWebhook(tx, webhook.webhook_id);
      await note(tx, key, 'webhook.delete', { webhook: id, receiver: new URL(webhook.url).host });
      return webhook;
    }),
  render: renderWebhook,
});

export const renewWebhookSecretEndpoint = defineEndpoint({
  name: 'renew_webhook_secret',
  afterVerdict: true,
  parse: ({ path, body, bodyType }) => ({
    id: parseWebhookId(path.webhook),
    graceSeconds: parseSecretBody(body, bodyType),
  }),
  read: ({ id, graceSeconds }, { accounts, webhookSecrets }, { key }) =>
    changeOwn(accounts, key, id, async (tx, { webhook_id }) => {
      const secret = buildSecret();
      const sealed = await webhookSecrets.seal(webhook_id, secret);
      await replaceSecret(tx, { id: webhook_id, secret: sealed, graceSeconds });
      await note(tx, key, 'webhook.rotate', { webhook: id, grace_seconds: graceSeconds });
      return { webhook: (await findOwnWebhook(tx, key.customerId, id))!, secret };
    }),
  render: ({ webhook, secret }) => renderWithSecret(webhook, secret),
});

/** The sender makes its one attempt within seconds, wherever it runs. */
export const testWebhookEndpoint = defineEndpoint({
  name: 'test_webhook',
  afterVerdict: true,
  parse: ({ path }) => parseWebhookId(path.webhook),
  read: (id, { accounts }, { key }) =>
    changeOwn(accounts, key, id, async (tx, { webhook_id: webhookId, url }) => {
      const { customerId } = key;
      const waiting = await findWaitingTest(tx, webhookId);
      const testId = waiting ?? (await insertTest(tx, { customerId, webhookId }));
      if (testId === null) throw tooManyTests(await findTestPause(tx, customerId));
      if (waiting === null) await note(tx, key, 'webhook.test', { webhook: id, receiver: new URL(url).host });
      return await findTest(tx, testId, LEASE_SECONDS);
    }),
  render: renderDelivery,
});

export const webhookDeliveriesEndpoint = defineEndpoint({
  name: 'webhook_deliveries',
  parse: ({ values, path }) => parseDeliveries(values, path.webhook),
  read: async ({ id, before, limit }, { accounts }, { key, signal }) => {
    const own = withLimits(accounts, { signal });
    const webhook = await findOwnWebhook(own, key.customerId, id);
    if (webhook === null) throw noSuchWebhook();
    const { webhook_id: webhookId } = webhook;
    return await listMessages(own, { webhookId, before, limit: limit + 1, lostSeconds: LEASE_SECONDS });
  },
  render: (messages, request) =>
    renderDeliveries(messages.slice(0, request.limit), request, messages.length > request.limit),
});

function tooManyTests(seconds: number): Error {
  return apiError(
    'rate_limited',
    `This customer has sent ${TESTS_MAX} test events in ${TESTS_MINUTES} minutes. Send the next one in ${seconds} seconds.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

/** Under the lock of the customer, so that two changes never take the last free place. */
async function alone<Result>(
  accounts: Database,
  { customerId }: Caller,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return await accounts.transaction(async (tx) => {
    if ((await lockCustomer(tx, customerId)) === null) throw new NoAnswer('customer_removed');
    return await work(tx);
  });
}

function changeOwn<Result>(
  accounts: Services['accounts'],
  key: Caller,
  id: string,
  work: (tx: Transaction, webhook: CustomerWebhook) => Promise<Result>,
): Promise<Result> {
  return alone(accounts, key, async (tx) => {
    const webhook = await findOwnWebhook(tx, key.customerId, id);
    if (webhook === null) throw noSuchWebhook();
    return await work(tx, webhook);
  });
}

interface Added {
  readonly webhook_id: string;
  readonly id: string;
  readonly target: Target;
  readonly wanted: WebhookRequest;
  readonly secret: Buffer;
}

async function add(tx: Transaction, key: Caller, { webhook_id, id, target, wanted, secret }: Added): Promise<void> {
  const { customerId: customer_id } = key;
  if ((await countWebhooks(tx, customer_id)) >= WEBHOOKS_MAX) {
    throw apiError(
      'invalid_parameter',
      `A customer has at most ${WEBHOOKS_MAX} webhooks: delete one that is no longer needed.`,
    );
  }
  const { watch } = wanted;
  if (!(await insertWebhook(tx, { webhook_id, customer_id, id, ...target, watch, secret }))) throw noSuchWatch();
  await note(tx, key, 'webhook.add', { webhook: id, receiver: target.host, watch: watch ?? 'all' });
}

interface Changed {
  readonly known: CustomerWebhook;
  readonly target: Target;
  readonly wanted: WebhookRequest;
}

async function change(tx: Transaction, key: Caller, { known, target, wanted }: Changed): Promise<void> {
  const { webhook_id } = known;
  const { watch } = wanted;
  if (known.url === target.url && known.watch === watch) return;
  if (!(await changeWebhook(tx, { webhook_id, customer_id: key.customerId, ...target, watch }))) throw noSuchWatch();
  await note(tx, key, 'webhook.change', { webhook: known.id, receiver: target.host, watch: watch ?? 'all' });
}

/** Switches it off or on. One that is off because of its receiver is switched on again, unless it shall be off. */
async function turn(
  tx: Transaction,
  key: Caller,
  { webhook_id, id, off_since }: Pick<CustomerWebhook, 'webhook_id' | 'id' | 'off_since'>,
  { isOff }: WebhookRequest,
): Promise<void> {
  if ((off_since !== null) === isOff) return;
  if (isOff) await switchOff(tx, webhook_id);
  else await switchOn(tx, webhook_id);
  await note(tx, key, isOff ? 'webhook.off' : 'webhook.on', { webhook: id });
}

function noSuchWatch(): Error {
  return refuse('watch', 'is the id of no live watch; GET /v1/watches lists those there are.');
}

async function note(
  tx: Transaction,
  { customerId, keyId }: Caller,
  action: string,
  changed: Record<string, unknown>,
): Promise<void> {
  await insertAudit(tx, {
    actor: `key ${keyId}`,
    action,
    customer_id: customerId,
    key_id: keyId,
    change: changed,
  });
}
