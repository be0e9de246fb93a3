/**
 * One parser per form of value (specification 4.3, rule I-6): from the text of a parameter to its canonical value.
 * Texts with the same meaning give equal values, so queries are compared and fingerprinted by these values. Blanks at
 * either end of a value have no meaning (rule I-44). Every
 * failure is `invalid_parameter`, with a message that says what to write instead.
 */
import { JURISDICTIONS_MAX, NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { listNumberForms, NUMBER_CHARACTERS_MAX, normalizeMadridNumber, normalizeNumber } from '@tmds/contract/numbers';
import type { ParameterForm } from '@tmds/contract/parameters';
import type { DateText, Instant } from '@tmds/contract/record';
import { hasTooManyMarks, MARKS_FAULT, normalizeName } from '@tmds/contract/text';
import { type ApiError, apiError } from '../base/errors.ts';
import { isRegisterDate } from '../record/dates.ts';
import { foldName } from '../record/names.ts';
import { isCode, parseViennaCode, viennaTerm } from '../record/terms.ts';
import { hintAtValue } from './similar.ts';

function invalid(param: string, message: string): ApiError {
  return apiError('invalid_parameter', `${param} ${message}`, { param });
}

/** Quotes a value for a message, cut to 40 code points so that messages stay short. */
function quote(text: string): string {
  const shown = [...text.slice(0, 80)].slice(0, 40).join('');
  return JSON.stringify(shown.length < text.length ? `${shown}…` : shown);
}

/** The trimmed elements of a comma-separated list (rule I-5). */
function splitList(param: string, text: string): string[] {
  const elements = text.split(',').map((element) => element.trim());
  if (elements.includes('')) throw invalid(param, 'has an empty element; write values separated by single commas.');
  return elements;
}

function sortedUnique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

/** Register, office or country codes in upper case, sorted, without repeats (rule I-11). At most `max` of them. */
export function parseCodes(param: string, text: string, max?: number): string[] {
  const codes = splitList(param, text).map((element) => {
    // Upper-casing turns some non-ASCII letters into ASCII ones, so the element is checked before it.
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
 * The register named in a path, in upper case (rule I-11). Text that cannot be a code is kept unchanged and matches no
 * register; upper-casing it could make it match, because some non-ASCII letters have ASCII capitals.
 */
export function parseRegister(text: string): string {
  return /^[A-Za-z0-9]+$/.test(text) ? text.toUpperCase() : text;
}

/** Enum values in their canonical spelling, without repeats, in the order of `values` (rule I-11). */
export function parseEnums<Value extends string>(param: string, text: string, values: readonly Value[]): Value[] {
  const wanted = new Set(
    splitList(param, text).map((element) => {
      const found = values.find((value) => value.toLowerCase() === element.toLowerCase());
      if (found === undefined) {
        const hint = hintAtValue(values, element);
        throw invalid(param, `takes any of: ${values.join(', ')}; not ${quote(element)}${hint === '' ? '.' : hint}`);
      }
      return found;
    }),
  );
  return values.filter((value) => wanted.has(value));
}

/** Nice classes from 1 to 45, ascending, without repeats (rule I-14). */
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

/** Vienna codes or prefixes as their 1 to 3 numbers, sorted, without repeats (rule I-14). */
export function parseViennaCodes(param: string, text: string): number[][] {
  const codes = new Map<string, number[]>();
  for (const element of splitList(param, text)) {
    const numbers = parseViennaCode(element);
    if (numbers === null) {
      throw invalid(param, `takes 1 to 3 dotted integers such as 26.03.23 or 26.03, not ${quote(element)}.`);
    }
    codes.set(viennaTerm(numbers), numbers);
  }
  return [...codes.keys()].sort().map((code) => codes.get(code)!);
}

/** One office number in compared form: it matches whole numbers, in any letter case (rule I-11). */
export function parseNumber(param: string, text: string): string {
  const number = text.trim();
  if (number === '') throw invalid(param, 'is blank; write one number as the office states it.');
  return normalizeNumber(number);
}

/** One Madrid number in the form that all registers share (rule I-33). */
export function parseMadridNumber(param: string, text: string): string {
  return normalizeMadridNumber(parseNumber(param, text));
}

/**
 * Up to `max` numbers of a register in any usual form: every form under which the register may hold one of them, sorted,
 * without repeats.
 */
export function parseNumbers(param: string, text: string, register: string, max: number): string[] {
  const numbers = splitList(param, text);
  checkLength(param, numbers, max, 'numbers');
  return sortedUnique(numbers.flatMap((number) => parseForms(param, register, number)));
}

function checkLength(param: string, list: readonly string[], max: number, what: string): void {
  if (list.length > max) throw invalid(param, `takes at most ${max} ${what}, not ${list.length}; split the query.`);
}

/** Every form under which a register may hold a number, as written first. */
export function parseForms(param: string, register: string, number: string): string[] {
  const forms = listNumberForms(register, number);
  if (forms.length > 0) return forms;
  throw invalid(
    param,
    `takes numbers with a digit, of up to ${NUMBER_CHARACTERS_MAX} characters, not ${quote(number)}.`,
  );
}

/** A number or a uid with the register in which it is sought, in upper case. */
export interface RegisterText {
  readonly register: string;
  readonly text: string;
}

/**
 * Up to `max` texts, each after the code of its register and a colon, in the order of the list; of up to
 * `JURISDICTIONS_MAX` registers.
 */
export function parseRegisterTexts(param: string, text: string, max: number): RegisterText[] {
  const elements = splitList(param, text);
  checkLength(param, elements, max, 'elements');
  const parsed = elements.map((element) => {
    const colon = element.indexOf(':');
    const [register, rest] = [element.slice(0, Math.max(0, colon)).trim(), element.slice(colon + 1).trim()];
    if (/^[A-Za-z0-9]+$/.test(register) && isCode(register.toUpperCase()) && rest !== '') {
      return { register: register.toUpperCase(), text: rest };
    }
    throw invalid(param, `takes texts after the code of their register, such as US:97123456, not ${quote(element)}.`);
  });
  const registers = new Set(parsed.map(({ register }) => register));
  if (registers.size <= JURISDICTIONS_MAX) return parsed;
  throw invalid(param, `takes at most ${JURISDICTIONS_MAX} registers, not ${registers.size}; split the query.`);
}

/** A uid of a list: in it, a comma is `%2C` and a percent sign `%25`. */
export function parseListedUid(param: string, text: string): string {
  if (!text.includes('%')) return text;
  let uid: string;
  try {
    uid = decodeURIComponent(text);
  } catch {
    throw invalid(param, `has a uid with a % that encodes nothing, ${quote(text)}; write %25 for a percent sign.`);
  }
  if (hasTooManyMarks(uid)) throw invalid(param, `${MARKS_FAULT}.`);
  return uid;
}

/** A whole name in compared form (rule I-12). */
export function parseName(param: string, text: string): string {
  const name = foldName(text);
  if (name === '') throw invalid(param, 'is blank; write the whole name.');
  return name;
}

/**
 * A part of a name in compared form. It has at least `min` code points (rule I-12) without outer blanks (rule I-44);
 * hidden ones count, although comparing ignores them: three of them draw one emoji.
 */
export function parseNameFragment(param: string, text: string, min: number): string {
  const { length } = [...normalizeName(text)];
  if (length < min) throw invalid(param, `takes at least ${min} characters, not ${length}.`);
  const fragment = foldName(text);
  if (fragment === '') throw invalid(param, 'has no visible character; write a part of the name.');
  return fragment;
}

/** A real calendar date from 0001-01-01 to 9999-12-31 (rule I-15). */
export function parseDate(param: string, text: string): DateText {
  const date = text.trim();
  if (!isRegisterDate(date)) throw invalid(param, `takes a calendar date YYYY-MM-DD, not ${quote(text)}.`);
  return date;
}

const TIME_FORM = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?`;
const OFFSET_FORM = String.raw`[Zz]|(?<sign>[+\- ])(?<offsetHour>\d{2})(?::?(?<offsetMinute>\d{2}))?`;
const INSTANT_FORM = new RegExp(String.raw`^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt]${TIME_FORM}(?:${OFFSET_FORM})?)?$`);

/**
 * An ISO 8601 date (midnight UTC) or date-time in UTC years 0001 to 9999 (rule I-15). A fraction may have up to 9
 * digits and is cut to 6; without an offset the time is UTC. A blank before an offset counts as `+`, because query
 * strings decode `+` into a blank.
 */
export function parseInstant(param: string, text: string): Instant {
  const instant = readInstant(text.trim());
  if (instant === null) {
    throw invalid(
      param,
      `takes an ISO 8601 date or date-time such as 2026-01-01 or 2026-01-01T09:30:00.123456Z, not ${quote(text)}.`,
    );
  }
  return instant;
}

function readInstant(text: string): Instant | null {
  const parts = INSTANT_FORM.exec(text)?.groups;
  if (parts === undefined) return null;
  const { date = '', hour = '00', minute = '00', second = '00', fraction = '' } = parts;
  const { sign, offsetHour = '00', offsetMinute = '00' } = parts;
  if (!isRegisterDate(date)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const shiftMinutes = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? 1 : -1);
  const utc = shiftMinute(`${date}T${hour}:${minute}`, shiftMinutes);
  return utc === null ? null : `${utc}:${second}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/** Shifts whole minutes only, because `Date` would cut a fraction to milliseconds; null outside years 0001 to 9999. */
function shiftMinute(minute: string, shiftMinutes: number): string | null {
  if (shiftMinutes === 0) return minute;
  const shifted = new Date(Date.parse(`${minute}:00Z`) + shiftMinutes * 60_000);
  const year = shifted.getUTCFullYear();
  return year < 1 || year > 9999 ? null : shifted.toISOString().slice(0, 16);
}

/** Whether a text is an instant in the canonical form that `parseInstant` returns. */
export function isCanonicalInstant(text: string): boolean {
  return readInstant(text) === text;
}

type PageSizes = Pick<Extract<ParameterForm, { readonly form: 'integer' }>, 'default' | 'expandedMax'>;

/** A page size within the declared range, or the default; pages with payloads are smaller (rule I-8). */
export function parseLimit(text: string | undefined, expandPayload: boolean, sizes: PageSizes): number {
  if (text === undefined) return expandPayload ? Math.min(sizes.default, sizes.expandedMax) : sizes.default;
  const limit = Number(text);
  if (expandPayload && limit > sizes.expandedMax) {
    throw invalid('limit', `is at most ${sizes.expandedMax} with expand=payload.`);
  }
  return limit;
}
