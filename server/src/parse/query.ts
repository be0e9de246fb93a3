/**
 * From the raw query string to declared texts: it decodes, checks names, and checks what the declarations alone decide.
 * It does not know what values mean: codes, dates, names and cursors pass through as text.
 * Invariant: `DeclaredValues` never hold an unknown, repeated, empty or undecodable parameter.
 */
import type { ValidationDetail } from '@tmds/contract/errors';
import { EXTRA_ENDPOINTS, type Method } from '@tmds/contract/extras';
import { ENDPOINTS, type ParameterDefinition, RESERVED_PARAMETER } from '@tmds/contract/parameters';
import { hasTooManyMarks, MARKS_FAULT } from '@tmds/contract/text';
import { apiError } from '../base/errors.ts';

/** One `name=value` of the query string. A value that cannot be decoded is kept raw and marked `malformed`. */
interface QueryPair {
  readonly name: string;
  readonly value: string;
  readonly malformed: boolean;
}
export type QueryPairs = readonly QueryPair[];

/** The eight endpoints of the specification and the extra ones. */
export const DECLARED = { ...ENDPOINTS, ...EXTRA_ENDPOINTS } as const;
export type DeclaredName = keyof typeof DECLARED;

/** The method that an endpoint takes. */
export function methodOf(name: DeclaredName): Method {
  return (DECLARED[name] as { readonly method?: Method }).method ?? 'GET';
}

/** The methods of a path, in the order of its endpoints. */
export function listMethods(path: string): Method[] {
  const names = (Object.keys(DECLARED) as DeclaredName[]).filter((name) => DECLARED[name].path === path);
  return names.map(methodOf);
}

/** Values by name. Every name is defined by the endpoint; every value is one non-empty text. */
export type DeclaredValues<E extends DeclaredName> = Readonly<
  Partial<Record<keyof (typeof DECLARED)[E]['parameters'], string>>
>;
/** The parameters of both searches; the scoped one never has `jurisdiction`. */
export type SearchValues = DeclaredValues<'search'>;
export type ChangesValues = DeclaredValues<'changes'>;

/**
 * Splits a raw query string (without its `?`) into pairs, in order, with repeats. `+` is a blank; percent-encoding must
 * be valid UTF-8. A name that cannot be decoded stays raw and is later refused as unknown.
 */
export function splitQuery(raw: string): QueryPairs {
  const pairs: QueryPair[] = [];
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const rawValue = equals < 0 ? '' : pair.slice(equals + 1);
    const value = decodeText(rawValue);
    pairs.push({ name: decodeText(rawName) ?? rawName, value: value ?? rawValue, malformed: value === null });
  }
  return pairs;
}

/** The decoded text; null if it is not valid percent-encoded UTF-8 or contains a NUL. */
function decodeText(raw: string): string | null {
  if (!/[%+]|[^\x20-\x7e]/.test(raw)) return raw;
  try {
    const text = decodeURIComponent(raw.replaceAll('+', ' '));
    return text.includes('\0') || !text.isWellFormed() ? null : text;
  } catch {
    return null;
  }
}

/**
 * Checks a query against the declaration of its endpoint in the order of rule I-1: names; then each well-formed value
 * against its declaration; then what rule I-5 refuses for every parameter (repeated, undecodable or empty values).
 *
 * @throws ApiError `reserved_parameter`, `unknown_parameter`, `validation_error` listing every failed declaration
 *   (rules I-6 and I-7), or `invalid_parameter`.
 */
export function checkDeclared<E extends DeclaredName>(endpoint: E, pairs: QueryPairs): DeclaredValues<E> {
  const declared: Readonly<Record<string, ParameterDefinition>> = DECLARED[endpoint].parameters;
  checkNames(endpoint, declared, pairs);
  checkDeclarations(declared, DECLARED[endpoint].required, pairs);
  checkForms(pairs);
  const checked: Record<string, string> = {};
  for (const { name, value } of pairs) checked[name] = value;
  return checked as DeclaredValues<E>;
}

