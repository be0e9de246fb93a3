/** Tables in every state, including what a row becomes on a narrow screen. */
import { html } from 'htm/preact';
import { renderEmpty } from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderStatus } from '../frame/statuses.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { HERE, LONG } from './samples.ts';

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
      ${renderTable({ label: 'Sample of cards', columns: [...COLUMNS, told], rows: ROWS })}
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
      ${renderEmpty('No calls match.')}
    </section>
  `;
}
