/** The monitoring page: the choice of key and month, the quotas, and the sections below them. */

import { html } from 'htm/preact';
import type { CustomerKey } from '../../store/accounts/portal-keys.ts';
import type { Page } from '../frame/call.ts';
import { renderQuotas } from '../frame/charts.ts';
import { renderButton, renderEmpty, renderHeading } from '../frame/components.ts';
import { renderSelect } from '../frame/fields.ts';
import { formatMonth } from '../frame/pieces.ts';
import { nameOf } from '../keys/wording.ts';
import { renderReasons, renderRefusals } from './refusals-view.ts';
import type { Report } from './report.ts';
import { renderMonitoringTabs } from './tabs.ts';
import { renderUnits } from './units-view.ts';

export function renderMonitoring(report: Report): Page {
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
