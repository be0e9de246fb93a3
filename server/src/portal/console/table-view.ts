/**
 * The body of an answer as tables: its lists with a row for each entry, the rest as names with their values. Rows that
 * are records link to their look-up, and a cursor links to the next page; following a link makes a call.
 */
import { html } from 'htm/preact';
import { renderEmpty } from '../frame/components.ts';
import { isObject } from '../frame/payload-reader.ts';
import { formatCount } from '../frame/pieces.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';

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
  if (rows.length === 0) return renderEmpty(html`<code>${name}</code> is empty.`);
  const shown = rows.slice(0, ROWS_MAX);
  const links = shown.some((row) => linkRecord(row) !== null) ? [linkColumn(linkRecord)] : [];
  const columns = listColumns(shown).map(
    (column): TableColumn<Row> => ({ label: column, cell: (row) => renderCell(row[column]) }),
  );
  const label = `${name}, ${formatCount(rows.length)} ${rows.length === 1 ? 'entry' : 'entries'}`;
  const left = rows.length - shown.length;
  return html`
    <p class="hint">${label}</p>
    ${renderTable({ label, columns: [...links, ...columns], rows: shown, narrow: 'row' })}
    ${left > 0 ? html`<p class="hint">${formatCount(left)} further rows are in the JSON.</p>` : null}
  `;
}

const linkColumn = (linkRecord: LinkRecord): TableColumn<Row> => ({
  label: 'Look-up',
  isUnlabelled: true,
  cell: (row) => {
    const path = linkRecord(row);
    if (path === null) return null;
    return html`<a rel="nofollow" href=${path}>Look up<span class="unseen"> ${textOfCell(row.uid)}</span></a>`;
  },
});

/** The members that any row has a value for, in their order. */
function listColumns(rows: readonly Row[]): readonly string[] {
  const named = new Set<string>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) if (value !== null) named.add(name);
  }
  const ordered = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...ordered].filter((name) => named.has(name)).slice(0, COLUMNS_MAX);
}

function renderFacts(facts: readonly Fact[]): unknown {
  const flat = facts.flatMap(([name, value]) =>
    isObject(value) && Object.values(value).every((member) => !isObject(member) && !Array.isArray(member))
      ? Object.entries(value).map(([inner, member]) => [`${name}.${inner}`, member] as const)
      : [[name, value] as const],
  );
  const stated = flat.filter(([, value]) => value !== null).slice(0, FACTS_MAX);
  const silent = flat.filter(([, value]) => value === null).map(([name]) => name);
  return html`
    ${stated.length === 0 ? null : renderTable({ label: 'Members', columns: FACT_COLUMNS, rows: stated, narrow: 'row' })}
    ${silent.length === 0 ? null : html`<p class="hint">null: <code>${silent.join(', ')}</code></p>`}
  `;
}

type Fact = readonly [name: string, value: unknown];

const FACT_COLUMNS: readonly TableColumn<Fact>[] = [
  { label: 'Member', isHeader: true, cell: ([name]) => name },
  { label: 'Value', style: 'words', cell: ([, value]) => renderCell(value) },
];

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
