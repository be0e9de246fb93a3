/**
 * Possible meanings of a text in the search bar: a number as some office writes it, a mark, an owner, a representative.
 * It knows neither how many records match nor how a page shows them.
 */
import type { FilterName } from '@tmds/contract/parameters';
import { normalForm } from '@tmds/contract/text';

export interface Reading {
  /** For a sentence: `application number 018229854`, `marks starting with “acme”`. */
  readonly title: string;
  /** A search of all registers, which the portal answers. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** Longer texts are neither a number nor a name. */
export const TEXT_CHARACTERS_MAX = 200;

/** Digits, with letters and the usual separators around and between them. */
const NUMBER = /^(?=.*\d{2})[\p{L}\d][\p{L}\d\s./,()-]*$/u;
/** More letters than this in a row are a word, not the prefix of an office. */
const PREFIX = /\p{L}{6}/u;

const NUMBER_FIELDS: readonly (readonly [name: FilterName, title: string])[] = [
  ['application_number', 'application number'],
  ['registration_number', 'registration number'],
  ['international_registration_number', 'international registration'],
  ['priority_number', 'priority number'],
];

const NAME_FIELDS: readonly (readonly [name: FilterName, title: string])[] = [
  ['mark_name', 'marks named'],
  ['mark_name_startswith', 'marks starting with'],
  ['mark_name_contains', 'marks containing'],
  ['owner_name', 'owners named'],
  ['owner_name_startswith', 'owners starting with'],
  ['owner_name_contains', 'owners containing'],
  ['representative_name_startswith', 'representatives starting with'],
  ['representative_name_contains', 'representatives containing'],
];

/** The readings of a text, the likeliest first. None for a text without a character, or with too many. */
export function listReadings(text: string): Reading[] {
  const typed = tidyText(text);
  if (typed === '' || isTooLong(typed)) return [];
  const numbers = listNumberForms(typed).flatMap((number) =>
    listFields(typed).map(([name, title]): Reading => ({ title: `${title} ${number}`, pairs: [[name, number]] })),
  );
  const names = NAME_FIELDS.map(([name, title]): Reading => ({ title: `${title} “${typed}”`, pairs: [[name, typed]] }));
  return [...numbers, ...names];
}

/** Letters before a number that say which number it is: as in addresses of the office of the United States. */
const KINDS: readonly (readonly [letters: RegExp, name: FilterName])[] = [
  [/^rn[\s.:-]*\d/i, 'registration_number'],
  [/^sn[\s.:-]*\d/i, 'application_number'],
];

/** The number that the text says it is comes before the others. */
function listFields(typed: string): typeof NUMBER_FIELDS {
  const named = KINDS.find(([letters]) => letters.test(typed))?.[1];
  return named === undefined ? NUMBER_FIELDS : NUMBER_FIELDS.filter(([name]) => name === named);
}

export function tidyText(text: string): string {
  return normalForm(text).trim().replace(/\s+/gu, ' ');
}

export function isTooLong(text: string): boolean {
  return [...text].length > TEXT_CHARACTERS_MAX;
}

/** The width to which the office of the European Union fills its numbers with zeros. */
const EM_DIGITS = 9;
/** The office of the United Kingdom writes `UK`, and fills to this width. */
const GB_DIGITS = 11;

/** The office of Switzerland numbers by year, and fills the number with zeros: `00001/2020`. */
const CH_DIGITS = 5;
const SERIAL_OF_YEAR = /^(\d{1,5})\/((?:19|20)\d\d)$/;

/**
 * The forms in which registers may hold a number: as typed; without separators; its digits alone, filled as the offices
 * of the European Union and of the United Kingdom fill them. Empty if the text is no number.
 */
function listNumberForms(typed: string): string[] {
  if (!NUMBER.test(typed) || PREFIX.test(typed)) return [];
  const plain = typed.replace(/[^\p{L}\d]/gu, '');
  const digits = plain.replace(/^\p{L}+/u, '');
  const forms = [typed, plain, digits, digits.replace(/^0+(?=\d)/, '')];
  // The extension 00 of a Canadian file is the file itself.
  const [, base] = /^(\d{4,})-00$/.exec(typed) ?? [];
  if (base !== undefined) forms.push(base);
  const [, serial, year] = SERIAL_OF_YEAR.exec(typed) ?? [];
  if (serial !== undefined) forms.push(`${serial.padStart(CH_DIGITS, '0')}/${year}`);
  if (/^\d+$/.test(digits)) {
    if (digits.length < EM_DIGITS) forms.push(digits.padStart(EM_DIGITS, '0'));
    if (digits.length < GB_DIGITS) forms.push(`UK${digits.padStart(GB_DIGITS, '0')}`);
  }
  return [...new Set(forms.map((form) => form.toUpperCase()))].filter((form) => form !== '');
}
