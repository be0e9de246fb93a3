/**
 * Cookies and what they stand for. A session is a row in the database, found by the digest of a random token; the
 * cookie carries the token, signed. The token is made at sign-in and never taken from a request: none can be planted.
 * The CSRF token of a form is an HMAC over the cookie that the browser sends along: another site can make the browser
 * send the cookie, but can neither read it nor compute the token. Visitors who are not signed in carry a random cookie
 * for the same purpose.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type CookieSerializeOptions, Signer } from '@fastify/cookie';
import { buildToken, digestText } from '../access/secret.ts';
import type { Database } from '../store/db.ts';
import {
  deleteSession,
  findSessionUser,
  findSigningSecret,
  insertSession,
  type PortalUser,
  type SessionBounds,
} from '../store/portal.ts';

export const SESSION_COOKIE = 'tmds_session';
export const VISITOR_COOKIE = 'tmds_visitor';
export const ATTEMPT_COOKIE = 'tmds_attempt';
export const THEME_COOKIE = 'tmds_theme';

export const SESSION_BOUNDS: SessionBounds = { idleSeconds: 2 * 3600, absoluteSeconds: 12 * 3600 };

const SIGNING_BYTES = 32;

export interface Sessions {
  /** The token behind a signed cookie; null for a cookie that this service did not sign. */
  readCookie(cookie: string | undefined): Promise<string | null>;
  signCookie(token: string): Promise<string>;
  findUser(token: string): Promise<PortalUser | null>;
  /** Starts a session and resolves to its token. */
  start(userId: string): Promise<string>;
  end(token: string): Promise<void>;
  /** The CSRF token that belongs to this cookie value. */
  csrfOf(token: string): Promise<string>;
  isCsrf(token: string, presented: string): Promise<boolean>;
}

export function buildSessions(database: Database): Sessions {
  let keys: Promise<{ signer: Signer; secret: Buffer }> | null = null;
  // Read at the first request and not at the start, because the process may start before its database.
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
  const csrfOf = async (token: string): Promise<string> => {
    const { secret } = await findKeys();
    return createHmac('sha256', secret).update(`csrf\0${token}`).digest('base64url');
  };
  return {
    readCookie: async (cookie) => {
      if (cookie === undefined || cookie === '') return null;
      const { valid, value } = (await findKeys()).signer.unsign(cookie);
      return valid ? value : null;
    },
    signCookie: async (token) => (await findKeys()).signer.sign(token),
    findUser: (token) => findSessionUser(database, digestText(token), SESSION_BOUNDS),
    start: async (userId) => {
      const { text, digest } = buildToken();
      await insertSession(database, digest, userId);
      return text;
    },
    end: (token) => deleteSession(database, digestText(token)),
    csrfOf,
    isCsrf: async (token, presented) => {
      const expected = Buffer.from(await csrfOf(token));
      const given = Buffer.from(presented);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** For the portal only, out of reach of scripts and of forms on other sites. Ends with the browser or the session. */
export function cookieOptions(secure: boolean): CookieSerializeOptions {
  return { path: '/portal', httpOnly: true, sameSite: 'lax', secure };
}
