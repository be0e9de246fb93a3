/**
 * One normal form of names for load and query (rule I-12): whatever compares names anywhere compares the output of
 * `normalizeName`. The database never folds letter case, so its locale cannot change an answer.
 */

/** Stands before, between and after the names of one record; cannot occur inside a normal form. */
export const NAME_SEPARATOR = '\u001f';

const BLANKS = /[\s\p{Cc}]+/gu;

/** Names that need nothing but lower-casing: printable ASCII, single blanks inside. Most are such. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/** NFC, full lower-casing, inner white space folded to one blank, outer white space removed. */
export function normalizeName(name: string): string {
  return PLAIN_NAME.test(name) ? name.toLowerCase() : normalizeNameFragment(name).trim();
}

function normalizeNameFragment(fragment: string): string {
  return fragment.normalize('NFC').toLowerCase().normalize('NFC').replace(BLANKS, ' ');
}

/**
 * The form in which a name is compared: the normal form with the final sigma folded into the other one. Lower-casing
 * chooses between the two by what follows, so a part of a name could otherwise differ from the same part of the whole.
 */
export function foldName(name: string): string {
  return foldSigma(normalizeName(name));
}

/** The same for what is in the form of `normalizeName` already. */
export function foldNormalName(name: string): string {
  return foldSigma(name);
}

/** The same for a part of a name, whose outer blanks mean something. */
export function foldNameFragment(fragment: string): string {
  return foldSigma(normalizeNameFragment(fragment));
}

function foldSigma(text: string): string {
  return text.includes('ς') ? text.replaceAll('ς', 'σ') : text;
}

/** Numbers compare whole, letter case aside (rule I-11); canonically equal texts are equal. */
export function normalizeNumber(number: string): string {
  return number.normalize('NFC').toUpperCase().normalize('NFC');
}

/** `W01234567`, `01234567`, `1234567`: of these the digits from the first that is not 0, and the letter behind them. */
const MADRID_NUMBER = /^W?0*([1-9]\d*[A-Z]?)$/;

/**
 * The one form of a Madrid number (rule I-33): digits without leading zeros, then a letter if it has one, upper case.
 * A text of another form is kept, upper case and without outer blanks.
 */
export function normalizeMadridNumber(number: string): string {
  const text = normalizeNumber(number).trim();
  return MADRID_NUMBER.exec(text)?.[1] ?? text;
}
