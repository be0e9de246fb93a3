/** Drawings in every state. */
import { html } from 'htm/preact';
import { renderDayChart, renderLegend, renderQuotas, renderReasonChart } from '../frame/charts.ts';
import { renderTimeline } from '../frame/timeline.ts';
import { LONG } from './samples.ts';

const SERIES: readonly string[] = ['records', 'analytics'];

export function renderDrawings(): unknown {
  const bars = Array.from({ length: 24 }, (_, at) => ({
    label: String(at + 1),
    title: `Day ${at + 1}`,
    values: [((at * 7) % 11) * 120, ((at * 5) % 7) * 40],
  }));
  return html`
    <section>
      <h2>Drawings</h2>
      ${renderQuotas([
        { label: 'Nothing used', name: 'Nothing used', used: 0, quota: 1000 },
        {
          label: 'Half',
          name: html`Half <span class="silent">about 900 by the end of the month</span>`,
          used: 500,
          quota: 1000,
        },
        { label: 'Tight', name: html`Tight <span class="over">more than the quota</span>`, used: 950, quota: 1000 },
        { label: 'No quota', name: LONG, used: 12_345, quota: null },
      ])}
      ${renderLegend(SERIES)} ${renderDayChart(bars, SERIES)}
      ${renderReasonChart([
        { label: 'invalid_parameter', value: 1200 },
        { label: 'rate_limited', value: 31 },
      ])}
      ${renderTimeline(
        [
          { label: 'Filed', date: '2019-04-01' },
          { label: 'Published', date: '2019-06-01' },
          { label: 'Registered', date: '2020-01-15' },
          { label: 'Declaration of use due', date: '2026-01-15', isComputed: true, detail: 'What follows.' },
          { label: 'Renewal due', date: '2029-03-01', isComputed: true },
          { label: 'Expires', date: '2029-04-01' },
        ],
        '2026-11-23',
      )}
    </section>
  `;
}
