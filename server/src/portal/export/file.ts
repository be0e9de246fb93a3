/**
 * The content of one export file, read page after page of the API, and its formats and name. Excel and CSV are for
 * people; NDJSON is for programs and has each record as the API delivers it. Pages are requested like those of the
 * explorer, so a file that is downloaded again within minutes costs nothing for them. Invariant: a file never ends
 * early without saying so. How far the exports of the last searches went is kept in this process only and up to a
 * bound.
 */

import { foldWords } from '@tmds/contract/docket/words';
import type { SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { stringify } from 'lossless-json';
import { LRUCache } from 'lru-cache';
import { isoInstant } from '../../base/clock.ts';
import { type Explorer, searchOptions } from '../explorer/ask.ts';
import { type ExportPlan, exportPath, FILE_ROWS_MAX, pageRowsOf, pageTarget } from '../explorer/export-plan.ts';
import { DEFAULT_COLUMNS, listGoods } from '../explorer/record-table.ts';
import { describeFilters } from '../explorer/search-words.ts';
import { spellNames } from '../frame/party-names.ts';
import { registerName } from '../frame/registers.ts';
import { titleOfField } from '../frame/wording.ts';
import { findOfficePage } from '../record/offices.ts';
import { columnsOf, dayCell, FILE_FORMS, type FileColumn, type SharedColumn, shareWith } from '../spreadsheet/excel.ts';

export async function* readParts(
  { services, answers }: Explorer,
  progress: ExportProgress,
  { plan, keyId, origin }: { plan: ExportPlan; keyId: string; origin: string },
): AsyncGenerator<ExportPart> {
  let cursor = plan.cursor;
  let rows = 0;
  let refusal: string | null = null;
  let isWhole = false;
  for (let pages = 0; pages * pageRowsOf(plan) < FILE_ROWS_MAX && !isWhole && refusal === null; pages += 1) {
    const target = pageTarget(plan, cursor);
    const options = searchOptions(target, services);
    const question = { keyId, target, stamp: '', ...options };
    const { answer } = await answers.find(question, () => services.callApi(keyId, target, options));
    refusal = answer.refusal?.code ?? null;
    if (refusal !== null) break;
    const { items, next_cursor: next } = answer.body as SearchPage;
    if (items.length > 0) yield items;
    rows += items.length;
    cursor = next ?? cursor;
    isWhole = next === null;
  }
  if (!isWhole) {
    const row = plan.before === null ? null : plan.before + rows;
    const continueAt = `${origin}${exportPath(plan, keyId, cursor === null ? null : { cursor, row })}`;
    yield { reason: refusal ?? 'part_complete', continueAt };
  }
  const at = isoInstant(services.clock.nowMs());
  const name = nameExport(keyId, pageTarget(plan, plan.cursor));
  progress.set(name, { rows, at, cursor: isWhole ? null : cursor, refusal });
}

/**
 * How far the exports of the last searches went, so that the page of an export can offer the next part. Kept in this
 * process only and up to a bound; the end of a file also states where to continue.
 */
export interface Exported {
  readonly rows: number;
  readonly at: string;
  /** Where the next part begins; null after the last row. */
  readonly cursor: string | null;
  /** Why the file ended early; null if it is whole. */
  readonly refusal: string | null;
}

export type ExportProgress = LRUCache<string, Exported>;

const EXPORTS_MAX = 200;

export function buildExportProgress(): ExportProgress {
  return new LRUCache({ max: EXPORTS_MAX });
}

/** `target`: the call of the first page of the part. */
export function nameExport(keyId: string, target: string): string {
  return JSON.stringify([keyId, target]);
}

interface ExportEnd {
  /** `part_complete`, or the code of the refusal. */
  readonly reason: string;
  readonly continueAt: string;
}

/** The records of a page, or, after the last of them, why the file ends early. */
export type ExportPart = readonly TrademarkDetail[] | ExportEnd;

interface ExportFormat {
  readonly title: string;
  readonly extension: string;
  readonly type: string;
  /** Holds no more than a part at a time. */
  readonly encode: (
    parts: AsyncIterable<ExportPart>,
    columns: readonly FileColumn<TrademarkDetail>[],
  ) => AsyncIterable<string | Uint8Array>;
}

function isEnd(part: ExportPart): part is ExportEnd {
  return 'reason' in part;
}

function describeEnd({ reason, continueAt }: ExportEnd): string {
  const why = reason === 'part_complete' ? 'This file is full' : `This file is not complete (${reason})`;
  return `${why}. Continue at ${continueAt}`;
}

async function* listPortions(parts: AsyncIterable<ExportPart>): AsyncGenerator<readonly TrademarkDetail[] | string> {
  for await (const part of parts) yield isEnd(part) ? describeEnd(part) : part;
}

async function* encodeLines(parts: AsyncIterable<ExportPart>): AsyncGenerator<string> {
  for await (const part of parts) {
    yield isEnd(part)
      ? `${JSON.stringify({ not_complete: part.reason, continue_at: part.continueAt })}\n`
      : part.map((record) => `${stringify(record)}\n`).join('');
  }
}

const FOR_PEOPLE = Object.entries(FILE_FORMS).map(([name, { write, ...form }]): [string, ExportFormat] => [
  name,
  { ...form, encode: (parts, columns) => write({ name: 'Trademarks', columns, portions: listPortions(parts) }) },
]);

export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  ...Object.fromEntries(FOR_PEOPLE),
  ndjson: {
    title: 'NDJSON',
    extension: 'ndjson',
    type: 'application/x-ndjson; charset=utf-8',
    encode: encodeLines,
  },
};

