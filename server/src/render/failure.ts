/**
 * Every answer that is not 2xx, from the error table: status, envelope, headers. It has the API's sentence for every
 * cause that a stage below states. Anything else thrown that is not an `ApiError` becomes `internal_error`, whose text
 * never depends on the cause.
 */
import { STATUS_CODES } from 'node:http';
import { ERRORS, type ErrorCode, type ErrorEnvelope, type ValidationEnvelope } from '@tmds/contract/errors';
import type { Instant } from '@tmds/contract/record';
import { ApiError, apiError, KEY_REVOKED } from '../base/errors.ts';
import { NoAnswer, type NoAnswerCode } from '../base/no-answer.ts';
import { type Answer, JSON_TYPE, type RateHeadersSource } from './answer.ts';

/** Retry-After in seconds if nothing better is known. */
const RETRY_SECONDS = 1;

type Says = (noAnswer: NoAnswer) => string;

/** What the API answers when a stage has no answer: `unavailable` with a sentence, or another refusal. */
const NO_ANSWERS: Readonly<Record<NoAnswerCode, Says | readonly [ErrorCode, Says, param?: string]>> = {
  database_away: () => 'The database is not available at the moment. Try again shortly.',
  database_slow: () => 'The database took too long to answer. Try again shortly.',
  connections_taken: () => 'The service is busy. Try again shortly.',
  connections_closed: () => 'The service is shutting down.',
  node_away: () => 'A node of the database does not answer. Try again shortly.',
  publish_uncommitted: () => 'A publish is not committed on every node of the database yet. Try again shortly.',
  another_version: () => 'The service is being brought to another version. Try again shortly.',
  payloads_away: () => 'Payloads are not available at the moment. Try again shortly.',
  verdicts_waiting: () => 'The service is overloaded. Try again shortly.',
  searches_waiting: () => 'The service is busy. Try again shortly.',
  searches_closed: () => 'The service is shutting down. Try again.',
  search_interrupted: () => 'The search was interrupted. Try again.',
  // A search, and nothing else (rule I-35).
  search_over_time: ['query_timeout', () => 'The query was not answerable in time. Narrow it with another filter.'],
  index_building: ({ percent }) =>
    `The search index is being built${percent === null ? '' : ` (${percent} %)`}. Try again shortly.`,
  index_behind: () => 'The search index has not caught up yet. Try again shortly.',
  index_out_of_order: () => 'The search index is not in order. Try again shortly.',
  names_unread: () => 'The names are being read for searches for likeness. Try again shortly.',
  records_changing: () => 'These records are changing. Try again shortly.',
  too_many_changed: () => 'Too many records have changed since as_of. Catch up, then verify again.',
  register_not_served: [
    'not_found',
    () => 'No register of this code is served; /v1/jurisdictions lists those that are.',
    'jurisdiction_code',
  ],
  no_such_record: [
    'not_found',
    ({ register }) => `The register ${register} has no record of this uid; send the uid as delivered, percent-encoded.`,
  ],
  past_horizon: [
    'invalid_parameter',
    () => 'as_of is later than the horizon of the change feed; send its X-Change-Horizon.',
    'as_of',
  ],
  customer_removed: ['key_revoked', () => KEY_REVOKED],
};

function describeNoAnswer(noAnswer: NoAnswer): ApiError {
  const row = NO_ANSWERS[noAnswer.code];
  const [code, says, param] = typeof row === 'function' ? (['unavailable', row] as const) : row;
  return apiError(code, says(noAnswer), { cause: noAnswer.cause, ...(param === undefined ? {} : { param }) });
}

/** Converts anything thrown into a refusal. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof NoAnswer) return describeNoAnswer(thrown);
  const message = 'The service failed to answer. Report it with the id in the header x-request-id.';
  return apiError('internal_error', message, { cause: thrown });
}

/** The refusal of a call above the rate limit. */
export function rateLimited(rate: RateHeadersSource): ApiError {
  return apiError(
    'rate_limited',
    `More than ${rate.limit} calls in this minute. Try again in ${rate.resetSeconds} seconds.`,
    { headers: { 'retry-after': String(rate.resetSeconds) } },
  );
}

/** `resetsAt`: when the month ends. */
export function quotaExceeded(quota: { limit: number; used: number; resetsAt: Instant }): ApiError {
  return apiError(
    'quota_exceeded',
    `${quota.used} of the month's ${quota.limit} calls are used. The quota resets at ${quota.resetsAt}; ` +
      'wait until then, or ask for a higher one.',
    { headers: { 'x-quota-limit': String(quota.limit), 'x-quota-used': String(quota.used) } },
  );
}

export function renderFailure(error: ApiError): Answer {
  const { code } = error;
  return {
    status: ERRORS[code].status,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...standardHeaders(code), ...error.headers },
    body: JSON.stringify(describeFailure(error)),
  };
}

/** The body of the answer. */
export function describeFailure({
  code,
  message,
  param,
  details,
}: Pick<ApiError, 'code' | 'message' | 'param' | 'details'>): ErrorEnvelope | ValidationEnvelope {
  const envelope: ErrorEnvelope = { error: { code, message: wellFormed(message) } };
  if (param !== undefined) envelope.error.param = wellFormed(param);
  return details === undefined ? envelope : { detail: [...details], ...envelope };
}

function standardHeaders(code: ErrorCode): Record<string, string> {
  if (code === 'unavailable') return { 'retry-after': String(RETRY_SECONDS) };
  if (code === 'method_not_allowed') return { allow: 'GET' };
  return {};
}

/** Replaces half surrogate pairs, which are not valid UTF-8. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}

/**
 * The raw text of an answer to bytes that are not an HTTP request (rule I-9). It is written to the socket, which is
 * then closed.
 */
export function renderRawFailure(error: ApiError, requestId: string): string {
  const answer = renderFailure(error);
  const body = String(answer.body);
  const headers = {
    ...answer.headers,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${body}`;
}
