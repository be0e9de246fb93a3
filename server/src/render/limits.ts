/** The headers with a caller's rate limit (rule I-30), and the refusals for rate and quota. */
import type { Product } from '@tmds/contract/enums';
import type { Instant } from '@tmds/contract/record';
import { type ApiError, apiError } from '../base/errors.ts';

export interface RateHeadersSource {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** `X-RateLimit-*`, and the fields of the draft standard "RateLimit header fields for HTTP". */
export function renderRateHeaders(product: Product, rate: RateHeadersSource): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'ratelimit-policy': `"${product}";q=${rate.limit};w=60`,
    ratelimit: `"${product}";r=${rate.remaining};t=${rate.resetSeconds}`,
  };
}

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