/** Of the words, so that a folder with a long name still takes the file. */
const WORDS_MAX = 80;

/** Only letters from a to z, digits and hyphens, whatever was searched for. */
export function nameFile({ pairs, before }: ExportPlan, nowMs: number, extension: string): string {
  const words = foldWords(describeFilters(pairs))
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  let short = '';
  for (const word of words) {
    const longer = short === '' ? word.slice(0, WORDS_MAX) : `${short}-${word}`;
    if (longer.length > WORDS_MAX) break;
    short = longer;
  }
  const from = before === null || before === 0 ? [] : [`from-${before + 1}`];
  return `${['trademarks', ...(short === '' ? [] : [short]), ...from, isoInstant(nowMs).slice(0, 10)].join('-')}.${extension}`;
}

export interface ExportedRecords {
  readonly linkRecord: (record: TrademarkDetail) => string;
  readonly languages: readonly string[];
}

type ExportColumn = SharedColumn<TrademarkDetail, ExportedRecords>;
const column = columnsOf<TrademarkDetail, ExportedRecords>();

type FieldOf<Value> = {
  [Field in keyof TrademarkDetail]-?: NonNullable<TrademarkDetail[Field]> extends Value ? Field : never;
}[keyof TrademarkDetail];

const text = (field: FieldOf<string>, head = titleOfField(field), width = 18): ExportColumn =>
  column(head, width, (record) => record[field] ?? null);

const list = (field: FieldOf<readonly (string | number)[]>, head = titleOfField(field)): ExportColumn =>
  column(head, 20, (record) => record[field]?.join('; ') ?? null);

const codes = (field: FieldOf<readonly string[]>, head = titleOfField(field)): ExportColumn =>
  column(head, 20, (record) => record[field]?.map(registerName).join('; ') ?? null);

/** Instants are days too: people do not need their microseconds. */
const day = (field: FieldOf<string>, head = titleOfField(field)): ExportColumn =>
  column(head, 14, (record) => dayCell(record[field] ?? null));

const names = (field: 'owner_names' | 'representative_names', head = titleOfField(field)): ExportColumn =>
  column(head, 36, (record) => spellNames(record, field)?.join('; ') ?? null);

const MARK = text('mark_name', 'Mark', 36);

/** The columns of the table, by their names there. A picture is no cell. */
const OF_TABLE: Readonly<Record<string, ExportColumn>> = {
  register: column('Register', 18, ({ jurisdiction_code: code }) => registerName(code)),
  office: column('Office', 18, ({ office }) => (office === null ? null : registerName(office))),
  number: column('Number', 18, (record) => record.application_number ?? record.registration_number ?? record.uid),
  status: text('status', 'Status', 12),
  kind: text('kind_of_mark', 'Kind'),
  feature: text('mark_feature', 'Feature'),
  classes: list('nice_classes', 'Classes'),
  goods: column('Goods', 60, ({ payload }, { languages }) =>
    listGoods(payload, languages)
      .map(({ text: goods }) => goods)
      .join('\n'),
  ),
  owner: names('owner_names'),
  representative: names('representative_names'),
  filed: day('application_date', 'Filed'),
  registered: day('registration_date', 'Registered'),
  expires: day('expiry_date', 'Expires'),
  changed: day('updated_at', 'Changed'),
};

const pick = (...columns: readonly string[]): ExportColumn[] => columns.flatMap((name) => OF_TABLE[name] ?? []);

const LINKS: readonly ExportColumn[] = [
  column('Record', 14, (record, { linkRecord }) => ({ text: 'Open record', href: linkRecord(record) })),
  column('Office page', 18, (record) => {
    const page = findOfficePage(record);
    return page === null ? null : { text: page.name, href: page.address };
  }),
];

const EVERYTHING: readonly ExportColumn[] = [
  MARK,
  ...pick(...DEFAULT_COLUMNS, 'expires', 'changed'),
  text('application_number'),
  text('registration_number'),
  text('tm5_status', undefined, 30),
  day('status_date', 'Status since'),
  ...pick('kind', 'feature', 'office'),
  codes('owner_countries'),
  ...pick('representative'),
  day('publication_date', 'Published'),
  day('opposition_period_end', 'Opposition period ends'),
  day('renewal_date', 'Last renewal'),
  day('termination_date', 'Ended'),
  day('external_update_date'),
  list('vienna_codes'),
  list('international_registration_numbers'),
  list('priority_numbers'),
  codes('designated_countries'),
  day('record_update_date', 'Batch of this service'),
  day('first_seen_at', 'First seen'),
  text('jurisdiction_code', 'Register code', 8),
  text('uid', 'Record id', 24),
  ...LINKS,
];

/** `chosen`: names of columns of the table; null for everything. */
export function listExportColumns(
  chosen: readonly string[] | null,
  exported: ExportedRecords,
): FileColumn<TrademarkDetail>[] {
  const columns = chosen === null ? EVERYTHING : [MARK, ...pick(...chosen), ...LINKS];
  return shareWith(columns, exported);
}
