/**
 * The errors of a call. The class says where it failed (the service refused, there was no answer, the answer was
 * invalid). The service's `code` says why, and it alone decides whether a retry can help. Errors never contain the API
 * key.
 */
import { ERRORS, type ErrorCode, type ValidationDetail } from '@tmds/contract/errors';
import type { SearchCoverage } from '@tmds/contract/search-coverage';

/** Compares names, because a program can load this package twice: as an ES module and as CommonJS. */
function isNamed(error: unknown, names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.name) && 'requestId' in error;
}

/** Every error of the client, except `TypeError` for invalid arguments and the caller's own abort reason. */
export abstract class TrademarkError extends Error {
  /** The service's `X-Request-Id`, to quote in a report; null without an answer. */
  readonly requestId: string | null;
  /** True when the same call may succeed later. The client has then already used up `maxRetries`. */
  abstract readonly retryable: boolean;
  /** The Retry-After of the answer, in milliseconds; null without one. */
  readonly retryAfterMs: number | null;

  constructor(message: string, requestId: string | null, options: FailureOptions = {}) {
    const { retryAfterMs = null, ...rest } = options;
    super(message, rest);
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }

  /** True for an error of this client, from any copy of the package. */
  static is(error: unknown): error is TrademarkError {
    return isNamed(error, CLASS_NAMES);
  }
}

export interface FailureOptions {
  cause?: unknown;
  retryAfterMs?: number | null;
}

const CLASS_NAMES = [
  'TrademarkApiError',
  'TrademarkConnectionError',
  'TrademarkTimeoutError',
  'TrademarkProtocolError',
] as const;

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly detail: readonly ValidationDetail[];
  readonly requestId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly coverage: SearchCoverage | null;
  readonly retryAfterMs: number | null;
}

/** The service answered with its error envelope (specification section 7). Branch on `code`, not on `status`. */
export class TrademarkApiError extends TrademarkError {
  override readonly name: string = 'TrademarkApiError';
  readonly status: number;
  /** One of the contract's codes; a newer service may have others. */
  readonly code: ErrorCode | (string & {});
  /** The name of the invalid parameter, if there is one. */
  readonly param: string | null;
  /** Every invalid parameter of a 422 `validation_error`; otherwise empty. */
  readonly detail: readonly ValidationDetail[];
  /** The headers retry-after, x-ratelimit-* and x-quota-*, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `not_found` only: how complete the register is in which nothing was found; null if the service does not say. */
  readonly coverage: SearchCoverage | null;

  constructor(refusal: Refusal) {
    super(refusal.message, refusal.requestId, { retryAfterMs: refusal.retryAfterMs });
    this.status = refusal.status;
    this.code = refusal.code;
    this.param = refusal.param;
    this.detail = refusal.detail;
    this.headers = refusal.headers;
    this.coverage = refusal.coverage;
  }

  get retryable(): boolean {
    return isErrorCode(this.code) && ERRORS[this.code].retry === 'later';
  }
}

/** No complete answer: connection refused or reset, DNS, a truncated body, or a gateway's 429 or 5xx page. */
export class TrademarkConnectionError extends TrademarkError {
  override readonly name: string = 'TrademarkConnectionError';
  readonly retryable = true;
}

/** No complete answer within `timeoutMs`. */
export class TrademarkTimeoutError extends TrademarkError {
  override readonly name: string = 'TrademarkTimeoutError';
  readonly retryable = true;
}

/** An answer that the contract does not allow, such as a redirect or a page that is not JSON. Check `baseUrl`. */
export class TrademarkProtocolError extends TrademarkError {
  override readonly name: string = 'TrademarkProtocolError';
  readonly retryable = false;
  /** The status when the answer is not the service's; null when the service's own answer breaks the contract. */
  readonly status: number | null;

  constructor(message: string, requestId: string | null, status: number | null = null) {
    super(message, requestId);
    this.status = status;
  }

  static override is(error: unknown): error is TrademarkProtocolError {
    return isNamed(error, ['TrademarkProtocolError']);
  }
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** True when the service refused, with this code if one is given: `if (isApiError(error, 'not_found')) …`. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is TrademarkApiError & { readonly code: Code } {
  return (
    isNamed(error, ['TrademarkApiError']) && (code === undefined || (error as Partial<TrademarkApiError>).code === code)
  );
}
