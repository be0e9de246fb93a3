/**
 * Bytes that no well-behaved client sends, to every path: odd methods, versions, headers, encodings, parameters, bodies
 * and cookies, broken framing, several requests in one go. Equal seeds give equal bytes.
 */
import { CHANGES_PARAMETERS, FILTERS, SEARCH_CONTROLS } from '@tmds/contract/parameters';
import { ODD_NAMES, ODD_TEXTS } from '../../support/malformed.ts';
import { buildRandom, type Random } from '../../torture/random.ts';
import type { ServedPath } from './paths.ts';

/** What the requests may carry that is right. */
export interface Credentials {
  readonly key: string;
  readonly sessions: readonly PortalSession[];
}

/** Somebody who is signed in. */
export interface PortalSession {
  readonly cookie: string;
  readonly csrf: string;
  /** For forms that do their work once. */
  readonly formTokens: readonly string[];
}

export interface MalformedRequest {
  /** The path as the router spells it; `elsewhere` for one that is not served. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** What goes over one connection, and how it ends. */
export interface Volley {
  readonly port: 'api' | 'metrics';
  readonly requests: readonly MalformedRequest[];
  /** Whether the client closes its side when everything is sent. Otherwise it waits for the service to close. */
  readonly hangsUp: boolean;
}

const VOLLEY_MAX = 8;
const METHODS = [...Array(40).fill('GET'), 'POST', 'HEAD', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as string[];
const ODD_METHODS = ['TRACE', 'CONNECT', 'PROPFIND', 'QUERY', 'get', 'G ET', 'GETT', '', 'PRI', 'M-SEARCH', 'SOURCE'];
const VERSIONS = ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1', 'HTTP/11.1', 'FTP/1.1', ''];
const ELSEWHERE = [
  '/',
  '//',
  '/v1',
  '/v1/',
  '/v2/health',
  '/records',
  '/analytics/v1/trademarks',
  '/portal/assets/../../package.json',
  '/portal/%2e%2e/v1/health',
  '/.env',
  '/metrics',
  '*',
  'http://elsewhere.example/v1/health',
  'elsewhere.example:443',
  '/%',
  '/%00\u0000',
  '/#',
  '?',
  '/v1/XA/trademarks/',
  '/favicon.ico',
];
/** Names that a path leaves open are filled with these. */
const NAMED = ['XA', 'US', '1', 'XA-1', 'digests', '00', 'ff', '4294967296', ...ODD_TEXTS];
const FIELDS = [
  ...['email', 'password', 'repeated', 'name', 'csrf', 'once', 'next', 'theme', 'q', 'key', 'register', 'since'],
  ...['quota', 'rate', 'grace', 'product', 'id', 'role', 'confirm', 'status', 'day', 'hour', 'code', 'page', 'fields'],
  ...['format', 'columns', 'month', 'current', 'cursor', 'view', 'text', 'from', 'to', 'replay'],
];
const VALUES = [
  '1',
  'XA',
  'US',
  '2026-11',
  '2026-11-21',
  'records',
  'csv',
  'json',
  'a@example.org',
  '0',
  '-1',
  ...ODD_TEXTS,
];
const TYPES = [
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-16',
  'application/json',
  'multipart/form-data; boundary=',
  'text/plain',
  '',
  'application/x-www-form-urlencoded, text/html',
  '\u00ff',
];
/** Sent unchanged, each with a share of the requests. */
const ODD_HEADERS = [
  'Accept-Encoding: br;q=2, gzip;q=-1, *;q=x',
  'Accept-Encoding: identity;q=0, *;q=0',
  'Accept: text/html;q=0.0001, */*;q=',
  `Accept-Language: ${'x-'.repeat(500)}`,
  'If-None-Match: W/"',
  `If-None-Match: ${'"a",'.repeat(2000)}`,
  'If-Modified-Since: yesterday',
  'Range: bytes=0-0,-1,5-2',
  'Expect: 100-continue',
  'Expect: the unexpected',
  'Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: x',
  'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nConnection: Upgrade, HTTP2-Settings',
  'Connection: , ,close,keep-alive',
  'Origin: null',
  'Origin: https://elsewhere.example\r\nSec-Fetch-Site: cross-site',
  'Access-Control-Request-Method: \u00e9\r\nOrigin: x',
  'X-Forwarded-For: 999.1.1.1, ::ffff:1, unknown',
  'X-Forwarded-Proto: javascript',
  'X-Forwarded-Host: a\tb',
  'X-HTTP-Method-Override: DELETE',
  'Forwarded: for="[::1',
  'Referer: \\\\x',
  'Authorization: Bearer ',
  'Authorization: Basic \u00ff\u00fe',
  `Authorization: Bearer ${'A'.repeat(5000)}`,
  'X-Api-Key: \u0001',
  'X-Api-Key: a\r\nX-Api-Key: b',
  'Cookie: =; ;;=; a=\u00ff',
  `Cookie: ${'a=b; '.repeat(1500)}`,
  'Cookie: __proto__=1; constructor=2',
  'Host: ',
  'Host: [::1',
  'Host: a@b/c?d',
  'Host: \u00e4',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: identity',
  'Content-Length: 0\r\nContent-Length: 1',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  ': no name',
  'No colon',
  'Na me: x',
  'Folded: a\r\n b',
  'Nul: \u0000',
  `Long: ${'x'.repeat(60_000)}`,
  `X-${'y'.repeat(9000)}: z`,
  'Via: 1.1 a\r\n'.repeat(200).trimEnd(),
  'Max-Forwards: 0',
  'TE: trailers, x;q=9',
  'Trailer: Content-Length',
];

export function* generateVolleys(
  seed: number,
  count: number,
  paths: readonly ServedPath[],
  credentials: Credentials,
): Generator<Volley> {
  const random = buildRandom(seed, 5);
  for (let made = 0; made < count; ) {
    const volley = buildVolley(random, Math.min(random.integer(1, VOLLEY_MAX), count - made), paths, credentials);
    made += volley.requests.length;
    yield volley;
  }
}

/** Either one request that may break the connection, or several in one go that each have an answer to come. */
function buildVolley(random: Random, sizeMax: number, paths: readonly ServedPath[], credentials: Credentials): Volley {
  const port = random.chance(0.06) ? 'metrics' : 'api';
  const isWild = random.chance(0.5);
  const size = isWild ? 1 : sizeMax;
  const requests = Array.from({ length: size }, (_, index) => {
    const target = port === 'metrics' ? metricsTarget(random) : apiTarget(random, paths);
    const bytes = buildRequest(random, target, credentials, { isWild, isLast: index === size - 1 });
    return { path: target.path, bytes: isWild && random.chance(0.25) ? breakBytes(random, bytes) : bytes };
  });
  return { port, requests, hangsUp: isWild && random.chance(0.05) };
}

interface Target {
  readonly path: string;
  readonly text: string;
  readonly takesForms: boolean;
}

function metricsTarget(random: Random): Target {
  const text = random.chance(0.6)
    ? `/metrics${random.chance(0.5) ? '' : `?${buildPairs(random, FIELDS)}`}`
    : random.pick(ELSEWHERE);
  return { path: '/metrics (its own port)', text, takesForms: false };
}

function apiTarget(random: Random, paths: readonly ServedPath[]): Target {
  if (random.chance(0.06)) return { path: 'elsewhere', text: random.pick(ELSEWHERE), takesForms: false };
  const { path, takesForms } = random.pick(paths);
  const names = path.startsWith('/portal') ? [...FIELDS, ...QUERY_NAMES] : QUERY_NAMES;
  const filled = path.replace(/:[a-z]+|\*/g, () =>
    random.chance(0.6) ? random.pick(NAMED.slice(0, 8)) : random.pick(NAMED),
  );
  const query = random.chance(0.3)
    ? ''
    : `?${random.chance(0.3) ? buildRightPairs(random, path) : buildPairs(random, names)}`;
  return { path, text: mayMutate(random, filled + query, 0.04), takesForms };
}

const PARAMETERS: Readonly<Record<string, { readonly example?: string }>> = {
  ...FILTERS,
  ...SEARCH_CONTROLS,
  ...CHANGES_PARAMETERS,
};
const QUERY_NAMES = [...Object.keys(PARAMETERS), ...ODD_NAMES];
/** Forms that would end the sessions that the other requests need: their token is left out. */
const ENDS_SESSIONS = /sign-out|account|remove/;

/** `a=b&c=d`, also with the same name many times. */
function buildPairs(random: Random, names: readonly string[]): string {
  if (random.chance(0.01)) return `${random.pick(names)}=${random.pick(VALUES)}&`.repeat(random.integer(50, 400));
  const pairs = Array.from({ length: random.integer(1, 6) }, () => {
    const name = random.pick(names);
    return random.chance(0.04) ? name : `${name}=${pickValue(random, name)}`;
  });
  return pairs.join(random.pick(['&', '&', '&', '&&', ';', '&=&']));
}

/** What an endpoint takes, so that something of it is also served. */
function buildRightPairs(random: Random, path: string): string {
  if (/changes|digests/.test(path)) return `since=2026-01-01&limit=${random.integer(1, 200)}`;
  const name = random.pick(Object.keys(FILTERS));
  return `${name}=${encodeURIComponent(PARAMETERS[name]?.example ?? '')}`;
}

function pickValue(random: Random, name: string): string {
  const example = PARAMETERS[name]?.example;
  return example !== undefined && random.chance(0.5) ? encodeURIComponent(example) : random.pick(VALUES);
}

interface Place {
  readonly isWild: boolean;
  readonly isLast: boolean;
}

function buildRequest(random: Random, target: Target, credentials: Credentials, { isWild, isLast }: Place): Buffer {
  const isForm = target.takesForms && random.chance(0.7);
  const method = isForm ? 'POST' : isWild && random.chance(0.1) ? random.pick(ODD_METHODS) : random.pick(METHODS);
  const version = isWild && random.chance(0.1) ? random.pick(VERSIONS) : 'HTTP/1.1';
  const session = random.chance(0.7) ? random.pick(credentials.sessions) : null;
  const lines = [`${method} ${target.text} ${version}`];
  if (!isWild || random.chance(0.95)) lines.push('Host: service.example');
  lines.push(...pickCredentials(random, credentials, session?.cookie ?? null));
  if (random.chance(isWild ? 0.5 : 0.2)) lines.push(random.pick(isWild ? ODD_HEADERS : HARMLESS_HEADERS));
  if (isLast) lines.push('Connection: close');
  // A body that is refused unread ends the connection.
  const body =
    isForm || (isWild && random.chance(0.3))
      ? buildBody(random, ENDS_SESSIONS.test(target.path) ? null : session)
      : null;
  if (body !== null) {
    lines.push(`Content-Type: ${random.chance(0.8) ? TYPES[0] : random.pick(TYPES)}`);
    if (!isWild || random.chance(0.8)) lines.push(`Content-Length: ${body.length}`);
    else return encodeChunked(random, lines, body);
  }
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body === null ? head : Buffer.concat([head, body]);
}

/** These end a connection or say wrongly where a request ends. */
const FRAMING =
  /^(?:Transfer-|Content-|Upgrade|Connection|Trailer|Expect|: |No colon|Na me|Nul|Long|X-y|Folded|Host|X-Api)/;
const HARMLESS_HEADERS = ODD_HEADERS.filter((header) => !FRAMING.test(header));

function pickCredentials(random: Random, { key }: Credentials, cookie: string | null): string[] {
  const lines = cookie === null ? [] : [`Cookie: ${mayMutate(random, cookie, 0.05)}`];
  if (random.chance(0.7)) lines.push(`X-Api-Key: ${mayMutate(random, key, 0.05)}`);
  return lines;
}

function buildBody(random: Random, session: PortalSession | null): Buffer {
  const chance = random.next();
  if (chance < 0.03) return Buffer.alloc(random.integer(64 * 1024 - 2, 64 * 1024 + 2), 'a');
  if (chance < 0.06) return Buffer.from(Array.from({ length: random.integer(0, 300) }, () => random.integer(0, 255)));
  if (chance < 0.09) return Buffer.from(`{"a":${'['.repeat(random.integer(1, 5000))}`);
  const tokens =
    session !== null && random.chance(0.8)
      ? `csrf=${encodeURIComponent(session.csrf)}&once=${encodeURIComponent(random.pick(session.formTokens))}&`
      : '';
  return Buffer.from(tokens + buildPairs(random, FIELDS), 'latin1');
}

function encodeChunked(random: Random, lines: readonly string[], body: Buffer): Buffer {
  const size = random.chance(0.4) ? random.pick(['zz', '-1', 'fffffffffffffffff', '']) : body.length.toString(16);
  const head = Buffer.from(`${[...lines, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n${size}\r\n`, 'latin1');
  return Buffer.concat([head, body, Buffer.from('\r\n0\r\n\r\n')]);
}

/** Drops, doubles or replaces a character. */
function mayMutate(random: Random, text: string, probability: number): string {
  if (!random.chance(probability)) return text;
  const at = random.integer(0, Math.max(0, text.length - 1));
  const other = String.fromCharCode(random.integer(0x21, 0xff));
  return text.slice(0, at) + random.pick(['', other, text.slice(at, at + 1).repeat(2)]) + text.slice(at + 1);
}

/** Cuts off the end, spoils some bytes, or puts noise in their place. */
function breakBytes(random: Random, bytes: Buffer): Buffer {
  const chance = random.next();
  if (chance < 0.3) return bytes.subarray(0, random.integer(0, bytes.length));
  if (chance < 0.4) return Buffer.from(Array.from({ length: random.integer(1, 200) }, () => random.integer(0, 255)));
  if (chance < 0.5) return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  const spoilt = Buffer.from(bytes);
  for (let left = random.integer(1, 4); left > 0 && spoilt.length > 0; left -= 1) {
    spoilt[random.integer(0, spoilt.length - 1)] = random.integer(0, 255);
  }
  return spoilt;
}
