/**
 * Turns one ST.66 trademark into a source record. It uses child paths only, because oppositions, seniorities and
 * recordals inside the mark use the same element names for other marks.
 */

import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { listNamedParts, readPartyFields } from '../../../record/parties.ts';
import type { XmlNode } from '../../xml/xml-record.ts';
import { earliestOf } from '../dates.ts';
import { listOrNull, NOT_STATED } from '../document.ts';
import type { Element } from '../element.ts';
import {
  checkMeaning,
  checkStatus,
  findScheme,
  listNiceClasses,
  lookUpFolded,
  mayBeNice,
  readViennaCodes,
  sortClasses,
} from '../meanings.ts';
import { type RecordItem, UnreadableRecord } from '../xml-records.ts';
import { buildUid, findStatus, openStated, type St66Dialect } from './dialects.ts';
import {
  BASED_REGISTRATIONS,
  buildMarkDocument,
  CLASS_DESCRIPTIONS,
  DESIGNATIONS,
  readMarkTexts,
  readRemoval,
} from './document.ts';
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
  const root = openStated(dialect, source);
  const number = root.text('ApplicationNumber');
  if (number === null) throw new UnreadableRecord('TradeMark has no ApplicationNumber');
  const office = readOffice(root, dialect);
  const removal = readRemoval(root);
  const isPartial = removal !== null || (isBare && dialect.wrapsMarks);
  const dates = root.days(DATES);
  const texts = readMarkTexts(root);
  const parties = readParties(root, dialect);
  const international = readInternationalNumber(root, dialect, number);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: buildUid(dialect, number),
    office: international === null ? office : 'WO',
    application_number: number,
    registration_number: readRegistrationNumber(root, dialect, number, dates.registration_date),
    mark_name: texts.name,
    ...readStatus(root, dialect, dates, isPartial),
    kind_of_mark: readKind(root, dialect),
    mark_feature: readFeature(root, dialect),
    ...dates,
    publication_date: readPublicationDate(root, dialect),
    // When the office produced the file says nothing about when the mark changed.
    external_update_date: null,
    nice_classes: readNiceClasses(root),
    // The office's auxiliary sections (90 and more) are codes like any other.
    vienna_codes: readViennaCodes(root, 'MarkImageDetails/CategoryCode', listCategoryCodes(root)),
    ...readPartyFields(parties),
    international_registration_numbers: listOrNull([
      ...(international === null ? [] : [international]),
      ...root.texts(BASED_REGISTRATIONS),
    ]),
    priority_numbers: listOrNull(root.texts('PriorityDetails/Priority/PriorityNumber')),
    designated_countries: listOrNull(DESIGNATIONS.flatMap((path) => root.texts(path))),
  };
  const payload = buildMarkDocument(root, dialect, {
    parties,
    texts,
    status: content.tm5_status,
    international,
    removal,
  });
  root.raiseUnread();
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
    issues: root.issues,
  };
}

function readOffice(root: Element, dialect: St66Dialect): string | null {
  const office = root.text('RegistrationOfficeCode');
  if (office !== null && office.toUpperCase() !== dialect.office) {
    throw new UnreadableRecord(`the mark is of the register ${office}; this format reads ${dialect.office}`);
  }
  return office;
}

/** The number of the international registration that this record is, or is a part of. */
function readInternationalNumber(root: Element, dialect: St66Dialect, applicationNumber: string): string | null {
  const stated = root.text('InternationalRegistrationNumber');
  return stated ?? (dialect.internationalNumbers?.test(applicationNumber) === true ? applicationNumber : null);
}

type MarkDates = Record<keyof typeof DATES, string | null>;

function readRegistrationNumber(
  root: Element,
  dialect: St66Dialect,
  applicationNumber: string,
  registrationDate: string | null,
): string | null {
  const number = root.text('RegistrationNumber');
  if (number !== null) return number;
  return dialect.registersUnderApplicationNumber && registrationDate !== null ? applicationNumber : null;
}

/** For a partial record without a status. */
const NO_STATUS = { status: 'Unknown', tm5_status: null } as const;

function readStatus(
  root: Element,
  dialect: St66Dialect,
  { registration_date, application_date }: MarkDates,
  isPartial: boolean,
): { status: Status; tm5_status: string | null } {
  const path = 'MarkCurrentStatusCode';
  const text = root.text(path);
  if (text === null && isPartial) return NO_STATUS;
  const meaning = text === null ? undefined : findStatus(dialect, text);
  // Without a date, nothing shows whether an ended mark was registered; the stored record may.
  const isOpen = meaning === 'ended' && isPartial && registration_date === null && application_date === null;
  return isOpen ? NO_STATUS : checkStatus(root, meaning, { path, text, isRegistered: registration_date !== null });
}

function readKind(root: Element, dialect: St66Dialect): KindOfMark | null {
  const text = root.text('KindMark');
  const kinds = (text ?? '').split(',').map((part) => lookUpFolded(dialect.kinds, part));
  const kind = kinds.find((meaning) => meaning !== undefined);
  return checkMeaning(root, kind, { issue: 'unmapped_kind', path: 'KindMark', text });
}

function readFeature(root: Element, dialect: St66Dialect): MarkFeature | null {
  const text = root.text('MarkFeature');
  if (text === null) return null;
  const feature = lookUpFolded(dialect.features, text);
  return checkMeaning(root, feature, { issue: 'unmapped_feature', path: 'MarkFeature', text }) ?? 'Other';
}

/** The publication that the office marks as the publication of the application, else the earliest. */
function readPublicationDate(root: Element, dialect: St66Dialect): string | null {
  const application = root.day('ApplicationPublicationDate');
  if (application !== null) return application;
  const publications = root.list('PublicationDetails/Publication').map((publication) => ({
    section: publication.text('PublicationSection'),
    date: publication.day('PublicationDate'),
  }));
  const applications = publications.filter(
    ({ section, date }) => section !== null && section === dialect.applicationSection && date !== null,
  );
  return earliestOf((applications.length > 0 ? applications : publications).map(({ date }) => date));
}

function readNiceClasses(root: Element): number[] | null {
  const path = 'GoodsServicesDetails/GoodsServices';
  const classes = root.list(path).flatMap((group) => {
    const kind = group.text('ClassificationKindCode');
    const numbers = group.list(`${CLASS_DESCRIPTIONS}/ClassNumber`);
    if (kind !== null && findScheme(kind) === 'unknown' && numbers.length > 0) {
      const issue = mayBeNice(kind) ? 'assumed_nice_class' : 'unmapped_class';
      root.raise(issue, `${path}/ClassificationKindCode`, kind);
    }
    if (findScheme(kind) !== 'nice' && !mayBeNice(kind)) return [];
    const texts = numbers.flatMap((number) => number.own() ?? []);
    return listNiceClasses(root, { path: `${path}/ClassNumber`, texts });
  });
  return sortClasses(classes);
}

function listCategoryCodes(root: Element): string[] {
  const nodes = root.list('MarkImageDetails').flatMap((images) => images.descendants('CategoryCode'));
  return nodes.flatMap((code) => code.own() ?? []);
}
