/**
 * The normal forms of names and numbers, the same for loads and queries (rules I-11, I-12 and I-33). The database never
 * folds letter case, so its locale cannot change an answer.
 */

/** Separates the names of one record. It cannot occur in a normal form. */
export const NAME_SEPARATOR = '\u001f';

const BLANKS = /[\s\p{Cc}]+/gu;

/** Names that only need lower-casing, as most do: printable ASCII with single blanks between words. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/** The delivered form: NFC, lower case, runs of white space as one blank, no white space at either end. */
export function normalizeName(name: string): string {
  return PLAIN_NAME.test(name) ? name.toLowerCase() : normalizeNameFragment(name).trim();
}

function normalizeNameFragment(fragment: string): string {
  return fragment.normalize('NFC').toLowerCase().normalize('NFC').replace(BLANKS, ' ');
}

/**
 * The compared form: the delivered form with final sigma (ς) replaced by σ. Lower-casing chooses between them by the
 * following letter, so the same letters could otherwise differ between a name and a part of it.
 */
export function foldName(name: string): string {
  return foldSigma(normalizeName(name));
}

/** `foldName` for a name that `normalizeName` has already been applied to. */
export function foldNormalName(name: string): string {
  return foldSigma(name);
}

/** `foldName` for a part of a name, whose blanks at either end matter. */
export function foldNameFragment(fragment: string): string {
  return foldSigma(normalizeNameFragment(fragment));
}

function foldSigma(text: string): string {
  return text.includes('ς') ? text.replaceAll('ς', 'σ') : text;
}

/** The compared form of a number (rule I-11): NFC and upper case. */
export function normalizeNumber(number: string): string {
  return number.normalize('NFC').toUpperCase().normalize('NFC');
}

/** `W01234567`, `WO0000001234567`, `IR1234567`, `1234567A`; the group leaves out the letters and zeros before it. */
const MADRID_NUMBER = /^(?:WO?|IR)?0*(?<number>[1-9]\d*[A-Z]?)$/;

/**
 * The stored form of a Madrid number (rule I-33): digits without leading zeros and, if present, an upper-case letter.
 * The letters that registers put before it, blanks inside it (`1 234 567`) and full-width digits are not part of the
 * number. Any other text is only trimmed and upper-cased.
 */
export function normalizeMadridNumber(number: string): string {
  const plain = normalizeNumber(number.normalize('NFKC').replace(/\s/gu, ''));
  return MADRID_NUMBER.exec(plain)?.groups?.number ?? normalizeNumber(number).trim();
}
