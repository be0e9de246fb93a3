/**
 * What the texts of offices mean: how a text is found in a table of its office, what happens to one that is not there,
 * and the codes of classifications that many offices share. WIPO's own lists of statuses, features and kinds are here,
 * in the wordings of ST.66 and ST.96 and of their editions; the offices that write English use and extend them. Their
 * texts are folded (`foldValue`).
 */
import type { KindOfMark, MarkFeature, Status } from '@tmds/contract/enums';
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { normalForm } from '@tmds/contract/text';
import { isCountryCode } from '../../record/parties.ts';
import { writeViennaCode } from '../../record/terms.ts';
import { type ClassEntry, type ClassScheme, listOrNull } from './document.ts';
import type { IssueCode } from './format.ts';

/** What issues can be raised about: an element or a row. `path` is that of the value. */
interface Raiser {
  raise(code: IssueCode, path: string, value: string): void;
}

/**
 * `ended`: cancelled if the mark was registered, otherwise abandoned. `after_registration`: registered once there is a
 * registration date, pending before.
 */
export type StatusMeaning = Status | 'ended' | 'after_registration';

/** A table of the meanings of texts, from the texts of each meaning. Throws an Error for a text that has two. */
export function readMeanings<Meaning extends string>(
  texts: Readonly<Partial<Record<Meaning, string>>>,
): Readonly<Record<string, Meaning>> {
  const table: Record<string, Meaning> = {};
  for (const [meaning, list] of Object.entries(texts) as [Meaning, string][]) {
    for (const text of list.split('|').map((each) => each.trim())) {
      if (Object.hasOwn(table, text)) throw new Error(`"${text}" means ${table[text]} and ${meaning}`);
      table[text] = meaning;
    }
  }
  return table;
}

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

export const WIPO_STATUSES = readMeanings<StatusMeaning>({
  // `registration cancellation pending`: a registration under attack stays a registration until it falls.
  Registered: `
    registered | registration published | registration cancellation pending | registration opposed |
    revocation proceeding pending | invalidity proceeding pending`,
  Pending: `
    application filed | application under examination | application published | application opposed |
    application accepted | opposition pending | appeal pending | registration pending | filing date accorded |
    classification checked | action before court pending | action before court of justice pending`,
  Abandoned: `
    application withdrawn | application deemed withdrawn | application refused | conversion requested |
    interruption | interruption of proceeding | interruption of proceedings`,
  Cancelled: 'registration cancelled | registration surrendered | registration expired | expired',
  ended: 'ended',
});

export const WIPO_FEATURES = readMeanings<MarkFeature>({
  Word: 'word',
  Figurative: 'figurative',
  Combined: 'combined',
  'Three-dimensional': '3-d | 3d shape | three dimensional | three-dimensional',
  Colour: 'colour',
  'Combination of colours': 'combination of colours',
  Sound: 'sound',
  Hologram: 'hologram',
  Olfactory: 'olfactory',
  Motion: 'motion',
  Multimedia: 'multimedia',
  Position: 'position',
  Pattern: 'pattern',
  'Stylized characters': 'stylized characters',
  Taste: 'taste',
  Touch: 'touch',
  Other: 'tracer | kennfaden | other',
  Undefined: 'undefined',
});
export const STANDARD_KINDS: Readonly<Record<string, KindOfMark>> = {
  individual: 'Individual',
  collective: 'Collective',
  certificate: 'Certificate',
  guarantee: 'Guarantee',
  defensive: 'Defensive',
  other: 'Other',
};

/** `9`, `09` and `009` are one class. Null for anything that is not a Nice class. */
export function parseNiceClass(text: string): number | null {
  const niceClass = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return niceClass >= NICE_CLASS_MIN && niceClass <= NICE_CLASS_MAX ? niceClass : null;
}

