/**
 * What a failed statement means: either it may have an answer later (`NoAnswer`), or it is a fault of ours, which is
 * thrown unchanged. A statement that ran too long has a separate class, because readers and loads treat it
 * differently. It decides by SQLSTATE or system error code, never by message text, except for
 * the few errors that the driver raises without a code, and those that Citus passes on without theirs.
 */
import { causeOf, NoAnswer } from '../../base/no-answer.ts';

/** A statement that was stopped because it ran too long, not because it waited for a connection or a lock. */
export class StatementOverTime extends NoAnswer {
  constructor(cause?: unknown) {
    super('database_slow', { cause });
  }
}

/** Transient SQLSTATEs: five characters, or two for a whole class. */
const UNAVAILABLE_STATES: Readonly<Record<string, string>> = {
  '08': 'connection exception',
  '53': 'out of connections, memory or disk',
  '58': 'input or output of the database server failed',
  '25006': 'read-only transaction: a standby, or a primary being demoted',
  '25P03': 'a session ended by the server: it was idle in a transaction for too long',
  '25P04': 'a session ended by the server: its transaction took too long',
  '28000': 'role not accepted (a server being set up or restored)',
  '28P01': 'password not accepted (a server being set up or restored)',
  '3D000': 'database missing (being restored)',
  '40001': 'serialization failure, or a conflict with recovery on a standby',
  '40P01': 'deadlock',
  '42P01': 'a table missing: the schema is another than the one this version works with',
  '42703': 'a column missing: the same',
  '42883': 'a function missing: the same',
  '55000': 'a table or an index that is being made or was not finished',
  '55006': 'database in use (being renamed or cloned)',
  '55P03': 'a lock not granted in time',
  '57014': 'canceled: it ran for too long, or an administrator stopped it',
  '57P01': 'administrator shutdown',
  '57P02': 'crash shutdown',
  '57P03': 'starting up or shutting down',
  '57P04': 'database dropped',
  '57P05': 'idle session ended by the server',
};

/** SQLSTATEs with which a session ends. */
const SESSION_ENDED = /^(08|57P|25P0[34])/;

const QUERY_CANCELED = '57014';

/** Errors of the operating system and of name resolution while connecting. */
const UNREACHABLE_CODES: ReadonlySet<string> = new Set(
  `
    EACCES EADDRNOTAVAIL EAGAIN EAI_AGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTDOWN EHOSTUNREACH EIO EMFILE
    ENETDOWN ENETUNREACH ENFILE ENOBUFS ENOENT ENOMEM ENOTFOUND EPIPE EPROTO ETIMEDOUT
  `
    .trim()
    .split(/\s+/),
);

/** TLS and certificate errors of Node.js and OpenSSL. */
const TLS_CODE = /^(ERR_(TLS|SSL|STREAM|SOCKET)_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/**
 * Raised by Citus without a code: its server was killed and the session outlives it a moment, or a node is away; also
 * what the server of a node says as it ends or starts, which Citus passes on without the code that it came with.
 */
const NODE_AWAY = new RegExp(
  '^(postmaster was shut down, exiting|failure on connection marked as essential|failed to prepare transaction|' +
    'could not connect to any active placements|failed to read result|terminating connection |the database system is )',
);

/** The messages of a node with a full disk, whose code Citus leaves out when it copies rows there. */
const NODE_FULL = /: No space left on device$|^could not extend file .*: wrote only /;

/** Raised by the driver or its pool without a code. */
const CONNECTION_LOST = new RegExp(
  '^(Connection terminated|Client (has encountered|was closed)|timeout expired|the server closed|' +
    '(The server does not support|There was an error establishing an) SSL|SASL:)',
);

/** What the driver says of every statement on a connection that has ended. */
export function saysOnlyEnded(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Client has encountered a connection error');
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** True if the connection failed, not just the statement: it must not be used again. */
export function isConnectionFailure(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error && CONNECTION_LOST.test(error.message);
  return (
    isUnreachable(code) ||
    SESSION_ENDED.test(code) ||
    (code === 'XX000' && error instanceof Error && NODE_AWAY.test(error.message))
  );
}

function isUnreachable(code: string): boolean {
  return UNREACHABLE_CODES.has(code) || isTlsFailure(code);
}

/** Whether an error code means that the connection could not be encrypted, or its certificate not be verified. */
export function isTlsFailure(code: string): boolean {
  return TLS_CODE.test(code);
}

/** True if a migration changed what a prepared statement returns; a new connection prepares it again. */
export function isOutdatedPlan(error: unknown): boolean {
  return errorCode(error) === '0A000' && (error as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

/** True when a lock was not granted within `lock_timeout`. */
export function isLockRefused(error: unknown): boolean {
  return errorCode(causeOf(error)) === '55P03';
}

/** True when another row has the value of a unique column. */
export function isDuplicate(error: unknown): boolean {
  return errorCode(causeOf(error)) === '23505';
}

/** True when the server did not accept a value, broke a constraint, or knows no such name (classes 22, 23 and 42). */
export function isContentRefused(error: unknown): boolean {
  return /^(22|23|42)/.test(errorCode(causeOf(error)) ?? '');
}

/** True when the database has no room left on its disk. */
export function isDiskFull(error: unknown): boolean {
  const failure = causeOf(error);
  const code = errorCode(failure);
  return code === '53100' || (code === 'XX000' && failure instanceof Error && NODE_FULL.test(failure.message));
}

/** True when the server, the database or the role has as many connections as it may have. */
export function isServerFull(error: unknown): boolean {
  return errorCode(causeOf(error)) === '53300';
}

/**
 * True if a connection could not be opened for a reason that may pass: the server is away, starting, slow or full.
 * What has to be corrected, such as a password or a certificate, does not pass.
 */
export function isPassing(error: unknown): boolean {
  const failure = causeOf(error);
  if (isServerFull(failure)) return true;
  const code = errorCode(failure) ?? '';
  const isOpened = (failure as { syscall?: unknown } | null)?.syscall === 'open';
  const words = failure instanceof Error ? failure.message : '';
  return isConnectionFailure(failure) && !isTlsFailure(code) && !isOpened && !/ SSL|^SASL/.test(words);
}

/** True if the database is missing, starting or gone, so that trying again may help. */
function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined) return isConnectionFailure(error);
  return (
    isOutdatedPlan(error) ||
    isConnectionFailure(error) ||
    isDiskFull(error) ||
    code in UNAVAILABLE_STATES ||
    code.slice(0, 2) in UNAVAILABLE_STATES
  );
}

/** What to throw instead of `error`; the error itself if the fault is ours. */
export function translateFailure(error: unknown): unknown {
  if (error instanceof NoAnswer) return error;
  if (errorCode(error) === QUERY_CANCELED) return new StatementOverTime(error);
  return isUnavailable(error) ? databaseAway(error) : error;
}

/** For anything that kept a connection from being opened. */
export function databaseAway(cause: unknown): NoAnswer {
  return cause instanceof NoAnswer ? cause : new NoAnswer('database_away', { cause });
}
