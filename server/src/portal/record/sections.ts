/**
 * Every section of a payload as a part of the page. The generic view shows sections and members without their own
 * layout, and sections whose form differs from the document's declaration: nothing of a payload is only in the JSON.
 * Events are proceedings, with their number, grounds, earlier marks and parties, and the history, newest first.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { renderDisclosure } from '../frame/components.ts';
import { isObject, isSilent, Members, textOf } from '../frame/payload-reader.ts';
import { formatDate, renderStated } from '../frame/pieces.ts';
import { buildGoodsPart, type GoodsReader } from './goods.ts';
import { buildPartiesPart } from './parties.ts';
import { type Columns, labelOfMember, type Part, renderLeft, renderTable, renderValue } from './parts.ts';

const BYTES_MAX = 8_000;

/** Names come from a register's file, where a section may be called `constructor`. */
function tableOf<Row>(rows: Readonly<Record<string, Row>>): ReadonlyMap<string, Row> {
  return new Map(Object.entries(rows));
}

const TABLES = tableOf<{ readonly title: string; readonly columns: Columns }>({
  publications: {
    title: 'Publications',
    columns: { date: 'Date', kind: 'What', identifier: 'Issue', section: 'Section', page: 'Page' },
  },
  priorities: {
    title: 'Priorities',
    columns: {
      country: 'Where',
      number: 'Application',
      registration_number: 'Registration',
      date: 'Date',
      status: 'Status',
    },
  },
  related_marks: {
    title: 'Related marks',
    columns: {
      relationship: 'Relation',
      country: 'Where',
      number: 'Application',
      registration_number: 'Registration',
      date: 'Date',
    },
  },
  statements: { title: 'Statements', columns: { code: 'Code', text: 'Statement', language: 'Language' } },
  images: { title: 'Images', columns: { identifier: 'File', format: 'Format' } },
});

const TITLES = tableOf<string>({
  mark: 'The mark',
  classification: 'Classification',
  international: 'International register',
  source: 'From the office’s file',
});

/** Sections in the order of the page; those of other names follow. */
const ORDER: readonly string[] = [
  'goods_and_services',
  'parties',
  'events',
  'mark',
  'publications',
  'priorities',
  'international',
  'related_marks',
  'statements',
  'classification',
  'images',
  'source',
];

/** Parts that come after all others: long, or rarely read. */
const LAST: readonly string[] = ['stated-classification', 'images', 'stated-source'];

const IN_HEAD = tableOf<readonly string[]>({
  source: ['status_code', 'status_text', 'kind_code', 'kind_text', 'feature_code', 'feature_text'],
});

export function buildParts(record: TrademarkDetail, reader: GoodsReader, keyId: string): Part[] {
  const payload: Readonly<Record<string, unknown>> = isObject(record.payload) ? record.payload : {};
  const others = Object.keys(payload).filter((name) => !ORDER.includes(name));
  const parts = [...ORDER, ...others].flatMap((name): Part[] => {
    const stated = payload[name];
    const laidOut = buildSection(name, stated, { record, reader, keyId });
    const isWhole = laidOut.length > 0 && (Array.isArray(stated) || isSilent(stated));
    return isWhole ? laidOut : [...laidOut, ...buildGeneric(name, stated)];
  });
  return parts.sort((one, other) => LAST.indexOf(one.name) - LAST.indexOf(other.name));
}

function buildSection(
  name: string,
  stated: unknown,
  { record, reader, keyId }: { record: TrademarkDetail; reader: GoodsReader; keyId: string },
): Part[] {
  switch (name) {
    case 'goods_and_services':
      return [buildGoodsPart(stated, record, reader)].filter((part) => part !== null);
    case 'parties':
      return [buildPartiesPart(stated, record, keyId)].filter((part) => part !== null);
    case 'events':
      return buildEventParts(stated);
    default:
      return Array.isArray(stated) ? buildTable(name, stated) : [];
  }
}

function buildTable(name: string, stated: readonly unknown[]): Part[] {
  const table = TABLES.get(name);
  const entries = stated.filter((entry) => !isSilent(entry));
  if (table === undefined || entries.length === 0) return [];
  const { title, columns } = table;
  return [{ name, title, entries, bytesMax: BYTES_MAX, render: (shown) => renderTable(title, columns, shown) }];
}

/** Every element or member is an entry, so that a long one does not keep the others from the page. */
function buildGeneric(name: string, stated: unknown): Part[] {
  const title = TITLES.get(name) ?? TABLES.get(name)?.title ?? labelOfMember(name);
  const inHead = IN_HEAD.get(name) ?? [];
  const isInHead = ([member, value]: readonly [string, unknown]): boolean =>
    inHead.includes(member) && textOf(value) !== null;
  const entries = Array.isArray(stated)
    ? stated.filter((entry) => !isSilent(entry))
    : new Members(stated).left().filter((member) => !isInHead(member));
  if (entries.length === 0) return [];
  const render = Array.isArray(stated)
    ? renderValue
    : (shown: readonly unknown[]) => renderValue(Object.fromEntries(shown as [string, unknown][]));
  return [{ name: `stated-${name}`, title, entries, bytesMax: BYTES_MAX, render: (shown) => render(shown) }];
}

