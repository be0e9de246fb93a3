/**
 * Decides which failures a replica waits out, and for how long. It ends only when waiting cannot help, such as with a
 * wrong key or an invalid request. The error code decides; the status only when the contract does not have the code.
 */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { isApiError, isErrorCode, TrademarkError, TrademarkProtocolError } from '../errors.ts';
import { planBackoff } from '../retry.ts';
import { isMissing, MissingFile } from './settings.ts';
import { ReplicaError, UnprovableError } from './sink.ts';

const FAULT_WAIT_BASE_MS = 500;
const FAULT_WAIT_MAX_MS = 60_000;
/** A longer Retry-After is cut to this. */
const RETRY_AFTER_MAX_MS = 3_600_000;
/** A quota is used up until the month ends unless it is raised, so try again this often; a refusal is free. */
const QUOTA_WAIT_MAX_MS = 3_600_000;

/** Refusals that pass with time, although an immediate retry would be refused again. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['quota_exceeded', 'query_timeout', 'internal_error']);
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * @param answered whether the service has answered in this run. Then an unexpected answer, such as a gateway's 404
 * while the service restarts, does not mean a wrong address.
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

/** Exit status of commands that cannot continue until someone acts; a supervisor need not start them again. */
export const BLOCKED = 5;

const REFUSED_KEY: ReadonlySet<number> = new Set([401, 403]);

/** A key that is refused, a file that is not there, a place that holds something else or is damaged. */
export function isBlocked(error: unknown): boolean {
  if (isApiError(error)) return REFUSED_KEY.has(error.status);
  if (error instanceof ReplicaError) return !error.retryable && !(error instanceof UnprovableError);
  return error instanceof MissingFile || isMissing(error);
}

/** @param faults consecutive failures, including this one  @param random number in [0, 1) */
export function planFaultWait(error: unknown, faults: number, random: number, nowMs: number): number {
  const backoffMs = planBackoff(faults, random, FAULT_WAIT_BASE_MS, FAULT_WAIT_MAX_MS);
  if (isApiError(error, 'quota_exceeded')) {
    return Math.max(backoffMs, Math.min(QUOTA_WAIT_MAX_MS, findMonthEnd(nowMs) - nowMs));
  }
  const askedMs = TrademarkError.is(error) ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(backoffMs, Math.min(askedMs, RETRY_AFTER_MAX_MS));
}

/** When the current month ends and quotas start over; months are UTC calendar months (rule I-25). */
function findMonthEnd(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}
