/**
 * Turns the raw query string into declared texts: it decodes, checks names, and checks what the declarations alone
 * decide; and finds which endpoint the address of a record is. It does not know what values mean: codes, dates, names
 * and cursors pass through as text. Invariant: `DeclaredValues` never hold an unknown, repeated, empty or undecodable
 * parameter.
 */
import type { Product } from '@tmds/contract/enums';
import type { ValidationDetail } from '@tmds/contract/errors';
import { ANALYTICS_ROOT, EXTRA_ENDPOINTS, type Method, productOfPath } from '@tmds/contract/extras';
import { ENDPOINTS, isListForm, type ParameterDefinition, RESERVED_PARAMETER } from '@tmds/contract/parameters';
import { hasTooManyMarks, MARKS_FAULT } from '@tmds/contract/text';
import { apiError } from '../base/errors.ts';
import { hintAtParameter } from './similar.ts';

/** Why a value cannot be decoded, and what to write instead; each completes a sentence about its parameter. */
const ENCODING_FAULTS = {
  percent: 'has a % without two hexadecimal digits after it; write %25 for a percent sign.',
  utf8: 'is not percent-encoded UTF-8; encode the text as UTF-8 first.',
  nul: 'holds a NUL character (%00); leave it out, because no value has one.',
} as const;
type EncodingFault = keyof typeof ENCODING_FAULTS;

/** One `name=value` of the query string. A value that cannot be decoded is kept raw, with its fault. */
interface QueryPair {
  readonly name: string;
  readonly value: string;
  readonly fault: EncodingFault | null;
}
export type QueryPairs = readonly QueryPair[];

/** The eight endpoints of the specification and the extra ones. */
export const DECLARED = { ...ENDPOINTS, ...EXTRA_ENDPOINTS } as const;
export type DeclaredName = keyof typeof DECLARED;

/** The method that an endpoint takes. */
export function methodOf(name: DeclaredName): Method {
  return (DECLARED[name] as { readonly method?: Method }).method ?? 'GET';
}

const PRODUCTS_OF = Object.fromEntries(
  Object.entries(DECLARED).map(([name, { path }]) => [name, productOfPath(path)]),
) as Record<DeclaredName, Product>;

/** The product whose agreement a call of the endpoint needs, and whose units it costs (rule I-3). */
export function productOf(name: DeclaredName): Product {
  return PRODUCTS_OF[name];
}

/** The path of an endpoint of another product, with the prefix that the setting gives the product. */
export function addressOf(name: DeclaredName, prefix: string): string {
  return DECLARED[name].path.replace(ANALYTICS_ROOT, `/${prefix}`);
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
    const value = decodeText(equals < 0 ? '' : pair.slice(equals + 1));
    pairs.push({ name: decodeText(rawName).text, value: value.text, fault: value.fault });
  }
  return pairs;
}

/** The decoded text; with a fault, the raw one. */
function decodeText(raw: string): { text: string; fault: EncodingFault | null } {
  if (!/[%+]|[^\x20-\x7e]/.test(raw)) return { text: raw, fault: null };
  try {
    const text = decodeURIComponent(raw.replaceAll('+', ' '));
    if (text.isWellFormed()) return text.includes('\0') ? { text: raw, fault: 'nul' } : { text, fault: null };
  } catch {
    if (/%(?![0-9a-f]{2})/i.test(raw)) return { text: raw, fault: 'percent' };
  }
  return { text: raw, fault: 'utf8' };
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
  checkForms(declared, DECLARED[endpoint].required, pairs);
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
    const hint = hintAtName(endpoint, Object.keys(declared), unknown.name);
    throw apiError(
      'unknown_parameter',
      `${DECLARED[endpoint].path} has no parameter of this name${endSentence(hint)}`,
      {
        param: unknown.name,
      },
    );
  }
}

/** Endpoints with more parameters leave it to the reference to list them. */
const LISTED_MAX = 8;

function hintAtName(endpoint: DeclaredName, known: readonly string[], asked: string): string {
  const isInPath = DECLARED[endpoint].path.includes('{jurisdiction_code}');
  if (isInPath && ['jurisdiction', 'jurisdiction_code'].includes(asked)) return '; the path names the register';
  const hint = hintAtParameter(known, asked);
  if (hint !== '' || known.length > LISTED_MAX) return hint;
  return known.length === 0 ? '; it takes none' : `; it takes ${known.join(', ')}`;
}

function endSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

