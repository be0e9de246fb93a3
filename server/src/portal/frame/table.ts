/** The table in which pages show lists: a column is a heading and its content for a row. */
import { html } from 'htm/preact';
import { renderEmpty } from './components.ts';

export interface TableColumn<Row> {
  readonly label: string;
  readonly cell: (row: Row) => unknown;
  /** `label` is the heading for readers who do not see the column. */
  readonly isUnlabelled?: boolean;
  /** Its cells name their rows. */
  readonly isHeader?: boolean;
  readonly style?: 'number' | 'name' | 'words' | 'date' | 'short' | 'mark' | 'classes' | 'image' | undefined;
  readonly describe?: ((row: Row) => string) | undefined;
  /** The target of a click on the heading; `direction` if the rows are sorted by it. */
  readonly sort?: { readonly href: string; readonly direction: 'ascending' | 'descending' | null } | undefined;
}

interface Table<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly id?: string;
  readonly isTall?: boolean;
  /** The form of a row on a narrow screen: a card, the lines of a record, or still a row, which scrolls to the side. */
  readonly narrow?: 'card' | 'lines' | 'row';
}

const NARROW = { card: 'cards', lines: 'lines', row: null } as const;

/**
 * Keyboard users scroll a table by moving to it, or to the link that each row of a record has.
 *
 * CSS lays out the rows differently on narrow screens, which drops the implicit roles of a table, so they are stated.
 */
export function renderTable<Row>(table: Table<Row>): unknown {
  const { label, columns, rows, id, isTall = false, narrow = 'card' } = table;
  return html`
    <div id=${id ?? null} class=${isTall ? 'scroll tall' : 'scroll'} tabindex=${narrow === 'lines' ? null : 0} role="region" aria-label=${label}>
      <table class=${NARROW[narrow]} role="table">
        <thead role="rowgroup"><tr role="row">${columns.map(renderHead)}</tr></thead>
        <tbody role="rowgroup">
          ${rows.map((row) => html`<tr role="row">${columns.map((column) => renderCell(column, row, narrow))}</tr>`)}
        </tbody>
      </table>
    </div>
  `;
}

interface Listing<Row> extends Table<Row> {
  readonly empty: unknown;
}

/** A list: a table whose first column names the rows, or why there is none. */
export function renderListing<Row>({ columns, empty, ...table }: Listing<Row>): unknown {
  if (table.rows.length === 0) return renderEmpty(empty);
  const [first, ...others] = columns;
  return renderTable<Row>({ ...table, columns: [{ style: 'name', ...first!, isHeader: true }, ...others] });
}

function renderHead<Row>({ label, isUnlabelled, style, sort }: TableColumn<Row>): unknown {
  const text = isUnlabelled === true ? html`<span class="unseen">${label}</span>` : label;
  const arrow = sort?.direction === 'ascending' ? ' ↑' : sort?.direction === 'descending' ? ' ↓' : null;
  const shown =
    sort === undefined ? text : html`<a href=${sort.href}>${text}<span aria-hidden="true">${arrow}</span></a>`;
  const attributes = { scope: 'col', class: style === 'number' ? style : null, 'aria-sort': sort?.direction ?? null };
  return html`<th ...${attributes}>${shown}</th>`;
}

function renderCell<Row>(column: TableColumn<Row>, row: Row, narrow: Table<Row>['narrow']): unknown {
  const { label, cell, isHeader, isUnlabelled, style = null, describe } = column;
  const content = cell(row);
  if (isHeader === true) {
    return html`<th role="rowheader" scope="row" class=${style}>${content}</th>`;
  }
  const shownLabel = narrow === 'row' || isUnlabelled === true ? null : label;
  const attributes = { class: style, title: describe?.(row) ?? null, 'data-label': shownLabel };
  return html`<td role="cell" ...${attributes}>${content}</td>`;
}
