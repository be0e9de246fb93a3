/**
 * An answer as it leaves: status, headers, body. The body is text or bytes that are all there, or a sequence of chunks
 * that is pulled only as fast as the client reads. Nothing here knows where the content came from.
 */
import { hash } from 'node:crypto';

export type Chunks = AsyncIterable<Buffer | string>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the status allows no body: then no header describes one either. */
  readonly body: string | Buffer | Chunks | null;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Content that belongs to the caller alone and is asked for anew each time. */
export function renderJson(body: string | Buffer | Chunks, headers?: Readonly<Record<string, string>>): Answer {
  const own = { 'content-type': JSON_TYPE, 'cache-control': 'no-store' };
  return { status: 200, headers: headers === undefined ? own : { ...own, ...headers }, body };
}

/** Content that changes rarely: carries an ETag, and whoever keeps it asks whether it is still so. */
export function renderTagged(body: string | Buffer, headers?: Readonly<Record<string, string>>): Answer {
  // Names content, proves nothing: the fastest digest without accidental collisions will do.
  const digest = hash('sha1', body, 'base64url');
  const own = { 'content-type': JSON_TYPE, 'cache-control': 'private, no-cache', etag: `W/"${digest}"` };
  return { status: 200, headers: headers === undefined ? own : { ...own, ...headers }, body };
}

/**
 * The same answer, or 304 when the client's `If-None-Match` names it. A cache writes the headers of a 304 over those it
 * has stored, so none of them may describe a body.
 */
export function renderConditional(answer: Answer, ifNoneMatch: string | undefined): Answer {
  const tag = answer.headers.etag;
  if (tag === undefined || ifNoneMatch === undefined || answer.status !== 200) return answer;
  const known = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''));
  if (!known.includes('*') && !known.includes(tag.replace(/^W\//, ''))) return answer;
  const { 'content-type': _type, ...headers } = answer.headers;
  return { status: 304, headers, body: null };
}

/** Tells a browser what an allowed origin may send. */
export function renderPreflight(): Answer {
  const headers = {
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': 'Authorization, If-None-Match, X-API-Key',
    'access-control-max-age': '600',
  };
  return { status: 204, headers, body: null };
}
