/**
 * The coded terms of a record: every any-of, all-of or exact filter is membership of one int in the record's set.
 * Tag in the upper 5 bits, value in the lower 27. Codes, enums, classes, Vienna codes and dates are coded without
 * loss; numbers and names are hashed, and whoever asks for them must recheck the text. No kind of value has more than
 * some thousand terms, however many records there are: an index of few long lists is built, kept up and held in memory
 * at a fraction of the cost of one with a list for every number and name (docs/decisions/0016).
 */
import type { FilterDate } from '@tmds/contract/enums';
import { FILTER_DATES, KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import type { DateText } from '@tmds/contract/record';
import { countDays, readDigits } from './dates.ts';

const VALUE_BITS = 27;

/** Stored with every record: append, never renumber. */
const TAGS = {
  jurisdiction: 0,
  office: 1,
  status: 2,
  kind_of_mark: 3,
  mark_feature: 4,
  nice_class: 5,
  vienna_code: 6,
  owner_country: 7,
  designated_country: 8,
  application_number: 9,
  registration_number: 10,
  international_registration_number: 11,
  priority_number: 12,
  mark_name: 13,
  owner_name: 14,
  representative_name: 15,
  date: 16,
  slice: 17,
  status_pair: 18,
  name_seam: 19,
  dated_status: 20,
} as const;

export type CodeTag = 'jurisdiction' | 'office' | 'owner_country' | 'designated_country';
export type NumberTag =
  | 'application_number'
  | 'registration_number'
  | 'international_registration_number'
  | 'priority_number';
export type NameTag = 'mark_name' | 'owner_name' | 'representative_name';

const VALUE_MASK = (1 << VALUE_BITS) - 1;

function packTerm(tag: number, value: number): number {
  return (tag << VALUE_BITS) | value;
}

function tagOf(term: number): number {
  return term >>> VALUE_BITS;
}

const CODE_DIGITS = '_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const CODE_FORM = /^[A-Z0-9]{1,5}$/;

/** Whether an upper-case text has the form of a register, office or country code that can be filtered on. */
export function isCode(text: string): boolean {
  return CODE_FORM.test(text);
}

/** Values of the codes seen: a few hundred offices and countries, asked for in every record. */
const codeValues = new Map<string, number>();
const CODE_VALUES_MAX = 10_000;

/** The term of an upper-case code (base 37, up to five characters); null where the text is no code. */
export function codeTerm(tag: CodeTag, code: string): number | null {
  const known = codeValues.get(code);
  if (known !== undefined) return packTerm(TAGS[tag], known);
  if (!isCode(code)) return null;
  let value = 0;
  for (const character of code) value = value * 37 + CODE_DIGITS.indexOf(character);
  if (codeValues.size < CODE_VALUES_MAX) codeValues.set(code, value);
  return packTerm(TAGS[tag], value);
}

const ENUM_VALUES = { status: STATUSES, kind_of_mark: KINDS_OF_MARK, mark_feature: MARK_FEATURES } as const;
export type EnumTag = keyof typeof ENUM_VALUES;

/** The term of an enum value in its canonical spelling. */
export function enumTerm(tag: EnumTag, value: string): number {
  const position = (ENUM_VALUES[tag] as readonly string[]).indexOf(value);
  if (position < 0) throw new RangeError(`not a ${tag}: ${value}`);
  return packTerm(TAGS[tag], position);
}

export function niceClassTerm(niceClass: number): number {
  return packTerm(TAGS.nice_class, niceClass);
}

/** One to three segments of a Vienna code; null where the text is none. Leading zeros do not matter (rule I-14). */
export function parseViennaCode(text: string): number[] | null {
  if (!/^\d{1,3}(\.\d{1,3}){0,2}$/.test(text)) return null;
  return text.split('.').map(Number);
}

/** The term of a Vienna code or prefix (rule I-14); null where a segment is beyond what any record can hold. */
export function viennaTerm(segments: readonly number[]): number | null {
  if (segments.some((segment) => segment > 127)) return null;
  const [category = 0, division = 0, section = 0] = segments;
  return packTerm(TAGS.vienna_code, (segments.length << 21) | (category << 14) | (division << 7) | section);
}

/** Murmur-style mix of UTF-16 units, cut to 27 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let position = 0; position < text.length; position++) {
    hash = Math.imul(hash ^ text.charCodeAt(position), 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> (32 - VALUE_BITS);
}

/** Bits of a hash that each of its two terms carries. */
const HASH_HALF_BITS = 12;

/**
 * A hashed value is the two terms of its lower and its upper bits, and is asked for by both: one record in 16 million
 * carries them by chance.
 */
function hashedTerms(tag: NumberTag | NameTag, text: string): readonly [number, number] {
  const hash = hashText(text);
  const mask = (1 << HASH_HALF_BITS) - 1;
  const upper = (1 << HASH_HALF_BITS) | ((hash >>> HASH_HALF_BITS) & mask);
  return [packTerm(TAGS[tag], hash & mask), packTerm(TAGS[tag], upper)];
}

/** The terms of a number in the form of `normalizeNumber`. */
export function numberTerms(tag: NumberTag, number: string): readonly [number, number] {
  return hashedTerms(tag, number);
}

/** Of whole names and facets: a register, an office, a status, a kind, a feature, a class, a Vienna code, a country. */
export function isSampledTerm(term: number): boolean {
  return SAMPLED_TERMS.some(([first, last]) => term >= first && term <= last);
}

/** The first and the last of them, both ranges inclusive. */
export const SAMPLED_TERMS: readonly (readonly [first: number, last: number])[] = [
  [packTerm(TAGS.jurisdiction, 0), packTerm(TAGS.designated_country, VALUE_MASK)],
  [packTerm(TAGS.mark_name, 0), packTerm(TAGS.representative_name, VALUE_MASK)],
];

/**
 * Whether a term takes part in the signature of its record (`record/signature.ts`): facets and whole names. Of a name
 * the lower half alone does: the upper one says no more.
 */
export function isSignedTerm(term: number): boolean {
  const tag = tagOf(term);
  if (tag >= TAGS.office && tag <= TAGS.designated_country) return true;
  return tag >= TAGS.mark_name && tag <= TAGS.representative_name && (term & (1 << HASH_HALF_BITS)) === 0;
}

/** The terms of a whole name in the form of `normalizeName`. */
export function nameTerms(tag: NameTag, name: string): readonly [number, number] {
  return hashedTerms(tag, name);
}

/** The position of a kind of names is part of the coding of its seams: append, never reorder. */
export const NAME_TAGS: readonly NameTag[] = ['mark_name', 'owner_name', 'representative_name'];
const SEAM_BITS = 12;

/** The term of a seam of one kind of names (`record/seams.ts`). */
export function seamTerm(tag: NameTag, seam: number): number {
  return packTerm(TAGS.name_seam, (NAME_TAGS.indexOf(tag) << SEAM_BITS) | seam);
}

/**
 * A day is its month (of one year) and its cycleday (the same every four years), so no day needs a list of its own.
 * Decades make a long interval one of few lists.
 */
export type DateGrain = 'year' | 'month' | 'cycleday' | 'decade';
/** The position of a grain is part of the coding: append, never reorder. */
export const DATE_GRAINS: readonly DateGrain[] = ['year', 'month', 'cycleday', 'decade'];
const GRAIN_BITS = 2;
const GRAIN_MASK = (1 << GRAIN_BITS) - 1;
const DATE_VALUE_BITS = 22;
/** Days are counted in rounds of so many: four years with their leap day. */
const CYCLE_DAYS = 1461;

/**
 * Dates outside these years are coded as if they lay in the nearest of them, so that an interval without an end is a
 * bounded number of years, and of few: hardly any record has a date before the first. A date filter is always rechecked
 * on the column.
 */
export const CODED_YEAR_MIN = 1950;
export const CODED_YEAR_MAX = 2109;

/** The term of the year, the month, the cycleday or the decade of a date field. */
export function dateTerm(field: FilterDate, grain: DateGrain, date: DateText): number {
  const position = (FILTER_DATES.indexOf(field) << GRAIN_BITS) | DATE_GRAINS.indexOf(grain);
  return packTerm(TAGS.date, (position << DATE_VALUE_BITS) | dateValue(grain, date));
}

function dateValue(grain: DateGrain, date: DateText): number {
  if (grain === 'cycleday') return ((countDays(date) % CYCLE_DAYS) + CYCLE_DAYS) % CYCLE_DAYS;
  const year = Math.min(CODED_YEAR_MAX, Math.max(CODED_YEAR_MIN, readDigits(date, 0, 4)));
  if (grain === 'decade') return (year - (year % 10)) << 9;
  return grain === 'year' ? year << 9 : (year << 9) | (readDigits(date, 5, 7) << 5);
}

/** Records are dealt into so many slices: each is a sample of any set of records. */
export const SLICES = 64;

/** The term of a slice, from 0. */
export function sliceTerm(slice: number): number {
  return packTerm(TAGS.slice, slice);
}

/** The slice of a record, from the hexadecimal digest of its content: as good as drawn, and known already. */
export function sliceOf(contentDigest: string): number {
  return Number.parseInt(contentDigest.slice(0, 2), 16) % SLICES;
}

/** The kinds of terms that are coded once more, together with the status of the record. */
const PAIRED_TAGS: readonly number[] = [
  TAGS.jurisdiction,
  TAGS.office,
  TAGS.kind_of_mark,
  TAGS.mark_feature,
  TAGS.nice_class,
  TAGS.owner_country,
  TAGS.designated_country,
];
const PAIRED_VALUE_BITS = 16;
const PAIRED_TAG_BITS = 4;

/** Whether a term is that of a status. */
export function isStatusTerm(term: number): boolean {
  return tagOf(term) === TAGS.status;
}

/** The one date that is of the status: the day it came to be what it is. Its months and days are rare enough alone. */
export const PAIRED_DATE: FilterDate = 'status_date';
export const PAIRED_GRAINS: readonly DateGrain[] = ['year', 'decade'];
/** A year fills the upper bits of a date's value, so the lowest is free to tell a decade from its first year. */
const DATED_DECADE = 1;

/**
 * The term of the records that carry both terms, a status and another. Null where there is none: for kinds of terms
 * that have no pairs, for codes of more than three characters, and for every date but the year and the decade of the
 * status. The list of a status is among the longest and adds little to any other, so beside another term it is never
 * read (docs/decisions/0018, 0025).
 */
export function statusPairTerm(statusTerm: number, term: number): number | null {
  const tag = tagOf(term);
  const value = term & VALUE_MASK;
  const status = statusTerm & VALUE_MASK;
  if (tag === TAGS.date) return datedStatusTerm(status, value);
  if (!PAIRED_TAGS.includes(tag) || value >>> PAIRED_VALUE_BITS > 0) return null;
  return packTerm(
    TAGS.status_pair,
    (status << (PAIRED_TAG_BITS + PAIRED_VALUE_BITS)) | (tag << PAIRED_VALUE_BITS) | value,
  );
}

function datedStatusTerm(status: number, dateValue: number): number | null {
  const position = dateValue >>> DATE_VALUE_BITS;
  const grain = DATE_GRAINS[position & GRAIN_MASK];
  const isPaired = FILTER_DATES[position >>> GRAIN_BITS] === PAIRED_DATE && PAIRED_GRAINS.some((one) => one === grain);
  if (!isPaired) return null;
  const years = dateValue & ((1 << DATE_VALUE_BITS) - 1);
  return packTerm(TAGS.dated_status, (status << DATE_VALUE_BITS) | years | (grain === 'decade' ? DATED_DECADE : 0));
}
