/**
 * Turns one ST.66 trademark into a source record. It uses child paths only, because oppositions, seniorities and
 * recordals inside the mark use the same element names for other marks.
 */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { listNamedParts } from '../../../record/join-parties.ts';
import { readPartyFields } from '../../../record/parties.ts';
import { listChildren, listDescendants, type XmlNode } from '../../xml/xml-node.ts';
import { listOrNull, parseNiceClass, parseViennaCode } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import {
  dashedDate,
  openReading,
  type Reading,
  raiseIssue,
  raiseUnread,
  readDate,
  readNode,
  readText,
  readTexts,
} from '../reading.ts';
import { findScheme, mayBeNice } from '../schemes.ts';
import { type RecordItem, UnreadableRecord } from '../xml-records.ts';
import { buildUid, findMeaning, findStatus, type St66Dialect } from './dialect.ts';
import { BASED_REGISTRATIONS, buildMarkDocument, CLASS_DESCRIPTIONS, DESIGNATIONS, readRemoval } from './document.ts';
import { unescapeNode } from './escapes.ts';
import { readMarkTexts } from './mark.ts';
import { readParties } from './parties.ts';

const DATES = {
  application_date: 'ApplicationDate',
  registration_date: 'RegistrationDate',
  expiry_date: 'ExpiryDate',
  termination_date: 'TerminationDate',
  opposition_period_end: 'OppositionPeriodEndDate',
  status_date: 'MarkCurrentStatusDate',
} as const satisfies Partial<Record<keyof RecordContent, string>>;

interface MarkPlace {
  dialect: St66Dialect;
  register: string;
  /** Whether the file holds the mark alone, without a transaction. */
  isBare: boolean;
}

/** Throws `UnreadableRecord` when the mark has no application number or belongs to another office. */
export function readTradeMark(source: XmlNode, { dialect, register, isBare }: MarkPlace): RecordItem {
  const node = dialect.escapesTwice === true ? unescapeNode(source) : source;
  const reading = openReading(node);
  const number = readText(reading, node, 'ApplicationNumber');
  if (number === null) throw new UnreadableRecord('TradeMark has no ApplicationNumber');
  const office = readOffice(reading, dialect);
  const removal = readRemoval(reading);
  const isPartial = removal !== null || (isBare && dialect.wrapsMarks);
  const dates = readDates(reading);
  const texts = readMarkTexts(reading);
  const parties = readParties(reading, node, dialect);
  const international = readInternationalNumber(reading, dialect, number);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: buildUid(dialect, number),
    office: international === null ? office : 'WO',
    application_number: number,
    registration_number: readRegistrationNumber(reading, dialect, number, dates.registration_date),
    mark_name: texts.name,
    ...readStatus(reading, dialect, dates, isPartial),
    kind_of_mark: readKind(reading, dialect),
    mark_feature: readFeature(reading, dialect),
    ...dates,
    publication_date: readPublicationDate(reading, dialect),
    // When the office produced the file says nothing about when the mark changed.
    external_update_date: null,
    nice_classes: readNiceClasses(reading),
    vienna_codes: readViennaCodes(reading),
    ...readPartyFields(parties),
    international_registration_numbers: listOrNull([
      ...(international === null ? [] : [international]),
      ...readTexts(reading, node, BASED_REGISTRATIONS),
    ]),
    priority_numbers: listOrNull(readTexts(reading, node, 'PriorityDetails/Priority/PriorityNumber')),
    designated_countries: listOrNull(DESIGNATIONS.flatMap((path) => readTexts(reading, node, path))),
  };
  const payload = buildMarkDocument(reading, dialect, {
    parties,
    texts,
    status: content.tm5_status,
    international,
    removal,
  });
  raiseUnread(reading);
  return {
    record: {
      ...content,
      mark_name_variants: texts.variants,
      named_parts: listOrNull(listNamedParts(register, parties)),
      payload,
      source_version: null,
      // A removal may state only the number of the mark, and a copy leaves things out. The rest of the record stays as
      // last stated (rule I-22).
      ...(isPartial ? { is_partial: true } : {}),
      ...(removal === null ? {} : { is_removal: true }),
    },
    issues: reading.issues,
  };
}

function readOffice(reading: Reading, dialect: St66Dialect): string | null {
  const office = readText(reading, reading.root, 'RegistrationOfficeCode');
  if (office !== null && office.toUpperCase() !== dialect.office) {
    throw new UnreadableRecord(`the mark is of the register ${office}; this format reads ${dialect.office}`);
  }
  return office;
}

/** The number of the international registration that this record is, or is a part of. */
function readInternationalNumber(reading: Reading, dialect: St66Dialect, applicationNumber: string): string | null {
  const stated = readText(reading, reading.root, 'InternationalRegistrationNumber');
  return stated ?? (dialect.internationalNumbers?.test(applicationNumber) === true ? applicationNumber : null);
}

type MarkDates = Record<keyof typeof DATES, string | null>;

function readDates(reading: Reading): MarkDates {
  const entries = Object.entries(DATES).map(([field, path]) => [
    field,
    readDate(reading, reading.root, path, dashedDate),
  ]);
  return Object.fromEntries(entries) as MarkDates;
}