const PROCEEDINGS_BYTES_MAX = 20_000;
const HISTORY_BYTES_MAX = 25_000;
const EARLIER_SHOWN = 20;
const PROCEEDINGS: readonly string[] = ['opposition', 'cancellation', 'appeal', 'removal'];

const COLUMNS = {
  date: 'Date',
  kind: 'Kind',
  code: 'Code',
  number: 'Number',
  text: 'What',
  type: 'Type',
  status: 'Status',
};

function buildEventParts(stated: unknown): Part[] {
  const events = Array.isArray(stated) ? (stated as readonly unknown[]) : [];
  const isProceeding = (event: unknown): boolean => PROCEEDINGS.includes(new Members(event).text('kind') ?? '');
  const proceedings = events.filter(isProceeding);
  const history = newestFirst(events.filter((event) => !isProceeding(event)));
  const parts: Part[] = [
    {
      name: 'proceedings',
      title: 'Oppositions, appeals and other proceedings',
      entries: proceedings,
      bytesMax: PROCEEDINGS_BYTES_MAX,
      render: (shown) => html`<ul class="entries proceedings">${shown.map((event) => renderProceeding(event))}</ul>`,
    },
    {
      name: 'history',
      title: 'History',
      entries: history,
      bytesMax: HISTORY_BYTES_MAX,
      render: (shown) => renderTable('History', COLUMNS, shown),
    },
  ];
  return parts.filter(({ entries }) => entries.length > 0);
}

/** Sources state their events in one order or the other. */
function newestFirst(events: readonly unknown[]): readonly unknown[] {
  const dates = events.flatMap((event) => new Members(event).text('date') ?? []);
  const isRising = (dates[0] ?? '') < (dates.at(-1) ?? '');
  return isRising ? [...events].reverse() : events;
}

function renderProceeding(event: unknown): unknown {
  const members = new Members(event);
  const [kind = null, number = null, date = null, status = null] = ['kind', 'number', 'date', 'status'].map((name) =>
    members.text(name),
  );
  const lines = (members.text('text') ?? '').split('\n').filter((line) => line.trim() !== '');
  const details = members.any('details');
  return html`
    <li>
      <p>
        <strong>${labelOfMember(kind ?? '')}</strong>
        ${number === null ? null : html` <code><bdi>${number}</bdi></code>`}
        ${date === null ? null : html` ${renderStated(date)}`}
        ${status === null ? null : html` <span class="silent"><bdi>${status}</bdi></span>`}
      </p>
      ${lines.map((line) => html`<p dir="auto">${line}</p>`)}
      ${renderLeft(members)} ${renderEarlierMarks(details)} ${renderDetails(details)}
    </li>
  `;
}

function renderDetails(details: unknown): unknown {
  if (isSilent(details)) return null;
  return renderDisclosure('All that the office states of it', renderValue(details));
}

/** The details in which the office of the European Union names the marks that a proceeding relies on. */
function renderEarlierMarks(details: unknown): unknown {
  const stated = memberOf(memberOf(details, 'EarlierMarkDetails'), 'EarlierMark');
  const lines = [stated].flat().map(describeEarlier);
  // The office repeats a mark for every ground.
  const marks = [...new Set(lines)].filter((line) => line !== '');
  if (marks.length === 0) return null;
  const left = marks.length - EARLIER_SHOWN;
  return html`
    <p class="hint">Earlier ${marks.length === 1 ? 'mark' : 'marks'}</p>
    <ul>
      ${marks.slice(0, EARLIER_SHOWN).map((line) => html`<li dir="auto">${line}</li>`)}
      ${left > 0 ? html`<li class="silent">${left} more, below</li>` : null}
    </ul>
  `;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function describeEarlier(mark: unknown): string {
  const text = (...path: readonly string[]): string | null => textOf(path.reduce(memberOf, mark));
  const countries = [memberOf(memberOf(mark, 'DesignatedCountryDetails'), 'DesignatedCountryCode')].flat();
  const codes = countries.flatMap((code) => textOf(code) ?? []);
  const number = text('RegistrationNumber') ?? text('ApplicationNumber');
  const filed = text('ApplicationDate');
  const registered = text('RegistrationDate');
  const parts = [
    text('WordMarkSpecification', 'MarkVerbalElementText'),
    text('MarkFeature'),
    [text('EarlierMarkCountryCode'), number].filter((part) => part !== null).join(' '),
    codes.length === 0 ? null : `in ${codes.join(', ')}`,
    filed === null ? null : `filed ${formatDate(filed)}`,
    registered === null ? null : `registered ${formatDate(registered)}`,
  ];
  return parts.filter((part) => part !== null && part !== '').join(', ');
}
