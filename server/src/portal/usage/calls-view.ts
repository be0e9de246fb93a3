/** The calls of the last day: how many, how many were refused, how fast they were answered, and when they came. */

import { html } from 'htm/preact';
import type { HourCalls } from '../../store/accounts/portal-calls.ts';
import { type Bar, renderDayChart, renderLegend } from '../frame/charts.ts';
import { renderDisclosure, renderEmpty, renderFacts } from '../frame/components.ts';
import { formatCount, formatDate, renderInstant } from '../frame/pieces.ts';
import { renderTable } from '../frame/table.ts';
import { HOURS_SHOWN, type Usage } from './usage.ts';

const HOUR_MS = 3_600_000;

export function renderCallHours({ hours: found, nowMs, latency }: Usage): unknown {
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
