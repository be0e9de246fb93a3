/**
 * One call: attempts, timeouts and waits, and turning an answer into a value or a typed error. Knows no endpoints.
 * Every loop and wait is bounded: at most `maxRetries + 1` attempts of `timeoutMs` each.
 */
import type { ErrorEnvelope, ValidationDetail } from '@tmds/contract/errors';
import type { Instant } from '@tmds/contract/record';
import { COVERAGE_HEADER, decodeCoverage, type SearchCoverage } from '@tmds/contract/search-coverage';
import type { CallOptions, ClientConfig, FetchAnswer, FetchInit } from './config.ts';
import { checkInteger, isNode, RETRIES_MAX, TIMEOUT_MAX_MS } from './config.ts';
import {
  TrademarkApiError,
  TrademarkConnectionError,
  type TrademarkError,
  TrademarkProtocolError,
  TrademarkTimeoutError,
} from './errors.ts';
import { keepPayloadTexts } from './payload-text.ts';
import { parseRetryAfter, planRetry } from './retry.ts';
import { VERSION } from './version.ts';

/** What the headers of an answer say. */
export interface AnswerMeta {
  readonly requestId: string | null;
  /** The number of attempts, including the successful one. */
  readonly attempts: number;
  readonly rateLimit: number | null;
  readonly rateRemaining: number | null;
  /** Change feed only: the instant up to which the answer is complete (rule I-23). */
  readonly changeHorizon: Instant | null;
  /**
   * Which history of the service pages of feeds, snapshots and digests were read from. A different value than before
   * means that the service has gone back, and a copy may hold records that it has lost (rule I-47).
   */
  readonly feedLineage: string | null;
  /**
   * Through which day the registers that the answer covers are complete, and what is missing of them; null if the
   * service does not say.
   */
  readonly coverage: SearchCoverage | null;
  /** Empty page of the change feed only: for this many milliseconds, a poll would find nothing. */
  readonly pollAfterMs: number | null;
}

/** The HTTP response to a call. */
export interface CallResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: FetchAnswer['headers'];
  /** The body as received, with every digit of every number. */
  readonly text: string;
}

/** A call in progress: await it for the body, or `withResponse()` to get status, headers and text too. */
export interface Call<Body> extends Promise<Answer<Body>> {
  withResponse(): Promise<{ readonly data: Answer<Body>; readonly response: CallResponse }>;
}

/** The body of an answer with its `meta`, which is not enumerable, so it is not printed, spread or compared. */
export type Answer<Body> = Body & { readonly meta: AnswerMeta };

const KEPT_HEADERS = [
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-quota-limit',
  'x-quota-used',
] as const;
/** Temporary when a gateway in front of the service answers with them, as every 5xx is. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** What is sent in addition to the target. Repeating a call of any of these methods has no further effect. */
export interface Sent {
  readonly method: FetchInit['method'];
  /** JSON. */
  readonly body?: string;
}

/**
 * Sends `target` (path and query), by default as GET, until it is answered or no retry can help.
 *
 * @throws TrademarkError, or the reason of `options.signal` when that ended the call
 */
export function callService<Body extends object>(
  config: ClientConfig,
  target: string,
  options: CallOptions,
  sent: Sent = { method: 'GET' },
): Call<Body> {
  const whole = callWithRetries<Body>(config, target, options, sent);
  const data = whole.then((result) => result.data);
  return Object.assign(data, {
    withResponse: () => {
      // The promise returned here reports a failure; without this, the other one would be an unhandled rejection.
      data.catch(() => undefined);
      return whole;
    },
  });
}

async function callWithRetries<Body extends object>(
  config: ClientConfig,
  target: string,
  options: CallOptions,
  sent: Sent,
): Promise<{ data: Answer<Body>; response: CallResponse }> {
  const timeoutMs = checkInteger('timeoutMs', options.timeoutMs ?? config.timeoutMs, 1, TIMEOUT_MAX_MS);
  const maxRetries = checkInteger('maxRetries', options.maxRetries ?? config.maxRetries, 0, RETRIES_MAX);
  const url = config.baseUrl + target;
  for (let failures = 0; ; ) {
    options.signal?.throwIfAborted();
    const startMs = config.clock.monotonicMs();
    let status: number | null = null;
    let requestId: string | null = null;
    const report = (error: unknown): void => {
      const durationMs = config.clock.monotonicMs() - startMs;
      config.onResponse?.({ url, attempt: failures + 1, durationMs, status, requestId, error });
    };
    const headers = buildHeaders(config, options, sent);
    config.onRequest?.({ url, attempt: failures + 1, headers });
    try {
      const received = await attemptOnce(
        config,
        url,
        { ...sent, headers: { ...headers, 'x-api-key': config.apiKey } },
        timeoutMs,
        options.signal,
      );
      status = received.answer.status;
      requestId = received.answer.headers.get('x-request-id');
      const data = readAnswer<Body>(received, failures + 1, config.clock.nowMs());
      report(null);
      return { data, response: { url, status, headers: received.answer.headers, text: received.text } };
    } catch (error) {
      report(error);
      if (options.signal?.aborted) throw options.signal.reason;
      failures += 1;
      const waitMs = planRetry(error, failures, maxRetries, config.random());
      if (waitMs === null) throw error;
      await config.clock.sleep(waitMs, options.signal);
    }
  }
}

