/**
 * Identifies the caller: which header to read, which key it names, and whether its secret is right. It decides neither
 * limits nor products. Known keys are cached, so that a busy key costs no query. What can change about a key
 * (revocation, grace, products) is checked again by the statement that counts the call, or read again here once it is
 * older than `FRESH_MS`. Unknown keys are never cached, so a new key is valid at once.
 */
import type { Product } from '@tmds/contract/enums';
import type { Clock } from '../base/clock.ts';
import { type ApiError, apiError, KEY_REVOKED } from '../base/errors.ts';
import type { Database } from '../database/driver/db.ts';
import { findKey, type StoredKey } from '../store/accounts/keys.ts';
import { equalDigests, type PresentedKey, parseKeyText } from './secret.ts';
import { limitUnknownKeys, type UnknownKeys } from './unknown-keys.ts';

export interface Caller {
  readonly keyId: string;
  readonly customerId: string;
  readonly name: string | null;
  readonly createdAt: string;
  readonly secretNumber: number;
  readonly products: readonly Product[];
}

/** A request, with the address that it came from. */
export interface KeySource {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly ip: string;
}

export interface Authenticator {
  /**
   * The caller, from data less than a second old. Throws ApiError `unauthorized` or `key_revoked`, and `rate_limited` for
   * an unknown key from an address that has tried too many.
   */
  authenticate(source: KeySource): Promise<Caller>;
  /**
   * The caller of a call that the meter will judge. The identity is certain, but revocation, grace and products may be
   * up to a minute old, because the meter checks them again. Not a promise if the key is cached.
   */
  identify(source: KeySource): Caller | Promise<Caller>;
  /**
   * The caller of a call that a page of the portal makes with the key of this id; the page has checked that its person
   * may use it. The meter will judge the call. Null: no key.
   */
  identifyKey(keyId: string | null): Promise<Caller>;
}

const CACHED_KEYS_MAX = 10_000;
/** Every change takes effect within a second (rule I-30). */
const FRESH_MS = 500;
const CACHED_MS = 60_000;

interface CachedKey {
  readonly key: StoredKey;
  readonly readAtMs: number;
}

interface AuthenticatorOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Default: the limit of the service. */
  readonly unknownKeys?: UnknownKeys;
}

