/** The webhooks of a customer: list, add, switch off and on, rotate, delete, replay. Every change is audited. */

import { WEBHOOKS_MAX } from '@tmds/contract/webhooks';
import { buildKeyId } from '../../access/secret.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { insertTest, TESTS_MAX, TESTS_MINUTES } from '../../store/webhooks/tests.ts';
import {
  type CustomerWebhook,
  countWebhooks,
  deleteWebhook,
  endFormerSecret,
  findWebhook,
  insertWebhook,
  replaceSecret,
  replayDelivery,
  switchOff,
  switchOn,
} from '../../store/webhooks/webhooks.ts';
import { buildSecret } from '../../webhook/message.ts';
import { parseTarget } from '../../webhook/target.ts';
import { noteActivity } from '../frame/audit-table.ts';
import { type MemberCall, orNotFound, type Page, type PortalRoute } from '../frame/call.ts';
import { NO_FIELDS } from '../frame/forms.ts';
import { doAlone } from '../frame/once.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { keepSecret, ROTATION, readGrace, type SecretSubject, showSecret } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';
import {
  ADDITION,
  ALL_WATCHES,
  askDelete,
  askRotate,
  DELETION,
  showNewWebhook,
  TOO_MANY_WEBHOOKS,
} from './webhook-forms.ts';
import { renderSecretOnce, showWebhook, showWebhooks } from './webhook-pages.ts';

export function listWebhookRoutes(services: PortalServices): PortalRoute[] {
  const { show, submit } = buildMemberRoutes(services);
  return [
    show('/webhooks', showWebhooks, true),
    submit('/webhooks', '/webhooks/new', ADDITION, {
      refused: showNewWebhook,
      answer: async (call, { database, webhookPrivate, webhookSecrets }, { url, watch: chosen }) => {
        const { customer_id } = call.user;
        const target = parseTarget(url, webhookPrivate);
        if ('fault' in target) return target;
        const watch = chosen === ALL_WATCHES ? null : chosen;
        const id = buildKeyId();
        const text = buildSecret();
        const secret = await webhookSecrets.seal(id, text);
        return doAlone(call, database, async (tx) => {
          if ((await countWebhooks(tx, customer_id)) >= WEBHOOKS_MAX) return { fault: TOO_MANY_WEBHOOKS };
          const webhook = { webhook_id: id, customer_id, ...target, watch, secret };
          if (!(await insertWebhook(tx, webhook)))
            return { fault: 'There is no such watch. Choose one from the list.' };
          await noteActivity(tx, call, 'webhook.add', { webhook: id, receiver: target.host, watch: watch ?? 'all' });
          await keepSecret(tx, call, secretOf(id), { title: 'The secret of your new webhook', text, until: null });
          return { to: `/portal/webhooks/${id}/secret` };
        });
      },
    }),
    show('/webhooks/new', showNewWebhook),
    show('/webhooks/:id', showOwn, true),
    show('/webhooks/:id/secret', async (call, { database }) => {
      const { webhook_id: id } = await findOwn(call, { database });
      return renderSecretOnce(id, await showSecret(call, database, secretOf(id), `/portal/webhooks/${id}`));
    }),
    ...listSwitches(services),
    ...listDeliveries(services),
    ...listQuestions(services),
  ];
}

const secretOf = (id: string): SecretSubject => ({ kind: 'webhook', id });

async function findOwn({ user, params }: MemberCall, { database }: { database: Queryable }): Promise<CustomerWebhook> {
  return orNotFound(await findWebhook(database, user.customer_id, params.id ?? ''));
}

async function showOwn(call: MemberCall, services: PortalServices, fault: string | null = null): Promise<Page> {
  return showWebhook(call, services, await findOwn(call, services), fault);
}

/** Changes are made under the customer's lock. */
const OWN = { at: '/webhooks/:id', find: findOwn, run: doAlone };

function listSwitches(services: PortalServices): PortalRoute[] {
  const { change } = buildMemberRoutes(services).of(OWN);
  return [
    change('grace/end', NO_FIELDS, showOwn, async (tx, { webhook_id: id, former_ends_at }, { call }) => {
      if (former_ends_at === null) return { fault: 'The old secret of this webhook has ended already.' };
      await endFormerSecret(tx, id);
      await noteActivity(tx, call, 'webhook.end_grace', { webhook: id });
      return `/portal/webhooks/${id}?done=webhook_grace_ended`;
    }),
    change('off', NO_FIELDS, showOwn, async (tx, { webhook_id: id }, { call }) => {
      if (!(await switchOff(tx, id))) return { fault: 'The webhook is off already.' };
      await noteActivity(tx, call, 'webhook.off', { webhook: id });
      return `/portal/webhooks/${id}?done=webhook_off`;
    }),
    change('on', NO_FIELDS, showOwn, async (tx, { webhook_id: id }, { call }) => {
      if (!(await switchOn(tx, id))) return { fault: 'The webhook is on already.' };
      await noteActivity(tx, call, 'webhook.on', { webhook: id });
      return `/portal/webhooks/${id}?done=webhook_on`;
    }),
  ];
}

function listDeliveries(services: PortalServices): PortalRoute[] {
  const { change } = buildMemberRoutes(services).of(OWN);
  return [
    // The sender makes its one attempt within seconds, wherever it runs.
    change('test', NO_FIELDS, showOwn, async (tx, { webhook_id: id, url }, { call }) => {
      const test = await insertTest(tx, { customerId: call.user.customer_id, webhookId: id });
      if (test === null) return { fault: TOO_MANY_TESTS };
      await noteActivity(tx, call, 'webhook.test', { webhook: id, receiver: new URL(url).host });
      return `/portal/webhooks/${id}#tests`;
    }),
    change('deliveries/:delivery/replay', NO_FIELDS, showOwn, async (tx, { webhook_id: id, off_since }, { call }) => {
      const deliveryId = call.params.delivery ?? '';
      if (off_since !== null) return { fault: 'The webhook is off. Switch it on before you replay a delivery.' };
      if (!(await replayDelivery(tx, { webhookId: id, deliveryId }))) {
        return { fault: 'This delivery is no longer kept.' };
      }
      await noteActivity(tx, call, 'webhook.replay', { webhook: id, delivery: deliveryId });
      return `/portal/webhooks/${id}?done=replayed`;
    }),
  ];
}

const TOO_MANY_TESTS = `Your team has sent ${TESTS_MAX} test events in the last ${TESTS_MINUTES} minutes. Wait a few minutes before the next one.`;

function listQuestions(services: PortalServices): PortalRoute[] {
  const { ask } = buildMemberRoutes(services).of(OWN);
  return [
    ...ask('rotate', ROTATION, askRotate, {
      work: async (tx, { webhook_id: id }, { call, values }) => {
        const { graceSeconds, until } = readGrace(values);
        const text = buildSecret();
        const secret = await services.webhookSecrets.seal(id, text);
        await replaceSecret(tx, { id, secret, graceSeconds });
        await noteActivity(tx, call, 'webhook.rotate', { webhook: id, grace_seconds: graceSeconds });
        await keepSecret(tx, call, secretOf(id), { title: 'New secret for the webhook', text, until });
        return `/portal/webhooks/${id}/secret`;
      },
    }),
    ...ask('delete', DELETION, askDelete, {
      work: async (tx, { webhook_id: id, url }, { call }) => {
        await deleteWebhook(tx, id);
        await noteActivity(tx, call, 'webhook.delete', { webhook: id, receiver: new URL(url).host });
        return '/portal/webhooks?done=webhook_deleted';
      },
    }),
  ];
}
