/**
 * What an operator does about a connection that could not be opened, by the code that the database, the system or the
 * name servers gave for it. It opens none.
 */
import { causeOf } from '../../base/no-answer.ts';
import { errorCode, isTlsFailure } from './failures.ts';

/** `setting`: where the address stands. */
type Remedy = (setting: string) => string;

const CHECK_ROUTE: Remedy = (setting) =>
  `check the network and the firewalls between, or correct the host in ${setting}`;
const CHECK_NAME: Remedy = (setting) => `correct the host in ${setting}, or the name servers of this machine`;
const CHECK_SERVER: Remedy = (setting) => `see its log, and check that ${setting} leads to a PostgreSQL`;

/** By SQLSTATE, or the code of the system. Whatever is missing gets the remedy of a server that does not run. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  '28000': (setting) => `let the role in by pg_hba.conf and "alter role … login" there, or correct it in ${setting}`,
  '28P01': (setting) => `correct role and password in ${setting}`,
  '3D000': (setting) =>
    `create it (create database … encoding 'UTF8' template template0), or correct its name in ${setting}`,
  '42501': (setting) => `grant connect on the database to the role, or correct the role in ${setting}`,
  '53300': () =>
    'end sessions that nobody needs, or raise the limit: max_connections, or that of the role or the database',
  '55000': (setting) =>
    `allow connections to it (alter database … allow_connections true), or correct its name in ${setting}`,
  '57P01': () => 'start it again if it does not run; somebody has stopped it, or ended this connection',
  '57P02': () => 'wait until it has recovered; another of its processes has crashed, and its log says why',
  '57P03': () => 'wait until it accepts connections; its log says how far it is',
  EAI_AGAIN: CHECK_NAME,
  ENOTFOUND: CHECK_NAME,
  EHOSTDOWN: CHECK_ROUTE,
  EHOSTUNREACH: CHECK_ROUTE,
  ENETDOWN: CHECK_ROUTE,
  ENETUNREACH: CHECK_ROUTE,
  ETIMEDOUT: CHECK_ROUTE,
  ECONNRESET: CHECK_SERVER,
  EPIPE: CHECK_SERVER,
  EACCES: (setting) => `let this account use the folder of its socket, or correct ${setting}`,
  EMFILE: () => 'raise the limit of open files of this process (ulimit -n)',
  ENFILE: () => 'raise the limit of open files of this machine',
};

/** Remedies of failures that come without a code, by how they begin. */
const UNCODED: readonly (readonly [begins: string, remedy: Remedy])[] = [
  ['timeout expired', CHECK_ROUTE],
  ['SASL: ', (setting) => `put the password of the role into ${setting}`],
  ['Connection terminated', CHECK_SERVER],
];

/** 57P03 of a server that stops: only its words distinguish it from one that starts. */
const STOPS = /shutting down/;

/** The reason in its own words, and what to do; null if all that is known is that it does not answer. */
export function explainUnreachable(error: unknown, setting: string): { seen: string; remedy: string | null } {
  const cause = causeOf(error);
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  const tls: TlsAdvice | null = explainTls(reason);
  if (tls !== null) return tls;
  const seen = reason instanceof Error ? reason.message : String(reason);
  const code = errorCode(reason);
  if (code === '57P03' && STOPS.test(seen)) return { seen, remedy: 'start it again once it has ended' };
  const remedy = code === undefined ? UNCODED.find(([begins]) => seen.startsWith(begins))?.[1] : REMEDIES[code];
  return { seen, remedy: remedy?.(setting) ?? null };
}

export interface TlsAdvice {
  readonly seen: string;
  /** What to do. */
  readonly remedy: string;
}

/** As the driver says it, which gives it no code. */
const NO_TLS = 'The server does not support SSL connections';
const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
/** Reasons of Node.js that mean: not signed by anyone who is trusted here. */
const UNTRUSTED = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The words in a line such as `…:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../deps/…`. */
const OPENSSL_REASON = /:SSL routines:\w*:([^:]+)/;

/** Null if the failure has nothing to do with encryption. */
export function explainTls(error: unknown): TlsAdvice | null {
  if (!(error instanceof Error)) return null;
  const code = errorCode(error) ?? '';
  if (error.message === NO_TLS) {
    return {
      seen: 'it does not speak TLS, which a connection to another machine needs',
      remedy: 'set ssl = on there, or add sslmode=disable to its address if only trusted machines share the network',
    };
  }
  if (code === OTHER_NAME) {
    const names = (error as { cert?: { subjectaltname?: string } }).cert?.subjectaltname ?? 'no name';
    return { seen: `its certificate is for ${names}`, remedy: 'put a name of the certificate into its address' };
  }
  if (UNTRUSTED.test(code)) {
    return {
      seen: `nobody trusted here has signed its certificate (${error.message})`,
      remedy: 'add sslrootcert=/path/to/ca.pem to its address, the certificate of who signed it',
    };
  }
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (path !== undefined && (syscall === 'open' || syscall === 'read')) {
    return { seen: `the certificate file ${path} cannot be read (${code})`, remedy: 'correct its address' };
  }
  const words = OPENSSL_REASON.exec(error.message)?.[1];
  if (!isTlsFailure(code) && words === undefined) return null;
  return {
    seen: `its TLS fails (${words ?? error.message})`,
    remedy: 'correct its certificate or its settings of TLS',
  };
}