export function buildHeaders(
  config: ClientConfig,
  options: CallOptions,
  { body }: Pick<Sent, 'body'> = {},
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const group of [
    { accept: 'application/json', ...(isNode() ? { 'user-agent': `tmds-client/${VERSION}` } : {}) },
    config.defaultHeaders,
    options.headers ?? {},
  ]) {
    for (const [name, value] of Object.entries(group)) headers[name.toLowerCase()] = value;
  }
  delete headers['x-api-key'];
  if (body !== undefined) headers['content-type'] = 'application/json';
  return headers;
}

interface Received {
  readonly answer: FetchAnswer;
  readonly text: string;
}

/** One attempt, including the body, under its own timeout and the caller's signal. */
async function attemptOnce(
  config: ClientConfig,
  url: string,
  request: Omit<FetchInit, 'signal' | 'redirect'>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const attempt = new AbortController();
  const settled = new AbortController();
  const timeout = new TrademarkTimeoutError(`no complete answer within ${timeoutMs} ms`, null);
  const onAbort = (): void => attempt.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  config.clock.sleep(timeoutMs, settled.signal).then(
    () => attempt.abort(timeout),
    () => undefined,
  );
  try {
    return await endedBy(attempt.signal, fetchWhole(config, url, request, attempt.signal));
  } catch (error) {
    if (attempt.signal.aborted) throw attempt.signal.reason;
    throw new TrademarkConnectionError(`no answer from the service: ${describeFault(error)}`, null, { cause: error });
  } finally {
    signal?.removeEventListener('abort', onAbort);
    settled.abort();
  }
}

/**
 * Settles as `work` does, or rejects with the signal's reason if that comes first, even when `work` ignores the signal.
 * Removes its listener: otherwise the signal would keep the answer's text in memory.
 */
export async function endedBy<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let onAbort: () => void = () => undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      work.then(resolve, reject);
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function fetchWhole(
  config: ClientConfig,
  url: string,
  request: Omit<FetchInit, 'signal' | 'redirect'>,
  signal: AbortSignal,
): Promise<Received> {
  const answer = await config.fetch(url, { ...request, signal, redirect: 'manual' });
  return { answer, text: await answer.text() };
}

/** `fetch` puts the reason of a network error into `cause`. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

function readAnswer<Body extends object>(received: Received, attempts: number, nowMs: number): Answer<Body> {
  const { answer } = received;
  const requestId = answer.headers.get('x-request-id');
  if (answer.status < 200 || answer.status > 299) throw readFailure(received, nowMs);
  const body = parseBody(received.text);
  if (body === undefined) {
    throw new TrademarkConnectionError('the answer was cut short or is not JSON', requestId);
  }
  keepPayloadTexts(body, received.text);
  const meta: AnswerMeta = {
    requestId,
    attempts,
    rateLimit: readCount(answer.headers.get('x-ratelimit-limit')),
    rateRemaining: readCount(answer.headers.get('x-ratelimit-remaining')),
    changeHorizon: answer.headers.get('x-change-horizon'),
    feedLineage: answer.headers.get('feed-lineage'),
    coverage: readCoverage(answer),
    pollAfterMs: parseRetryAfter(answer.headers.get('x-poll-after'), nowMs),
  };
  return Object.defineProperty(body, 'meta', { value: meta }) as Answer<Body>;
}

function readCoverage({ headers }: FetchAnswer): SearchCoverage | null {
  return decodeCoverage(headers.get(COVERAGE_HEADER.toLowerCase()));
}

/** The JSON object of an answer; undefined when the text is anything else. */
function parseBody(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The error of an answer that is not 2xx. */
export function readFailure({ answer, text }: Received, nowMs: number): TrademarkError {
  const { status } = answer;
  const requestId = answer.headers.get('x-request-id');
  const envelope = parseBody(text) as (Partial<ErrorEnvelope> & { detail?: unknown }) | undefined;
  const code: unknown = envelope?.error?.code;
  if (typeof code !== 'string') {
    const what = `an answer with status ${status} that is not the service's`;
    const retryAfterMs = parseRetryAfter(answer.headers.get('retry-after'), nowMs);
    return status >= 500 || GATEWAY_STATUSES.has(status)
      ? new TrademarkConnectionError(`${what}: a gateway in between is failing or busy`, requestId, { retryAfterMs })
      : new TrademarkProtocolError(`${what}; is baseUrl right?`, requestId, status);
  }
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return new TrademarkApiError({
    status,
    code,
    message: String(envelope?.error?.message ?? code),
    param: typeof envelope?.error?.param === 'string' ? envelope.error.param : null,
    detail: Array.isArray(envelope?.detail) ? (envelope.detail as ValidationDetail[]) : [],
    requestId,
    headers,
    coverage: readCoverage(answer),
    retryAfterMs: parseRetryAfter(answer.headers.get('retry-after'), nowMs),
  });
}

function readCount(header: string | null): number | null {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
