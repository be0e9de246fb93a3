/**
 * The one table that says what a failed statement means to a caller: come back later (`unavailable`), narrow it
 * (`query_timeout`), or a fault of ours, which is passed on as it is. It decides by SQLSTATE or by the system's error
 * code, never by message text, save for the few errors that the driver raises without a code.
 */
import { ApiError, apiError } from '../base/errors.ts';

/** SQLSTATEs that pass by themselves; five characters, or two for a whole class. */
const UNAVAILABLE_STATES: Readonly<Record<string, string>> = {
  '08': 'connection exception',
  '53': 'out of connections, memory or disk',
  '25006': 'read-only transaction: a standby, or a primary being demoted',
  '28000': 'role not accepted (a server being set up or restored)',
  '28P01': 'password not accepted (a server being set up or restored)',
  '3D000': 'database missing (being restored)',
  '40001': 'serialization failure, or a conflict with recovery on a standby',
  '40P01': 'deadlock',
  '55006': 'database in use (being renamed or cloned)',
  '57P01': 'administrator shutdown',
  '57P02': 'crash shutdown',
  '57P03': 'starting up or shutting down',
  '57P04': 'database dropped',
  '57P05': 'idle session ended by the server',
};

const QUERY_CANCELED = '57014';

/** Errors of the operating system and of name resolution while reaching for the database. */
const UNREACHABLE_CODES: ReadonlySet<string> = new Set([
  'EACCES',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Raised by the driver or its pool without a code. */
const CONNECTION_LOST =
  /^(Connection terminated|Client (has encountered|was closed)|timeout expired|the server closed)/;

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** True when the connection, not the statement, failed: it must not be used again. */
export function isConnectionFailure(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error && CONNECTION_LOST.test(error.message);
  return UNREACHABLE_CODES.has(code) || code.startsWith('08') || code.startsWith('57P');
}

/** True when a migration changed what a prepared statement returns: a new connection prepares it anew. */
export function isOutdatedPlan(error: unknown): boolean {
  return errorCode(error) === '0A000' && (error as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

/** True for a database that is not there, not yet there or no longer there; trying again may help. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'unavailable';
  const code = errorCode(error);
  if (code === undefined) return isConnectionFailure(error);
  return UNREACHABLE_CODES.has(code) || code in UNAVAILABLE_STATES || code.slice(0, 2) in UNAVAILABLE_STATES;
}

/** What to throw instead of `error`; `error` itself when it is nobody's fault but ours. */
export function translateFailure(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (errorCode(error) === QUERY_CANCELED) {
    return apiError('query_timeout', 'The query was not answerable in time. Narrow it with another filter.', {
      cause: error,
    });
  }
  if (isUnavailable(error)) {
    return apiError('unavailable', 'The database is not available at the moment. Try again shortly.', { cause: error });
  }
  return error;
}
