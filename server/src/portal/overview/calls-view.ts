/** The calls of the last day: how many, how many were refused, how fast they were answered, and when they came. */
import { html } from 'htm/preact';
import type { HourCalls } from '../../store/accounts/portal-calls.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { type Bar, renderDayChart } from '../monitoring/charts.ts';
import { HOURS_SHOWN, type Overview } from './overview.ts';

const HOUR_MS = 3_600_000;

export function renderCallHours({ hours: found, nowMs, latency }: Overview): unknown {
  const hours = fillHours(found, nowMs);
  const total = hours.reduce((sum, { calls }) => sum + calls, 0);
  const refused = hours.reduce((sum, hour) => sum + hour.refused, 0);
  if (total === 0) {
    return html`<section><h2>Last 24 hours</h2><p class="empty">There was no call in the last 24 hours.</p></section>`;
  }
  const share = ((refused / total) * 100).toFixed(refused * 1000 < total && refused > 0 ? 3 : 1);
  return html`
    <section>
      <h2>Last 24 hours</h2>
      <dl class="facts">
        <div><dt>Calls</dt><dd>${formatCount(total)}</dd></div>
        <div><dt>Refused</dt><dd>${formatCount(refused)} (${share} %)</dd></div>
        <div><dt>Latency, median</dt><dd>${describeMs(latency.median_ms)}</dd></div>
        <div><dt>Latency, 99 %</dt><dd>${describeMs(latency.slowest_hundredth_ms)}</dd></div>
      </dl>
      <ul class="legend" aria-hidden="true"><li class="series-1">answered</li><li class="series-2">refused</li></ul>
      ${renderDayChart(hours.map(buildBar), ['answered', 'refused'])}
      <details>
        <summary>The same as a table</summary>
        <table>
          <thead>
            <tr><th scope="col">Hour from</th><th scope="col" class="number">Calls</th>
              <th scope="col" class="number">Refused</th></tr>
          </thead>
          <tbody>
            ${hours.map(
              ({ hour, calls, refused: refusedCalls }) => html`
                <tr key=${hour}>
                  <th scope="row">${renderInstant(hour)}</th>
                  <td class="number">${formatCount(calls)}</td>
                  <td class="number">${formatCount(refusedCalls)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </details>
      <p class="hint">By UTC hour. Latency: of answered calls in the <a href="/portal/log">call log</a>, from the arrival
        of a call to the end of its answer.</p>
    </section>
  `;
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
  return { label, title: `${hour.slice(0, 10)} ${label}:00 UTC`, values: [calls - refused, refused] };
}

function describeMs(ms: number | null): string {
  return ms === null ? 'not known' : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}
