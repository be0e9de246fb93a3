/**
 * What a call can fail with. The class says where it failed (the service refused, no answer came, the answer made no
 * sense); the service's `code` says why, and alone decides whether a repeat can help. Never carries the API key.
 */
import { ERRORS, type ErrorCode, type ValidationDetail } from '@tmds/contract/errors';

/** Every failure the client throws, wrong arguments (`TypeError`) and the caller's own abort reason aside. */
export abstract class TrademarkError extends Error {
  /** The service's `X-Request-Id`, to quote in a report; null when no answer came. */
  readonly requestId: string | null;
  /** True when the same call may succeed later. The client has then already used up `maxRetries`. */
  abstract readonly retryable: boolean;

  constructor(message: string, requestId: string | null, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.requestId = requestId;
  }
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly detail: readonly ValidationDetail[];
  readonly requestId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | null;
}

/** The service answered with its error envelope (specification section 7). Branch on `code`, not on `status`. */
export class TrademarkApiError extends TrademarkError {
  readonly status: number;
  /** One of the contract's codes; a newer service may know more. */
  readonly code: ErrorCode | (string & {});
  /** Name of the offending parameter, where there is one. */
  readonly param: string | null;
  /** Every failed parameter of a 422 `validation_error`; otherwise empty. */
  readonly detail: readonly ValidationDetail[];
  /** Answer headers worth keeping, lower-case names: retry-after, x-ratelimit-*, x-quota-*. */
  readonly headers: Readonly<Record<string, string>>;
  /** The wait that Retry-After asks for, in milliseconds; null when the answer had none. */
  readonly retryAfterMs: number | null;

  constructor(refusal: Refusal) {
    super(refusal.message, refusal.requestId);
    this.status = refusal.status;
    this.code = refusal.code;
    this.param = refusal.param;
    this.detail = refusal.detail;
    this.headers = refusal.headers;
    this.retryAfterMs = refusal.retryAfterMs;
  }

  get retryable(): boolean {
    return isErrorCode(this.code) && ERRORS[this.code].retry === 'later';
  }
}

/** No complete answer: refused connection, reset, DNS, a body cut short, or a gateway's 502, 503, 504 page. */
export class TrademarkConnectionError extends TrademarkError {
  readonly retryable = true;
}

/** No complete answer within `timeoutMs`. */
export class TrademarkTimeoutError extends TrademarkError {
  readonly retryable = true;
}

/** An answer that the contract does not allow, such as a redirect or a page that is not JSON: check `baseUrl`. */
export class TrademarkProtocolError extends TrademarkError {
  readonly retryable = false;
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** True for a refusal by the service with this code: `if (isApiError(error, 'not_found')) …`. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is TrademarkApiError & { readonly code: Code } {
  return error instanceof TrademarkApiError && (code === undefined || error.code === code);
}
