/** The part of a webhook's page that sends a test event, and what the receiver answered to the last ones. */
import { html } from 'htm/preact';
import type { ShownTest } from '../../store/webhooks/tests.ts';
import type { CustomerWebhook, ShownDelivery } from '../../store/webhooks/webhooks.ts';
import type { MemberCall } from '../frame/call.ts';
import { renderBadge, renderButton } from '../frame/components.ts';
import { renderButtonForm } from '../frame/forms.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';

/** Whether its answer is still to come. */
export function isUnderWay({ state }: ShownTest): boolean {
  return state === 'waiting' || state === 'sending';
}

export function renderTests(call: MemberCall, webhook: CustomerWebhook, tests: readonly ShownTest[]): unknown {
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

export function describeStatus({
  answer_status,
  answer_bytes,
  answer_ms,
}: Pick<ShownDelivery, 'answer_status' | 'answer_bytes' | 'answer_ms'>): string {
  return `${answer_status}, ${formatCount(answer_bytes ?? 0)} bytes, ${formatCount(answer_ms ?? 0)} ms`;
}
