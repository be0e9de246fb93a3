/**
 * Files of an HTTP server. Invariants: secrets go to the origin of the declared address only; redirects and files are
 * followed to that host, or to one that is declared, and never from https to http; nothing is read without a bound.
 */
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { type HttpPlace, readSecret } from '../declared/source.ts';
import { readCatalogue } from './catalogues.ts';
import { CannotResume, LIST_BYTES_MAX, PassingFailure, type RemotePlace, watchSilence } from './place.ts';

interface HttpOptions {
  place: HttpPlace;
  clock: Clock;
  signal: AbortSignal;
}

const REDIRECTS_MAX = 5;
/** A server that asks for a longer pause is asked at the next check. */
const RETRY_AFTER_MS_MAX = 15 * 60_000;

export async function openHttp(options: HttpOptions): Promise<RemotePlace> {
  const { place } = options;
  const secrets = await buildSecretHeaders(place);
  const ask = (address: string, headers: Record<string, string> = {}): Promise<Answer> =>
    askServer(options, { address, headers, secrets });
  const readWhole = async (address: string): Promise<{ content: Buffer; from: string } | null> => {
    const answer = await ask(address);
    if (answer.outcome === 'absent') {
      answer.stop();
      return null;
    }
    requireBody(answer);
    return { content: await collect(answer), from: answer.address };
  };
  return {
    async list() {
      const catalogue = await readWhole(place.url);
      if (catalogue === null) throw new OperatorError(`there is no catalogue at ${showAddress(place.url)}`);
      // Addresses are relative to the final address of the catalogue.
      return readCatalogue(place, catalogue.content.toString('utf8').replace(/^\ufeff/, ''), catalogue.from);
    },
    async readBeside(file, name) {
      return (await readWhole(new URL(encodeURIComponent(name), file.address).href))?.content ?? null;
    },
    async open(file, from) {
      const canResume = from !== null && from.offset > 0 && from.validator !== null;
      const headers: Record<string, string> = canResume
        ? { range: `bytes=${from.offset}-`, 'if-range': from.validator ?? '' }
        : {};
      const answer = await ask(file.address, headers);
      if (answer.outcome === 'beyond') {
        answer.stop();
        throw new CannotResume(`${answer.shown} has no byte ${from?.offset ?? 0}`);
      }
      requireBody(answer);
      const validator = findValidator(answer.headers);
      const length = readLength(answer.headers.get('content-length'));
      if (answer.outcome === 'whole') return { parts: answer.parts(), offset: 0, bytes: length, validator };
      const [, first, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
      if (!canResume || first === undefined || Number(first) !== from.offset) {
        answer.stop();
        throw new CannotResume(`${answer.shown} sends another part of the file than it was asked for`);
      }
      return { parts: answer.parts(), offset: from.offset, bytes: readLength(total ?? null), validator };
    },
    close: async () => undefined,
  };
}

async function buildSecretHeaders({
  user,
  password,
  token,
  key,
  keyHeader,
}: HttpPlace): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (user !== null && password !== null) {
    headers.authorization = `Basic ${Buffer.from(`${user}:${await readSecret(password)}`).toString('base64')}`;
  }
  if (token !== null) headers.authorization = `Bearer ${await readSecret(token)}`;
  if (key !== null) headers[keyHeader] = await readSecret(key);
  return headers;
}

/** `whole`, `part` of the file, `absent`, or the range lies `beyond` its end. */
type Outcome = 'whole' | 'part' | 'absent' | 'beyond';

interface Answer {
  outcome: Outcome;
  headers: Headers;
  /** After redirects. */
  address: string;
  /** The address without what may be secret. */
  shown: string;
  parts(): AsyncIterable<Uint8Array>;
  /** Releases the body. */
  stop(): void;
}

