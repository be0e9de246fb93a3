/**
 * Calls on behalf of a key that nobody presents: the explorer of the portal goes through the public routes, and what it
 * asks is judged and metered like any call of that key. Keys are stored as digests only, so the portal has no text to
 * send; instead it opens a ticket in this process, good for one call, and the call carries the ticket's number.
 * Invariant: a ticket is 256 random bits, never leaves the process, and is gone once its call is identified or over.
 */
import { apiError } from '../base/errors.ts';
import { findKey } from '../store/accounts/keys.ts';
import type { Database } from '../store/driver/db.ts';
import { type Authenticator, type Caller, type HeaderSource, keyRevoked } from './authenticate.ts';
import { buildToken } from './secret.ts';

/** Looked at only while a ticket is open. */
export const TICKET_HEADER = 'x-tmds-ticket';

export interface Delegation {
  /** Knows open tickets beside the keys that `authenticator` knows. */
  readonly authenticator: Authenticator;
  /** Runs one call as the key of this id; whose key it is, the caller of this function has made sure of. */
  callAs<T>(keyId: string, call: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T>;
}

export function buildDelegation(authenticator: Authenticator, database: Database): Delegation {
  const tickets = new Map<string, string>();

  const redeem = async (ticket: string): Promise<Caller | null> => {
    const keyId = tickets.get(ticket);
    if (keyId === undefined) return null;
    tickets.delete(ticket);
    const key = await findKey(database, keyId);
    if (key === null) throw apiError('unauthorized', 'The key is not known.');
    // The newest secret is the one that has no end yet; the meter judges it again, and the revocation.
    const newest = key.secrets.reduce((latest, { number }) => Math.max(latest, number), 0);
    if (key.revoked) throw keyRevoked(keyId);
    const { name, created_at: createdAt, products } = key;
    return { keyId, name, createdAt, secretNumber: newest, products };
  };

  const identifyByTicket = async (headers: HeaderSource): Promise<Caller> => {
    const ticket = headers[TICKET_HEADER];
    const caller = typeof ticket === 'string' ? await redeem(ticket) : null;
    return caller ?? (await authenticator.identify(headers));
  };

  return {
    authenticator: {
      authenticate: (headers) => authenticator.authenticate(headers),
      identify: (headers) => (tickets.size > 0 ? identifyByTicket(headers) : authenticator.identify(headers)),
    },
    callAs: async (keyId, call) => {
      const { text } = buildToken();
      tickets.set(text, keyId);
      try {
        return await call({ [TICKET_HEADER]: text });
      } finally {
        tickets.delete(text);
      }
    },
  };
}
