/**
 * Turns one case-file into a source record. A case-file is the full current state of a case, so other records do not
 * matter. The mapping follows the decision record on register mapping; what it cannot map is null or Unknown and raises
 * an issue.
 */

import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import { listChildren, type XmlNode } from '../../xml/xml-node.ts';
import { listOrNull, parseNiceClass } from '../codes.ts';
import { NOT_STATED } from '../not-stated.ts';
import { nameFields } from '../parties.ts';
import {
  compactDate,
  openReading,
  type Reading,
  raiseIssue,
  raiseUnread,
  readDate,
  readText,
  readTexts,
} from '../reading.ts';
import { type RecordItem, UnreadableRecord } from '../xml-records.ts';
import { buildCaseDocument } from './document.ts';
import { buildCaseUid, isZeros, parseRegistrationNumber, parseSerialNumber } from './identity.ts';
import {
  ACTIVE_CLASS,
  DRAWING_FEATURES,
  isAssumedNice,
  KIND_INDICATORS,
  NON_NICE_CODES,
  OVERFLOW,
  TRANSLATION,
  TRANSLITERATION,
} from './lookups.ts';
import { readParties } from './parties.ts';
import { CASE_STATUSES, POST_REGISTRATION_CODE } from './statuses.ts';
import { readTranslations } from './translations.ts';
import { orderDailyVersion } from './version.ts';

const STATEMENTS = 'case-file-statements/case-file-statement';

const HEADER_DATES = {
  application_date: 'case-file-header/filing-date',
  registration_date: 'case-file-header/registration-date',
  publication_date: 'case-file-header/published-for-opposition-date',
  renewal_date: 'case-file-header/renewal-date',
  status_date: 'case-file-header/status-date',
  external_update_date: 'transaction-date',
} as const satisfies Partial<Record<keyof RecordContent, string>>;

/** Throws `UnreadableRecord` when the case-file has no usable serial number. */
export function readCaseFile(node: XmlNode, register: string): RecordItem {
  const reading = openReading(node);
  const serial = readSerialNumber(reading);
  const parties = readParties(reading);
  const dates = readDates(reading);
  const status = readStatus(reading, dates.registration_date);
  const words = readWords(reading);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: buildCaseUid(serial),
    office: isMadridCase(reading, serial) ? 'WO' : 'US',
    application_number: serial,
    registration_number: parseRegistrationNumber(readText(reading, node, 'registration-number')),
    mark_name: words.name,
    ...status,
    kind_of_mark: readKind(reading),
    mark_feature: readFeature(reading),
    ...dates,
    // The format states neither, and a computed date would be a default.
    expiry_date: null,
    opposition_period_end: null,
    termination_date: readTerminationDate(reading),
    nice_classes: readNiceClasses(reading, dates.application_date),
    // Design search codes look like Vienna codes but are not.
    vienna_codes: null,
    ...nameFields(parties),
    international_registration_numbers: readInternationalNumbers(reading),
    priority_numbers: readPriorityNumbers(reading),
  };
  const payload = buildCaseDocument(reading, parties, content);
  raiseUnread(reading);
  const version = readText(reading, node, 'transaction-date');
  const record = {
    ...content,
    mark_name_variants: words.variants,
    payload,
    source_version: version !== null && compactDate(version) !== null ? orderDailyVersion(version) : null,
  };
  return { record, issues: reading.issues };
}

/**
 * The words of the mark. A text that is too long for its element continues in statements of overflow. Pseudo marks are
 * the office's own likenesses, and statements like any other.
 */
function readWords(reading: Reading): { name: string | null; variants: string[] | null } {
  const statements = listChildren(reading.root, STATEMENTS).map((node) => ({
    code: readText(reading, node, 'type-code') ?? '',
    texts: readTexts(reading, node, 'text'),
  }));
  const listTexts = (kind: string): string[] =>
    statements.flatMap(({ code, texts }) => (code.startsWith(kind) ? texts : []));
  const stated = readText(reading, reading.root, 'case-file-header/mark-identification');
  const name = [...(stated === null ? [] : [stated]), ...listTexts(OVERFLOW)].join(' ') || null;
  const { variants, unread } = readTranslations(name, {
    transliterations: listTexts(TRANSLITERATION),
    translations: listTexts(TRANSLATION),
  });
  for (const text of unread) raiseIssue(reading, 'unread_statement', `${STATEMENTS}/text`, text);
  return { name, variants };
}

function readSerialNumber(reading: Reading): string {
  const text = readText(reading, reading.root, 'serial-number');
  if (text === null) throw new UnreadableRecord('case-file has no serial-number');
  const serial = parseSerialNumber(text);
  if (serial === null) {
    if (isZeros(text)) throw new UnreadableRecord(`serial-number ${text} is zeros, which say that there is no number`);
    throw new UnreadableRecord(`serial-number must be digits, not ${JSON.stringify(text.slice(0, 100))}`);
  }
  return serial;
}

