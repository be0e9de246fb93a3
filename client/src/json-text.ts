/**
 * Finds where values are in a text that JSON.parse has accepted, without parsing them, so that a value can be kept as
 * it was written.
 */

export interface Span {
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The value of `name` in the object that begins at `at`; the last one if there are several, null if none. */
export function findMember(text: string, at: number, name: string): Span | null {
  let found: Span | null = null;
  for (let next = skipBlanks(text, at + 1); text.charCodeAt(next) === QUOTE; ) {
    const key = text.slice(next + 1, findEnd(text, next) - 1);
    const start = skipBlanks(text, skipBlanks(text, next + key.length + 2) + 1);
    const end = findEnd(text, start);
    if (key === name) found = { start, end };
    next = skipSeparator(text, end);
  }
  return found;
}

/** The elements of the list that begins at `at`. */
export function listElements(text: string, at: number): Span[] {
  const elements: Span[] = [];
  for (let start = skipBlanks(text, at + 1); !CLOSING.has(text.charCodeAt(start)); ) {
    const end = findEnd(text, start);
    elements.push({ start, end });
    start = skipSeparator(text, end);
  }
  return elements;
}

export function skipBlanks(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= 0x20) next += 1;
  return next;
}

/** The position after the comma, or of the closing bracket. */
function skipSeparator(text: string, at: number): number {
  const next = skipBlanks(text, at);
  return text[next] === ',' ? skipBlanks(text, next + 1) : next;
}

function findEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return findTextEnd(text, start);
  if (!OPENING.has(first)) return findWordEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findTextEnd(text, at) - 1;
    else if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function findTextEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - 1 - before) % 2 === 1;
}

/** The end of a number, `true`, `false` or `null`. */
function findWordEnd(text: string, start: number): number {
  const word = /[^,\]}\s]*/y;
  word.lastIndex = start;
  word.test(text);
  return word.lastIndex;
}
