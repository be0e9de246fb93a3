/**
 * Turns one case-file into a source record. A case-file is the full current state of a case, so other records do not
 * matter. The mapping follows the decision record on register mapping; what it cannot map is null or Unknown and raises
 * an issue.
 */

import type { MarkFeature, Status } from '@tmds/contract/enums';
import type { RecordContent } from '@tmds/contract/record';
import type { XmlNode } from '../../xml/xml-record.ts';
import { compactDate } from '../dates.ts';
import { listOrNull, NOT_STATED, nameFields } from '../document.ts';
import { type Element, openElement } from '../element.ts';
import { listNiceClasses, lookUp, parseNiceClass, sortClasses } from '../meanings.ts';
import { type RecordItem, UnreadableRecord } from '../xml-records.ts';
import {
  ACTIVE_CLASS,
  buildCaseUid,
  DRAWING_FEATURES,
  isAssumedNice,
  isZeros,
  KIND_INDICATORS,
  OVERFLOW,
  orderDailyVersion,
  parseRegistrationNumber,
  parseSerialNumber,
  TRANSLATION,
  TRANSLITERATION,
} from './cases.ts';
import { buildCaseDocument } from './document.ts';
import { readParties } from './parties.ts';
import { CASE_STATUSES, POST_REGISTRATION_CODE } from './statuses.ts';
import { readTranslations } from './translations.ts';

const STATEMENTS = 'case-file-statements/case-file-statement';

const DATES = {
  application_date: 'case-file-header/filing-date',
  registration_date: 'case-file-header/registration-date',
  publication_date: 'case-file-header/published-for-opposition-date',
  renewal_date: 'case-file-header/renewal-date',
  status_date: 'case-file-header/status-date',
  external_update_date: 'transaction-date',
} as const satisfies Partial<Record<keyof RecordContent, string>>;

/** Throws `UnreadableRecord` when the case-file has no usable serial number. */
export function readCaseFile(node: XmlNode, register: string): RecordItem {
  const root = openElement(node, compactDate);
  const serial = readSerialNumber(root);
  const parties = readParties(root);
  const dates = root.days(DATES);
  const status = readStatus(root, dates.registration_date);
  const words = readWords(root);
  const content: RecordContent = {
    ...NOT_STATED,
    jurisdiction_code: register,
    uid: buildCaseUid(serial),
    office: isMadridCase(root, serial) ? 'WO' : 'US',
    application_number: serial,
    registration_number: parseRegistrationNumber(root.text('registration-number')),
    mark_name: words.name,
    ...status,
    kind_of_mark: KIND_INDICATORS.find(([indicator]) => isSet(root, indicator))?.[1] ?? null,
    mark_feature: readFeature(root),
    ...dates,
    // The format states neither, and a computed date would be a default.
    expiry_date: null,
    opposition_period_end: null,
    termination_date: readTerminationDate(root),
    nice_classes: readNiceClasses(root, dates.application_date),
    // Design search codes look like Vienna codes but are not.
    vienna_codes: null,
    ...nameFields(parties),
    international_registration_numbers: readInternationalNumbers(root),
    priority_numbers: readPriorityNumbers(root),
  };
  const payload = buildCaseDocument(root, parties, content);
  root.raiseUnread();
  const version = root.text('transaction-date');
  const record = {
    ...content,
    mark_name_variants: words.variants,
    payload,
    source_version: version !== null && compactDate(version) !== null ? orderDailyVersion(version) : null,
  };
  return { record, issues: root.issues };
}

/**
 * The words of the mark. A text that is too long for its element continues in statements of overflow. Pseudo marks are
 * the office's own likenesses, and statements like any other.
 */
function readWords(root: Element): { name: string | null; variants: string[] | null } {
  const statements = root.list(STATEMENTS).map((statement) => ({
    code: statement.text('type-code') ?? '',
    texts: statement.texts('text'),
  }));
  const listTexts = (kind: string): string[] =>
    statements.flatMap(({ code, texts }) => (code.startsWith(kind) ? texts : []));
  const stated = root.text('case-file-header/mark-identification');
  const name = [...(stated === null ? [] : [stated]), ...listTexts(OVERFLOW)].join(' ') || null;
  const { variants, unread } = readTranslations(name, {
    transliterations: listTexts(TRANSLITERATION),
    translations: listTexts(TRANSLATION),
  });
  for (const text of unread) root.raise('unread_statement', `${STATEMENTS}/text`, text);
  return { name, variants };
}

