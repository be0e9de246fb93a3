/**
 * Every section of a payload as a part of the page. The generic view shows sections and members without their own
 * layout, and sections whose form differs from the document's declaration: nothing of a payload is only in the JSON.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { isObject, isSilent, Members, textOf } from '../frame/payload-reader.ts';
import { buildEventParts } from './events.ts';
import { labelOfMember, renderValue } from './generic-view.ts';
import { buildGoodsPart, type GoodsReader } from './goods.ts';
import { buildPartiesPart } from './parties.ts';
import type { Part } from './parts.ts';
import { type Columns, renderTable } from './tables.ts';

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

/** The members of the section that the head of the page shows. */
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

interface Context {
  readonly record: TrademarkDetail;
  readonly reader: GoodsReader;
  readonly keyId: string;
}

function buildSection(name: string, stated: unknown, { record, reader, keyId }: Context): Part[] {
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
