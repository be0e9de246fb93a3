/**
 * Who is calling: which header is read, which key it names, whether its secret fits. It decides neither limits nor
 * products. Known keys are remembered, so that a busy key costs no query; what may change about a key (revoked, grace
 * over, products) is either judged again by the statement that counts the call, or read anew here when it is older than
 * `freshMs`. Keys that do not exist are never remembered: an issued key is valid at once.
 */
import type { Product } from '@tmds/contract/enums';
import type { Clock } from '../base/clock.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import { findKey, type StoredKey } from '../store/accounts/keys.ts';
import type { Database } from '../store/driver/db.ts';
import { equalDigests, parseKeyText } from './secret.ts';

export interface Caller {
  readonly keyId: string;
  readonly name: string | null;
  readonly createdAt: string;
  readonly secretNumber: number;
  readonly products: readonly Product[];
}

export type HeaderSource = Readonly<Record<string, string | string[] | undefined>>;

export interface Authenticator {
  /**
   * The caller as known within the last second. Throws ApiError `unauthorized` or `key_revoked`.
   */
  authenticate(headers: HeaderSource): Promise<Caller>;
  /**
   * The caller for a call that is about to be judged: identity is certain, but revocation, grace and products are as
   * remembered, and the meter's verdict on them is the one that counts. At once for a key that is remembered.
   */
  identify(headers: HeaderSource): Caller | Promise<Caller>;
}

const REMEMBERED_KEYS_MAX = 10_000;
/** Below the second within which every change takes effect (rule I-30). */
const freshMs = 500;
const rememberedMs = 60_000;

interface Remembered {
  readonly key: StoredKey;
  readonly readAtMs: number;
}

export function buildAuthenticator({ database, clock }: { database: Database; clock: Clock }): Authenticator {
  const remembered = new Map<string, Remembered>();
  const reading = new Map<string, Promise<StoredKey | null>>();

  const readKey = async (keyId: string): Promise<StoredKey | null> => {
    const readAtMs = clock.monotonicMs();
    const key = await findKey(database, keyId);
    remembered.delete(keyId);
    if (key !== null) {
      remembered.set(keyId, { key, readAtMs });
      if (remembered.size > REMEMBERED_KEYS_MAX) remembered.delete(remembered.keys().next().value!);
    }
    return key;
  };

  const findFresh = async (keyId: string, ageMaxMs: number): Promise<StoredKey | null> => {
    const known = remembered.get(keyId);
    if (known !== undefined && clock.monotonicMs() - known.readAtMs < ageMaxMs) return known.key;
    const running = reading.get(keyId);
    if (running !== undefined) return running;
    const started = readKey(keyId).finally(() => reading.delete(keyId));
    reading.set(keyId, started);
    return started;
  };

  const findCaller = async (headers: HeaderSource, ageMaxMs: number): Promise<Caller> => {
    const presented = parseKeyText(readKeyText(headers));
    if (presented === null) throw unauthorized('The key is not known.');
    let verdict = checkSecret(await findFresh(presented.keyId, ageMaxMs), presented.digest);
    // That a secret does not exist is never said from memory, because the key may have been rotated since; that it
    // ended stays true for good.
    if (verdict.caller === null && !verdict.revoked) {
      verdict = checkSecret(await findFresh(presented.keyId, 0), presented.digest);
    }
    if (verdict.caller !== null) return verdict.caller;
    if (verdict.revoked) throw keyRevoked(presented.keyId);
    throw unauthorized('The key is not known.');
  };

  /** Null where the database has to be asked. */
  const recallCaller = (headers: HeaderSource): Caller | null => {
    const presented = parseKeyText(readKeyText(headers));
    const known = presented === null ? undefined : remembered.get(presented.keyId);
    if (known === undefined || clock.monotonicMs() - known.readAtMs >= rememberedMs) return null;
    return checkSecret(known.key, presented!.digest).caller;
  };

  return {
    authenticate: (headers) => findCaller(headers, freshMs),
    identify: (headers) => recallCaller(headers) ?? findCaller(headers, rememberedMs),
  };
}

/** `keyId` where a secret of this key was presented: nobody else can add to what was refused of it. */
export function keyRevoked(keyId?: string): ApiError {
  const message = 'This key was revoked or replaced. Use the key that replaced it.';
  return apiError('key_revoked', message, keyId === undefined ? {} : { keyId });
}

function unauthorized(message: string): ApiError {
  return apiError('unauthorized', `${message} Send a valid key in X-API-Key or as a Bearer token.`, {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

function checkSecret(key: StoredKey | null, digest: Buffer): { caller: Caller | null; revoked: boolean } {
  const secret = key?.secrets.find((candidate) => equalDigests(candidate.digest, digest));
  if (key === null || secret === undefined) return { caller: null, revoked: false };
  if (key.revoked || !secret.live) return { caller: null, revoked: true };
  const { key_id: keyId, name, created_at: createdAt, products } = key;
  return { caller: { keyId, name, createdAt, secretNumber: secret.number, products }, revoked: false };
}

/** The presented text (rule I-4). Throws `unauthorized` for none, and for two different ones. */
function readKeyText(headers: HeaderSource): string {
  const named = textOf(headers['x-api-key']);
  const bearer = /^bearer +(\S+)$/i.exec(textOf(headers.authorization))?.[1] ?? '';
  if (named !== '' && bearer !== '' && named !== bearer) {
    throw unauthorized('X-API-Key and Authorization carry different keys.');
  }
  const text = named === '' ? bearer : named;
  if (text === '') throw unauthorized('The request carries no key.');
  return text;
}

function textOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join(',') : (header ?? '')).trim();
}
