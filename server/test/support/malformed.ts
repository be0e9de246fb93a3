/**
 * Requests that no well-behaved client sends, generated from the tables of the contract: every endpoint, every
 * parameter, and values of the wrong kind, size, encoding and number. Equal seeds give equal requests.
 */
import { ENDPOINTS, type ParameterDefinition } from '@tmds/contract/parameters';
import { buildRandom } from '../torture/random.ts';

export interface OddRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
}

type Random = () => number;

const NAMES = Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[];
export const ODD_TEXTS = [
  '',
  '%',
  '%0',
  '%zz',
  '%00',
  'a%00b',
  '%ff',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%c0%80',
  '+',
  '%20',
  ',',
  ',,',
  'a,,b',
  '-1',
  '0',
  '1e9',
  '9'.repeat(400),
  '0x1f',
  'NaN',
  'null',
  'true',
  "'%20or%201=1--",
  '%25',
  '%5C',
  '_',
  '%7B%7B',
  '%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80',
  '%E2%80%AE',
  '%CC%81',
  '2026-02-30',
  '2026-13-01',
  '0000-00-00',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:00.1234567Z',
  '99999-01-01',
  '-0001-01-01',
  '2026-01-01T00:00:00+14:01',
  'US,'.repeat(30),
  'x'.repeat(3000),
  '%E5%95%86'.repeat(500),
  '1.2.3.4.5',
  '999999999999.1',
  '..%2F..%2Fetc%2Fpasswd',
  '=',
  '==&',
  '__proto__',
  'constructor',
];
export const ODD_NAMES = [
  'q',
  'Q',
  '__proto__',
  'constructor',
  'limit[]',
  'limit%00',
  '%zz',
  '',
  'jurisdiction%20',
  '%E5%95%86',
];
const REGISTERS = [
  'XA',
  'xa',
  'ZZ',
  '%00',
  '..',
  '%2F',
  'x'.repeat(200),
  '%E5%95%86',
  '-',
  'trademarks',
  '%25',
  'a%20b',
];
const METHODS = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'QUERY'];

export function* generateOdd(seed: number, count: number, key: string): Generator<OddRequest> {
  const random = buildRandom(seed).next;
  for (let made = 0; made < count; made += 1) yield buildOdd(random, key);
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

function buildOdd(random: Random, key: string): OddRequest {
  const { path, parameters } = ENDPOINTS[pick(random, NAMES)];
  const base = pick(random, ['', '', '/records']);
  const filled = path
    .replace('{jurisdiction_code}', () => pick(random, REGISTERS))
    .replace('{uid}', () => pick(random, ODD_TEXTS));
  const pairs = Array.from({ length: Math.floor(random() * 5) }, () => buildPair(random, parameters));
  const target = `${base}${filled}${pairs.length === 0 ? '' : `?${pairs.join(pick(random, ['&', '&', '&&', '&;']))}`}`;
  const method = random() < 0.03 ? pick(random, METHODS) : 'GET';
  return { method, target: random() < 0.02 ? mutate(random, target) : target, headers: buildHeaders(random, key) };
}

function buildPair(random: Random, parameters: Readonly<Record<string, ParameterDefinition>>): string {
  const names = Object.keys(parameters);
  const name = names.length === 0 || random() < 0.08 ? pick(random, ODD_NAMES) : pick(random, names);
  const example = parameters[name]?.example ?? '';
  const value =
    random() < 0.35
      ? encodeURIComponent(example)
      : random() < 0.5
        ? pick(random, ODD_TEXTS)
        : mutate(random, encodeURIComponent(example) || 'AQAB'.repeat(8));
  return random() < 0.03 ? name : `${name}=${value}`;
}

/** Drops, doubles or replaces one character, within what a request line may hold. */
function mutate(random: Random, text: string): string {
  const at = Math.floor(random() * text.length);
  const printable = String.fromCharCode(0x21 + Math.floor(random() * 0x5e));
  return text.slice(0, at) + pick(random, ['', printable, text.slice(at, at + 1).repeat(2)]) + text.slice(at + 1);
}

function buildHeaders(random: Random, key: string): Record<string, string> {
  const chance = random();
  if (chance < 0.02) return {};
  if (chance < 0.04) return { authorization: pick(random, ['Bearer', 'Bearer x', 'Basic eDp5', key]) };
  if (chance < 0.06) return { 'x-api-key': mutate(random, key) };
  const odd: Record<string, string> = { 'x-api-key': key };
  if (chance < 0.1) odd['accept-encoding'] = pick(random, ['br;q=x', '*;q=0', ',,', 'gzip'.repeat(50)]);
  if (chance > 0.96) odd['if-none-match'] = pick(random, ['*', '"', 'W/', ',', 'x'.repeat(4000)]);
  return odd;
}
