/**
 * The seams of a name: the places where a word begins behind another, each told by the word's initial and the two
 * characters before it. To the trigram index a part such as `h&m` or `e b` is but an initial, which millions of names
 * share (docs/decisions/0020). What separates words is fixed here, because seams are stored: whatever the locale of a
 * database takes for a letter, a record and a part of its name have the same seams.
 */
import { NAME_SEPARATOR } from './names.ts';

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

/** Seams have so many values: few enough for lists that are worth their keep, and enough for those of Latin letters. */
export const SEAM_VALUES = 4093;

/** Distinct for any two small letters around the same separator. */
function codeSeam(one: number, other: number, initial: number): number {
  return (one * 961 + other * 31 + initial) % SEAM_VALUES;
}

const NAME_START = NAME_SEPARATOR.charCodeAt(0);
const NONE = -1;

/**
 * The seams of a text in order, perhaps some of them twice: of names as `joinNames` joins them, or of a part of them,
 * which has no others than they have. A name's beginning is no seam.
 */
export function listSeams(text: string): number[] {
  const seams: number[] = [];
  let one = NONE;
  let other = NONE;
  let isBehind = false;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number;
    at += code > 0xffff ? 2 : 1;
    const separates = isSeparator(code);
    if (isBehind && !separates && one !== NONE) seams.push(codeSeam(one, other, code));
    isBehind = separates && code !== NAME_START;
    one = other;
    other = code;
  }
  return seams;
}
