/**
 * Reads a payload for display. It comes from a register's file and may contain anything, so a value is taken only in
 * the form that a page expects. Invariant: a taken value is shown, and the generic view shows all others, so every
 * value of a payload is on the page.
 */
import { isLosslessNumber } from 'lossless-json';

export interface TextShown {
  readonly text: string;
  /** A valid language tag in lower case; null if none is stated. */
  readonly language: string | null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** Whether a value is empty: null, an empty text or list, or an object whose members are all empty. */
export function isSilent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.every(isSilent);
  return isObject(value) && Object.values(value).every(isSilent);
}

/** A text, or a number with all its digits; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || isLosslessNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The members of an object, each to be taken once. */
export class Members {
  readonly #left: Map<string, unknown>;

  /** A value that is no object counts as one member without a name. */
  constructor(value: unknown) {
    this.#left = new Map(isObject(value) ? Object.entries(value) : [['', value]]);
  }

  /** Null, and left where it is, if it is neither a text nor a number. */
  text(name: string): string | null {
    return this.#take(name, textOf(this.#left.get(name)));
  }

  /** Texts with their languages; empty, and left in place, if any has another form or says more. */
  texts(name: string): readonly TextShown[] {
    const value = this.#left.get(name);
    const isForm = Array.isArray(value) && value.every(isLanguageText);
    return this.#take(name, isForm ? textsOf(value) : null) ?? [];
  }

  language(): string | null {
    return this.#take('language', languageOf(this.#left.get('language')));
  }

  list(name: string): readonly unknown[] {
    const value = this.#left.get(name);
    return this.#take(name, Array.isArray(value) ? (value as unknown[]) : null) ?? [];
  }

  words(name: string): readonly string[] {
    const value = this.#left.get(name);
    const words = Array.isArray(value) ? value.map(textOf) : [null];
    return this.#take(name, words.includes(null) ? null : (words as string[])) ?? [];
  }

  object(name: string): Members | null {
    const value = this.#left.get(name);
    return isObject(value) ? this.#take(name, new Members(value)) : null;
  }

  /** Any value; undefined if it is empty. */
  any(name: string): unknown {
    const value = this.#left.get(name);
    this.#left.delete(name);
    return isSilent(value) ? undefined : value;
  }

  /** The values that nobody took and that are not empty. */
  left(): [name: string, value: unknown][] {
    return [...this.#left].filter(([, value]) => !isSilent(value));
  }

  #take<Value>(name: string, value: Value | null): Value | null {
    if (value !== null) this.#left.delete(name);
    return value;
  }
}

function isLanguageText(entry: unknown): boolean {
  if (!isObject(entry) || textOf(entry.text) === null) return false;
  const further = Object.keys(entry).filter((name) => name !== 'text');
  return further.every((name) => isSilent(entry[name]) || (name === 'language' && languageOf(entry.language) !== null));
}

/** The texts among the entries of a list; other entries are skipped. */
export function textsOf(value: unknown): readonly TextShown[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    if (!isObject(entry)) return [];
    const text = textOf(entry.text);
    return text === null ? [] : [{ text, language: languageOf(entry.language) }];
  });
}

/** A valid language tag; anything else would mislead a screen reader. */
function languageOf(value: unknown): string | null {
  const tag = textOf(value);
  return tag !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) ? tag.toLowerCase() : null;
}

/** The bytes that a value takes on a page, roughly; an inline picture is shown elsewhere. */
export function weigh(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + weigh(entry), 0);
  if (isObject(value)) {
    return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + weigh(member), 0);
  }
  const text = textOf(value) ?? '';
  return isInlinePicture(text) ? 0 : Buffer.byteLength(text);
}

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** Whether it is the address of an inline image of a type that browsers render without running scripts. */
export function isInlinePicture(text: string): boolean {
  return PICTURE.test(text);
}
