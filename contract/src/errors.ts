/**
 * The table of error codes (specification section 7, rule I-9). A code never changes its meaning. A client may act on
 * `retry` without reading the message.
 */

export interface ErrorDefinition {
  /** HTTP status of the answer. */
  readonly status: number;
  /** When the code is sent, in the specification's words. */
  readonly when: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** `later`: the same request may succeed after Retry-After or a short wait. `never`: it will not. */
  readonly retry: 'later' | 'never';
}

export const ERRORS = {
  invalid_parameter: {
    status: 400,
    when: 'a parameter value is malformed',
    remedy: 'Correct the parameter named in `param`; the message says what it takes.',
    retry: 'never',
  },
  unknown_parameter: {
    status: 400,
    when: 'a parameter the endpoint does not define',
    remedy: 'Remove the parameter named in `param`, or correct its name; the message may suggest the intended name.',
    retry: 'never',
  },
  missing_filter: {
    status: 400,
    when: 'a search without any filter',
    remedy: 'Add at least one filter, for example `jurisdiction`.',
    retry: 'never',
  },
  reserved_parameter: {
    status: 400,
    when: 'use of the reserved name `q`',
    remedy: 'Use the structured filters; `q` is kept for a future query language.',
    retry: 'never',
  },
  query_too_broad: {
    status: 400,
    when: 'query too broad; narrow it',
    remedy: 'Add or shorten the part that the message names.',
    retry: 'never',
  },
  cursor_invalid: {
    status: 400,
    when: 'the cursor is not valid',
    remedy: 'Send `next_cursor` back exactly as it was received, or start again without a cursor.',
    retry: 'never',
  },
  cursor_query_mismatch: {
    status: 400,
    when: 'cursor reused with a different query than produced it',
    remedy: 'Repeat the query that produced the cursor, or leave the cursor out.',
    retry: 'never',
  },
  unauthorized: {
    status: 401,
    when: 'missing or unknown key',
    remedy: 'Send a valid key in `X-API-Key` or as a Bearer token.',
    retry: 'never',
  },
  key_revoked: {
    status: 403,
    when: 'key was revoked',
    remedy: 'Use the key that replaced it.',
    retry: 'never',
  },
  product_not_enabled: {
    status: 403,
    when: 'valid key not sold this product',
    remedy: 'Ask for the product to be added to the agreement; the key is good, so do not rotate it.',
    retry: 'never',
  },
  not_found: {
    status: 404,
    when: 'no such record or register; a real answer, not to be retried',
    remedy: 'Check the register code or the uid, whichever the message says is missing.',
    retry: 'never',
  },
  method_not_allowed: {
    status: 405,
    when: 'a method that the path does not take',
    remedy: 'Use a method that `Allow` names.',
    retry: 'never',
  },
  query_timeout: {
    status: 422,
    when: 'query not answerable within 10 seconds; narrow it, do not blind-retry',
    remedy: 'Add a filter that narrows the query.',
    retry: 'never',
  },
  validation_error: {
    status: 422,
    when: 'a parameter fails its declaration',
    remedy: 'Correct the parameter named in `param`; `detail` lists every failure.',
    retry: 'never',
  },
  rate_limited: {
    status: 429,
    when: 'per-minute rate exceeded',
    remedy: 'Wait for the seconds of Retry-After.',
    retry: 'later',
  },
  quota_exceeded: {
    status: 429,
    when: 'monthly quota exceeded',
    remedy: 'Wait until the instant in the message, when the month ends, or have the quota raised.',
    retry: 'never',
  },
  internal_error: {
    status: 500,
    when: 'a fault of the service',
    remedy: 'Report it with the request id.',
    retry: 'never',
  },
  unavailable: {
    status: 503,
    when: 'transient problem; safe to retry shortly',
    remedy: 'Retry after the seconds of Retry-After.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** The envelope of every answer that is not 2xx (specification section 7). */
export interface ErrorEnvelope {
  error: { code: ErrorCode; message: string; param?: string };
}

/** One entry of a 422 parameter-validation body (specification 2.6). */
export interface ValidationDetail {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** The 422 body: both shapes at once (rule I-7). */
export interface ValidationEnvelope extends ErrorEnvelope {
  detail: ValidationDetail[];
}
