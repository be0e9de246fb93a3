/**
 * Reads the JSON bodies of requests: one object with known members. Every refusal names the member and says what it
 * takes. Invariant: no body is parsed before its depth and the number of its parts are known to be small.
 */
import { hasTooManyMarks, MARKS_FAULT } from '@tmds/contract/text';
import { BODY_BYTES_MAX } from '@tmds/contract/watches';
import { type ApiError, apiError } from '../base/errors.ts';
import { type JsonShape, measureJson } from './json-shape.ts';

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
