/**
 * One request to a receiver. Names are resolved here, the addresses are judged, and the connection goes to those very
 * addresses, so that a name that answers differently the second time changes nothing.
 * Invariants: no redirect is followed; nothing of the answer is kept but its status and size; time and bytes are
 * bounded, whatever the receiver does; no connection is used twice.
 */
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../base/clock.ts';
import { bareHost, isOpenPort, isPublicAddress, PORT, PRIVATE, type PrivateTargets } from './target.ts';

/** Total time for a receiver: finding it, connecting, sending, waiting for its answer. */
export const ANSWER_MS_MAX = 10_000;
/** Bytes of an answer's body; the rest is not read. */
export const ANSWER_BYTES_MAX = 4_096;
/** Bytes of an answer's head. */
const HEAD_BYTES_MAX = 16_384;

/** The addresses of a name; rejects if it has none. `signal`: ends the search. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface PostOptions {
  readonly privateTargets: PrivateTargets;
  readonly resolve: Resolve;
  readonly clock: Clock;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

export interface PostedAnswer {
  /** Null if no answer came. */
  readonly status: number | null;
  /** Size of the body, as far as it was read. */
  readonly bytes: number;
  readonly durationMs: number;
  /** Why no answer came, as a sentence; null if one did. */
  readonly failure: string | null;
}

/** Asks the name servers of this machine. Unlike the system's own look-up, it can be cancelled and blocks no thread. */
export const askNameServers: Resolve = async (name, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** A failure whose words are for the customer. */
class NotReached extends Error {}

/** Always resolves: to the answer, or to the reason why there was none. */
export async function post(
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
  options: PostOptions,
): Promise<PostedAnswer> {
  const { clock } = options;
  const startedMs = clock.monotonicMs();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  options.signal.addEventListener('abort', end, { once: true });
  let isLate = false;
  const forget = clock.callAfter(ANSWER_MS_MAX, () => {
    isLate = true;
    end();
  });
  const { signal } = ending;
  const took = (): number => Math.round(clock.monotonicMs() - startedMs);
  try {
    options.signal.throwIfAborted();
    const target = new URL(url);
    const addresses = await untilAborted(findAddresses(target, options, signal), signal);
    const { status, bytes } = await send(target, { headers, body, addresses, signal });
    return { status, bytes, durationMs: took(), failure: null };
  } catch (error) {
    const failure = isLate ? `There was no answer within ${ANSWER_MS_MAX / 1000} seconds.` : explain(error);
    return { status: null, bytes: 0, durationMs: took(), failure };
  } finally {
    forget();
    options.signal.removeEventListener('abort', end);
  }
}

async function findAddresses(
  target: URL,
  { privateTargets, resolve }: PostOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Occurs for a webhook that was added under another setting or by an earlier version of this program.
  if (privateTargets === 'refuse' && !isOpenPort(target)) throw new NotReached(PORT);
  const host = bareHost(target);
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
  if (addresses.length === 0) throw new NotReached(`The name ${host} has no address.`);
  // One private address among public ones is enough, because the choice between them would be chance.
  if (privateTargets === 'refuse' && !addresses.every(isPublicAddress)) throw new NotReached(PRIVATE);
  return addresses;
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
}

function send(target: URL, { headers, body, addresses, signal }: Sent): Promise<{ status: number; bytes: number }> {
  const { request } = target.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const asked = request(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'accept-encoding': 'identity' },
        // One connection for one request, and no proxy of the environment.
        agent: false,
        lookup: answerWith(addresses),
        maxHeaderSize: HEAD_BYTES_MAX,
        signal,
      },
      (answer) => {
        let bytes = 0;
        const end = (): void => {
          asked.destroy();
          resolve({ status: answer.statusCode ?? 0, bytes });
        };
        // The status is known by now, so the way in which the body ends changes nothing.
        asked.off('error', reject).on('error', end);
        answer.on('data', (part: Buffer) => {
          bytes = Math.min(ANSWER_BYTES_MAX, bytes + part.length);
          if (bytes === ANSWER_BYTES_MAX) end();
        });
        answer.on('error', end);
        answer.on('close', end);
        answer.on('end', end);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** A look-up with a known answer. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }));
  return (_name, { all }, done) => {
    if (all === true) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was broken off.',
  EPIPE: 'The connection was broken off.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: 'The address does not answer.',
  HPE_HEADER_OVERFLOW: 'The head of the answer is too long.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
};

/** Never the message of an error, which may say more than the customer should read. */
function explain(error: unknown): string {
  if (error instanceof NotReached) return error.message;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (/CERT|SIGNED|SIGNATURE|ISSUER/.test(code)) return 'Nobody we trust vouches for the certificate.';
  if (code.startsWith('HPE_')) return 'The answer is not HTTP.';
  return code === '' ? 'The request failed.' : `The request failed (${code}).`;
}
