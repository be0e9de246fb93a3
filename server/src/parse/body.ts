/**
 * Reads the JSON bodies of requests: one object with known members. Every refusal names the member and says what it
 * takes. Invariant: no body is parsed before its depth and the number of its parts are known to be small.
 */
import { hasTooManyMarks, MARKS_FAULT } from '@tmds/contract/text';
import { BODY_BYTES_MAX } from '@tmds/contract/watches';
import { type ApiError, apiError } from '../base/errors.ts';

export interface BodyForm {
  /** What the object is, with its article. */
  readonly of: string;
  readonly members: readonly string[];
  readonly shape: JsonShape;
  /** What to send, for refusals. */
  readonly advice: string;
  /** Further bounds to name, after the advice. Default: none. */
  readonly bounds?: string;
}

export function refuse(param: string, message: string): ApiError {
  return apiError('invalid_parameter', `${param} ${message}`, { param });
}

export function bodyTooLong(): ApiError {
  return apiError('invalid_parameter', `The body is longer than ${BODY_BYTES_MAX} bytes; send less at once.`);
}

/**
 * The members of the object.
 *
 * @param type the Content-Type of the request; undefined = none.
 * @throws ApiError `invalid_parameter`, `unknown_parameter`.
 */
export function parseBody(body: Buffer, type: string | undefined, form: BodyForm): Readonly<Record<string, unknown>> {
  const members = parseObject(body, type, form);
  const unknown = Object.keys(members).find((name) => !form.members.includes(name));
  if (unknown === undefined) return members;
  throw apiError('unknown_parameter', `${form.of} has no member of this name; it takes ${form.members.join(', ')}.`, {
    param: unknown.slice(0, 100),
  });
}

function parseObject(
  body: Buffer,
  type: string | undefined,
  { shape: max, advice, bounds = '' }: BodyForm,
): Readonly<Record<string, unknown>> {
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type?.trim() ?? '')) {
    throw apiError('invalid_parameter', 'The body has to be JSON: send it with Content-Type: application/json.');
  }
  if (body.length > BODY_BYTES_MAX) throw bodyTooLong();
  const shape = measureJson(body, max);
  if (shape.depth > max.depth || shape.parts > max.parts) {
    const message = `The body is nested too deep or has too many members; send one object with ${advice}${bounds}.`;
    throw apiError('invalid_parameter', message);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch (cause) {
    throw apiError('invalid_parameter', 'The body is not valid JSON in UTF-8; send one JSON object.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw apiError('invalid_parameter', `The body is JSON, but no object; send an object with ${advice}.`);
  }
  return value as Readonly<Record<string, unknown>>;
}

/** A text of at most `max` Unicode code points. */
export function parseText(param: string, value: unknown, max: number): string {
  if (value === undefined) throw refuse(param, 'is missing; it is needed.');
  if (typeof value !== 'string') throw refuse(param, 'takes a text in quotes.');
  if (value.includes('\0') || !value.isWellFormed())
    throw refuse(param, 'holds a NUL or half of a surrogate pair; leave it out.');
  // A character has one or two units; a text of millions is not taken apart.
  if (value.length > 2 * max || [...value].length > max) throw refuse(param, `takes at most ${max} characters.`);
  if (hasTooManyMarks(value)) throw refuse(param, `${MARKS_FAULT}.`);
  return value;
}

/** How deep and how large a JSON text is. */
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

/**
 * How deep and how large a JSON text is, before it is parsed: the parser takes half a second for 4 MB of nested lists
 * or short members, and blocks everything else. It does not check that the text is JSON. Stops as soon as the text is
 * larger than `max`, so that either figure may then be too small, but is above it.
 */
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
