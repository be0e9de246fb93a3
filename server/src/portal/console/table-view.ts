/**
 * The body of an answer as tables: its lists with a row for each entry, the rest as names with their values. Rows that
 * are records lead to their look-up, and a cursor to the next page; each link makes a call.
 */
import { html } from 'htm/preact';
import { isObject } from '../frame/payload-reader.ts';
import { formatCount } from '../frame/pieces.ts';

const ROWS_MAX = 50;
const FACTS_MAX = 60;
const COLUMNS_MAX = 40;
const CELL_CHARACTERS_MAX = 160;

type Row = Readonly<Record<string, unknown>>;

/** The address of the look-up of a record; null when a row does not name one. */
export type LinkRecord = (row: Row) => string | null;

export function renderTables(body: unknown, linkRecord: LinkRecord): unknown {
  if (!isObject(body)) return null;
  const lists = Object.entries(body).filter(([, value]) => isList(value)) as [string, Row[]][];
  const facts = Object.entries(body).filter(([, value]) => !isList(value));
  return html`
    ${lists.map(([name, rows]) => renderList(name, rows, linkRecord))}
    ${facts.length === 0 ? null : renderFacts(facts)}
  `;
}

/** A list without entries counts as one of rows. */
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);

function renderList(name: string, rows: readonly Row[], linkRecord: LinkRecord): unknown {
  if (rows.length === 0) return html`<p key=${name} class="empty"><code>${name}</code> is empty.</p>`;
  const shown = rows.slice(0, ROWS_MAX);
  const columns = listColumns(shown);
  const hasLinks = shown.some((row) => linkRecord(row) !== null);
  const label = `${name}, ${formatCount(rows.length)} ${rows.length === 1 ? 'entry' : 'entries'}`;
  return html`
    <div key=${name} class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table class="answer">
        <caption>${label}</caption>
        <thead>
          <tr>
            ${hasLinks ? html`<th scope="col"><span class="unseen">Look-up</span></th>` : null}
            ${columns.map((column) => html`<th key=${column} scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (row, at) => html`
              <tr key=${at}>
                ${hasLinks ? html`<td>${renderLink(row, linkRecord(row))}</td>` : null}
                ${columns.map((column) => html`<td key=${column}>${renderCell(row[column])}</td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
    ${
      rows.length > shown.length
        ? html`<p class="hint">${formatCount(rows.length - shown.length)} further rows are in the JSON.</p>`
        : null
    }
  `;
}

function renderLink(row: Row, path: string | null): unknown {
  if (path === null) return null;
  return html`<a rel="nofollow" href=${path}>Look up<span class="unseen"> ${textOfCell(row.uid)}</span></a>`;
}

/** The members of any row that have a value in one, in their order. */
function listColumns(rows: readonly Row[]): readonly string[] {
  const named = new Set<string>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) if (value !== null) named.add(name);
  }
  const ordered = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...ordered].filter((name) => named.has(name)).slice(0, COLUMNS_MAX);
}

function renderFacts(facts: readonly (readonly [string, unknown])[]): unknown {
  const flat = facts.flatMap(([name, value]) =>
    isObject(value) && Object.values(value).every((member) => !isObject(member) && !Array.isArray(member))
      ? Object.entries(value).map(([inner, member]) => [`${name}.${inner}`, member] as const)
      : [[name, value] as const],
  );
  const stated = flat.filter(([, value]) => value !== null).slice(0, FACTS_MAX);
  const silent = flat.filter(([, value]) => value === null).map(([name]) => name);
  return html`
    ${
      stated.length === 0
        ? null
        : html`
            <div class="scroll" tabindex="0" role="region" aria-label="Members">
              <table class="answer">
                <tbody>
                  ${stated.map(
                    ([name, value]) => html`
                      <tr key=${name}><th scope="row">${name}</th><td>${renderCell(value)}</td></tr>
                    `,
                  )}
                </tbody>
              </table>
            </div>
          `
    }
    ${silent.length === 0 ? null : html`<p class="hint">null: <code>${silent.join(', ')}</code></p>`}
  `;
}

function renderCell(value: unknown): unknown {
  if (value === null || value === undefined) return html`<span class="silent">null</span>`;
  const text = textOfCell(value);
  if (text.length <= CELL_CHARACTERS_MAX) return html`<bdi>${text}</bdi>`;
  return html`<bdi>${[...text.slice(0, CELL_CHARACTERS_MAX)].join('')}…</bdi>`;
}

function textOfCell(value: unknown): string {
  if (Array.isArray(value)) {
    return value.some((entry) => isObject(entry))
      ? `${formatCount(value.length)} entries`
      : value.map(textOfCell).join(', ');
  }
  if (isObject(value)) return `${Object.keys(value).length} members, see the JSON`;
  return String(value);
}