function isMadridCase(reading: Reading, serial: string): boolean {
  const basis = readText(reading, reading.root, 'case-file-header/filing-basis-current-66a-in');
  const registered = listChildren(reading.root, 'international-registration').some((node) => node.children.length > 0);
  return basis === 'T' || (serial.length === 8 && serial.startsWith('79')) || registered;
}

type HeaderDates = Record<keyof typeof HEADER_DATES, string | null>;

function readDates(reading: Reading): HeaderDates {
  const entries = Object.entries(HEADER_DATES).map(([field, path]) => [
    field,
    readDate(reading, reading.root, path, compactDate),
  ]);
  return Object.fromEntries(entries) as HeaderDates;
}

function readTerminationDate(reading: Reading): string | null {
  const cancelled = readDate(reading, reading.root, 'case-file-header/cancellation-date', compactDate);
  const abandoned = readDate(reading, reading.root, 'case-file-header/abandonment-date', compactDate);
  return cancelled ?? abandoned;
}

function readStatus(reading: Reading, registrationDate: string | null): { status: Status; tm5_status: string | null } {
  const path = 'case-file-header/status-code';
  const code = readText(reading, reading.root, path);
  const [status, text] = (code !== null && Object.hasOwn(CASE_STATUSES, code) && CASE_STATUSES[code]) || [null, null];
  if (status === null) raiseIssue(reading, 'unmapped_status', path, code ?? '');
  if (code === POST_REGISTRATION_CODE && registrationDate !== null) return { status: 'Registered', tm5_status: text };
  return { status: status ?? 'Unknown', tm5_status: text };
}

function readKind(reading: Reading): KindOfMark | null {
  for (const [indicator, kind] of KIND_INDICATORS) {
    if (readText(reading, reading.root, `case-file-header/${indicator}`) === 'T') return kind;
  }
  return null;
}

function readFeature(reading: Reading): MarkFeature | null {
  const isSet = (indicator: string): boolean =>
    readText(reading, reading.root, `case-file-header/${indicator}`) === 'T';
  if (isSet('drawing-3d-current-in')) return 'Three-dimensional';
  const path = 'case-file-header/mark-drawing-code';
  const code = readText(reading, reading.root, path)?.slice(0, 1) ?? '0';
  if (code === '0') return isSet('standard-characters-claimed-in') ? 'Word' : null;
  const feature = DRAWING_FEATURES[code];
  if (feature === undefined) raiseIssue(reading, 'unmapped_feature', path, code);
  return feature ?? null;
}

/**
 * Classes in force, or all of them when none is marked as in force. The primary code is often a US class and is
 * ignored. A case without a classification has the classes of its goods.
 */
function readNiceClasses(reading: Reading, filedOn: string | null): number[] | null {
  const path = 'classifications/classification';
  const all = listChildren(reading.root, path);
  const active = all.filter((node) => readText(reading, node, 'status-code') === ACTIVE_CLASS);
  const counted = active.length > 0 ? active : all;
  const codes = counted.flatMap((node) => readTexts(reading, node, 'international-code'));
  const classes: number[] = [];
  for (const code of codes) {
    const niceClass = parseNiceClass(code);
    if (niceClass !== null) classes.push(niceClass);
    else if (!NON_NICE_CODES.has(code)) raiseIssue(reading, 'unmapped_class', `${path}/international-code`, code);
  }
  if (all.length === 0) classes.push(...listClassesOfGoods(reading, filedOn));
  return classes.length === 0 ? null : [...new Set(classes)].sort((a, b) => a - b);
}

function listClassesOfGoods(reading: Reading, filedOn: string | null): number[] {
  return listChildren(reading.root, STATEMENTS).flatMap((node) => {
    const number = /^GS(\d{3})/.exec(readText(reading, node, 'type-code') ?? '')?.[1] ?? '';
    return isAssumedNice(number, filedOn) ? (parseNiceClass(number) ?? []) : [];
  });
}

/** Numbers of the registration this case extends, and of those based on it; a reference number is neither. */
function readInternationalNumbers(reading: Reading): string[] | null {
  const sources = [
    'international-registration',
    'madrid-international-filing-requests/madrid-international-filing-record',
  ].flatMap((path) => listChildren(reading.root, path));
  const numbers = sources
    .map((node) => readText(reading, node, 'international-registration-number'))
    .filter((number) => number !== null);
  return listOrNull(numbers.filter((number) => !/^0+$/.test(number)));
}

function readPriorityNumbers(reading: Reading): string[] | null {
  const claims = listChildren(reading.root, 'foreign-applications/foreign-application').filter(
    (node) => readText(reading, node, 'foreign-priority-claim-in') === 'T',
  );
  const numbers = claims.map(
    (node) => readText(reading, node, 'application-number') ?? readText(reading, node, 'registration-number'),
  );
  return listOrNull(numbers.filter((number) => number !== null));
}
