/** The office's small code tables, as far as the record or the payload needs their meaning. */
import type { KindOfMark, MarkFeature } from '@tmds/contract/enums';
import { parseNiceClass } from '../codes.ts';
import type { PartyRole } from '../payload.ts';

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

/** Values of `international-code` that are not Nice classes: collective, certification, not classified. */
export const NON_NICE_CODES: ReadonlySet<string> = new Set(['A', 'B', '200', '000', '00', '0']);

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
