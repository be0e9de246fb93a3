/**
 * Turns one ST.96 trademark into a source record, by the table of its office. It uses child paths only, because
 * assignments, proceedings and associated marks inside the mark use the same element names for other marks. Nothing is
 * computed that the file does not state.
 */

import type { RecordContent } from '@tmds/contract/record';
import type { XmlNode } from '../../xml/xml-record.ts';
import { earliestOf } from '../dates.ts';
import { type InternationalSection, listOrNull, NOT_STATED, nameFields, stated } from '../document.ts';
import { type Element, openElement } from '../element.ts';
import { checkStatus, foldValue, lookUpFolded } from '../meanings.ts';
import { type RecordItem, UnreadableRecord } from '../xml-records.ts';
import type { St96Dialect } from './dialects.ts';
import { buildMarkDocument } from './document.ts';
import { readRemoval } from './events.ts';
import { readGoods } from './goods.ts';
import { readFeature, readKind, readMarkTexts, readViennaCodes } from './mark.ts';
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
  const root = openElement(node, statedDate);
  ignoreAttributes(root);
  const number = readApplicationNumber(root, dialect);
  const removal = readRemoval(root);
  const isPartial = removal !== null;
  const office = root.text('RegistrationOfficeCode');
  const international = readInternational(root, dialect, number);
  const dates = {
    ...root.days(DATES),
    termination_date: TERMINATION_DATES.map((path) => root.day(path)).find((date) => date !== null) ?? null,
  };
  const texts = readMarkTexts(root, dialect);
  const parties = readParties(root, dialect);
  const goods = readGoods(root, dialect, dates.application_date);
  const updated = dialect.updatePath === null ? null : root.day(dialect.updatePath);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: dialect.office,
    uid: `${dialect.office}50${number.padStart(13, '0')}`,
    office: international.isPart ? 'WO' : office,
    application_number: number,
    registration_number: readRegistrationNumber(root, dialect),
    mark_name: texts.name,
    ...readStatus(root, dialect, dates.registration_date, isPartial),
    kind_of_mark: readKind(root, dialect),
    mark_feature: readFeature(root, dialect),
    ...dates,
    publication_date: readPublicationDate(root, dialect),
    external_update_date: updated,
    nice_classes: goods.niceClasses,
    vienna_codes: readViennaCodes(root),
    ...nameFields(listNamed(parties)),
    international_registration_numbers: international.numbers,
    priority_numbers: listOrNull(
      root.list('PriorityBag/Priority').flatMap((priority) => priority.first(PRIORITY_NUMBERS) ?? []),
    ),
    designated_countries: international.designations,
  };
  const happened = HAPPENED.flatMap((path) => root.list(path).map((each) => statedDate(each.node.text.trim())));
  const payload = buildMarkDocument(root, dialect, {
    parties,
    texts,
    goods,
    international: international.section,
    statusText: content.tm5_status,
    removal,
  });
  root.raiseUnread();
  const updatedAt = dialect.updatePath === null ? null : root.peek(dialect.updatePath);
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
    issues: root.issues,
  };
}

function readApplicationNumber(root: Element, dialect: St96Dialect): string {
  const text = root.text('ApplicationNumber/ApplicationNumberText');
  const st13 = root.text('ApplicationNumber/ST13ApplicationNumber');
  const number = dialect.parseNumber({ text, st13 });
  if (number !== null) return number;
  const stated = text ?? st13;
  if (stated === null) throw new UnreadableRecord('Trademark has no ApplicationNumber');
  throw new UnreadableRecord(
    `${JSON.stringify(stated.slice(0, 100))} is not an application number of the office ${dialect.office}`,
  );
}

function readRegistrationNumber(root: Element, dialect: St96Dialect): string | null {
  const number = root.text('RegistrationNumber');
  if (number === null || !dialect.padsRegistrationNumbers) return number;
  const bare = number.replace(/^0+/, '');
  return bare === '' ? null : bare;
}

