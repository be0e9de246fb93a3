/**
 * One reader per form of value (specification 4.3, rule I-6): the text of a parameter in, its canonical value out.
 * Two texts that mean the same come out equal, so whoever compares or fingerprints queries compares these values.
 * It refuses to know which parameter selects what; every failure is `invalid_parameter` and says what to write instead.
 */
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import type { ParameterForm } from '@tmds/contract/parameters';
import type { DateText, Instant } from '@tmds/contract/record';
import { type ApiError, apiError } from '../base/errors.ts';
import { isRegisterDate } from '../record/dates.ts';
import { foldName, foldNameFragment, normalizeMadridNumber, normalizeNumber } from '../record/names.ts';
import { isCode, parseViennaCode } from '../record/terms.ts';

function invalid(param: string, message: string): ApiError {
  return apiError('invalid_parameter', `${param} ${message}`, { param });
}

/** A value as it may stand in a message: cut, so that a message never grows with its input. */
function quote(text: string): string {
  const shown = [...text.slice(0, 80)].slice(0, 40).join('');
  return JSON.stringify(shown.length < text.length ? `${shown}…` : shown);
}

/** The elements of a comma list, blanks around them trimmed; order and repeats do not matter (rule I-5). */
function splitList(param: string, text: string): string[] {
  const elements = text.split(',').map((element) => element.trim());
  if (elements.includes('')) throw invalid(param, 'has an empty element; write values separated by single commas.');
  return elements;
}

function sortedUnique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

/** Register, office or country codes: upper case, each once, sorted (rule I-11). At most `max` different ones. */
export function parseCodes(param: string, text: string, max?: number): string[] {
  const codes = splitList(param, text).map((element) => {
    // Checked before upper-casing, which turns some letters outside ASCII into ASCII ones.
    if (!/^[A-Za-z0-9]+$/.test(element) || !isCode(element.toUpperCase())) {
      throw invalid(param, `takes codes of 1 to 5 letters or digits separated by commas, not ${quote(element)}.`);
    }
    return element.toUpperCase();
  });
  const unique = sortedUnique(codes);
  if (max !== undefined && unique.length > max) {
    throw invalid(param, `takes at most ${max} codes, not ${unique.length}; split the query.`);
  }
  return unique;
}

/**
 * The register of a path in upper case (rule I-11); a text that can be no code stays as it is, and no register has it.
 * Letters outside ASCII stay as well: some of them become codes in upper case.
 */
export function parseRegister(segment: string): string {
  return /^[A-Za-z0-9]+$/.test(segment) ? segment.toUpperCase() : segment;
}

/** Enum values in their canonical spelling, each once, in the order of `values` (rule I-11). */
export function parseEnums<Value extends string>(param: string, text: string, values: readonly Value[]): Value[] {
  const wanted = new Set(
    splitList(param, text).map((element) => {
      const found = values.find((value) => value.toLowerCase() === element.toLowerCase());
      if (found === undefined) throw invalid(param, `takes any of: ${values.join(', ')}; not ${quote(element)}.`);
      return found;
    }),
  );
  return values.filter((value) => wanted.has(value));
}

/** Nice classes 1 to 45, each once, ascending (rule I-14). */
export function parseNiceClasses(param: string, text: string): number[] {
  const classes = splitList(param, text).map((element) => {
    const niceClass = /^\d{1,4}$/.test(element) ? Number(element) : Number.NaN;
    if (!(niceClass >= NICE_CLASS_MIN && niceClass <= NICE_CLASS_MAX)) {
      throw invalid(
        param,
        `takes integers from ${NICE_CLASS_MIN} to ${NICE_CLASS_MAX} separated by commas, not ${quote(element)}.`,
      );
    }
    return niceClass;
  });
  return [...new Set(classes)].sort((a, b) => a - b);
}

/** Vienna codes or prefixes as their 1 to 3 integers, each once, sorted (rule I-14). */
export function parseViennaCodes(param: string, text: string): number[][] {
  const codes = new Map<string, number[]>();
  for (const element of splitList(param, text)) {
    const segments = parseViennaCode(element);
    if (segments === null) {
      throw invalid(param, `takes 1 to 3 dotted integers such as 26.03.23 or 26.03, not ${quote(element)}.`);
    }
    codes.set(segments.join('.'), segments);
  }
  return [...codes.keys()].sort().map((code) => codes.get(code)!);
}

