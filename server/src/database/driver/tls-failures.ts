/** What the operator does about a connection that could not be encrypted (docs/design/operations.md). It opens none. */
import { errorCode, isTlsFailure } from './failures.ts';

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
