/**
 * An answer: status, headers and body. The body is complete text or bytes, or a stream of chunks that is read only as
 * fast as the client reads. Nothing here knows where the content came from.
 */
import { hash } from 'node:crypto';
import type { Product } from '@tmds/contract/enums';
import type { ApiError } from '../base/errors.ts';

export type Chunks = AsyncIterable<Buffer | string>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the status allows no body; then no header describes one either. */
  readonly body: string | Buffer | Chunks | null;
  /** The source of `body` if it is sent uncompressed and a caller may ask for a part of it. */
  readonly file?: FileBody;
  /** Present if this is one page of several that are sent as one answer. */
  readonly pages?: FurtherPages;
}

export interface FurtherPages {
  /** The cursor of the next one; null after the last. */
  readonly next: string | null;
  /** What is sent instead of the next one if it is refused. */
  readonly end: (refusal: ApiError) => string;
}

/** Bytes that never change under the path they are asked for by. */
export interface FileBody {
  readonly bytes: number;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
  /** From `start` to before `end`. */
  read(start: number, end: number): Chunks;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer that must not be cached. */
export function renderJson(body: string | Buffer | Chunks, headers?: Readonly<Record<string, string>>): Answer {
  const own = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' };
  return { status: 200, headers: headers === undefined ? own : { ...own, ...headers }, body };
}

/** An answer that changes rarely: it has an ETag, with which a client that keeps it can ask whether it still holds. */
export function renderTagged(body: string | Buffer, headers?: Readonly<Record<string, string>>): Answer {
  // An ETag identifies content and does not prove it, so the fastest hash without accidental collisions is enough.
  const tag = hash('sha1', body, 'base64url');
  const own = { 'content-type': JSON_TYPE, 'cache-control': 'private, no-cache', etag: `W/"${tag}"` };
  return { status: 200, headers: headers === undefined ? own : { ...own, ...headers }, body };
}

/** A file, whole; `renderRange` cuts it. */
export function renderFile(file: FileBody, type: string): Answer {
  const headers = {
    'content-type': type,
    'content-length': String(file.bytes),
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: `"${file.sha256}"`,
  };
  return { status: 200, headers, body: file.read(0, file.bytes), file };
}

/** Whether an answer counts as a served call and costs a unit (rule I-28). */
export function isServed(answer: Pick<Answer, 'status'>): boolean {
  return (answer.status >= 200 && answer.status < 300) || answer.status === 304;
}

/** The headers of a request that decide how much of an answer is sent. */
export interface AnswerSelection {
  readonly ifNoneMatch: string | undefined;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
}

/** The answer, a part of it, or only that it has not changed. */
export function selectAnswer(answer: Answer, { ifNoneMatch, range, ifRange }: AnswerSelection): Answer {
  return ifNoneMatch === undefined ? renderRange(answer, range, ifRange) : renderConditional(answer, ifNoneMatch);
}

/**
 * The part of a file that a `Range` asks for, as 206. The whole answer for any other answer, for several ranges at
 * once, for one that begins behind the end, and if `If-Range` names other bytes: a server may always send the whole.
 */
function renderRange(answer: Answer, range: string | undefined, ifRange: string | undefined): Answer {
  const { file, headers, status } = answer;
  if (file === undefined || range === undefined || status !== 200) return answer;
  if (ifRange !== undefined && ifRange !== headers.etag) return answer;
  const span = parseRange(range, file.bytes);
  if (span === null) return answer;
  const [start, end] = span;
  const part = { 'content-length': String(end - start), 'content-range': `bytes ${start}-${end - 1}/${file.bytes}` };
  return { status: 206, headers: { ...headers, ...part }, body: file.read(start, end), file };
}

/** From where to before where: `bytes=0-99`, `bytes=100-`, `bytes=-100`. Null for anything else. */
function parseRange(range: string, bytes: number): readonly [number, number] | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  return start < end ? [start, end] : null;
}

/**
 * The same answer, or 304 if the client's `If-None-Match` names it. A cache overwrites its stored headers with those of
 * a 304, so none of them may describe a body.
 */
function renderConditional(answer: Answer, ifNoneMatch: string): Answer {
  const tag = answer.headers.etag;
  if (tag === undefined || answer.status !== 200) return answer;
  const known = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''));
  if (!known.includes('*') && !known.includes(tag.replace(/^W\//, ''))) return answer;
  const { 'content-type': _type, 'content-length': _length, ...headers } = answer.headers;
  return { status: 304, headers, body: null };
}

/** A caller's rate limit after a call. */
export interface RateHeadersSource {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** `X-RateLimit-*` (rule I-30), and the fields of the draft standard "RateLimit header fields for HTTP". */
export function renderRateHeaders(product: Product, rate: RateHeadersSource): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'ratelimit-policy': `"${product}";q=${rate.limit};w=60`,
    ratelimit: `"${product}";r=${rate.remaining};t=${rate.resetSeconds}`,
  };
}

/** The answer to a preflight: what pages of an allowed origin may send to a path with these methods. */
export function renderPreflight(methods: readonly string[]): Answer {
  const writes = methods.length > 1;
  const headers = {
    'access-control-allow-methods': writes ? methods.join(', ') : 'GET',
    'access-control-allow-headers': `Authorization, ${writes ? 'Content-Type, ' : ''}If-None-Match, X-API-Key`,
    'access-control-max-age': '600',
  };
  return { status: 204, headers, body: null };
}