/** Refuses what no parameter may be (rules I-5 and I-45): repeated, undecodable, empty, or full of combining marks. */
function checkForms(
  declared: Readonly<Record<string, ParameterDefinition>>,
  required: readonly string[],
  pairs: QueryPairs,
): void {
  const [repeated] = listRepeated(pairs);
  if (repeated !== undefined) {
    const advice = isListForm(declared[repeated]!.value)
      ? `separate its values by commas: ${joinRepeated(repeated, pairs)}`
      : 'send it once.';
    throw apiError('invalid_parameter', `${repeated} is given more than once; ${advice}`, { param: repeated });
  }
  for (const { name, value, fault } of pairs) {
    if (fault !== null) throw apiError('invalid_parameter', `${name} ${ENCODING_FAULTS[fault]}`, { param: name });
    if (value === '') {
      const advice = required.includes(name) ? 'give it a value' : 'leave it out or give it a value';
      const message = `${name} is empty; ${advice}${showExample(name, declared[name]!)}.`;
      throw apiError('invalid_parameter', message, { param: name });
    }
    if (hasTooManyMarks(value)) throw apiError('invalid_parameter', `${name} ${MARKS_FAULT}.`, { param: name });
  }
}

/** Longest list of the caller's own values in a message, in UTF-16 units. */
const JOINED_MAX = 100;

/** How the values of a repeated parameter are sent at once, as far as a message shows them. */
function joinRepeated(repeated: string, pairs: QueryPairs): string {
  let joined = '';
  for (const { name, value, fault } of pairs) {
    if (name !== repeated || fault !== null || value === '') continue;
    if (joined.length + value.length > JOINED_MAX) return `${repeated}=${joined === '' ? '' : `${joined},`}…`;
    joined += joined === '' ? value : `,${value}`;
  }
  return `${repeated}=${joined}`;
}

function showExample(name: string, { example }: ParameterDefinition): string {
  return example === '' ? '' : `, for example ${name}=${example}`;
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
  for (const { name, value, fault } of pairs) {
    // A repeated, undecodable or empty value cannot be compared with its declaration; `checkForms` refuses it.
    if (fault !== null || value === '' || repeated.has(name)) continue;
    const failure = findFailure(declared[name]!, value);
    if (failure !== null) details.push({ loc: ['query', name], input: value, ...failure });
  }
  const [first] = details;
  if (first === undefined) return;
  const param = String(first.loc[1]);
  const rest = details.length > 1 ? ` (and ${details.length - 1} more, see detail)` : '';
  const example = first.type === 'missing' ? showExample(param, declared[param]!) : '';
  throw apiError('validation_error', `${param}: ${first.msg}${example}${rest}.`, { param, details });
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

/** The parts of an address around a uid. */
const RECORDS = '/trademarks/';
const HISTORY = '/history';
const DATES = '/dates';

/** What may follow a uid. In an instant, only colon, plus, comma and blank may be escaped. */
const PATH_END = /\/history(?:\/(?<version>\d{4}-(?:[^/%]|%(?:3[Aa]|2[BbCc]|20))*))?$/;

export type RecordPathEnd = 'history' | 'version' | 'dates';

/** The endpoints with a path that ends after a uid; other endpoints have no such end. */
export const PATH_ENDS: Readonly<Partial<Record<DeclaredName, RecordPathEnd>>> = {
  record_history: 'history',
  record_version: 'version',
  record_dates: 'dates',
};

/**
 * Which endpoint the address of a record is: the look-up, its history, or a version of it. A uid may contain slashes,
 * so only the end of the path, as it was sent, decides: a literal `/history`, or `/history/` and an instant. Escaped,
 * as in `%2Fhistory`, both are part of a uid (docs/design/history.md).
 *
 * @param path of a request as it was sent, without its query. Null: the address of the record itself.
 */
export function readPathEnd(path: string): RecordPathEnd | null {
  // This alone decides most addresses.
  if (!path.includes(HISTORY)) return null;
  const found = PATH_END.exec(path);
  if (found === null) return null;
  const uidStart = path.indexOf(RECORDS) + RECORDS.length;
  if (uidStart < RECORDS.length || found.index <= uidStart) return null;
  return found.groups!.version === undefined ? 'history' : 'version';
}

/**
 * Splits the decoded rest of a path after `/trademarks/`, whose end `readPathEnd` has read; `dates` is of the other
 * product, whose paths all end so. The uid is empty if the end is missing.
 */
export function splitPathEnd(rest: string, end: RecordPathEnd | null): { uid: string; version: string } {
  if (end === null) return { uid: rest, version: '' };
  if (end === 'history') return { uid: rest.slice(0, -HISTORY.length), version: '' };
  if (end === 'dates') return { uid: rest.endsWith(DATES) ? rest.slice(0, -DATES.length) : '', version: '' };
  const cut = rest.lastIndexOf('/');
  return { uid: rest.slice(0, cut - HISTORY.length), version: rest.slice(cut + 1) };
}