/** `18.1.9`, `18.01.09` and `180109` are one code; null for anything else. */
export function parseViennaCode(text: string): string | null {
  const compact = /^(\d{2})(\d{2})(\d{2})$/.exec(text);
  const segments = compact === null ? text.split('.') : compact.slice(1);
  if (segments.length > 3 || !segments.every((segment) => /^\d{1,2}$/.test(segment))) return null;
  return writeViennaCode(segments.map(Number));
}

/** What offices call a scheme. A primary class may belong to either scheme, so it is not in the table. */
const SCHEMES: Readonly<Record<string, ClassScheme>> = {
  nice: 'nice',
  domestic: 'national',
  national: 'national',
  office: 'national',
};

/** Other classifications by name: a number of theirs is certainly not a Nice class. */
const OTHER_SCHEMES: ReadonlySet<string> = new Set(['locarno', 'vienna']);

/** Whether a number whose scheme is not stated, or has an unknown name, may be a Nice class (rule I-51). */
export function mayBeNice(scheme: string | null): boolean {
  return findScheme(scheme ?? '') === 'unknown' && !OTHER_SCHEMES.has(scheme?.trim().toLowerCase() ?? '');
}

/** The scheme that an office names. Offices that name none use the Nice classification. */
export function findScheme(name: string | null): ClassScheme {
  if (name === null) return 'nice';
  const key = name.trim().toLowerCase();
  return (Object.hasOwn(SCHEMES, key) ? SCHEMES[key] : undefined) ?? 'unknown';
}

/** The scheme of one number: a number from 1 to 45 of a scheme that is not known counts as a Nice class. */
export function findSchemeOf(number: string, name: string | null): ClassScheme {
  const scheme = findScheme(name);
  return scheme === 'unknown' && mayBeNice(name) && parseNiceClass(number) !== null ? 'nice' : scheme;
}

/**
 * For an office that files goods under classes of both schemes: the scheme of a number, judged by the classes that are
 * filed under it, else by all of them.
 */
export function findSchemeAmong(number: string, classes: readonly ClassEntry[]): ClassScheme {
  const filed = classes.filter(({ primary_code }) => primary_code === number);
  for (const among of [filed, classes]) {
    if (among.some(({ international_codes }) => international_codes?.includes(number))) return 'nice';
    if (among.some(({ national_codes }) => national_codes?.includes(number))) return 'national';
    if (among.some(({ unknown_codes }) => unknown_codes?.includes(number))) return 'unknown';
  }
  return 'unknown';
}

/** What offices write in place of a Nice class: collective, certification, not classified. */
const NOT_CLASSED: ReadonlySet<string> = new Set(['A', 'B', '200', '000', '00', '0']);

interface StatedClasses {
  /** The path of the numbers, for issues. */
  path: string;
  texts: readonly string[];
  /** Whether the scheme of a number is not known; it is read as a Nice class then, with an issue. */
  isAssumed?: (text: string) => boolean;
  /** Whether any text that is not a Nice class is an issue, even one that says that nothing is classed. */
  isStrict?: boolean;
}

/** The Nice classes among the texts; any other text raises an issue. */
export function listNiceClasses(source: Raiser, { path, texts, isAssumed, isStrict }: StatedClasses): number[] {
  return texts.flatMap((text) => {
    const niceClass = parseNiceClass(text);
    if (niceClass === null) {
      if (isStrict === true || !NOT_CLASSED.has(text)) source.raise('unmapped_class', path, text);
      return [];
    }
    if (isAssumed?.(text) === true) source.raise('assumed_nice_class', path, text);
    return [niceClass];
  });
}

/** Sorted, without duplicates; null for none. */
export function sortClasses(classes: readonly number[]): number[] | null {
  return listOrNull([...classes].sort((a, b) => a - b));
}

/** Vienna codes as dotted two-digit numbers; any other text raises an issue. Null for none. */
export function readViennaCodes(source: Raiser, path: string, texts: readonly string[]): string[] | null {
  return listOrNull(
    texts.flatMap((text) => {
      const code = parseViennaCode(text);
      if (code === null) source.raise('unmapped_vienna_code', path, text);
      return code ?? [];
    }),
  );
}
