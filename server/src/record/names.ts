/**
 * One normal form of names for load and query (rule I-12): whatever compares names anywhere compares the output of
 * `normalizeName`. The database never folds letter case, so its locale cannot change an answer.
 */

/** Stands before, between and after the names of one record; cannot occur inside a normal form. */
export const NAME_SEPARATOR = '\u001f';

const BLANKS = /[\s\p{Cc}]+/gu;

/** NFC, full lower-casing, inner white space folded to one blank, outer white space removed. */
export function normalizeName(name: string): string {
  return normalizeNameFragment(name).trim();
}

/** The same form for a part of a name, whose outer blanks mean something. */
export function normalizeNameFragment(fragment: string): string {
  return fragment.normalize('NFC').toLowerCase().normalize('NFC').replace(BLANKS, ' ');
}

/** The names of one record as one searchable text: every name delimited, first spelling kept once; null for none. */
export function joinNames(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return NAME_SEPARATOR + names.join(NAME_SEPARATOR) + NAME_SEPARATOR;
}

/** Numbers compare whole, letter case aside (rule I-11); canonically equal texts are equal. */
export function normalizeNumber(number: string): string {
  return number.normalize('NFC').toUpperCase();
}
