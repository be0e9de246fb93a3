/**
 * Finds how deep and how large a JSON text is before it is parsed: the parser takes half a second for 4 MB of nested
 * lists or short members, and blocks everything else. It does not check that the text is JSON.
 */

export interface JsonShape {
  /** Objects and lists within each other. */
  readonly depth: number;
  /** Objects, lists, members and elements. */
  readonly parts: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [BRACE, BRACKET] = [0x7b, 0x5b];
const [BRACE_END, BRACKET_END] = [0x7d, 0x5d];

/** Stops as soon as the text is larger than `max`, so that either figure may then be too small, but is above it. */
export function measureJson(text: Buffer, max: JsonShape): JsonShape {
  let depth = 0;
  let deepest = 0;
  let parts = 0;
  for (let at = 0; at < text.length && deepest <= max.depth && parts <= max.parts; at += 1) {
    switch (text[at]) {
      case QUOTE:
        at = findStringEnd(text, at + 1);
        break;
      case BRACE:
      case BRACKET:
        depth += 1;
        parts += 1;
        deepest = Math.max(deepest, depth);
        break;
      case BRACE_END:
      case BRACKET_END:
        depth -= 1;
        break;
      case COMMA:
        parts += 1;
        break;
    }
  }
  return { depth: deepest, parts };
}

/** The place of the quote that ends a string; the end of the text if there is none. */
function findStringEnd(text: Buffer, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === BACKSLASH) at += 1;
    else if (text[at] === QUOTE) return at;
  }
  return text.length;
}
