/** The pages of webhooks and their deliveries: the list, one webhook, and the one that shows a secret once. */

import { html } from 'htm/preact';
import { listTests, type ShownTest } from '../../store/webhooks/tests.ts';
import {
  type CustomerWebhook,
  listDeliveries,
  listWebhooks,
  type ShownDelivery,
} from '../../store/webhooks/webhooks.ts';
import { LEASE_SECONDS } from '../../webhook/sender.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderBadge,
  renderButton,
  renderEmpty,
  renderFacts,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderSecret,
  renderTrail,
} from '../frame/components.ts';
import { NO_FIELDS, renderButtonForm, renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { cutPage, readPosition, renderFurther } from '../frame/paging.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import type { ShownSecret } from '../frame/secrets.ts';
import { renderListing, renderTable, type TableColumn } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';
import { renderGuide } from './guide.ts';

const DELIVERIES_SHOWN = 50;
const TESTS_SHOWN = 5;

export async function showWebhooks({ user, isViewing }: MemberCall, { database }: PortalServices): Promise<Page> {
  const webhooks = await listWebhooks(database, user.customer_id);
  const body = html`
    ${renderHeading('Webhooks', isViewing ? null : renderLinkButton('Add a webhook', '/portal/webhooks/new'))}
    <p class="hint">
      A webhook notifies your program that a watch has new hits, so that it need not keep asking.
    </p>
    ${renderGuide()}
    ${renderListing<CustomerWebhook>({
      label: 'Webhooks',
      rows: webhooks,
      empty: 'No webhooks yet. Add one with the address of your program; a test event shows whether it is reached.',
      columns: [
        {
          label: 'Address',
          cell: (webhook) =>
            html`<a href=${`/portal/webhooks/${webhook.webhook_id}`}><bdi>${nameOf(webhook, isViewing)}</bdi></a>`,
        },
        { label: 'Watches', style: 'name', cell: describeScope },
        { label: 'Waiting', style: 'number', cell: ({ waiting }) => formatCount(waiting) },
        { label: 'Last delivered', cell: ({ delivered_at }) => renderInstant(delivered_at) },
        { label: 'State', cell: renderWebhookState },
      ],
    })}
  `;
  return { title: 'Webhooks', body, section: 'webhooks' };
}

export async function showWebhook(
  call: MemberCall,
  { database }: PortalServices,
  webhook: CustomerWebhook,
  fault: string | null,
): Promise<Page> {
  const { webhook_id: webhookId } = webhook;
  const place = readPosition(call.query);
  const before = place === null ? null : { created_at: place.at, delivery_id: place.id };
  const [found, tests] = await Promise.all([
    listDeliveries(database, { webhookId, before, limit: DELIVERIES_SHOWN + 1 }),
    listTests(database, { webhookId, lostSeconds: LEASE_SECONDS, limit: TESTS_SHOWN }),
  ]);
  const { rows: deliveries, further } = cutPage(
    found,
    DELIVERIES_SHOWN,
    (last) => `/portal/webhooks/${webhookId}?before=${last.created_at}_${last.delivery_id}`,
  );
  const name = nameOf(webhook, call.isViewing);
  const body = html`
    ${renderTrail({ label: 'Webhooks', href: '/portal/webhooks' })}
    ${renderHeading(html`<bdi>${name}</bdi>`, renderWebhookState(webhook))}
    ${renderFault(fault)}
    ${renderOffNotice(webhook)}
    ${renderFacts([
      ['Watches', describeScope(webhook)],
      ['Id for programs', html`<code>${webhook.id}</code>`],
      ['Created', renderInstant(webhook.created_at)],
      ['Switched off', webhook.off_since === null ? null : renderInstant(webhook.off_since)],
      ['Failed attempts in a row', webhook.failures === 0 ? null : formatCount(webhook.failures)],
      ['Old secret also signs until', webhook.former_ends_at === null ? null : renderInstant(webhook.former_ends_at)],
    ])}
    ${renderTests(call, webhook, tests)}
    ${call.isViewing ? null : renderWebhookForms(call, webhook)}
    <section>
      <h2>Deliveries</h2>
      ${deliveries.length === 0 ? renderEmpty('Nothing has been delivered yet. The first hit of a watch will be; until then, send a test event.') : renderDeliveries(call, webhook, deliveries)}
      ${renderFurther(further, 'Older', 'next')}
    </section>
  `;
  return {
    title: `Webhook ${new URL(webhook.url).host}`,
    body,
    section: 'webhooks',
    ...(tests.some(isUnderWay) && fault === null ? { refreshSeconds: TEST_REFRESH_SECONDS } : {}),
  };
}

const TEST_REFRESH_SECONDS = 2;

function renderOffNotice({ off_reason }: CustomerWebhook): unknown {
  if (off_reason === null || off_reason === 'customer') return null;
  const why =
    off_reason === 'gone'
      ? 'The receiver answered 410, which means that it wants no more deliveries.'
      : 'The receiver has accepted no delivery for three days.';
  return renderNotice('bad', `${why} New deliveries wait. Once the receiver works again, switch the webhook on.`);
}

function renderWebhookForms(call: MemberCall, webhook: CustomerWebhook): unknown {
  const path = `/portal/webhooks/${webhook.webhook_id}`;
  const isOff = webhook.off_since !== null;
  return html`
    <section>
      <h2>Change</h2>
      ${renderForm(call, NO_FIELDS, {
        action: `${path}/${isOff ? 'on' : 'off'}`,
        label: isOff ? 'Switch on' : 'Switch off',
        kind: 'second',
      })}
      ${
        webhook.former_ends_at === null
          ? null
          : renderButtonForm(call, `${path}/grace/end`, renderButton('End the old secret now', 'second'))
      }
      ${renderActions(
        renderLinkButton('Rotate the secret…', `${path}/rotate`, 'second'),
        renderLinkButton('Delete…', `${path}/delete`, 'danger'),
      )}
    </section>
  `;
}

function renderDeliveries(call: MemberCall, webhook: CustomerWebhook, deliveries: readonly ShownDelivery[]): unknown {
  const isOff = webhook.off_since !== null;
  const replay: TableColumn<ShownDelivery> = {
    label: 'Replay',
    isUnlabelled: true,
    cell: ({ delivery_id: id, created_at, delivered_at }) => {
      if (delivered_at === null) return null;
      const button = renderButton(html`Replay<span class="unseen"> the delivery of ${created_at}</span>`, 'quiet');
      return renderButtonForm(call, `/portal/webhooks/${webhook.webhook_id}/deliveries/${id}/replay`, button);
    },
  };
  return renderTable<ShownDelivery>({
    label: 'Deliveries',
    rows: deliveries,
    columns: [
      { label: 'When', cell: ({ created_at }) => renderInstant(created_at, 'second') },
      { label: 'Watch', style: 'name', cell: (row) => html`<bdi>${row.watch_name}</bdi> <code>${row.watch}</code>` },
      { label: 'State', cell: (delivery) => renderDeliveryState(delivery, isOff) },
      { label: 'Last answer', style: 'name', cell: describeAnswer },
      { label: 'Attempts', style: 'number', cell: ({ attempts }) => formatCount(attempts) },
      ...(call.isViewing || isOff ? [] : [replay]),
    ],
  });
}

export function renderSecretOnce(id: string, { title, text, until }: ShownSecret): Page {
  return buildFormPage(
    { title, section: 'webhooks' },
    html`${renderSecret(
      'This is the only time the secret is shown. Copy it to where your receiver keeps its secrets.',
      {
        label: 'Signing secret',
        text,
        id: 'secret-text',
      },
    )}
      ${until === null ? null : html`<p>The old secret ends <strong>${until}</strong>.</p>`}
      ${renderLinkButton('Done, I’ve saved it', `/portal/webhooks/${id}`)}`,
  );
}

const OFF_WORDS = {
  customer: 'off',
  gone: 'off: the receiver answered 410',
  failed: 'off: no delivery was accepted for three days',
} as const;

function renderWebhookState({ off_reason, failures, paused_until }: CustomerWebhook): unknown {
  if (off_reason !== null) return renderBadge(off_reason === 'customer' ? 'off' : 'bad', OFF_WORDS[off_reason]);
  if (failures === 0) return renderBadge('good', 'live');
  return renderBadge('warn', html`failing, tried again ${renderInstant(paused_until)}`);
}

/** An operator who views the customer sees the host, but no path, which may hold a secret. */
function nameOf({ url }: Pick<CustomerWebhook, 'url'>, isViewing: boolean): string {
  return isViewing ? new URL(url).host : url;
}

function describeScope({ is_for_all, watch, watch_name }: CustomerWebhook): unknown {
  if (is_for_all) return 'All watches';
  return watch === null ? 'A deleted watch' : html`<bdi>${watch_name}</bdi> <code>${watch}</code>`;
}

function renderDeliveryState({ delivered_at, attempts, due_at }: ShownDelivery, isOff: boolean): unknown {
  if (delivered_at !== null) return renderBadge('good', 'delivered');
  if (isOff) return renderBadge('off', 'waits until the webhook is switched on');
  if (attempts === 0) return renderBadge('plain', 'waiting');
  return renderBadge('warn', html`failed, tried again from ${renderInstant(due_at)}`);
}

function describeAnswer({ answer_status, answer_bytes, answer_ms, failure, attempts }: ShownDelivery): string {
  if (attempts === 0) return 'not tried yet';
  if (answer_status === null) return failure ?? 'no answer noted yet';
  return describeStatus({ answer_status, answer_bytes, answer_ms });
}

function isUnderWay({ state }: ShownTest): boolean {
  return state === 'waiting' || state === 'sending';
}

function renderTests(call: MemberCall, webhook: CustomerWebhook, tests: readonly ShownTest[]): unknown {
  if (call.isViewing && tests.length === 0) return null;
  return html`
    <section id="tests">
      <h2>Test</h2>
      ${call.isViewing ? null : renderTestForm(call, webhook)}
      ${tests.length === 0 ? null : renderTestTable(tests)}
    </section>
  `;
}

function renderTestForm(call: MemberCall, { webhook_id, off_since }: CustomerWebhook): unknown {
  return html`
    <p class="hint">
      Your receiver gets one signed event of the type <code>test</code>, which is about no watch. It is sent once, and
      what your receiver answers is shown here. ${off_since === null ? '' : 'It is sent although the webhook is off.'}
    </p>
    ${renderButtonForm(call, `/portal/webhooks/${webhook_id}/test`, renderButton('Send a test event', 'second'))}
  `;
}

function renderTestTable(tests: readonly ShownTest[]): unknown {
  return html`
    <div role="status">
      <p class="hint">The last test events:</p>
      ${renderTable<ShownTest>({
        label: 'Test events',
        rows: tests,
        columns: [
          { label: 'When', cell: ({ created_at }) => renderInstant(created_at, 'second') },
          { label: 'Result', cell: renderResult },
          { label: 'Answer', style: 'name', cell: describeEnd },
        ],
      })}
    </div>
  `;
}

function renderResult({ state, answer_status, failure }: ShownTest): unknown {
  switch (state) {
    case 'waiting':
    case 'sending':
      return renderBadge('plain', 'on its way');
    case 'ended':
      if (failure === null) return renderBadge('good', 'accepted');
      return renderBadge('bad', answer_status === null ? 'no answer' : 'not accepted');
    case 'lost':
    case 'unsent':
      return renderBadge('warn', 'no result');
  }
}

function describeEnd(test: ShownTest): string {
  const { state, answer_status, failure } = test;
  if (state === 'waiting' || state === 'sending') return 'This page refreshes until the answer is here.';
  if (state === 'unsent') return 'It was not sent, because the service was not sending events. Try again later.';
  if (state === 'lost') return 'The service stopped while sending it. Send another.';
  if (answer_status === null) return failure ?? 'The request failed.';
  return failure === null ? describeStatus(test) : `${failure} ${describeStatus(test)}`;
}

function describeStatus({
  answer_status,
  answer_bytes,
  answer_ms,
}: Pick<ShownDelivery, 'answer_status' | 'answer_bytes' | 'answer_ms'>): string {
  return `${answer_status}, ${formatCount(answer_bytes ?? 0)} bytes, ${formatCount(answer_ms ?? 0)} ms`;
}
