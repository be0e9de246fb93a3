/**
 * Sessions, and the tokens that prove where a form came from. A session is a row in the database, found by the digest
 * of a random token that the cookie holds, signed. The token is made at sign-in and never taken from a request, so
 * nobody can plant one. The CSRF token of a form is an HMAC over that cookie: another site can make the browser send
 * the cookie, but can neither read it nor compute the token. Visitors who are not signed in get a random cookie for
 * this purpose.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type CookieSerializeOptions, Signer } from '@fastify/cookie';
import { buildToken, digestText, equalDigests } from '../../access/secret.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../database/driver/db.ts';
import {
  deleteSession,
  findSession,
  findSigningSecret,
  insertSession,
  type PortalSession,
  type SessionTerms,
} from '../../store/accounts/portal.ts';

export const SESSION_COOKIE = 'tmds_session';
export const VISITOR_COOKIE = 'tmds_visitor';
export const ATTEMPT_COOKIE = 'tmds_attempt';
export const THEME_COOKIE = 'tmds_theme';

export const SESSION_TERMS: SessionTerms = {
  people: { idleSeconds: 2 * 3600, absoluteSeconds: 12 * 3600 },
  operators: { idleSeconds: 1800, absoluteSeconds: 8 * 3600 },
  viewSeconds: 1800,
};

const SIGNING_BYTES = 32;
const CSRF_BYTES = 32;
const FORM_BYTES = 18;

export type Sessions = ReturnType<typeof buildSessions>;

export function buildSessions(database: Database, clock: Clock) {
  let keys: Promise<{ signer: Signer; secret: Buffer }> | null = null;
  // Read with the first request, because the process may start before its database.
  const findKeys = (): Promise<{ signer: Signer; secret: Buffer }> => {
    keys ??= findSigningSecret(database, randomBytes(SIGNING_BYTES)).then(
      (secret) => ({ signer: new Signer(secret.toString('base64')), secret }),
      (error: unknown) => {
        keys = null;
        throw error;
      },
    );
    return keys;
  };
  const sign = (secret: Buffer, purpose: string, token: string): Buffer =>
    createHmac('sha256', secret).update(`${purpose}\0${token}`).digest();
  const signForm = (secret: Buffer, token: string, body: string): string =>
    sign(secret, `form\0${body}`, token).toString('base64url');
  return {
    /** The token in a signed cookie; null when this service did not sign it. */
    readCookie: async (cookie: string | undefined): Promise<string | null> => {
      if (cookie === undefined || cookie === '') return null;
      const { valid, value } = (await findKeys()).signer.unsign(cookie);
      return valid ? value : null;
    },
    signCookie: async (token: string): Promise<string> => (await findKeys()).signer.sign(token),
    find: (token: string): Promise<PortalSession | null> => findSession(database, digestText(token), SESSION_TERMS),
    start: async (userId: string): Promise<string> => {
      const { text, digest } = buildToken();
      await insertSession(database, digest, userId);
      return text;
    },
    end: (token: string): Promise<void> => deleteSession(database, digestText(token)),
    /** With a different text each time. */
    csrfOf: async (token: string): Promise<string> => {
      const pad = randomBytes(CSRF_BYTES);
      return Buffer.concat([pad, mask(sign((await findKeys()).secret, 'csrf', token), pad)]).toString('base64url');
    },
    isCsrf: async (token: string, presented: string): Promise<boolean> => {
      const given = Buffer.from(presented, 'base64url');
      const [pad, masked] = [given.subarray(0, CSRF_BYTES), given.subarray(CSRF_BYTES)];
      if (given.length !== 2 * CSRF_BYTES) return false;
      return equalDigests(mask(masked, pad), sign((await findKeys()).secret, 'csrf', token));
    },
    /** A function that makes the one-use tokens of forms for this cookie value. */
    formTokensOf: async (token: string): Promise<() => string> => {
      const { secret } = await findKeys();
      return () => {
        const body = `${Math.floor(clock.nowMs() / 1000).toString(36)}.${randomBytes(FORM_BYTES).toString('base64url')}`;
        return `${body}.${signForm(secret, token, body)}`;
      };
    },
    /** True for a token that was made for this cookie value at most `secondsMax` ago. */
    isFormToken: async (token: string, presented: string, secondsMax: number): Promise<boolean> => {
      const [made = '', nonce = '', signature = ''] = presented.split('.');
      const expected = Buffer.from(signForm((await findKeys()).secret, token, `${made}.${nonce}`));
      const ageSeconds = clock.nowMs() / 1000 - Number.parseInt(made, 36);
      return equalDigests(Buffer.from(signature), expected) && ageSeconds <= secondsMax;
    },
  };
}

/**
 * The signature under a new random pad. Pages are compressed and repeat parts of the request; if the token had the same
 * text on every page, the lengths of many answers could reveal it (the BREACH attack).
 */
function mask(bytes: Buffer, pad: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, position) => byte ^ pad[position]!));
}

/** For the portal only; scripts and forms of other sites cannot use them. They end with the browser or the session. */
export function cookieOptions(secure: boolean): CookieSerializeOptions {
  return { path: '/portal', httpOnly: true, sameSite: 'lax', secure };
}
