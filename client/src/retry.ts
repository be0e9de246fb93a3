/**
 * Whether and when a failed call is repeated: a pure decision from the error, the attempts made and a random number.
 * Every call of the API is a GET, so a repeat is safe; whether it can help is the error's own word (`retryable`).
 */
import { TrademarkError } from './errors.ts';

/** First wait; doubles with every attempt. */
const BACKOFF_BASE_MS = 500;
const BACKOFF_MAX_MS = 8_000;
/** The service's rate window is a minute: a longer Retry-After is the caller's to wait out, not ours. */
const RETRY_AFTER_MAX_MS = 120_000;
/** Spread added to Retry-After, so that callers refused together do not return together. */
const RETRY_AFTER_SPREAD_MS = 250;

/**
 * Milliseconds to wait before the next attempt; null when there must be none.
 *
 * @param failures failed attempts so far, 1 or more
 * @param random number in [0, 1)
 */
export function planRetry(error: unknown, failures: number, maxRetries: number, random: number): number | null {
  if (failures > maxRetries || !TrademarkError.is(error) || !error.retryable) return null;
  if (error.retryAfterMs !== null) {
    return error.retryAfterMs > RETRY_AFTER_MAX_MS ? null : error.retryAfterMs + random * RETRY_AFTER_SPREAD_MS;
  }
  return planBackoff(failures, random, BACKOFF_BASE_MS, BACKOFF_MAX_MS);
}

/** Half fixed, half random, doubling, capped: between 50 % and 100 % of `base · 2^(failures − 1)`. */
export function planBackoff(failures: number, random: number, baseMs: number, maxMs: number): number {
  const ceilingMs = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return ceilingMs * (0.5 + random * 0.5);
}

/**
 * Milliseconds that a Retry-After header asks for: whole seconds, or an HTTP date. Null when absent or unreadable.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
