/**
 * The seams of a name: the places where a word begins behind another, each told by the word's initial and the two
 * characters before it. To the trigram index a part such as `h&m` or `e b` is but an initial, which millions of names
 * share (docs/decisions/0020). What separates words is fixed here, because seams are stored: whatever the locale of a
 * database takes for a letter, a record and a part of its name have the same seams.
 */
import { NAME_SEPARATOR } from './names.ts';

/** Below it, whatever is no digit and no small letter separates words: names are in lower case. */
const FIRST_LETTER_BEYOND_ASCII = 0xc0;
/** Code points above, inclusive, that do too: punctuation and blanks. */
const SEPARATORS_ABOVE: readonly (readonly [from: number, to: number])[] = [
  [0x2000, 0x206f],
  [0x3000, 0x303f],
  [0x30fb, 0x30fb],
  [0xff00, 0xff0f],
];

function isSeparator(code: number): boolean {
  if (code < FIRST_LETTER_BEYOND_ASCII) return !((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39));
  return SEPARATORS_ABOVE.some(([from, to]) => code >= from && code <= to);
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

/** The words of a text in order, without what separates them. */
export function listWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (!isSeparator(character.codePointAt(0) as number)) word += character;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  return word === '' ? words : [...words, word];
}
