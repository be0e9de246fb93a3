/** The pages of webhooks and their deliveries: the list, one webhook, and the one that shows a secret once. */

import { html } from 'htm/preact';
import type { ShownTest } from '../../store/webhooks/tests.ts';
import type { CustomerWebhook, ShownDelivery } from '../../store/webhooks/webhooks.ts';
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
  renderPager,
  renderSecret,
  renderTrail,
} from '../frame/components.ts';
import { NO_FIELDS, renderButtonForm, renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import type { ShownSecret } from '../frame/secrets.ts';
import { renderListing, renderTable } from '../frame/table.ts';
import { renderGuide } from './guide.ts';
import { describeStatus, isUnderWay, renderTests } from './tests-view.ts';

export function renderWebhooks({ isViewing }: MemberCall, webhooks: readonly CustomerWebhook[]): Page {
  const body = html`
    ${renderHeading('Webhooks', isViewing ? null : renderLinkButton('Add a webhook', '/portal/webhooks/new'))}
    <p class="hint">
      A webhook notifies your program that a watch has new hits, so that it need not keep asking.
    </p>
    ${renderGuide()}
    ${renderWebhookList(webhooks, isViewing)}
  `;
  return { title: 'Webhooks', body, section: 'webhooks' };
}

function renderWebhookList(webhooks: readonly CustomerWebhook[], isViewing: boolean): unknown {
  return renderListing<CustomerWebhook>({
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
  });
}

interface WebhookView {
  readonly webhook: CustomerWebhook;
  readonly tests: readonly ShownTest[];
  readonly deliveries: readonly ShownDelivery[];
  /** The address of the older ones; null if there are none. */
  readonly older: string | null;
  readonly fault: string | null;
}

export function renderWebhook(call: MemberCall, { webhook, tests, deliveries, older, fault }: WebhookView): Page {
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
      ${older === null ? null : renderPager([{ label: 'Older', href: older, rel: 'next' }])}
    </section>
  `;
  return {
    title: `Webhook ${new URL(webhook.url).host}`,
    body,
    section: 'webhooks',
    ...(tests.some(isUnderWay) && fault === null ? { refreshSeconds: TEST_REFRESH_SECONDS } : {}),
  };
}

/** While a test is under way. */
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
  const replay = {
    label: 'Replay',
    isUnlabelled: true,
    cell: (delivery: ShownDelivery) => (delivery.delivered_at === null ? null : renderReplay(call, webhook, delivery)),
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

function renderReplay(call: MemberCall, { webhook_id }: CustomerWebhook, delivery: ShownDelivery): unknown {
  const { delivery_id, created_at } = delivery;
  const button = renderButton(html`Replay<span class="unseen"> the delivery of ${created_at}</span>`, 'quiet');
  return renderButtonForm(call, `/portal/webhooks/${webhook_id}/deliveries/${delivery_id}/replay`, button);
}

/** The only page that ever shows the secret of a webhook. */
export function renderSecretOnce({ webhook_id }: CustomerWebhook, { title, text, until }: ShownSecret): Page {
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
      ${renderLinkButton('Done, I’ve saved it', `/portal/webhooks/${webhook_id}`)}`,
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

/** The result of the last attempt. */
function describeAnswer({ answer_status, answer_bytes, answer_ms, failure, attempts }: ShownDelivery): string {
  if (attempts === 0) return 'not tried yet';
  if (answer_status === null) return failure ?? 'no answer noted yet';
  return describeStatus({ answer_status, answer_bytes, answer_ms });
}
