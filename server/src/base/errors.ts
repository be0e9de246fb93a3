/**
 * Two of the deliberate failures: a refusal sent to a client (`ApiError`, with a code of the contract) and a message to
 * the operator (`OperatorError`). Stages below the API throw neither sentence: `NoAnswer` says why they have no answer.
 * Anything else that is thrown is a bug.
 */
import type { ErrorCode, ValidationDetail } from '@tmds/contract/errors';
import { maskText } from './mask.ts';
import { NoAnswer } from './no-answer.ts';

export interface ApiErrorExtras {
  /** Name of the offending parameter. */
  param?: string;
  /** Every failed declaration, for `validation_error` only. */
  details?: ValidationDetail[];
  /** Extra response headers. */
  headers?: Record<string, string>;
  /** The internal reason: logged, never sent. */
  cause?: unknown;
  /** The key that was refused, where it is known although the caller was not identified; never sent. */
  keyId?: string;
}

/** The message of `key_revoked`, also for a key whose customer was removed while the call ran. */
export const KEY_REVOKED = 'This key was revoked or replaced. Use the key that replaced it.';

/** A refusal. Its message is sent to the caller and says what to change. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: readonly ValidationDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly keyId: string | undefined;

  constructor(code: ErrorCode, message: string, extras: ApiErrorExtras = {}) {
    super(maskText(message), { cause: extras.cause });
    this.name = 'ApiError';
    this.code = code;
    this.param = extras.param === undefined ? undefined : maskText(extras.param);
    this.details = extras.details?.map(maskInput);
    this.headers = extras.headers ?? {};
    this.keyId = extras.keyId;
  }
}

function maskInput(detail: ValidationDetail): ValidationDetail {
  return typeof detail.input === 'string' ? { ...detail, input: maskText(detail.input) } : detail;
}

export function apiError(code: ErrorCode, message: string, extras?: ApiErrorExtras): ApiError {
  return new ApiError(code, message, extras);
}

/**
 * How a failure that is retried is logged. Known causes, refusals and operator errors are expected, so one line says
 * why. Anything else is a fault, which needs its stack.
 */
export function failureForLog(error: unknown): { readonly reason: string } | { readonly err: unknown } {
  if (error instanceof OperatorError) return { reason: error.message };
  if (!(error instanceof NoAnswer || error instanceof ApiError)) return { err: error };
  return { reason: error.cause instanceof Error ? error.cause.message : error.message };
}

/**
 * One clear sentence for the person who runs a command. Exit status 1: the command failed; 2: it was called wrongly.
 */
export class OperatorError extends Error {
  readonly exitStatus: 1 | 2;

  constructor(message: string, options: { exitStatus?: 1 | 2; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'OperatorError';
    this.exitStatus = options.exitStatus ?? 1;
  }
}
