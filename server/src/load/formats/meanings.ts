/**
 * What the texts of offices mean: how a text is found in a table of its office, and what happens to one that is not
 * there. WIPO's own lists of statuses, features and kinds are here, in the wordings of ST.66 and ST.96 and of their
 * editions; the offices that write English use and extend them. Their texts are folded (`foldValue`).
 */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import { normalForm } from '@tmds/contract/text';
import { isCountryCode } from '../../record/parties.ts';
import type { IssueCode } from './issues.ts';

/** What issues can be raised about: an element or a row. `path` is that of the value. */
export interface Raiser {
  raise(code: IssueCode, path: string, value: string): void;
}

/**
 * `ended`: cancelled if the mark was registered, otherwise abandoned. `after_registration`: registered once there is a
 * registration date, pending before.
 */
export type StatusMeaning = Status | 'ended' | 'after_registration';

/** Office texts vary in letter case, accents and spaces, without a difference in meaning. */
export function foldValue(text: string): string {
  return normalForm(text, 'NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim();
}

export function lookUp<Meaning>(table: Readonly<Record<string, Meaning>>, key: string | null): Meaning | undefined {
  return key !== null && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** In a table by folded texts. */
export function lookUpFolded<Meaning>(table: Readonly<Record<string, Meaning>>, text: string): Meaning | undefined {
  return lookUp(table, foldValue(text));
}

/** The meaning of a text, if there is a text; one without a meaning raises an issue. */
export function checkMeaning<Meaning>(
  source: Raiser,
  meaning: Meaning | undefined,
  { issue, path, text }: { issue: IssueCode; path: string; text: string | null },
): Meaning | null {
  if (text !== null && meaning === undefined) source.raise(issue, path, text);
  return meaning ?? null;
}

/** The status of a record, and the office's text for it. A text without a meaning, or none, raises an issue. */
export function checkStatus(
  source: Raiser,
  meaning: StatusMeaning | undefined,
  { path, text, isRegistered }: { path: string; text: string | null; isRegistered: boolean },
): { status: Status; tm5_status: string | null } {
  if (meaning === undefined) source.raise('unmapped_status', path, text ?? '');
  return { status: settleStatus(meaning, isRegistered), tm5_status: text };
}

function settleStatus(meaning: StatusMeaning | undefined, isRegistered: boolean): Status {
  if (meaning === 'ended') return isRegistered ? 'Cancelled' : 'Abandoned';
  if (meaning === 'after_registration') return isRegistered ? 'Registered' : 'Pending';
  return meaning ?? 'Unknown';
}

/** The country of an owner, as a list. Anything but two letters raises an issue. */
export function checkCountry(source: Raiser, path: string, country: string | null | undefined): string[] {
  if (country === null || country === undefined) return [];
  if (isCountryCode(country)) return [country];
  source.raise('unmapped_country', path, country);
  return [];
}

export const WIPO_STATUSES: Readonly<Record<string, StatusMeaning>> = {
  registered: 'Registered',
  'registration published': 'Registered',
  // A registration under attack stays a registration until it falls.
  'registration cancellation pending': 'Registered',
  'registration opposed': 'Registered',
  'revocation proceeding pending': 'Registered',
  'invalidity proceeding pending': 'Registered',
  'application filed': 'Pending',
  'application under examination': 'Pending',
  'application published': 'Pending',
  'application opposed': 'Pending',
  'application accepted': 'Pending',
  'opposition pending': 'Pending',
  'appeal pending': 'Pending',
  'registration pending': 'Pending',
  'filing date accorded': 'Pending',
  'classification checked': 'Pending',
  'action before court pending': 'Pending',
  'action before court of justice pending': 'Pending',
  'application withdrawn': 'Abandoned',
  'application deemed withdrawn': 'Abandoned',
  'application refused': 'Abandoned',
  'conversion requested': 'Abandoned',
  interruption: 'Abandoned',
  'interruption of proceeding': 'Abandoned',
  'interruption of proceedings': 'Abandoned',
  'registration cancelled': 'Cancelled',
  'registration surrendered': 'Cancelled',
  'registration expired': 'Cancelled',
  expired: 'Cancelled',
  ended: 'ended',
};

export const WIPO_FEATURES: Readonly<Record<string, MarkFeature>> = {
  word: 'Word',
  figurative: 'Figurative',
  combined: 'Combined',
  '3-d': 'Three-dimensional',
  '3d shape': 'Three-dimensional',
  'three dimensional': 'Three-dimensional',
  'three-dimensional': 'Three-dimensional',
  colour: 'Colour',
  'combination of colours': 'Combination of colours',
  sound: 'Sound',
  hologram: 'Hologram',
  olfactory: 'Olfactory',
  motion: 'Motion',
  multimedia: 'Multimedia',
  position: 'Position',
  pattern: 'Pattern',
  'stylized characters': 'Stylized characters',
  taste: 'Taste',
  touch: 'Touch',
  tracer: 'Other',
  kennfaden: 'Other',
  other: 'Other',
  undefined: 'Undefined',
};
export const STANDARD_KINDS: Readonly<Record<string, KindOfMark>> = {
  individual: 'Individual',
  collective: 'Collective',
  certificate: 'Certificate',
  guarantee: 'Guarantee',
  defensive: 'Defensive',
  other: 'Other',
};
