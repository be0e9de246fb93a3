/**
 * Texts that cost the most wherever work on a text is not linear: runs that an expression can divide in many ways,
 * marks that are put in order, characters that become many others. Each is one piece repeated, with a head and a tail.
 */

export interface WorstText {
  readonly name: string;
  /** At most this many UTF-16 units, beginning and end included. */
  build(length: number): string;
}

function repeat(name: string, piece: string, head = '', tail = ''): WorstText {
  const room = (length: number): number => Math.max(0, length - head.length - tail.length);
  return { name, build: (length) => head + piece.repeat(Math.floor(room(length) / piece.length)) + tail };
}

/** In ASCII, so that a header may hold them. */
export const PLAIN_TEXTS: readonly WorstText[] = [
  repeat('blanks', ' ', 'en', '!'),
  repeat('tabs', '\t', 'en', '!'),
  repeat('blanks and commas', ' , ', 'en', '!'),
  repeat('commas', ','),
  repeat('semicolons', ';', 'a'),
  repeat('language weights', 'en;q=0.1,'),
  repeat('broken weights', 'a;q=', '', '!'),
  repeat('equals', '=', 'a'),
  repeat('pairs', 'a=b; '),
  repeat('quotes', '"'),
  repeat('open quotes', '"\\', '"'),
  repeat('entity tags', 'W/"a", '),
  repeat('brackets', '('),
  repeat('closed brackets', ')', '', '('),
  repeat('square brackets', '['),
  repeat('letters', 'a', '', '!'),
  repeat('letters and blanks', 'a ', '', '!'),
  repeat('digits', '1', '', '!'),
  repeat('zeros', '0', '', '1'),
  repeat('vienna codes', '1.1.1,', '', '1.1.1'),
  repeat('countries', 'QX,', '', 'QX'),
  repeat('numbers', '97123456,', '', '97123456'),
  repeat('hyphens', '-', '1', '!'),
  repeat('dots', '.', '1', '!'),
  repeat('slashes', '/', '1', '!'),
  repeat('numbers with signs', '9/7-1.', '', '!'),
  repeat('dates', '2026-01-01,', '', '2026-01-01'),
  repeat('ranges', '0-1,', 'bytes='),
  repeat('stars', '*', '', 'a'),
  repeat('addresses', 'a@', '', '!'),
  repeat('links', 'http://', '', '!'),
  repeat('aliases', ' DBA a', 'a'),
  repeat('base64', 'QUFB'),
  repeat('per cent', '%'),
  repeat('plus', '+'),
  repeat('ampersands', '&'),
];

/** Also of the rest of Unicode. */
export const WORST_TEXTS: readonly WorstText[] = [
  ...PLAIN_TEXTS,
  repeat('combining marks', '\u0301', 'a'),
  repeat('marks in the wrong order', '\u0301\u0323', 'a'),
  repeat('many letters with marks', 'a\u0301\u0323'),
  repeat('one becomes eighteen', '\ufdfa'),
  repeat('wide letters', '\uff21'),
  repeat('Hangul by letters', '\u1100\u1161\u11a8'),
  repeat('joiners', '\u200d', 'a', 'a'),
  repeat('dotted capitals', '\u0130'),
  repeat('wide blanks', '\u3000', 'a', '!'),
  repeat('joined signs', '\u{1f469}\u200d'),
  repeat('turned directions', '\u202e'),
  repeat('odd digits', '\u0661'),
  repeat('nulls', '\0'),
];

/** As a part of an address, of at most this many bytes. */
export function encodeWithin(text: WorstText, bytesMax: number): string {
  // Whole pieces: at most nine bytes for a UTF-16 unit.
  for (let length = bytesMax; ; length = Math.floor(length * 0.75)) {
    const encoded = encodeURIComponent(text.build(length).toWellFormed());
    if (encoded.length <= bytesMax) return encoded;
  }
}
