/** The headers with a caller's rate limit (rule I-30), and the refusals for rate and quota. */
import type { Product } from '@tmds/contract/enums';
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

export function quotaExceeded(quota: { limit: number; used: number }): ApiError {
  return apiError(
    'quota_exceeded',
    `The month's quota of ${quota.limit} calls is used up. It resets when the UTC month ends.`,
    { headers: { 'x-quota-limit': String(quota.limit), 'x-quota-used': String(quota.used) } },
  );
}