function readRegistrationNumber(
  reading: Reading,
  dialect: St66Dialect,
  applicationNumber: string,
  registrationDate: string | null,
): string | null {
  const number = readText(reading, reading.root, 'RegistrationNumber');
  if (number !== null) return number;
  return dialect.registersUnderApplicationNumber && registrationDate !== null ? applicationNumber : null;
}

/** For a partial record without a status. */
const NO_STATUS = { status: 'Unknown', tm5_status: null } as const;

function readStatus(
  reading: Reading,
  dialect: St66Dialect,
  { registration_date, application_date }: MarkDates,
  isPartial: boolean,
): { status: Status; tm5_status: string | null } {
  const path = 'MarkCurrentStatusCode';
  const text = readText(reading, reading.root, path);
  if (text === null && isPartial) return NO_STATUS;
  const meaning = text === null ? undefined : findStatus(dialect, text);
  if (meaning === undefined) raiseIssue(reading, 'unmapped_status', path, text ?? '');
  if (meaning === 'ended') {
    // Without a date, nothing shows whether the mark was registered; the stored record may.
    if (isPartial && registration_date === null && application_date === null) return NO_STATUS;
    return { status: registration_date === null ? 'Abandoned' : 'Cancelled', tm5_status: text };
  }
  return { status: meaning ?? 'Unknown', tm5_status: text };
}

function readKind(reading: Reading, dialect: St66Dialect): KindOfMark | null {
  const text = readText(reading, reading.root, 'KindMark');
  if (text === null) return null;
  const kinds = text.split(',').map((part) => findMeaning(dialect.kinds, part));
  const kind = kinds.find((meaning) => meaning !== undefined);
  if (kind === undefined) raiseIssue(reading, 'unmapped_kind', 'KindMark', text);
  return kind ?? null;
}

function readFeature(reading: Reading, dialect: St66Dialect): MarkFeature | null {
  const text = readText(reading, reading.root, 'MarkFeature');
  if (text === null) return null;
  const feature = findMeaning(dialect.features, text);
  if (feature === undefined) raiseIssue(reading, 'unmapped_feature', 'MarkFeature', text);
  return feature ?? 'Other';
}

/** The publication that the office marks as the publication of the application, else the earliest. */
function readPublicationDate(reading: Reading, dialect: St66Dialect): string | null {
  const application = readDate(reading, reading.root, 'ApplicationPublicationDate', dashedDate);
  if (application !== null) return application;
  const publications = listChildren(reading.root, 'PublicationDetails/Publication').map((node) => ({
    section: readText(reading, node, 'PublicationSection'),
    date: readDate(reading, node, 'PublicationDate', dashedDate),
  }));
  const applications = publications.filter(
    ({ section, date }) => section !== null && section === dialect.applicationSection && date !== null,
  );
  const dates = (applications.length > 0 ? applications : publications).map(({ date }) => date);
  return dates.filter((date) => date !== null).sort()[0] ?? null;
}

/** Values of ClassNumber that say a mark is not classified. */
const NO_CLASS: ReadonlySet<string> = new Set(['0', '00', '000', 'A', 'B', '200']);

function readNiceClasses(reading: Reading): number[] | null {
  const path = 'GoodsServicesDetails/GoodsServices';
  const classes: number[] = [];
  for (const group of listChildren(reading.root, path)) {
    const kind = readText(reading, group, 'ClassificationKindCode');
    const numbers = listChildren(group, `${CLASS_DESCRIPTIONS}/ClassNumber`);
    if (kind !== null && findScheme(kind) === 'unknown' && numbers.length > 0) {
      const issue = mayBeNice(kind) ? 'assumed_nice_class' : 'unmapped_class';
      raiseIssue(reading, issue, `${path}/ClassificationKindCode`, kind);
    }
    if (findScheme(kind) !== 'nice' && !mayBeNice(kind)) continue;
    for (const node of numbers) {
      const text = readNode(reading, node);
      const niceClass = parseNiceClass(text ?? '');
      if (niceClass !== null) classes.push(niceClass);
      else if (text !== null && !NO_CLASS.has(text)) raiseIssue(reading, 'unmapped_class', `${path}/ClassNumber`, text);
    }
  }
  return classes.length === 0 ? null : [...new Set(classes)].sort((a, b) => a - b);
}

/** Vienna codes as dotted two-digit numbers. The office's auxiliary sections (90 and more) are codes like any other. */
function readViennaCodes(reading: Reading): string[] | null {
  const codes: string[] = [];
  const nodes = listChildren(reading.root, 'MarkImageDetails').flatMap((each) => listDescendants(each, 'CategoryCode'));
  for (const node of nodes) {
    const text = readNode(reading, node);
    const code = text === null ? null : parseViennaCode(text);
    if (code !== null) codes.push(code);
    else if (text !== null) raiseIssue(reading, 'unmapped_vienna_code', 'MarkImageDetails/CategoryCode', text);
  }
  return codes.length === 0 ? null : [...new Set(codes)];
}
