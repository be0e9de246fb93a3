/** The lists of the operators' pages: one table, its way to the next page, and the filter above it. */
import { html } from 'htm/preact';

export interface Column<Row> {
  readonly title: string;
  /** Null leaves the cell empty. */
  readonly cell: (row: Row) => unknown;
  readonly kind?: 'number' | 'name' | 'short';
}

export interface Listing<Row> {
  /** What the rows are, for those who do not see the table. */
  readonly label: string;
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What is said when there are no rows. */
  readonly empty: string;
}

/** On narrow screens CSS lays the rows out as cards, which drops the implicit roles of a table, so they are stated. */
export function renderListing<Row>({ label, columns, rows, keyOf, empty }: Listing<Row>): unknown {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const [first, ...others] = columns;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table class="cards" role="table">
        <thead role="rowgroup">
          <tr role="row">
            ${columns.map(
              ({ title, kind }) => html`
                <th key=${title} scope="col" class=${kind === 'number' ? 'number' : null}>${title}</th>
              `,
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${rows.map(
            (row) => html`
              <tr role="row" key=${keyOf(row)}>
                <th role="rowheader" scope="row" class="name">${first?.cell(row)}</th>
                ${others.map(
                  ({ title, cell, kind }) => html`
                    <td key=${title} role="cell" data-label=${title} class=${kind ?? null}>${cell(row)}</td>
                  `,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** A path with those parameters that say something. */
export function linkTo(path: string, parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => (pair[1] ?? '') !== '');
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The way to what comes after the page; `href` null at the end. */
export function renderFurther(href: string | null, label: string): unknown {
  return href === null ? null : html`<p><a rel="nofollow" href=${href}>${label}</a></p>`;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function renderSelect(name: string, label: string, choices: readonly Choice[], chosen: string): unknown {
  return html`
    <span class="pair">
      <label for=${name}>${label}</label>
      <select id=${name} name=${name}>
        ${choices.map(
          ({ value, label: text }) =>
            html`<option key=${value} value=${value} selected=${value === chosen}>${text}</option>`,
        )}
      </select>
    </span>
  `;
}

export function renderText(name: string, label: string, value: string, type = 'text'): unknown {
  return html`
    <span class="pair">
      <label for=${name}>${label}</label>
      <input id=${name} name=${name} type=${type} value=${value} autocomplete="off" spellcheck=${false} />
    </span>
  `;
}

/** Null for a parameter that is absent or empty. */
export function readText(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)?.trim() ?? '';
  return text === '' ? null : text;
}

/** One of the choices; null for anything else. */
export function readChoice<Name extends string>(
  query: URLSearchParams,
  name: string,
  names: readonly Name[],
): Name | null {
  return names.find((each) => each === query.get(name)) ?? null;
}

const BYTES = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** `1.5 GB` */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${BYTES.format(bytes / 1024 ** step)} ${units[step]}`;
}
