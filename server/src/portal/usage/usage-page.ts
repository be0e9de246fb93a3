/** The page of usage: what needs attention, the units of the month, the calls of the last day. */

import { html } from 'htm/preact';
import type { HourCalls } from '../../store/accounts/portal-calls.ts';
import type { Page, PortalRoute } from '../frame/call.ts';
import { type Bar, renderDayChart, renderLegend, renderQuotas } from '../frame/charts.ts';
import { renderDisclosure, renderEmpty, renderFacts, renderHeading, renderNotice } from '../frame/components.ts';
import { buildMemberRoutes } from '../frame/page-routes.ts';
import { formatCount, formatDate, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { renderMonitoringTabs } from '../monitoring/monitoring-page.ts';
import type { PortalServices } from '../services.ts';
import { type Concern, HOURS_SHOWN, listConcerns, readUsage, type Usage } from './usage.ts';

export function listUsageRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildMemberRoutes(services);
  return [show('/usage', async ({ user }) => renderUsage(await readUsage(services, user.customer_id)), true)];
}

function renderUsage(usage: Usage): Page {
  const concerns = listConcerns(usage);
  const body = html`
    ${renderHeading('Usage')}
    ${renderMonitoringTabs('usage')}
    <section>
      <h2>Needs attention</h2>
      ${concerns.length === 0 ? renderEmpty('All clear.') : renderConcerns(concerns)}
    </section>
    ${renderProducts(usage)}
    ${renderCallHours(usage)}
  `;
  return { title: 'Usage', body, section: 'usage' };
}

export function renderConcerns(concerns: readonly Concern[]): unknown {
  return concerns.map(({ level, text, href }) => renderNotice(level, html`<a href=${href}><bdi>${text}</bdi></a>`));
}

function renderProducts({ products }: Usage): unknown {
  return html`
    <section>
      <h2>Units this month</h2>
      ${products.length === 0 ? renderEmpty('No agreement yet.') : null}
      ${renderQuotas(
        products.map(({ product, used, projected, quota }) => ({
          label: product,
          name: html`${product} ${projected === null ? null : renderProjection(projected, quota)}`,
          used,
          quota,
        })),
      )}
      <p class="hint">All keys together. The projection continues the units used so far evenly to the end of the month
        (UTC). <a href="/portal/monitoring">By day and key</a></p>
    </section>
  `;
}

function renderProjection(projected: number, quota: number | null): unknown {
  const isOver = quota !== null && projected > quota;
  return html`<span class=${isOver ? 'over' : 'silent'}>
    on track for about ${formatCount(projected)} units this month${isOver ? ', more than the limit' : ''}</span>`;
}

const HOUR_MS = 3_600_000;

function renderCallHours({ hours: found, nowMs, latency }: Usage): unknown {
  const hours = fillHours(found, nowMs);
  const total = hours.reduce((sum, { calls }) => sum + calls, 0);
  const refused = hours.reduce((sum, hour) => sum + hour.refused, 0);
  if (total === 0) {
    const none = renderEmpty('There was no call in the last 24 hours.');
    return html`<section><h2>Last 24 hours</h2>${none}</section>`;
  }
  const share = ((refused / total) * 100).toFixed(refused * 1000 < total && refused > 0 ? 3 : 1);
  return html`
    <section>
      <h2>Last 24 hours</h2>
      ${renderFacts([
        ['Calls', formatCount(total)],
        ['Refused', `${formatCount(refused)} (${share} %)`],
        ['Latency, median', describeMs(latency.median_ms)],
        ['Latency, 99 %', describeMs(latency.slowest_hundredth_ms)],
      ])}
      ${renderLegend(SERIES)}
      ${renderDayChart(hours.map(buildBar), SERIES)}
      ${renderDisclosure('The same as a table', renderHourTable(hours))}
      <p class="hint">By UTC hour. Latency: of answered calls in the <a href="/portal/log">call log</a>, from the arrival
        of a call to the end of its answer.</p>
    </section>
  `;
}

const SERIES: readonly string[] = ['answered', 'refused'];

function renderHourTable(hours: readonly HourCalls[]): unknown {
  return renderTable<HourCalls>({
    label: 'Calls by hour',
    narrow: 'row',
    rows: hours,
    columns: [
      { label: 'Hour from', isHeader: true, cell: ({ hour }) => renderInstant(hour) },
      { label: 'Calls', style: 'number', cell: ({ calls }) => formatCount(calls) },
      { label: 'Refused', style: 'number', cell: ({ refused }) => formatCount(refused) },
    ],
  });
}

/** Hours without calls included, oldest first. */
function fillHours(found: readonly HourCalls[], nowMs: number): HourCalls[] {
  const byHour = new Map(found.map((hour) => [hour.hour.slice(0, 13), hour]));
  const currentMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS_SHOWN }, (_, position) => {
    const hour = new Date(currentMs - (HOURS_SHOWN - 1 - position) * HOUR_MS).toISOString();
    return byHour.get(hour.slice(0, 13)) ?? { hour, calls: 0, refused: 0, listed: 0 };
  });
}

function buildBar({ hour, calls, refused }: HourCalls): Bar {
  const label = hour.slice(11, 13);
  return { label, title: `${formatDate(hour.slice(0, 10))}, ${label}:00 UTC`, values: [calls - refused, refused] };
}

function describeMs(ms: number | null): string {
  return ms === null ? 'not known' : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}