/** One office number, compared whole, letter case aside (rule I-11). */
export function parseNumber(param: string, text: string): string {
  if (text.trim() === '') throw invalid(param, 'is blank; write one number as the office states it.');
  return normalizeNumber(text);
}

/** One Madrid number, in the one form that it has in every register (rule I-33). */
export function parseMadridNumber(param: string, text: string): string {
  return normalizeMadridNumber(parseNumber(param, text));
}

/** A whole name in the form in which names are compared (rule I-12). */
export function parseName(param: string, text: string): string {
  const name = foldName(text);
  if (name === '') throw invalid(param, 'is blank; write the whole name.');
  return name;
}

/** A part of a name in the compared form, at least `min` code points of it (rule I-12). Outer blanks count. */
export function parseNameFragment(param: string, text: string, min: number): string {
  const fragment = foldNameFragment(text);
  if ([...fragment].length < min) throw invalid(param, `takes at least ${min} characters.`);
  return fragment;
}

/** A real calendar date from 0001-01-01 to 9999-12-31 (rule I-15). */
export function parseDate(param: string, text: string): DateText {
  if (!isRegisterDate(text)) throw invalid(param, `takes a calendar date YYYY-MM-DD, not ${quote(text)}.`);
  return text;
}

const INSTANT_FORM =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+\- ])(\d{2})(?::?(\d{2}))?)?)?$/;

/**
 * An ISO 8601 date (midnight UTC) or date-time with an optional fraction of up to 9 digits, cut to 6, and an optional
 * offset (none = UTC), in years 0001 to 9999 of UTC (rule I-15). The blank that `+` turns into on its way is read as `+`.
 */
export function parseInstant(param: string, text: string): Instant {
  const match = INSTANT_FORM.exec(text);
  const instant = match === null ? null : buildInstant(match);
  if (instant === null) {
    throw invalid(
      param,
      `takes an ISO 8601 date or date-time such as 2026-01-01 or 2026-01-01T09:30:00.123456Z, not ${quote(text)}.`,
    );
  }
  return instant;
}

function buildInstant(match: RegExpExecArray): Instant | null {
  const [, date = '', hour = '00', minute = '00', second = '00', fraction = '', sign, offsetHour = '00'] = match;
  const offsetMinute = match[8] ?? '00';
  if (!isRegisterDate(date)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const shiftMinutes = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? 1 : -1);
  const utc = shiftMinute(`${date}T${hour}:${minute}`, shiftMinutes);
  return utc === null ? null : `${utc}:${second}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/** Whole minutes only, so `Date` cannot lose a digit; null outside the years 0001 to 9999. */
function shiftMinute(minute: string, shiftMinutes: number): string | null {
  if (shiftMinutes === 0) return minute;
  const shifted = new Date(Date.parse(`${minute}:00Z`) + shiftMinutes * 60_000);
  const year = shifted.getUTCFullYear();
  return year < 1 || year > 9999 ? null : shifted.toISOString().slice(0, 16);
}

/** Whether a text is an instant in the canonical form that `parseInstant` gives. */
export function isCanonicalInstant(text: string): boolean {
  const match = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/.test(text) ? INSTANT_FORM.exec(text) : null;
  return match !== null && buildInstant(match) === text;
}

type PageSizes = Pick<Extract<ParameterForm, { readonly form: 'integer' }>, 'default' | 'expandedMax'>;

/** A page size within the declared range, or the standard one; with payloads pages are smaller (rule I-8). */
export function parseLimit(text: string | undefined, expandPayload: boolean, sizes: PageSizes): number {
  if (text === undefined) return expandPayload ? Math.min(sizes.default, sizes.expandedMax) : sizes.default;
  const limit = Number(text);
  if (expandPayload && limit > sizes.expandedMax) {
    throw invalid('limit', `is at most ${sizes.expandedMax} with expand=payload.`);
  }
  return limit;
}
