/**
 * The seams of a name: the places where a word begins behind another, each told by the word's initial and the two
 * characters before it. To the trigram index a part such as `h&m` or `e b` is but an initial, which millions of names
 * share (docs/decisions/0020). What separates words is fixed here, because seams are stored: whatever the locale of a
 * database takes for a letter, a record and a part of its name have the same seams.
 */

/** Code points, inclusive, that separate words: punctuation, blanks and symbols. Names are in lower case. */
const SEPARATORS: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x2f],
  [0x3a, 0x60],
  [0x7b, 0xbf],
  [0x2000, 0x206f],
  [0x3000, 0x303f],
  [0x30fb, 0x30fb],
  [0xff00, 0xff0f],
];
const FIRST_LETTER_BEYOND_ASCII = 0xc0;

function isSeparator(code: number): boolean {
  // Most characters, at little cost.
  if (code >= 0x61 && code <= 0x7a) return false;
  if (code < FIRST_LETTER_BEYOND_ASCII) return code < 0x30 || code > 0x39;
  return code >= 0x2000 && SEPARATORS.some(([from, to]) => code >= from && code <= to);
}

/** What stands before the first character of every name where names are stored. */
const NAME_START = 0x1f;

/** Seams have so many values: few enough for lists that are worth their keep, and enough for those of Latin letters. */
export const SEAM_VALUES = 4093;

/** Distinct for any two small letters around the same separator. */
function codeSeam(one: number, other: number, initial: number): number {
  return (one * 961 + other * 31 + initial) % SEAM_VALUES;
}

/** The seams of a whole name in its normal form, in order, perhaps some of them twice. */
export function listSeams(name: string): number[] {
  const seams: number[] = [];
  let one = -1;
  let other = NAME_START;
  let isBehind = true;
  for (let at = 0; at < name.length; ) {
    const code = name.codePointAt(at) as number;
    at += code > 0xffff ? 2 : 1;
    const separates = isSeparator(code);
    if (isBehind && !separates && one >= 0) seams.push(codeSeam(one, other, code));
    isBehind = separates;
    one = other;
    other = code;
  }
  return seams;
}

/** The seam with which a part of a name ends; null where it ends otherwise. */
export function findLastSeam(part: string): number | null {
  const [one, other, initial] = [...part].slice(-3).map((character) => character.codePointAt(0) as number);
  if (one === undefined || other === undefined || initial === undefined) return null;
  return isSeparator(other) && other !== NAME_START && !isSeparator(initial) ? codeSeam(one, other, initial) : null;
}
