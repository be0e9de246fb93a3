/**
 * Decides whether and when to retry a failed call, from the error, the number of attempts and a random number. Every
 * call is a GET, so a retry is safe; the error's `retryable` says whether it can help.
 */
import { TrademarkError } from './errors.ts';

/** The first wait, which doubles with every attempt. */
const BACKOFF_BASE_MS = 500;
const BACKOFF_MAX_MS = 8_000;
/** The service's rate window is one minute. The caller decides what to do about a longer Retry-After. */
const RETRY_AFTER_MAX_MS = 120_000;
/** Added to Retry-After at random, so that callers refused together do not return together. */
const RETRY_AFTER_SPREAD_MS = 250;

/**
 * Milliseconds to wait before the next attempt; null = do not retry.
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

/** Between 50 % and 100 % of `base · 2^(failures − 1)`, up to a maximum. */
export function planBackoff(failures: number, random: number, baseMs: number, maxMs: number): number {
  const ceilingMs = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return ceilingMs * (0.5 + random * 0.5);
}

/** Parses a Retry-After header, in seconds or as an HTTP date, to milliseconds. Null when absent or invalid. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
