/**
 * The answer of a call: status, cost, why it was refused, headers and further links; the body as tables, with a row
 * for each entry of its lists, and as JSON: whole when it is short, otherwise folded member by member, up to a bound
 * for the page. The page names what does not fit; the file of the answer has it. Following a link makes a call.
 */
import { STATUS_CODES } from 'node:http';
import { html } from 'htm/preact';
import { isLosslessNumber, stringify } from 'lossless-json';
import { type ApiRequest, type DescribedEndpoint, ENDPOINTS_DESCRIBED } from '../../render/description/endpoints.ts';
import { HEADERS } from '../../render/description/parameters.ts';
import type { Outcome, Refusal } from '../explorer/ask.ts';
import { renderCost } from '../explorer/outcome-view.ts';
import { renderBadge, renderEmpty, renderPager } from '../frame/components.ts';
import { isObject } from '../frame/payload-reader.ts';
import { formatCount, renderJson } from '../frame/pieces.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { consolePath } from '../request/request-view.ts';
import type { ApiAnswer } from '../services.ts';
import { renderRefusal } from './parameter-fields.ts';
import { renderSchemaLink } from './schema-page.ts';

export interface Answered {
  readonly answer: ApiAnswer;
  readonly refusal: Refusal | null;
  /** Null for a call without a key. */
  readonly outcome: Outcome | null;
}

/** The stamps: `asked` is this call's, `stamp` goes into new links. */
export function renderAnswer(
  request: ApiRequest,
  answered: Answered,
  { asked, stamp }: { readonly asked: string; readonly stamp: string },
): unknown {
  const { answer, refusal, outcome } = answered;
  const { status, headers, body, bytes } = answer;
  const keyId = outcome?.key.id ?? '';
  const next = followCursor(request, body, { keyId, asked: stamp });
  const isServed = refusal === null;
  return html`
    ${refusal === null ? null : renderRefusal(refusal, request.endpoint)}
    <p role="status">
      ${renderBadge(isServed ? 'good' : 'bad', `${status} ${STATUS_CODES[status] ?? ''}`)}
      ${' '}<span class="role">${formatCount(bytes)} bytes</span>
    </p>
    ${outcome === null ? html`<p class="cost">This call is free.</p>` : renderCost(outcome)}
    ${status === 304 ? renderEmpty('Nothing has changed since the ETag that was sent, so there is no body.') : null}
    ${next === null ? null : renderPager([{ label: 'Next page', href: next, rel: 'next nofollow' }], 'One unit.')}
    <div class="beside">
      ${isServed && body !== null ? renderBodyTables(request, body, { keyId, asked: stamp }) : null}
      ${body === null ? null : renderBody(request, answered, asked)}
    </div>
    ${renderHeaders(headers)}
  `;
}

type Link = Parameters<typeof consolePath>[1];

function renderBodyTables(request: ApiRequest, body: unknown, link: Link): unknown {
  const linkRecord = buildRecordLink(request, link);
  const tables = renderTables(body, linkRecord);
  return html`
    <section aria-labelledby="answer-table">
      <h2 id="answer-table">Table</h2>
      ${tables}
      ${hasRecords(body, linkRecord) ? html`<p class="hint">“Look up” asks for the record with its payload, for one unit.</p>` : null}
    </section>
  `;
}

function hasRecords(body: unknown, linkRecord: LinkRecord): boolean {
  const lists = Object.values(body as object).filter(Array.isArray);
  return lists.flat().some((row) => typeof row === 'object' && row !== null && linkRecord(row) !== null);
}

function renderBody(request: ApiRequest, { answer, outcome, refusal }: Answered, asked: string): unknown {
  const file = consolePath(request, { keyId: outcome?.key.id ?? '', asked }).replace('?', '/answer?');
  return html`
    <section aria-labelledby="answer-json">
      <h2 id="answer-json">JSON</h2>
      ${renderJsonBody(answer.body)}
      ${
        outcome === null || refusal !== null
          ? null
          : html`<p><a rel="nofollow" href=${file} download>The answer as a file</a>, at no cost for a few minutes</p>`
      }
      ${refusal === null ? html`<p class="hint">Its members: ${renderSchemaLink(request.endpoint.schema)}</p>` : null}
    </section>
  `;
}

function followCursor(request: ApiRequest, body: unknown, link: Link): string | null {
  const cursor = (body as { next_cursor?: unknown } | null)?.next_cursor;
  if (typeof cursor !== 'string') return null;
  return consolePath({ ...request, values: new Map([...request.values, ['cursor', cursor]]) }, link);
}

const LOOKUP = ENDPOINTS_DESCRIBED.find(({ name }) => name === 'lookup') as DescribedEndpoint;

function buildRecordLink({ values }: ApiRequest, link: Link): LinkRecord {
  return (row) => {
    const register = row.jurisdiction_code ?? values.get('jurisdiction_code');
    if (typeof register !== 'string' || typeof row.uid !== 'string') return null;
    const named = new Map([
      ['jurisdiction_code', register],
      ['uid', row.uid],
      ['expand', 'payload'],
    ]);
    return consolePath({ endpoint: LOOKUP, values: named, more: '' }, link);
  };
}