/** A partial record without a status raises no issue: nothing was left unmapped. */
function readStatus(
  root: Element,
  dialect: St96Dialect,
  registrationDate: string | null,
  isPartial: boolean,
): Pick<RecordContent, 'status' | 'tm5_status'> {
  const path = 'MarkCurrentStatusCode';
  const text = root.text(path);
  const wordings = dialect.statusTextPaths.map((wording) => root.text(wording));
  const tm5_status = wordings.find((wording) => wording !== null) ?? text;
  if (tm5_status === null && isPartial) return { status: 'Unknown', tm5_status };
  const meaning = text === null ? undefined : lookUpFolded(dialect.statuses, text);
  return { ...checkStatus(root, meaning, { path, text, isRegistered: registrationDate !== null }), tm5_status };
}

/** The publication that the office marks as the publication of the application, else the earliest. */
function readPublicationDate(root: Element, dialect: St96Dialect): string | null {
  const publications = root.list('PublicationBag/Publication').map((publication) => ({
    category: foldValue(publication.text('NationalPublication/PublicationStatusCategory') ?? ''),
    date: publication.day('PublicationDate') ?? publication.day('NationalPublication/PublicationActionDate'),
  }));
  const marked = publications.filter(
    ({ category, date }) => category === dialect.applicationPublication && date !== null,
  );
  return earliestOf((marked.length > 0 ? marked : publications).map(({ date }) => date));
}

const PRIORITY_NUMBERS = [
  'ApplicationNumber/ApplicationNumberText',
  'ApplicationNumber/ST13ApplicationNumber',
  'PriorityRegistrationNumber',
];

/** The current and the former code of the international office. */
const INTERNATIONAL_OFFICES: ReadonlySet<string> = new Set(['WO', 'IB']);

const PREVIOUS = 'PreviousRegistrationBag/PreviousRegistration';
const BASIS = 'NationalFilingBasis/CurrentBasis/BasisInternationalRegistrationIndicator';

interface InternationalParts {
  /** The mark is the national part of an international registration. */
  isPart: boolean;
  numbers: string[] | null;
  designations: string[] | null;
  section: InternationalSection;
}

/** How a mark relates to the international register: the registration it is part of, and others that it names. */
function readInternational(root: Element, dialect: St96Dialect, applicationNumber: string): InternationalParts {
  const own = [
    ...root.texts('InternationalMarkIdentifierBag/InternationalMarkIdentifier'),
    ...readPreviousRegistrations(root),
  ].filter(isNumber);
  // An application to the international office also has a number, but not a registration number.
  const named = root
    .list('AssociatedMarkBag/AssociatedMark/InternationalRegistrationNumber')
    .map(({ node }) => node.text.trim())
    .filter(isNumber);
  const designations = root.texts('DesignatedCountryBag/DesignatedCountry/DesignatedCountryCode');
  const isPart =
    own.length > 0 ||
    // Peeking does not mark it as read, so it is kept with the other bases, true or false.
    root.peek(BASIS) === 'true' ||
    dialect.internationalNumbers?.test(applicationNumber) === true;
  const numbers = [...new Set([...own, ...named])];
  return {
    isPart,
    numbers: listOrNull(numbers),
    designations: listOrNull(designations),
    section: stated<InternationalSection>({
      registration: isPart ? stated({ number: numbers[0] }) : null,
      designations,
    }),
  };
}

function isNumber(text: string): boolean {
  return text !== '' && !/^0+$/.test(text);
}

/** An office may list the international registration that a mark extends among the mark's previous registrations. */
function readPreviousRegistrations(root: Element): string[] {
  return root.list(PREVIOUS).flatMap((node) => {
    const office = node.peek('RegistrationOfficeCode') ?? '';
    const number = node.find('PreviousRegistrationNumber');
    if (number === null || !INTERNATIONAL_OFFICES.has(office)) return [];
    return [number.own() ?? ''];
  });
}
