/** Texts that several samples share, and samples of tables and drawings. */

import { html } from 'htm/preact';
import { renderDayChart, renderLegend, renderQuotas, renderReasonChart } from '../frame/charts.ts';
import { renderTick } from '../frame/fields.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderListing, renderTable, type TableColumn } from '../frame/table.ts';
import { renderTimeline } from '../frame/timeline.ts';
import { renderStatus } from '../frame/wording.ts';

export const HERE = '/portal/components';

export const LONG = 'A text that is longer than anybody expected when the component was drawn for the first time';

interface Sample {
  readonly mark: string;
  readonly owner: string | null;
  readonly classes: string;
  readonly status: string;
  readonly filed: string;
  readonly calls: number;
}

const ROWS: readonly Sample[] = [
  { mark: 'Aurora', owner: 'acme gmbh', classes: '9, 42', status: 'Registered', filed: '2019-04-01', calls: 12 },
  { mark: 'شركة', owner: LONG, classes: '25', status: 'Pending', filed: '2026-11-02', calls: 123_456 },
  { mark: LONG, owner: null, classes: '', status: 'Cancelled', filed: '1999-12-31', calls: 0 },
];

const COLUMNS: readonly TableColumn<Sample>[] = [
  {
    label: 'Mark',
    isHeader: true,
    style: 'mark',
    cell: ({ mark }) => html`<a href=${HERE} dir="auto">${mark}</a>`,
  },
  { label: 'Owner', style: 'name', describe: ({ owner }) => owner ?? '', cell: ({ owner }) => owner },
  { label: 'Classes', style: 'classes', cell: ({ classes }) => classes },
  { label: 'Status', cell: ({ status }) => renderStatus(status) },
  { label: 'Filed', style: 'date', sort: { href: HERE, direction: 'descending' }, cell: ({ filed }) => filed },
  { label: 'Calls', style: 'number', sort: { href: HERE, direction: null }, cell: ({ calls }) => formatCount(calls) },
  { label: 'Open', isUnlabelled: true, style: 'short', cell: () => html`<a href=${HERE}>Open</a>` },
];

/** In addition to the rows: a table in a form, in which each can be chosen. */
const CHOICE: TableColumn<Sample> = {
  label: 'Choose',
  isUnlabelled: true,
  cell: ({ mark }) => renderTick('sample', mark, mark),
};

export function renderTables(): unknown {
  const told: TableColumn<Sample> = {
    label: 'Request and answer',
    cell: ({ calls }) => html`
      <div class="told"><code class="small">/v1/trademarks?status=Registered&n=${calls}</code><span>${LONG}</span></div>
    `,
  };
  const at: TableColumn<Sample> = { label: 'When', cell: () => renderInstant('2026-11-23T09:30:15.000000Z') };
  return html`
    <section>
      <h2>Tables</h2>
      <h3>A row is a card on a narrow screen</h3>
      ${renderTable({ label: 'Sample of cards', columns: [CHOICE, ...COLUMNS, told], rows: ROWS })}
      <h3>A row is the lines of a record</h3>
      ${renderTable({ label: 'Sample of lines', columns: COLUMNS, rows: ROWS, narrow: 'lines' })}
      <h3>A row stays a row, and the table scrolls within itself</h3>
      ${renderTable({
        label: 'Sample of rows',
        columns: [at, { label: 'Words', style: 'words', cell: () => LONG }],
        rows: Array.from({ length: 12 }, () => ROWS[0]!),
        narrow: 'row',
        isTall: true,
      })}
      <h3>No row</h3>
      ${renderListing({ label: 'Sample of none', columns: COLUMNS, rows: [], empty: 'No calls match.' })}
      <h3>A list, whose first column names the rows</h3>
      ${renderListing({ label: 'Sample of a list', columns: COLUMNS.slice(0, 4), rows: ROWS, empty: 'None' })}
    </section>
  `;
}

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
