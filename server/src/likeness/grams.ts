/**
 * Grams: two and three letters in a row of a name, written without gaps and with a border at both ends. A name of
 * `n` letters has at most `n + 1` grams of two and `n` of three. Each has a number below `GRAMS`. And how many letters
 * are edited between two names, up to a bound.
 */
import { Growing } from '../index/arrays.ts';

/** 0 is the border, then a to z and 0 to 9. */
export const LETTER_CODES = 37;
export const BORDER = 0;
export const PAIRS = LETTER_CODES * LETTER_CODES;
export const GRAMS = PAIRS + PAIRS * LETTER_CODES;

/** The code of a character a to z or 0 to 9. */
function codeOf(unit: number): number {
  return unit >= 97 ? unit - 96 : unit - 48 + 27;
}

/** Appends the codes of letters at `to`; returns where they end. */
export function writeCodes(letters: string, into: Uint8Array, to: number): number {
  for (let at = 0; at < letters.length; at += 1) into[to + at] = codeOf(letters.charCodeAt(at));
  return to + letters.length;
}

export function codesOf(letters: string): Uint8Array {
  const codes = new Uint8Array(letters.length);
  writeCodes(letters, codes, 0);
  return codes;
}

const DIGIT_CODE = 27;
const DIGIT_BITS = 5;

/** A bit for each letter that occurs; two digits share each of five bits. */
export function bitsOf(codes: Uint8Array, from = 0, to = codes.length): number {
  let bits = 0;
  for (let at = from; at < to; at += 1) {
    const code = codes[at]!;
    bits |= 1 << (code < DIGIT_CODE ? code : DIGIT_CODE + ((code - DIGIT_CODE) % DIGIT_BITS));
  }
  return bits >>> 0;
}

export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function pairOf(first: number, second: number): number {
  return first * LETTER_CODES + second;
}

export function tripleOf(first: number, second: number, third: number): number {
  return PAIRS + (first * LETTER_CODES + second) * LETTER_CODES + third;
}

/** Walks along the letters of one text after the other, and collects the distinct grams of each. */
export class GramWalk {
  /** The number of the text in which each gram was last met. */
  private readonly met = new Uint32Array(GRAMS);
  private number = 0;
  private readonly found = new Growing(Uint32Array);
  private before = BORDER;
  private last = BORDER;
  private isFirst = true;

  begin(): void {
    this.number += 1;
    this.found.length = 0;
    this.before = BORDER;
    this.last = BORDER;
    this.isFirst = true;
  }

  step(code: number): void {
    this.note(pairOf(this.last, code));
    if (!this.isFirst) this.note(tripleOf(this.before, this.last, code));
    this.isFirst = false;
    this.before = this.last;
    this.last = code;
  }

  /** The grams; valid until the next text begins. */
  end(): Uint32Array {
    this.step(BORDER);
    return this.found.filled();
  }

  private note(gram: number): void {
    if (this.met[gram] === this.number) return;
    this.met[gram] = this.number;
    this.found.push(gram);
  }
}

/** The distinct grams of some letters, in the order in which they occur. */
export function listGrams(letters: string): number[] {
  const grams = new Set<number>();
  let before = BORDER;
  let last = BORDER;
  for (let at = 0; at <= letters.length; at += 1) {
    const code = at < letters.length ? codeOf(letters.charCodeAt(at)) : BORDER;
    grams.add(pairOf(last, code));
    if (at > 0) grams.add(tripleOf(before, last, code));
    before = last;
    last = code;
  }
  return [...grams];
}

/** Letters from their codes. */
export function readCodes(codes: Uint8Array, from: number, to: number): string {
  let letters = '';
  for (let at = from; at < to; at += 1) letters += showCode(codes[at]!);
  return letters;
}

function showCode(code: number): string {
  if (code === BORDER) return '_';
  return String.fromCharCode(code <= 26 ? code + 96 : code - 27 + 48);
}

/** How rare something is that `count` of `total` have: 0 if all have it. */
export function rarityOf(count: number, total: number): number {
  return Math.log((total + 1) / (count + 1));
}

export const EDITS_MAX = 2;

/**
 * How many edits lead from one row of codes to the other; more than `EDITS_MAX` if it takes more. Each letter is edited
 * at most once (optimal string alignment).
 */
export function countEdits(one: ArrayLike<number>, other: ArrayLike<number>): number {
  if (Math.abs(one.length - other.length) > EDITS_MAX) return EDITS_MAX + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = new Array<number>(other.length + 1).fill(EDITS_MAX + 1);
    current[0] = row;
    let least = row;
    const from = Math.max(1, row - EDITS_MAX);
    const to = Math.min(other.length, row + EDITS_MAX);
    for (let column = from; column <= to; column += 1) {
      let edits = Math.min(last[column]!, current[column - 1]!) + 1;
      edits = Math.min(edits, last[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1));
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        edits = Math.min(edits, before[column - 2]! + 1);
      }
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (least > EDITS_MAX) return EDITS_MAX + 1;
    before = last;
    last = current;
  }
  return Math.min(last[other.length]!, EDITS_MAX + 1);
}