async function askServer(
  { place, clock, signal }: HttpOptions,
  question: { address: string; headers: Record<string, string>; secrets: Record<string, string> },
): Promise<Answer> {
  const home = new URL(place.url);
  let url = new URL(question.address);
  for (let redirects = 0; ; redirects += 1) {
    checkHost(url, home, place.hosts);
    const shown = showAddress(url.href);
    const silence = watchSilence(clock, signal, shown);
    const secrets = url.origin === home.origin ? question.secrets : {};
    let response: Response;
    try {
      response = await fetch(url, {
        headers: { ...question.headers, ...secrets, 'accept-encoding': 'identity' },
        redirect: 'manual',
        signal: silence.signal,
      });
    } catch (error) {
      silence.stop();
      throw explainFetch(error, silence.signal, shown);
    }
    const { status, headers } = response;
    const stop = (): void => {
      silence.stop();
      void response.body?.cancel().catch(() => undefined);
    };
    const location = headers.get('location');
    if (REDIRECTS.has(status) && location !== null) {
      stop();
      if (redirects === REDIRECTS_MAX) throw new OperatorError(`${shown} redirects more than ${REDIRECTS_MAX} times`);
      if (!URL.canParse(location, url)) throw new OperatorError(`${shown} redirects to no address`);
      url = new URL(location, url);
      continue;
    }
    const outcome = OUTCOMES.get(status) ?? null;
    if (outcome === null) {
      stop();
      throw explainStatus(status, headers, { shown, clock });
    }
    const parts = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for await (const part of response.body ?? []) {
          silence.heard();
          yield part;
        }
      } catch (error) {
        throw explainFetch(error, silence.signal, shown);
      } finally {
        stop();
      }
    };
    return { outcome, headers, address: url.href, shown, parts, stop };
  }
}

/** The statuses of RFC 9110 that matter here. */
const OUTCOMES: ReadonlyMap<number, Outcome> = new Map([
  [200, 'whole'],
  [206, 'part'],
  [404, 'absent'],
  [410, 'absent'],
  [416, 'beyond'],
]);
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function checkHost(url: URL, home: URL, hosts: readonly string[]): void {
  if (url.protocol !== 'https:' && url.protocol !== home.protocol) {
    throw new OperatorError(`${showAddress(url.href)} would leave the encrypted connection; nothing was sent there`);
  }
  if (url.host === home.host || hosts.includes(url.host)) return;
  const remedy = 'add it to hosts of the source if it is right';
  throw new OperatorError(`${showAddress(url.href)} is on another host than the catalogue; ${remedy}`);
}

/** A query may hold a key, so it is left out. */
function showAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

function requireBody(answer: Answer): void {
  const encoding = answer.headers.get('content-encoding') ?? 'identity';
  if (answer.outcome !== 'absent' && encoding === 'identity') return;
  answer.stop();
  if (answer.outcome === 'absent') throw new OperatorError(`there is no file ${answer.shown}, although it is listed`);
  throw new OperatorError(`${answer.shown} is sent packed (${encoding}) although that was not asked for`);
}

/** Not a weak one: it does not promise equal bytes. */
function findValidator(headers: Headers): string | null {
  const tag = headers.get('etag');
  return tag?.startsWith('"') === true ? tag : headers.get('last-modified');
}

function readLength(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

async function collect(answer: Answer): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.parts()) {
    bytes += part.length;
    if (bytes > LIST_BYTES_MAX) throw new OperatorError(`${answer.shown} is larger than ${LIST_BYTES_MAX} bytes`);
    parts.push(part);
  }
  const length = readLength(answer.headers.get('content-length'));
  if (length !== null && length !== bytes) throw new PassingFailure(`${answer.shown} broke off`);
  return Buffer.concat(parts);
}

function explainStatus(answered: number, headers: Headers, { shown, clock }: { shown: string; clock: Clock }): Error {
  const said = `${shown} answers ${answered}`;
  if (!PASSING.has(answered)) {
    const isRefused = answered === 401 || answered === 403;
    return new OperatorError(isRefused ? `${said}: check the key or the password of the source` : said);
  }
  const afterMs = readRetryAfter(headers.get('retry-after'), clock.nowMs());
  if (afterMs !== null && afterMs > RETRY_AFTER_MS_MAX) {
    return new OperatorError(`${said} and wants to be asked again in ${Math.ceil(afterMs / 60_000)} minutes`);
  }
  return new PassingFailure(said, { afterMs });
}

/** Seconds or a date, as milliseconds from now; null if neither. */
function readRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function explainFetch(error: unknown, signal: AbortSignal, shown: string): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof OperatorError || error instanceof PassingFailure) return error;
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return new PassingFailure(`the connection to ${shown} failed (${code ?? message})`, { cause: error });
}
