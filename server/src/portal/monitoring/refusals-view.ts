/** Refused calls: how many for which reason, and the last ones in full. */

import { html } from 'htm/preact';
import { REFUSALS_SHOWN } from '../../store/accounts/portal-reports.ts';
import { renderReasonChart } from '../frame/charts.ts';
import { renderEmpty } from '../frame/components.ts';
import { remedyOf, renderCode } from '../frame/error-codes.ts';
import { formatCount, formatMonth, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { nameOf } from '../keys/wording.ts';
import type { Report } from './report.ts';

export function renderReasons({ month, reasons }: Report): unknown {
  return html`
    <section>
      <h2>Refusals by reason</h2>
      ${reasons.length === 0 ? renderEmpty(`Nothing was refused in ${formatMonth(month)}.`) : renderReasonTable(reasons)}
    </section>
  `;
}

function renderReasonTable(reasons: Report['reasons']): unknown {
  return html`
    ${renderReasonChart(reasons.map(({ code, calls }) => ({ label: code, value: calls })))}
    ${renderTable<Report['reasons'][number]>({
      label: 'Refusals by reason',
      rows: reasons,
      keyOf: ({ code }) => code,
      columns: [
        { label: 'Code', isHeader: true, cell: ({ code }) => renderCode(code) },
        { label: 'What to do', style: 'words', cell: ({ code }) => remedyOf(code) },
        { label: 'Calls', style: 'number', cell: ({ calls }) => formatCount(calls) },
      ],
    })}
  `;
}

export function renderRefusals({ refusals, keys, month }: Report): unknown {
  const names = new Map(keys.map((key) => [key.id, nameOf(key)]));
  return html`
    <section>
      <h2>Last refused calls</h2>
      ${
        refusals.length === 0
          ? renderEmpty(`No refused calls of ${formatMonth(month)} are kept.`)
          : html`
              <p class="hint">In ${formatMonth(month)}, newest first: the last ${REFUSALS_SHOWN} of those that
                the <a href="/portal/log?outcome=refused">call log</a> has, which reaches back 30 days.</p>
              ${renderRefusalTable(refusals, (keyId) => names.get(keyId) ?? keyId)}
            `
      }
    </section>
  `;
}

function renderRefusalTable(refusals: Report['refusals'], nameOfKey: (keyId: string) => string): unknown {
  return renderTable<Report['refusals'][number]>({
    label: 'Refused calls',
    isTall: true,
    rows: refusals,
    keyOf: ({ request_id }) => request_id,
    columns: [
      { label: 'When', cell: ({ at }) => renderInstant(at) },
      { label: 'Code', cell: ({ code }) => renderCode(code) },
      {
        label: 'Request and answer',
        cell: ({ path, message }) => html`
          <div class="told">
            ${path === null ? null : html`<code class="small"><bdi>${path}</bdi></code>`}
            ${message === null ? null : html`<span>${message}</span>`}
          </div>
        `,
      },
      { label: 'Parameter', cell: ({ param }) => (param === null ? null : html`<code><bdi>${param}</bdi></code>`) },
      { label: 'Key', style: 'name', cell: ({ key_id }) => html`<bdi>${nameOfKey(key_id)}</bdi>` },
      { label: 'Request id', cell: ({ request_id }) => html`<code class="small">${request_id}</code>` },
    ],
  });
}
