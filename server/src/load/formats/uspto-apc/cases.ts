/** What the office's files share: the numbers by which they name a case, its versions, small code tables, a header. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import type { PartyRole } from '../document.ts';
import { nodeText } from '../element.ts';
import { buildIssue, type ReadContext } from '../format.ts';
import { parseNiceClass } from '../meanings.ts';
import type { XmlFileReader } from '../xml-records.ts';

export const OFFICE = 'US';

/** Digits, not only zeros; null for anything else. */
export function parseSerialNumber(text: string | null): string | null {
  return text !== null && /^\d{1,13}$/.test(text) && !isZeros(text) ? text : null;
}

/** The office writes a number that is not there as zeros, in as many digits as the number has. */
export function isZeros(text: string): boolean {
  return /^0{1,13}$/.test(text);
}

/** Files pad to seven digits; the padding is not part of the number. Null for none, which is written as zeros. */
export function parseRegistrationNumber(text: string | null): string | null {
  const number = text?.replace(/^0+/, '');
  return number === undefined || number === '' ? null : number;
}

export function buildCaseUid(serial: string): string {
  return `US50${serial.padStart(13, '0')}`;
}

/**
 * Versions of one case are ordered whichever of the office's two sources they come from (docs/design/statements.md).
 * Daily files state the day of the case's last transaction. TSDR states no date itself, but an answer cannot be older
 * than the latest event it contains. On the same day the daily file wins, because it closes the day. Compared as text.
 */
const TSDR = 1;
const DAILY_FILE = 2;

/** For an answer without any dated event: older than anything that states a date. */
const UNDATED = '00000000';

/** A calendar date as `YYYYMMDD`. */
export function orderDailyVersion(transactionDate: string): string {
  return `${transactionDate}.${DAILY_FILE}`;
}

/** Dates as `YYYY-MM-DD`, in any order. */
export function orderTsdrVersion(happened: readonly string[]): string {
  const latest = happened.reduce((a, b) => (a < b ? b : a), '');
  return `${latest === '' ? UNDATED : latest.replaceAll('-', '')}.${TSDR}`;
}

/** First character of `mark-drawing-code`; `0` and a missing code say nothing about the drawing. */
export const DRAWING_FEATURES: Readonly<Record<string, MarkFeature>> = {
  1: 'Word',
  2: 'Figurative',
  3: 'Combined',
  4: 'Word',
  5: 'Stylized characters',
  6: 'Sound',
};

/** Indicators that decide the kind of mark; the first one set wins. */
export const KIND_INDICATORS: readonly (readonly [indicator: string, kind: KindOfMark])[] = [
  ['collective-trademark-in', 'Collective'],
  ['collective-service-mark-in', 'Collective'],
  ['collective-membership-mark-in', 'Collective'],
  ['certification-mark-in', 'Certificate'],
  ['trademark-in', 'Trademark'],
  ['service-mark-in', 'Service'],
];

/** How the codes of statements begin that are about the words of the mark; digits follow. */
export const OVERFLOW = 'MK';
export const TRANSLATION = 'TR';
export const TRANSLITERATION = 'TLIT';

/** American classes of collective and certification marks, as statements of goods write them. */
export const US_CLASSES = /^(?:[0 ]*[AB]|200)$/;

/** The office has filed marks under Nice classes since this day. */
const NICE_SINCE = '1973-09-01';

/** Whether a class that no classification states, of a case filed on this day, can only be a Nice class. */
export function isAssumedNice(number: string, filedOn: string | null): boolean {
  return parseNiceClass(number) !== null && filedOn !== null && filedOn >= NICE_SINCE;
}

/** `classification/status-code` of a class that is in force. */
export const ACTIVE_CLASS = '6';

interface PartyStage {
  first: number;
  last: number;
  role: PartyRole;
  text: string;
}

/** The stages of `party-type`. The latest stage with an entry holds the current owners. */
const PARTY_STAGES: readonly PartyStage[] = [
  { first: 10, last: 10, role: 'applicant', text: 'original applicant' },
  { first: 11, last: 19, role: 'applicant', text: 'new owner before publication' },
  { first: 20, last: 20, role: 'owner', text: 'owner at publication' },
  { first: 21, last: 29, role: 'owner', text: 'new owner after publication' },
  { first: 30, last: 30, role: 'owner', text: 'original registrant' },
  { first: 31, last: 69, role: 'owner', text: 'new owner after registration' },
  { first: 70, last: 70, role: 'correspondent', text: 'correspondent of an older record' },
];

/** Null for a type that is not in the office's table. */
export function findPartyStage(type: number): PartyStage | null {
  return PARTY_STAGES.find(({ first, last }) => first <= type && type <= last) ?? null;
}

export const ENTITY_TEXTS: Readonly<Record<string, string>> = {
  '01': 'individual',
  '02': 'partnership',
  '03': 'corporation',
  '04': 'joint ownership',
  '05': 'joint venture',
  '06': 'incorporated association',
  '07': 'unincorporated association',
  '08': 'trustee',
  '09': 'joint stock company',
  10: 'limited liability joint stock company',
  11: 'company',
  12: 'foundation',
  13: 'limited partnership',
  14: 'state agency',
  15: 'federal agency',
  16: 'limited liability company',
  17: 'trust',
  18: 'estate',
  19: 'sole proprietorship',
  98: 'unknown',
  99: 'other',
};

/** The office's marker for a day on which nothing happened. */
const NO_DATA = 'N';

/** `version`: of the layout that is read. Another one may mean something else by the same elements. */
export function readFileHeader(version: string, context: ReadContext): XmlFileReader['elements'] {
  return {
    'version-no'(node) {
      const stated = nodeText(node);
      if (stated === version) return;
      context.noteIssue?.(buildIssue('delivery_remark', 'version/version-no', stated ?? ''), 1);
    },
    'data-available-code'(node) {
      if (nodeText(node) === NO_DATA) context.noteNoRecords?.();
    },
  };
}
