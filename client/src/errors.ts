/**
 * What a call can fail with. The class says where it failed (the service refused, no answer came, the answer made no
 * sense); the service's `code` says why, and alone decides whether a repeat can help. Never carries the API key.
 */
import { ERRORS, type ErrorCode, type ValidationDetail } from '@tmds/contract/errors';

/** Names a class across copies of this package: a program can hold one as ES module and one as CommonJS. */
function isNamed(error: unknown, names: readonly string[]): boolean {
  return error instanceof Error && names.includes(error.name) && 'requestId' in error;
}

/** Every failure the client throws, wrong arguments (`TypeError`) and the caller's own abort reason aside. */
export abstract class TrademarkError extends Error {
  /** The service's `X-Request-Id`, to quote in a report; null when no answer came. */
  readonly requestId: string | null;
  /** True when the same call may succeed later. The client has then already used up `maxRetries`. */
  abstract readonly retryable: boolean;
  /** The wait that Retry-After asks for, in milliseconds; null when the answer had none, or there was none. */
  readonly retryAfterMs: number | null;

  constructor(message: string, requestId: string | null, options: FailureOptions = {}) {
    const { retryAfterMs = null, ...rest } = options;
    super(message, rest);
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }

  /** True for an error of this client, of whichever copy of the package. */
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
  readonly retryAfterMs: number | null;
}

/** The service answered with its error envelope (specification section 7). Branch on `code`, not on `status`. */
export class TrademarkApiError extends TrademarkError {
  override readonly name: string = 'TrademarkApiError';
  readonly status: number;
  /** One of the contract's codes; a newer service may know more. */
  readonly code: ErrorCode | (string & {});
  /** Name of the offending parameter, where there is one. */
  readonly param: string | null;
  /** Every failed parameter of a 422 `validation_error`; otherwise empty. */
  readonly detail: readonly ValidationDetail[];
  /** Answer headers worth keeping, lower-case names: retry-after, x-ratelimit-*, x-quota-*. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(refusal: Refusal) {
    super(refusal.message, refusal.requestId, { retryAfterMs: refusal.retryAfterMs });
    this.status = refusal.status;
    this.code = refusal.code;
    this.param = refusal.param;
    this.detail = refusal.detail;
    this.headers = refusal.headers;
  }

  get retryable(): boolean {
    return isErrorCode(this.code) && ERRORS[this.code].retry === 'later';
  }
}

/** No complete answer: refused connection, reset, DNS, a body cut short, or a gateway's 429 or 5xx page. */
export class TrademarkConnectionError extends TrademarkError {
  override readonly name: string = 'TrademarkConnectionError';
  readonly retryable = true;
}

/** No complete answer within `timeoutMs`. */
export class TrademarkTimeoutError extends TrademarkError {
  override readonly name: string = 'TrademarkTimeoutError';
  readonly retryable = true;
}

/** An answer that the contract does not allow, such as a redirect or a page that is not JSON: check `baseUrl`. */
export class TrademarkProtocolError extends TrademarkError {
  override readonly name: string = 'TrademarkProtocolError';
  readonly retryable = false;
  /** The answer's status where it is not the service's; null where a body of the service is not as agreed. */
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

/** True for a refusal by the service with this code: `if (isApiError(error, 'not_found')) …`. */
export function isApiError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is TrademarkApiError & { readonly code: Code } {
  return (
    isNamed(error, ['TrademarkApiError']) && (code === undefined || (error as Partial<TrademarkApiError>).code === code)
  );
}
