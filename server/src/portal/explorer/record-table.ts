/** A table of records, in the results of a search and on the page of changes. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { COLUMNS, type Column, DEFAULT_COLUMNS } from './columns.ts';
import { type Opening, recordPath } from './record-path.ts';

interface TableLayout {
  readonly heading: (column: Column) => unknown;
  /** Names in `COLUMNS`. */
  readonly columns?: readonly string[];
}

export function renderRecordTable(
  items: readonly TrademarkDetail[],
  opening: Opening,
  { heading, columns = DEFAULT_COLUMNS }: TableLayout,
): unknown {
  const shown = columns.flatMap((name) => COLUMNS[name] ?? []);
  return html`
    <div id="records" class="scroll" tabindex="0" role="region" aria-label="Records">
      <table class="records" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col">Mark</th>
            ${shown.map(heading)}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${items.map((record) => renderRow(record, opening, shown))}
        </tbody>
      </table>
    </div>
  `;
}

/** On narrow screens CSS lays the rows out as cards, which drops the implicit roles of a table, so they are stated. */
function renderRow(record: TrademarkDetail, opening: Opening, columns: readonly Column[]): unknown {
  return html`
    <tr role="row" key=${`${record.jurisdiction_code}/${record.uid}`}>
      <th role="rowheader" scope="row" class="name mark">
        <a href=${recordPath(record, opening)} dir="auto">
          ${record.mark_name ?? html`<span class="silent">${record.mark_feature ?? 'no text'}</span>`}
        </a>
      </th>
      ${columns.map(
        ({ label, style, describe, render }) => html`
          <td
            key=${label}
            role="cell"
            class=${style ?? null}
            title=${describe?.(record) ?? null}
            data-label=${label.toLowerCase()}
          >${render(record, opening)}</td>
        `,
      )}
    </tr>
  `;
}
