/** Usage by month: the choice of key and month, quotas, units, refused calls and their reasons. */

import { html } from 'htm/preact';
import type { CustomerKey } from '../../store/accounts/portal-keys.ts';
import { REFUSALS_SHOWN } from '../../store/accounts/portal-reports.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
import { renderQuotas, renderReasonChart } from '../frame/charts.ts';
import { renderButton, renderEmpty, renderHeading, renderTabs } from '../frame/components.ts';
import { renderSelect } from '../frame/fields.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount, formatMonth, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { remedyOf, renderCode } from '../frame/wording.ts';
import { nameOf } from '../keys/terms.ts';
import type { PortalServices } from '../services.ts';
import { buildUsageFile, type Report, readKeyDays, readReport, renderUnits } from './report.ts';

export function listMonitoringRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  const namedIn = ({ query }: MemberCall) => ({ month: query.get('month'), keyId: query.get('key') });
  const { database } = services;
  return [
    show(
      '/monitoring',
      async (call) => renderMonitoring(await readReport(database, call.user.customer_id, namedIn(call))),
      true,
    ),
    show(
      '/monitoring/usage.csv',
      async (call) => buildUsageFile(await readKeyDays(database, call.user.customer_id, namedIn(call))),
      true,
    ),
  ];
}

function renderMonitoring(report: Report): Page {
  const { keys, key, months, month } = report;
  const body = html`
    ${renderHeading('Usage by month', renderChoice(report))}
    ${renderMonitoringTabs('months')}
    ${month === months[0] ? renderMonth(key === null ? keys.filter((each) => each.revoked_at === null) : [key]) : null}
    ${renderUnits(report, {
      href: `/portal/monitoring/usage.csv?month=${month}${key === null ? '' : `&key=${key.id}`}`,
      label: 'By key and day as CSV',
    })}
    ${renderReasons(report)}
    ${renderRefusals(report)}
  `;
  return { title: 'Usage by month', body, section: 'usage' };
}

function renderChoice({ keys, key, months, month }: Report): unknown {
  const choices = keys.map((each) => ({ value: each.id, label: nameOf(each) }));
  return html`
    <form method="get" action="/portal/monitoring" class="row">
      ${renderSelect({
        id: 'key',
        label: 'Key',
        choices: [{ value: '', label: 'All keys' }, ...choices],
        chosen: key?.id ?? '',
      })}
      ${renderSelect({
        id: 'month',
        label: 'Month',
        choices: months.map((each) => ({ value: each, label: formatMonth(each) })),
        chosen: month,
      })}
      ${renderButton('Show', 'second')}
    </form>
  `;
}

function renderMonth(keys: readonly CustomerKey[]): unknown {
  const lines = keys.flatMap((key) =>
    key.products.map(({ product, used, quota }) => ({
      label: `${nameOf(key)}, ${product}`,
      name: html`<a href=${`/portal/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a> <span class="silent">${product}</span>`,
      used,
      quota,
    })),
  );
  return html`
    <section>
      <h2>This month</h2>
      ${keys.length === 0 ? renderEmpty('There is no live key.') : renderQuotas(lines)}
    </section>
  `;
}

function renderReasons({ month, reasons }: Report): unknown {
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
      columns: [
        { label: 'Code', isHeader: true, cell: ({ code }) => renderCode(code) },
        { label: 'What to do', style: 'words', cell: ({ code }) => remedyOf(code) },
        { label: 'Calls', style: 'number', cell: ({ calls }) => formatCount(calls) },
      ],
    })}
  `;
}

function renderRefusals({ refusals, keys, month }: Report): unknown {
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

export function renderMonitoringTabs(here: 'usage' | 'months' | 'log'): unknown {
  return renderTabs('Usage', [
    { label: 'Now', href: '/portal/usage', isHere: here === 'usage' },
    { label: 'By month', href: '/portal/monitoring', isHere: here === 'months' },
    { label: 'Call log', href: '/portal/log', isHere: here === 'log' },
  ]);
}