function readSerialNumber(root: Element): string {
  const text = root.text('serial-number');
  if (text === null) throw new UnreadableRecord('case-file has no serial-number');
  const serial = parseSerialNumber(text);
  if (serial !== null) return serial;
  if (isZeros(text)) throw new UnreadableRecord(`serial-number ${text} is zeros, which say that there is no number`);
  throw new UnreadableRecord(`serial-number must be digits, not ${JSON.stringify(text.slice(0, 100))}`);
}

function isMadridCase(root: Element, serial: string): boolean {
  const basis = root.text('case-file-header/filing-basis-current-66a-in');
  const registered = root.list('international-registration').some(({ children }) => children.length > 0);
  return basis === 'T' || (serial.length === 8 && serial.startsWith('79')) || registered;
}

function readTerminationDate(root: Element): string | null {
  const cancelled = root.day('case-file-header/cancellation-date');
  const abandoned = root.day('case-file-header/abandonment-date');
  return cancelled ?? abandoned;
}

function readStatus(root: Element, registrationDate: string | null): { status: Status; tm5_status: string | null } {
  const path = 'case-file-header/status-code';
  const code = root.text(path);
  const [status, text] = lookUp(CASE_STATUSES, code) ?? [null, null];
  if (status === null) root.raise('unmapped_status', path, code ?? '');
  if (code === POST_REGISTRATION_CODE && registrationDate !== null) return { status: 'Registered', tm5_status: text };
  return { status: status ?? 'Unknown', tm5_status: text };
}

const isSet = (root: Element, indicator: string): boolean => root.text(`case-file-header/${indicator}`) === 'T';

function readFeature(root: Element): MarkFeature | null {
  if (isSet(root, 'drawing-3d-current-in')) return 'Three-dimensional';
  const path = 'case-file-header/mark-drawing-code';
  const code = root.text(path)?.slice(0, 1) ?? '0';
  if (code === '0') return isSet(root, 'standard-characters-claimed-in') ? 'Word' : null;
  const feature = DRAWING_FEATURES[code];
  if (feature === undefined) root.raise('unmapped_feature', path, code);
  return feature ?? null;
}

/**
 * Classes in force, or all of them when none is marked as in force. The primary code is often a US class and is
 * ignored. A case without a classification has the classes of its goods.
 */
function readNiceClasses(root: Element, filedOn: string | null): number[] | null {
  const path = 'classifications/classification';
  const all = root.list(path);
  const active = all.filter((each) => each.text('status-code') === ACTIVE_CLASS);
  const counted = active.length > 0 ? active : all;
  const texts = counted.flatMap((each) => each.texts('international-code'));
  const classes = listNiceClasses(root, { path: `${path}/international-code`, texts });
  return sortClasses(all.length === 0 ? listClassesOfGoods(root, filedOn) : classes);
}

function listClassesOfGoods(root: Element, filedOn: string | null): number[] {
  return root.list(STATEMENTS).flatMap((statement) => {
    const number = /^GS(\d{3})/.exec(statement.text('type-code') ?? '')?.[1] ?? '';
    return isAssumedNice(number, filedOn) ? (parseNiceClass(number) ?? []) : [];
  });
}

/** Numbers of the registration this case extends, and of those based on it; a reference number is neither. */
function readInternationalNumbers(root: Element): string[] | null {
  const numbers = [
    'international-registration',
    'madrid-international-filing-requests/madrid-international-filing-record',
  ].flatMap((path) => root.list(path).flatMap((each) => each.text('international-registration-number') ?? []));
  return listOrNull(numbers.filter((number) => !/^0+$/.test(number)));
}

function readPriorityNumbers(root: Element): string[] | null {
  const claims = root
    .list('foreign-applications/foreign-application')
    .filter((claim) => claim.text('foreign-priority-claim-in') === 'T');
  return listOrNull(claims.flatMap((claim) => claim.first(['application-number', 'registration-number']) ?? []));
}