function renderHeaders(headers: ApiAnswer['headers']): unknown {
  const shown = Object.entries(HEADERS).flatMap(([name, { description }]) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [{ name, value, description }];
  });
  if (shown.length === 0) return null;
  return html`
    <section aria-labelledby="answer-headers">
      <h2 id="answer-headers">Headers</h2>
      <dl class="members">
        ${shown.map(
          ({ name, value, description }) => html`
            <div>
              <dt>${name}</dt>
              <dd><code>${value}</code> <span class="role">${description}</span></dd>
            </div>
          `,
        )}
      </dl>
    </section>
  `;
}

const ROWS_MAX = 50;
const FACTS_MAX = 60;
const COLUMNS_MAX = 40;
const CELL_CHARACTERS_MAX = 160;

type Row = Readonly<Record<string, unknown>>;

/** The address of the look-up of a record; null when a row does not name one. */
type LinkRecord = (row: Row) => string | null;

function renderTables(body: unknown, linkRecord: LinkRecord): unknown {
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

const WHOLE_CHARACTERS_MAX = 4_000;
const PAGE_CHARACTERS_MAX = 60_000;
const ENTRIES_MAX = 50;
const DEPTH_MAX = 6;
/** A longer text, such as an inline image, is cut. */
const TEXT_CHARACTERS_MAX = 2_000;

interface Room {
  left: number;
  /** The size of each container, so that none is measured twice. */
  readonly sizes: Map<object, number>;
  hasCut: boolean;
}

export function renderJsonBody(body: unknown): unknown {
  const room: Room = { left: PAGE_CHARACTERS_MAX, sizes: new Map(), hasCut: false };
  const shown = isShort(body, room) ? renderJson('the body', writeJson(body, room)) : renderMembers(body, room, 0);
  return html`
    <div class="json">
      ${shown}
      ${room.hasCut ? html`<p class="hint">Long texts are cut here; the file of the answer has them whole.</p>` : null}
    </div>
  `;
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isLosslessNumber(value);

const isShort = (value: unknown, room: Room): boolean => measure(value, room) <= WHOLE_CHARACTERS_MAX;

/** About how many characters its JSON has, without the blanks. */
function measure(value: unknown, room: Room): number {
  if (!isContainer(value)) return typeof value === 'string' ? value.length + 2 : String(value).length;
  const known = room.sizes.get(value);
  if (known !== undefined) return known;
  const members = Object.entries(value);
  const names = Array.isArray(value) ? 0 : members.reduce((sum, [name]) => sum + name.length + 3, 0);
  const size = members.reduce((sum, [, member]) => sum + measure(member, room) + 1, names + 2);
  room.sizes.set(value, size);
  return size;
}

/** Members that are texts, numbers and the like are shown together; each of the others is folded. */
function renderMembers(value: unknown, room: Room, depth: number): unknown {
  if (!isContainer(value) || depth >= DEPTH_MAX) return renderJson('a part', writeJson(value, room));
  const members = Array.isArray(value)
    ? value.map((entry, at): [string, unknown] => [`[${at}]`, entry])
    : Object.entries(value);
  const folded = members.filter(([, member]) => isContainer(member));
  const plain = members.filter(([, member]) => !isContainer(member));
  const shown = folded.slice(0, ENTRIES_MAX);
  const together = Array.isArray(value) ? plain.map(([, member]) => member) : Object.fromEntries(plain);
  return html`
    ${plain.length === 0 ? null : renderJson('members', writeJson(together, room))}
    ${shown.map(([name, member]) => renderFolded(name, member as object, room, depth))}
    ${
      folded.length === shown.length
        ? null
        : html`<p class="hint">${formatCount(folded.length - shown.length)} more are in the file of the answer.</p>`
    }
  `;
}

function renderFolded(name: string, value: object, room: Room, depth: number): unknown {
  const size = measure(value, room);
  const extent = Array.isArray(value)
    ? `${formatCount(value.length)} ${value.length === 1 ? 'entry' : 'entries'}`
    : `about ${formatCount(size)} characters`;
  const label = html`<code><bdi>${name}</bdi></code> <span class="role">${extent}</span>`;
  if (room.left <= 0) return html`<p>${label} <span class="role">only in the file</span></p>`;
  const isOpen = depth === 0 && Array.isArray(value);
  return html`
    <details open=${isOpen}>
      <summary>${label}</summary>
      ${isShort(value, room) ? renderJson(name, writeJson(value, room)) : renderMembers(value, room, depth + 1)}
    </details>
  `;
}

/** Takes room on the page, and cuts the text that does not fit. */
function writeJson(value: unknown, room: Room): string {
  const shorten = (_name: string, member: unknown): unknown => {
    if (typeof member !== 'string' || member.length <= TEXT_CHARACTERS_MAX) return member;
    room.hasCut = true;
    return `${member.slice(0, TEXT_CHARACTERS_MAX)}… (${formatCount(member.length)} characters)`;
  };
  const text = stringify(value, shorten, 2) ?? 'null';
  const left = Math.max(0, room.left);
  room.left -= text.length;
  if (text.length <= left) return text;
  room.hasCut = true;
  return `${text.slice(0, left)}…`;
}
