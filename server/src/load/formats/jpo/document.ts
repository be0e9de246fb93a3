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
} from '../document.ts';
import type { Row } from '../tables.ts';
import type { MarkRows } from './rows.ts';
import { EVENTS, GOODS, IMAGES, MAIN_TABLES, PRIORITIES, PUBLICATIONS, RELATED, TEXTS } from './sections.ts';

interface ReadParts {
  parties: Party[];
  /** The texts of the mark as displayed. */
  texts: readonly string[];
  words: OfficeWords;
  /** The entries of every class that the rows state. */
  scheme: ClassScheme;
  international: InternationalRegistration;
}

export function buildRightDocument(rows: MarkRows, read: ReadParts): ReturnType<typeof buildDocument> {
  const oldClasses = rows.texts('t_basic_item_art', 'old_law');
  const sections = {
    parties: read.parties,
    mark: readMark(rows, read.texts),
    goods_and_services: GOODS.flatMap((source) =>
      rows.list(source.table).map((row) => readGoods(row, source, read.scheme)),
    ),
    publications: PUBLICATIONS.flatMap((source) =>
      rows.list(source.table).flatMap((row) => readPublication(row, source)),
    ),
    priorities: PRIORITIES.flatMap((source) => rows.list(source.table).map((row) => readPriority(row, source))),
    events: [
      ...EVENTS.flatMap((source) => rows.list(source.table).map((row) => readEvent(row, source))),
      ...listRemovals(rows),
    ],
    images: IMAGES.flatMap((source) => listImages(rows, source)),
    classification: stated({ classes: oldClasses.map((code) => ({ national_codes: [code] })) }),
    international: stated({ registration: read.international }),
    related_marks: RELATED.flatMap((source) => rows.list(source.table).flatMap((row) => readRelated(row, source))),
  };
  const tables = listRest(rows);
  return buildDocument({ format: 'jpo', ...read.words, tables }, sections);
}

function readMark(rows: MarkRows, texts: readonly string[]): MarkSection {
  const list = (name: keyof typeof TEXTS): LanguageText[] =>
    TEXTS[name].flatMap(({ table, column, language }) =>
      rows.texts(table, column).map((text) => stated<LanguageText>({ text, language })),
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
  const number = row.text(classColumn);
  return stated<GoodsAndServices>({
    scheme: number === null ? null : scheme,
    class: number,
    code: codeColumn === undefined ? null : row.text(codeColumn),
    texts: texts.flatMap(({ column, language }) => {
      const text = row.text(column);
      return text === null ? [] : [stated<LanguageText>({ text, language })];
    }),
    details: row.rest(),
  });
}

function readPublication(row: Row, source: (typeof PUBLICATIONS)[number]): Publication[] {
  const date = row.statedDay(source.date);
  const identifier = source.identifier === undefined ? null : row.text(source.identifier);
  if (date === null && identifier === null) return [];
  const details = source.whole ? row.rest() : null;
  return [stated<Publication>({ kind: source.kind, identifier, date, details })];
}

function readPriority(row: Row, { number, country, date }: (typeof PRIORITIES)[number]): Priority {
  return stated<Priority>({
    number: number === undefined ? null : row.text(number),
    country: row.text(country),
    date: row.statedDay(date),
    details: row.rest(),
  });
}

function readEvent(row: Row, { table, kind, code, dates }: (typeof EVENTS)[number]): RecordEvent {
  const days = dates.map((column) => row.statedDay(column)).filter((day) => day !== null);
  return stated<RecordEvent>({
    kind,
    type: table,
    code: code === undefined ? null : row.text(code),
    date: days[0],
    details: stated({ dates: days.slice(1), ...row.rest() }),
  });
}

/** One event for each describing row that the office has removed. */
function listRemovals(rows: MarkRows): RecordEvent[] {
  return MAIN_TABLES.flatMap((table) =>
    (rows.byTable.get(table) ?? [])
      .filter(({ removed }) => removed)
      .map(() => ({ kind: 'removal', type: table }) as const),
  );
}

function listImages(rows: MarkRows, { table, identifier, format, codes }: (typeof IMAGES)[number]): MarkImage[] {
  const images = new Map<string, MarkImage>();
  for (const row of rows.list(table)) {
    const name = identifier === undefined ? '' : (row.text(identifier) ?? '');
    const vienna = codes.map((column) => row.text(column) ?? '00').join('.');
    const image = images.get(name) ?? stated<MarkImage>({ identifier: name === '' ? null : name, details: row.rest() });
    if (format !== undefined) Object.assign(image, stated<MarkImage>({ format: row.text(format) }));
    if (codes.length > 0) image.vienna_codes = [...(image.vienna_codes ?? []), vienna];
    images.set(name, image);
  }
  return [...images.values()];
}

function readRelated(row: Row, source: (typeof RELATED)[number]): RelatedMark[] {
  const number = source.number === undefined ? null : row.text(source.number);
  const registration = source.registration === undefined ? null : row.text(source.registration);
  if (number === null && registration === null) return [];
  return [
    stated<RelatedMark>({
      relationship: source.relationship,
      number,
      registration_number: registration,
      date: source.date === undefined ? null : row.statedDay(source.date),
      details: source.whole ? row.rest() : null,
    }),
  ];
}

/** Everything else that the rows state, under the names of their tables. */
function listRest(rows: MarkRows): Record<string, Record<string, string>[]> {
  const tables: Record<string, Record<string, string>[]> = {};
  for (const [table, entries] of rows.byTable) {
    const kept = entries.filter(({ removed }) => !removed || MAIN_TABLES.some((main) => main === table));
    const rest = kept.map((row) => row.rest()).filter((each) => each !== null);
    if (rest.length > 0) tables[table] = rest;
  }
  return tables;
}
