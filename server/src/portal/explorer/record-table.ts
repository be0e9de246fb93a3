/** Records as a table, whose columns a person chooses in the address after that of the mark, or as a grid of images. */

import type { TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { Members, type TextShown } from '../frame/payload-reader.ts';
import { renderDay, renderShortDate } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { chooseLanguage, PAGE_LANGUAGE, renderStatus } from '../frame/wording.ts';
import {
  type Opening,
  type RecordsShown,
  recordPath,
  renderImage,
  renderMarkName,
  renderWord,
} from './record-parts.ts';

export type SortField = 'updated_at' | 'application_date' | 'registration_date';

export interface Column {
  readonly label: string;
  readonly render: (record: TrademarkDetail, opening: RecordsShown) => unknown;
  readonly style?: TableColumn<TrademarkDetail>['style'];
  readonly describe?: (record: TrademarkDetail) => string;
  readonly sort?: SortField;
  /** True if it is read from the payload; a page with payloads has fewer rows. */
  readonly isExpanded?: boolean;
}

type DateField = 'application_date' | 'registration_date' | 'expiry_date';

const NONE = html`<span class="silent">–</span>`;

function dateColumn(label: string, field: DateField, sort?: SortField): Column {
  const render = (record: TrademarkDetail): unknown => {
    const date = record[field];
    return date === null ? NONE : renderShortDate(date);
  };
  return { label, render, style: 'date', ...(sort === undefined ? {} : { sort }) };
}

function nameColumn(label: string, field: 'owner_names' | 'representative_names'): Column {
  return {
    label,
    style: 'name',
    render: (record) => {
      const names = record[field] ?? [];
      return html`
        ${names[0] === undefined ? NONE : html`<span class="cut"><bdi>${names[0]}</bdi>${names.length > 1 ? html` <span class="silent">+${names.length - 1}</span>` : null}</span>`}
      `;
    },
  };
}

/** The columns by their names in the address, in the order of the table. */
export const COLUMNS: Readonly<Record<string, Column>> = {
  image: {
    label: 'Image',
    style: 'image',
    isExpanded: true,
    render: (record, opening) => renderImage(record, opening) ?? NONE,
  },
  register: {
    label: 'Register',
    style: 'short',
    describe: ({ jurisdiction_code }) => jurisdiction_code,
    render: ({ jurisdiction_code }) => registerName(jurisdiction_code),
  },
  office: {
    label: 'Office',
    describe: ({ office }) => (office === null ? '' : registerName(office)),
    render: ({ office, jurisdiction_code }) =>
      office === null ? NONE : office === jurisdiction_code ? office : `via ${office}`,
  },
  number: {
    label: 'Number',
    render: (record) => html`<code>${record.application_number ?? record.registration_number ?? record.uid}</code>`,
  },
  status: {
    label: 'Status',
    render: ({ status }) => renderStatus(status),
  },
  kind: { label: 'Kind', render: ({ kind_of_mark }) => kind_of_mark ?? NONE },
  feature: { label: 'Feature', render: ({ mark_feature }) => mark_feature ?? NONE },
  classes: { label: 'Classes', style: 'classes', render: renderClasses },
  goods: { label: 'Goods', isExpanded: true, style: 'name', render: renderGoods },
  owner: nameColumn('Owner', 'owner_names'),
  representative: nameColumn('Representative', 'representative_names'),
  filed: dateColumn('Filed', 'application_date', 'application_date'),
  registered: dateColumn('Registered', 'registration_date', 'registration_date'),
  expires: dateColumn('Expires', 'expiry_date'),
  changed: {
    label: 'Changed',
    style: 'date',
    sort: 'updated_at',
    render: ({ updated_at }) => renderDay(updated_at),
  },
};

export const DEFAULT_COLUMNS: readonly string[] = [
  'register',
  'number',
  'status',
  'classes',
  'owner',
  'filed',
  'registered',
];

const CHANGES_COLUMNS: readonly string[] = [...DEFAULT_COLUMNS, 'changed'];

/** The columns that an address names, such as `status.owner`; unknown names are left out. Null = the usual ones. */
export function readColumns(text: string | null): readonly string[] {
  if (text === null) return DEFAULT_COLUMNS;
  const named = text.split('.');
  return Object.keys(COLUMNS).filter((name) => named.includes(name));
}

const NAMED: readonly string[] = ['owner', 'representative'];

export function hasNames(columns: readonly string[]): boolean {
  return columns.some((name) => NAMED.includes(name));
}

export function needsPayload(columns: readonly string[]): boolean {
  return columns.some((name) => COLUMNS[name]?.isExpanded === true);
}

const CLASSES_SHOWN_MAX = 5;

function renderClasses({ nice_classes }: TrademarkDetail): unknown {
  const classes = nice_classes ?? [];
  if (classes.length <= CLASSES_SHOWN_MAX) return classes.join(', ');
  const more = classes.length - CLASSES_SHOWN_MAX;
  return html`${classes.slice(0, CLASSES_SHOWN_MAX).join(', ')} <span class="silent">+${more}</span>`;
}

const GOODS_CHARACTERS_MAX = 160;

/** The goods in the reader's language, as far as it is stated, class by class. */
export function listGoods(payload: unknown, languages: readonly string[]): readonly TextShown[] {
  const goods = new Members(payload).list('goods_and_services');
  const texts = goods.flatMap((entry) => new Members(entry).texts('texts'));
  const stated = texts.flatMap(({ language }) => language ?? []);
  const chosen = chooseLanguage(stated, [...languages, PAGE_LANGUAGE]);
  const found = texts.filter(({ language }) => language === chosen);
  return found.length > 0 ? found : texts;
}

function renderGoods({ payload }: TrademarkDetail, { languages }: RecordsShown): unknown {
  const [first] = listGoods(payload, languages);
  if (first === undefined) return NONE;
  const characters = [...first.text.slice(0, 2 * GOODS_CHARACTERS_MAX)];
  const isCut = first.text.length > GOODS_CHARACTERS_MAX;
  const shown = isCut ? `${characters.slice(0, GOODS_CHARACTERS_MAX).join('')}…` : first.text;
  return html`<span class="cut" dir="auto" lang=${first.language}>${shown}</span>`;
}

interface TableLayout {
  /** Names in `COLUMNS`; default: those of the page of changes. */
  readonly columns?: readonly string[];
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

export function renderRecordGrid(items: readonly TrademarkDetail[], opening: Opening): unknown {
  return html`
    <ul id="records" class="tiles" tabindex="-1">
      ${items.map((record) => renderTile(record, opening))}
    </ul>
  `;
}

function renderTile(record: TrademarkDetail, opening: Opening): unknown {
  const { jurisdiction_code: register, status } = record;
  const image = renderImage(record, opening);
  return html`
    <li>
      <a href=${recordPath(record, opening)}>
        <span class="picture" aria-hidden=${image === null ? 'true' : null}>${image ?? renderDrawn(record)}</span>
        <span dir="auto">${renderMarkName(record)}</span>
      </a>
      <span class="silent">${registerName(register)}</span>
      ${renderStatus(status)}
    </li>
  `;
}

/** A word mark is its own picture. */
function renderDrawn({ mark_name: name }: TrademarkDetail): unknown {
  return name === null ? html`<span class="silent">no image</span>` : renderWord(name);
}
