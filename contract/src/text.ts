/**
 * Unicode normal forms, in time that grows with the length of the text. `String.prototype.normalize` sorts a run of
 * combining marks in time that grows with the square of their number. So a text with too many of them is refused where
 * it enters (rule I-45), and normalized in pieces if it occurs anyway. No other module normalizes a text.
 */

/** Combining marks in a row: the bound of the Stream-Safe Text Format (UAX #15). */
export const MARKS_MAX = 30;

/** Why a text is refused; follows the name of its field. */
export const MARKS_FAULT = `holds more than ${MARKS_MAX} combining marks in a row, the most that a text may have`;

/** Two letters decompose into a mark: the half-width voiced sound marks. */
const MARK = /^[\p{M}\uFF9E\uFF9F]/u;
/** Marks after which a text is cut. */
const PIECE = new RegExp(`[\\p{M}\\uFF9E\\uFF9F]{${MARKS_MAX}}`, 'gu');
const FIRST_MARK = 0x300;
/**
 * A text without these is in the form NFC already. Kana, ideographs and syllables of Hangul are left out: they change
 * only next to a mark or a letter of Hangul.
 */
const MAY_COMBINE = /[\u0300-\u3040\u3097-\u309a\u3100-\u4dff\ua000-\uabff\ud7a4-\uffff]/;

/** For each UTF-16 unit whether it is a mark; surrogates are not. */
let marks: Uint8Array | null = null;

function listMarks(): Uint8Array {
  return Uint8Array.from({ length: 0x10000 }, (_, unit) => (MARK.test(String.fromCharCode(unit)) ? 1 : 0));
}

function isMark(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < FIRST_MARK) return false;
  if (unit < 0xd800 || unit > 0xdfff) {
    marks ??= listMarks();
    return marks[unit] === 1;
  }
  const start = unit < 0xdc00 ? at : at - 1;
  return start >= 0 && MARK.test(text.slice(start, start + 2));
}

/** Whether more than `MARKS_MAX` combining marks occur in a row. Reads only a few characters of most texts. */
export function hasTooManyMarks(text: string): boolean {
  // A run of this many marks covers at least one of these places.
  for (let at = MARKS_MAX; at < text.length; at += MARKS_MAX + 1) {
    if (!isMark(text, at)) continue;
    let count = 1;
    let start = at;
    while (start > 0 && isMark(text, start - 1)) start -= 1;
    let end = at + 1;
    while (end < text.length && isMark(text, end)) end += 1;
    for (let unit = start + 1; unit < end; unit += 1) if (!isLowSurrogate(text.charCodeAt(unit))) count += 1;
    if (count > MARKS_MAX) return true;
    at = end;
  }
  return false;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * Characters that nobody sees: zero-width spaces and joiners, soft hyphens, byte order marks, marks of direction,
 * selectors of variants. Unicode calls them default ignorable, and its caseless matching (NFKC_Casefold) removes them.
 */
const HIDDEN = /\p{Default_Ignorable_Code_Point}/u;
const ALL_HIDDEN = /\p{Default_Ignorable_Code_Point}+/gu;
/** A text without these has no hidden characters. */
const MAY_HIDE = /[^\0-\u00ac\u00ae-\u02ff]/;

/** The text without the characters that nobody sees; for comparing, never for delivering. */
export function dropHidden(text: string): string {
  return MAY_HIDE.test(text) && HIDDEN.test(text) ? text.replace(ALL_HIDDEN, '') : text;
}

/** The normal form of a text. A text with too many marks in a row is normalized in pieces. */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD' = 'NFC'): string {
  if (form === 'NFC' && !MAY_COMBINE.test(text)) return text;
  if (!hasTooManyMarks(text)) return text.normalize(form);
  let normal = '';
  let start = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const end = index + piece.length;
    normal += text.slice(start, end).normalize(form);
    start = end;
  }
  return normal + text.slice(start).normalize(form);
}

/** White space and control characters. A byte order mark is neither, although `\s` includes it. */
const BLANKS = /(?:(?!\ufeff)[\s\p{Cc}])+/gu;

/** Names that only need lower-casing, as most do: printable ASCII with single blanks between words. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/**
 * The delivered form of a name (rule I-12): NFC, lower case, runs of white space as one blank, no white space at either
 * end.
 */
export function normalizeName(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  return normalForm(normalForm(name).toLowerCase()).replace(BLANKS, ' ').trim();
}
