/** A table of records, in the results of a search and on the page of changes. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { CHANGES_COLUMNS, COLUMNS, type Column } from './columns.ts';
import { renderMarkName } from './mark-name.ts';
import { type RecordsShown, recordPath } from './record-path.ts';

interface TableLayout {
  /** Names in `COLUMNS`; default: those of the page of changes. */
  readonly columns?: readonly string[];
  /** How the table is sorted by a column; undefined if it is not. */
  readonly sortOf?: (column: Column) => TableColumn<TrademarkDetail>['sort'];
}

export function renderRecordTable(
  items: readonly TrademarkDetail[],
  opening: RecordsShown,
  { columns = CHANGES_COLUMNS, sortOf }: TableLayout = {},
): unknown {
  const shown = columns.flatMap((name) => COLUMNS[name] ?? []);
  return renderTable<TrademarkDetail>({
    id: 'records',
    label: 'Records',
    narrow: 'lines',
    rows: items,
    keyOf: ({ jurisdiction_code, uid }) => `${jurisdiction_code}/${uid}`,
    columns: [
      { label: 'Mark', isHeader: true, style: 'mark', cell: (record) => renderMarkLink(record, opening) },
      ...shown.map((column) => ({
        label: column.label,
        style: column.style,
        describe: column.describe,
        sort: sortOf?.(column),
        cell: (record: TrademarkDetail) => column.render(record, opening),
      })),
    ],
  });
}

function renderMarkLink(record: TrademarkDetail, opening: RecordsShown): unknown {
  return html`
    <a class="cut" href=${recordPath(record, opening)} dir="auto">
      ${renderMarkName(record)}
    </a>
  `;
}