function checkNames(
  endpoint: DeclaredName,
  declared: Readonly<Record<string, ParameterDefinition>>,
  pairs: QueryPairs,
): void {
  if (pairs.some(({ name }) => name === RESERVED_PARAMETER)) {
    throw apiError('reserved_parameter', 'q is reserved for a future query language; use the structured filters.', {
      param: RESERVED_PARAMETER,
    });
  }
  const unknown = pairs.find(({ name }) => !Object.hasOwn(declared, name));
  if (unknown !== undefined) {
    const meant = listSimilar(Object.keys(declared), unknown.name);
    const hint = meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`;
    throw apiError('unknown_parameter', `${DECLARED[endpoint].path} has no parameter of this name${hint || '.'}`, {
      param: unknown.name,
    });
  }
}

const SIMILAR_MAX = 4;
/** Shorter names occur in too many others. */
const SIMILAR_LENGTH_MIN = 4;

/** The known names that contain `name` or occur in it, as `since` does in `updated_since`; the shortest first. */
function listSimilar(names: readonly string[], name: string): string[] {
  const asked = name.toLowerCase().replaceAll('-', '_');
  if (asked.length < SIMILAR_LENGTH_MIN) return [];
  return names
    .filter((known) => known.includes(asked) || (known.length >= SIMILAR_LENGTH_MIN && asked.includes(known)))
    .sort((one, other) => one.length - other.length)
    .slice(0, SIMILAR_MAX);
}

/** Refuses what no parameter may be (rules I-5 and I-45): repeated, undecodable, empty, or full of combining marks. */
function checkForms(pairs: QueryPairs): void {
  const [repeated] = listRepeated(pairs);
  if (repeated !== undefined) {
    throw apiError('invalid_parameter', `${repeated} is given more than once; send it once.`, { param: repeated });
  }
  for (const { name, value, malformed } of pairs) {
    if (malformed) {
      throw apiError('invalid_parameter', `${name} is not valid percent-encoded UTF-8 text.`, { param: name });
    }
    if (value === '') {
      throw apiError('invalid_parameter', `${name} is empty; leave it out or give it a value.`, { param: name });
    }
    if (hasTooManyMarks(value)) throw apiError('invalid_parameter', `${name} ${MARKS_FAULT}.`, { param: name });
  }
}

function checkDeclarations(
  declared: Readonly<Record<string, ParameterDefinition>>,
  required: readonly string[],
  pairs: QueryPairs,
): void {
  const details: ValidationDetail[] = [];
  for (const name of required) {
    if (!pairs.some((pair) => pair.name === name)) {
      details.push({ loc: ['query', name], msg: 'Field required', type: 'missing', input: null });
    }
  }
  const repeated = listRepeated(pairs);
  for (const { name, value, malformed } of pairs) {
    // A repeated, undecodable or empty value cannot be compared with its declaration; `checkForms` refuses it.
    if (malformed || value === '' || repeated.has(name)) continue;
    const failure = findFailure(declared[name]!, value);
    if (failure !== null) details.push({ loc: ['query', name], input: value, ...failure });
  }
  const [first] = details;
  if (first === undefined) return;
  const param = String(first.loc[1]);
  const rest = details.length > 1 ? ` (and ${details.length - 1} more, see detail)` : '';
  throw apiError('validation_error', `${param}: ${first.msg}${rest}.`, { param, details });
}

function listRepeated(pairs: QueryPairs): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of pairs) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

function findFailure(
  { value: form }: ParameterDefinition,
  text: string,
): Pick<ValidationDetail, 'msg' | 'type' | 'ctx'> | null {
  if (form.form === 'choice') {
    if (form.values.includes(text)) return null;
    const expected = form.values.map((value) => `'${value}'`).join(' or ');
    return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } };
  }
  if (form.form !== 'integer') return null;
  if (!/^-?\d+$/.test(text)) {
    return { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' };
  }
  const integer = Number(text);
  if (integer < form.min) {
    const msg = `Input should be greater than or equal to ${form.min}`;
    return { type: 'greater_than_equal', msg, ctx: { ge: form.min } };
  }
  if (integer > form.max) {
    return {
      type: 'less_than_equal',
      msg: `Input should be less than or equal to ${form.max}`,
      ctx: { le: form.max },
    };
  }
  return null;
}
