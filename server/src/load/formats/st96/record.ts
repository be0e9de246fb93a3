/**
 * Turns one ST.96 trademark into a source record, by the table of its office. It uses child paths only, because
 * assignments, proceedings and associated marks inside the mark use the same element names for other marks. Nothing is
 * computed that the file does not state.
 */
import type { RecordContent } from '@tmds/contract/record';
import { childText, listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { listOrNull } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import { nameFields } from '../parties.ts';
import { openReading, type Reading, raiseUnread, readDate, readText } from '../reading.ts';
import { foldValue } from '../st66/dialect.ts';
import { type RecordItem, UnreadableRecord } from '../xml-records.ts';
import type { St96Dialect } from './dialect.ts';
import { buildMarkDocument } from './document.ts';
import { readRemoval } from './events.ts';
import { readGoods } from './goods.ts';
import { readInternational } from './international.ts';
import { readMarkTexts, readViennaCodes } from './mark.ts';
import { readFeature, readKind, readStatus } from './meanings.ts';
import { listNamed, readParties } from './parties.ts';
import { ignoreAttributes, statedDate } from './reading.ts';

const NATIONAL = 'NationalTrademarkInformation';

const DATES = {
  application_date: 'ApplicationDate',
  registration_date: 'RegistrationDate',
  expiry_date: 'ExpiryDate',
  renewal_date: `${NATIONAL}/RenewalDate`,
  opposition_period_end: 'OppositionPeriodEndDate',
  status_date: 'MarkCurrentStatusDate',
} as const satisfies Partial<Record<keyof RecordContent, string>>;

/** The first stated one counts. */
const TERMINATION_DATES = [
  'TerminationDate',
  `${NATIONAL}/RegistrationCancelledDate`,
  `${NATIONAL}/ApplicationAbandonedDate`,
] as const;

/** Dates of events up to the time of the answer, which order its versions. */
const HAPPENED = [
  'MarkCurrentStatusDate',
  'MarkEventBag/MarkEvent/MarkEventDate',
  `${NATIONAL}/NationalCaseLocation/CurrentLocationDate`,
];

/** Throws `UnreadableRecord` when the mark has no usable application number. */
export function readTrademark(node: XmlNode, dialect: St96Dialect, fileName = ''): RecordItem {
  const reading = openReading(node);
  ignoreAttributes(reading, node);
  const number = readApplicationNumber(reading, dialect);
  const removal = readRemoval(reading);
  const isPartial = removal !== null;
  const office = readText(reading, node, 'RegistrationOfficeCode');
  const international = readInternational(reading, dialect, number);
  const dates = readDates(reading);
  const texts = readMarkTexts(reading, dialect);
  const parties = readParties(reading, dialect);
  const goods = readGoods(reading, dialect, dates.application_date);
  const updated = dialect.updatePath === null ? null : readDate(reading, node, dialect.updatePath, statedDate);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: dialect.office,
    uid: `${dialect.office}50${number.padStart(13, '0')}`,
    office: international.isPart ? 'WO' : office,
    application_number: number,
    registration_number: readRegistrationNumber(reading, dialect),
    mark_name: texts.name,
    ...readStatus(reading, dialect, dates.registration_date, isPartial),
    kind_of_mark: readKind(reading, dialect),
    mark_feature: readFeature(reading, dialect),
    ...dates,
    publication_date: readPublicationDate(reading, dialect),
    external_update_date: updated,
    nice_classes: goods.niceClasses,
    vienna_codes: readViennaCodes(reading),
    ...nameFields(listNamed(parties)),
    international_registration_numbers: international.numbers,
    priority_numbers: readPriorityNumbers(reading),
    designated_countries: international.designations,
  };
  const happened = HAPPENED.flatMap((path) => listChildren(node, path).map(({ text }) => statedDate(text.trim())));
  const payload = buildMarkDocument(reading, dialect, {
    parties,
    texts,
    goods,
    international: international.section,
    statusText: content.tm5_status,
    removal,
  });
  raiseUnread(reading);
  const updatedAt = dialect.updatePath === null ? null : childText(node, dialect.updatePath);
  const source_version = dialect.orderVersion({
    updatedAt,
    happened: happened.filter((date) => date !== null),
    fileName,
  });
  return {
    record: {
      ...content,
      mark_name_variants: texts.variants,
      payload,
      source_version,
      // A removal may state only the number of the mark; the rest of the record stays as last stated (rule I-22).
      ...(isPartial ? { is_partial: true } : {}),
      ...(removal === null ? {} : { is_removal: true }),
    },
    issues: reading.issues,
  };
}

function readApplicationNumber(reading: Reading, dialect: St96Dialect): string {
  const text = readText(reading, reading.root, 'ApplicationNumber/ApplicationNumberText');
  const st13 = readText(reading, reading.root, 'ApplicationNumber/ST13ApplicationNumber');
  const number = dialect.parseNumber({ text, st13 });
  if (number !== null) return number;
  const stated = text ?? st13;
  if (stated === null) throw new UnreadableRecord('Trademark has no ApplicationNumber');
  throw new UnreadableRecord(
    `${JSON.stringify(stated.slice(0, 100))} is not an application number of the office ${dialect.office}`,
  );
}

function readRegistrationNumber(reading: Reading, dialect: St96Dialect): string | null {
  const number = readText(reading, reading.root, 'RegistrationNumber');
  if (number === null || !dialect.padsRegistrationNumbers) return number;
  const bare = number.replace(/^0+/, '');
  return bare === '' ? null : bare;
}

type MarkDates = Record<keyof typeof DATES | 'termination_date', string | null>;

function readDates(reading: Reading): MarkDates {
  const entries = Object.entries(DATES).map(([field, path]) => [
    field,
    readDate(reading, reading.root, path, statedDate),
  ]);
  const ends = TERMINATION_DATES.map((path) => readDate(reading, reading.root, path, statedDate));
  return { ...Object.fromEntries(entries), termination_date: ends.find((date) => date !== null) ?? null } as MarkDates;
}

/** The publication that the office marks as the publication of the application, else the earliest. */
function readPublicationDate(reading: Reading, dialect: St96Dialect): string | null {
  const publications = listChildren(reading.root, 'PublicationBag/Publication').map((node) => ({
    category: foldValue(readText(reading, node, 'NationalPublication/PublicationStatusCategory') ?? ''),
    date:
      readDate(reading, node, 'PublicationDate', statedDate) ??
      readDate(reading, node, 'NationalPublication/PublicationActionDate', statedDate),
  }));
  const marked = publications.filter(
    ({ category, date }) => category === dialect.applicationPublication && date !== null,
  );
  const dates = (marked.length > 0 ? marked : publications).map(({ date }) => date);
  return dates.filter((date) => date !== null).sort()[0] ?? null;
}

function readPriorityNumbers(reading: Reading): string[] | null {
  const numbers = listChildren(reading.root, 'PriorityBag/Priority').map(
    (node) =>
      readText(reading, node, 'ApplicationNumber/ApplicationNumberText') ??
      readText(reading, node, 'ApplicationNumber/ST13ApplicationNumber') ??
      readText(reading, node, 'PriorityRegistrationNumber'),
  );
  return listOrNull(numbers.filter((number) => number !== null));
}
