/** The normalized document of a Japanese mark: interpreted values by name, the rest of every row unchanged. */
import {
  buildDocument,
  type ClassScheme,
  type GoodsAndServices,
  type InternationalRegistration,
  type LanguageText,
  type MarkImage,
  type MarkSection,
  type OfficeWords,
  type Party,
  type Priority,
  type Publication,
  type RecordEvent,
  type RelatedMark,
  stated,
} from '../payload.ts';
import { EVENTS, GOODS, IMAGES, MAIN_TABLES, PRIORITIES, PUBLICATIONS, RELATED, TEXTS } from './sections.ts';
import { cell, listRows, type Row, type Rows, restOf, statedDateCell } from './values.ts';

export interface ReadParts {
  parties: Party[];
  /** The texts of the mark as displayed. */
  texts: readonly string[];
  words: OfficeWords;
  /** The entries of every class that the rows state. */
  scheme: ClassScheme;
  international: InternationalRegistration;
}

export function buildRightDocument(rows: Rows, read: ReadParts): ReturnType<typeof buildDocument> {
  const oldClass = listRows(rows, 't_basic_item_art')
    .map((row) => cell(row, 'old_law'))
    .filter((code) => code !== null);
  const sections = {
    parties: read.parties,
    mark: readMark(rows, read.texts),
    goods_and_services: GOODS.flatMap((source) =>
      listRows(rows, source.table).map((row) => readGoods(row, source, read.scheme)),
    ),
    publications: PUBLICATIONS.flatMap((source) =>
      listRows(rows, source.table).flatMap((row) => readPublication(row, source)),
    ),
    priorities: PRIORITIES.flatMap((source) => listRows(rows, source.table).map((row) => readPriority(row, source))),
    events: [
      ...EVENTS.flatMap((source) => listRows(rows, source.table).map((row) => readEvent(row, source))),
      ...listRemovals(rows),
    ],
    images: IMAGES.flatMap((source) => listImages(rows, source)),
    classification: stated({ classes: oldClass.map((code) => ({ national_codes: [code] })) }),
    international: stated({ registration: read.international }),
    related_marks: RELATED.flatMap((source) => listRows(rows, source.table).flatMap((row) => readRelated(row, source))),
  };
  const tables = listRest(rows);
  return buildDocument({ format: 'jpo', ...read.words, tables }, sections);
}

function readMark(rows: Rows, texts: readonly string[]): MarkSection {
  const list = (name: keyof typeof TEXTS): LanguageText[] =>
    TEXTS[name].flatMap(({ table, column, language }) =>
      listRows(rows, table).flatMap((row) => {
        const text = cell(row, column);
        return text === null ? [] : [stated<LanguageText>({ text, language })];
      }),
    );
  return stated<MarkSection>({
    texts: texts.map((text) => ({ text })),
    transliterations: list('transliterations'),
    descriptions: list('descriptions'),
    disclaimers: list('disclaimers'),
  });
}

function readGoods(
  row: Row,
  { classColumn, codeColumn, texts }: (typeof GOODS)[number],
  scheme: ClassScheme,
): GoodsAndServices {
  const number = cell(row, classColumn);
  return stated<GoodsAndServices>({
    scheme: number === null ? null : scheme,
    class: number,
    code: codeColumn === undefined ? null : cell(row, codeColumn),
    texts: texts.flatMap(({ column, language }) => {
      const text = cell(row, column);
      return text === null ? [] : [stated<LanguageText>({ text, language })];
    }),
    details: restOf(row),
  });
}

function readPublication(row: Row, source: (typeof PUBLICATIONS)[number]): Publication[] {
  const date = statedDateCell(row, source.date);
  const identifier = source.identifier === undefined ? null : cell(row, source.identifier);
  if (date === null && identifier === null) return [];
  const details = source.whole ? restOf(row) : null;
  return [stated<Publication>({ kind: source.kind, identifier, date, details })];
}

function readPriority(row: Row, { number, country, date }: (typeof PRIORITIES)[number]): Priority {
  return stated<Priority>({
    number: number === undefined ? null : cell(row, number),
    country: cell(row, country),
    date: statedDateCell(row, date),
    details: restOf(row),
  });
}

function readEvent(row: Row, { table, kind, code, dates }: (typeof EVENTS)[number]): RecordEvent {
  const days = dates.map((column) => statedDateCell(row, column)).filter((day) => day !== null);
  return stated<RecordEvent>({
    kind,
    type: table,
    code: code === undefined ? null : cell(row, code),
    date: days[0],
    details: stated({ dates: days.slice(1), ...restOf(row) }),
  });
}

/** One event for each describing row that the office has removed. */
function listRemovals(rows: Rows): RecordEvent[] {
  return MAIN_TABLES.flatMap((table) =>
    (rows.byTable.get(table) ?? [])
      .filter(({ removed }) => removed)
      .map(() => ({ kind: 'removal', type: table }) as const),
  );
}

function listImages(rows: Rows, { table, identifier, format, codes }: (typeof IMAGES)[number]): MarkImage[] {
  const images = new Map<string, MarkImage>();
  for (const row of listRows(rows, table)) {
    const name = identifier === undefined ? '' : (cell(row, identifier) ?? '');
    const vienna = codes.map((column) => cell(row, column) ?? '00').join('.');
    const image =
      images.get(name) ?? stated<MarkImage>({ identifier: name === '' ? null : name, details: restOf(row) });
    if (format !== undefined) Object.assign(image, stated<MarkImage>({ format: cell(row, format) }));
    if (codes.length > 0) image.vienna_codes = [...(image.vienna_codes ?? []), vienna];
    images.set(name, image);
  }
  return [...images.values()];
}

function readRelated(row: Row, source: (typeof RELATED)[number]): RelatedMark[] {
  const number = source.number === undefined ? null : cell(row, source.number);
  const registration = source.registration === undefined ? null : cell(row, source.registration);
  if (number === null && registration === null) return [];
  return [
    stated<RelatedMark>({
      relationship: source.relationship,
      number,
      registration_number: registration,
      date: source.date === undefined ? null : statedDateCell(row, source.date),
      details: source.whole ? restOf(row) : null,
    }),
  ];
}

/** Everything else that the rows state, under the names of their tables. */
function listRest(rows: Rows): Record<string, Record<string, string>[]> {
  const tables: Record<string, Record<string, string>[]> = {};
  for (const [table, entries] of rows.byTable) {
    const kept = entries.filter(({ removed }) => !removed || MAIN_TABLES.some((main) => main === table));
    const rest = kept.map((row) => restOf(row)).filter((each) => each !== null);
    if (rest.length > 0) tables[table] = rest;
  }
  return tables;
}