export function buildAuthenticator({ database, clock, ...options }: AuthenticatorOptions): Authenticator {
  const unknownKeys = options.unknownKeys ?? limitUnknownKeys(clock);
  const cached = new Map<string, CachedKey>();
  const reading = new Map<string, Promise<StoredKey | null>>();

  const readKey = async (keyId: string): Promise<StoredKey | null> => {
    const readAtMs = clock.monotonicMs();
    const key = await findKey(database, keyId);
    cached.delete(keyId);
    if (key !== null) {
      cached.set(keyId, { key, readAtMs });
      if (cached.size > CACHED_KEYS_MAX) cached.delete(cached.keys().next().value!);
    }
    return key;
  };

  const findFresh = async (keyId: string, ageMaxMs: number): Promise<StoredKey | null> => {
    const known = cached.get(keyId);
    if (known !== undefined && clock.monotonicMs() - known.readAtMs < ageMaxMs) return known.key;
    const running = reading.get(keyId);
    if (running !== undefined) return running;
    const started = readKey(keyId).finally(() => reading.delete(keyId));
    reading.set(keyId, started);
    return started;
  };

  const findVerdict = async ({ keyId, digest }: PresentedKey, ageMaxMs: number): Promise<SecretVerdict> => {
    const verdict = checkSecret(await findFresh(keyId, ageMaxMs), digest);
    // The cache cannot prove that a secret is unknown, because the key may have been rotated since. That a secret was
    // revoked stays true; that its customer is suspended may end.
    const ageAgainMs = { unknown: 0, suspended: FRESH_MS, revoked: null, caller: null }[verdict.kind];
    return ageAgainMs === null ? verdict : checkSecret(await findFresh(keyId, ageAgainMs), digest);
  };

  const findCaller = async ({ headers, ip }: KeySource, ageMaxMs: number): Promise<Caller> => {
    const presented = parseKeyText(readKeyText(headers));
    // Found out without a query, so it is not counted.
    if (presented === null) throw unauthorized('The key is not known.');
    const known = cached.get(presented.keyId);
    const isKnown = known !== undefined && checkSecret(known.key, presented.digest).kind === 'caller';
    const look = (): Promise<SecretVerdict> => findVerdict(presented, ageMaxMs);
    const verdict = await (isKnown ? look() : unknownKeys.lookUp(ip, look));
    if (verdict.kind === 'caller') return verdict.caller;
    if (verdict.kind !== 'unknown') throw keyRevoked(presented.keyId);
    throw unknownKeys.note(ip) ?? unauthorized('The key is not known.');
  };

  /** Null if the database has to be asked. */
  const findCachedCaller = ({ headers }: KeySource): Caller | null => {
    const presented = parseKeyText(readKeyText(headers));
    const known = presented === null ? undefined : cached.get(presented.keyId);
    if (known === undefined || clock.monotonicMs() - known.readAtMs >= CACHED_MS) return null;
    const verdict = checkSecret(known.key, presented!.digest);
    return verdict.kind === 'caller' ? verdict.caller : null;
  };

  return {
    authenticate: (source) => findCaller(source, FRESH_MS),
    identify: (source) => findCachedCaller(source) ?? findCaller(source, CACHED_MS),
    identifyKey: async (keyId) => {
      const key = keyId === null ? null : await findKey(database, keyId);
      if (key === null) throw unauthorized('The key is not known.');
      if (key.revoked || key.suspended) throw keyRevoked(key.key_id);
      // The newest secret never expires.
      return describeCaller(key, Math.max(0, ...key.secrets.map(({ number }) => number)));
    },
  };
}

function describeCaller(key: StoredKey, secretNumber: number): Caller {
  const { key_id: keyId, customer_id: customerId, name, created_at: createdAt, products } = key;
  return { keyId, customerId, name, createdAt, secretNumber, products };
}

/** `keyId`: only if a secret of the key was presented, so that nobody else can add to its list of refused calls. */
export function keyRevoked(keyId?: string): ApiError {
  return apiError('key_revoked', KEY_REVOKED, keyId === undefined ? {} : { keyId });
}

function unauthorized(message: string): ApiError {
  return apiError('unauthorized', `${message} Send a valid key in X-API-Key or as a Bearer token.`, {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** `revoked` and `suspended` get the same answer. */
type SecretVerdict = { kind: 'caller'; caller: Caller } | { kind: 'unknown' | 'revoked' | 'suspended' };

function checkSecret(key: StoredKey | null, digest: Buffer): SecretVerdict {
  const secret = key?.secrets.find((candidate) => equalDigests(candidate.digest, digest));
  if (key === null || secret === undefined) return { kind: 'unknown' };
  if (key.revoked || !secret.live) return { kind: 'revoked' };
  if (key.suspended) return { kind: 'suspended' };
  return { kind: 'caller', caller: describeCaller(key, secret.number) };
}

/** The key that the request carries (rule I-4). Throws `unauthorized` for none, or for two different ones. */
function readKeyText(headers: KeySource['headers']): string {
  const named = textOf(headers['x-api-key']);
  const bearer = /^bearer +(?<key>\S+)$/i.exec(textOf(headers.authorization))?.groups?.key ?? '';
  if (named !== '' && bearer !== '' && named !== bearer) {
    throw unauthorized('X-API-Key and Authorization carry different keys; send one of them.');
  }
  const text = named === '' ? bearer : named;
  if (text === '') throw unauthorized('The request carries no key.');
  return text;
}

function textOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header.join(',') : (header ?? '')).trim();
}
