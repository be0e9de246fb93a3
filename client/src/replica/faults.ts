/**
 * Which failures a replica waits out, and how long: pure. Only what waiting cannot mend ends it, such as a key that is
 * wrong or a request the service refuses for what it says. Decided by code; by status only where there is no code of
 * the contract.
 */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { isApiError, isErrorCode, TrademarkError, TrademarkProtocolError } from '../errors.ts';
import { planBackoff } from '../retry.ts';
import { ReplicaError } from './sink.ts';

const FAULT_WAIT_BASE_MS = 500;
const FAULT_WAIT_MAX_MS = 60_000;
/** A Retry-After is heeded up to this. */
const RETRY_AFTER_MAX_MS = 3_600_000;
/** A quota lasts until the month ends, but it can be raised before: asked again so often, at no cost. */
const QUOTA_WAIT_MAX_MS = 3_600_000;

/** Refusals that pass, though the same call at once would be refused again. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['quota_exceeded', 'query_timeout', 'internal_error']);
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * @param answered whether the service has answered in this run: then a strange answer, such as a gateway's 404 while
 *   the service restarts, is no sign of a wrong address
 */
export function isWaitedOut(error: unknown, answered: boolean): boolean {
  if (error instanceof ReplicaError) return error.retryable;
  if (isApiError(error)) {
    const code: string = error.code;
    if (isErrorCode(code)) return ERRORS[code].retry === 'later' || PASSING.has(code);
    return error.status >= 500 || PASSING_STATUSES.has(error.status);
  }
  if (TrademarkProtocolError.is(error)) return answered && error.status !== null;
  return TrademarkError.is(error) && error.retryable;
}

/** @param faults failures in a row, this one included  @param random number in [0, 1) */
export function planFaultWait(error: unknown, faults: number, random: number, nowMs: number): number {
  const backoffMs = planBackoff(faults, random, FAULT_WAIT_BASE_MS, FAULT_WAIT_MAX_MS);
  if (isApiError(error, 'quota_exceeded')) {
    return Math.max(backoffMs, Math.min(QUOTA_WAIT_MAX_MS, findMonthEnd(nowMs) - nowMs));
  }
  const askedMs = TrademarkError.is(error) ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(backoffMs, Math.min(askedMs, RETRY_AFTER_MAX_MS));
}

/** When the running month ends and quotas start anew; months are UTC calendar months (rule I-25). */
function findMonthEnd(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}
