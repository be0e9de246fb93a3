/**
 * Calls on behalf of a key without its text: the portal's explorer calls the public routes, and its calls are judged
 * and metered like any call of the key. Since keys are stored as digests only, the portal cannot send one; instead it
 * opens a ticket for one call and sends that. Invariant: a ticket is 256 random bits, never leaves the process, and
 * ends once its call is identified or has ended.
 */
import { apiError } from '../base/errors.ts';
import { findKey } from '../store/accounts/keys.ts';
import type { Database } from '../store/driver/db.ts';
import { type Authenticator, type Caller, type HeaderSource, keyRevoked } from './authenticate.ts';
import { buildToken } from './secret.ts';

/** Read only while a ticket is open. */
const TICKET_HEADER = 'x-tmds-ticket';

const BROAD_HEADER = 'x-tmds-broad';
/** Sent with a ticket, it makes the call broad (`Caller`). In any other request it has no effect. */
export const BROAD_CALL: Readonly<Record<string, string>> = { [BROAD_HEADER]: '1' };

export interface Delegation {
  /** Accepts open tickets as well as keys. */
  readonly authenticator: Authenticator;
  /** Runs one call with the rights of a key. The caller must have checked that the user may use the key. */
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
    // The newest secret never expires. The meter checks it again, and whether the key is revoked.
    const newest = key.secrets.reduce((latest, { number }) => Math.max(latest, number), 0);
    if (key.revoked || key.suspended) throw keyRevoked(keyId);
    const { customer_id: customerId, name, created_at: createdAt, products } = key;
    return { keyId, customerId, name, createdAt, secretNumber: newest, products };
  };

  const identifyByTicket = async (headers: HeaderSource, address: string): Promise<Caller> => {
    const ticket = headers[TICKET_HEADER];
    const caller = typeof ticket === 'string' ? await redeem(ticket) : null;
    if (caller === null) return authenticator.identify(headers, address);
    return { ...caller, isBroad: headers[BROAD_HEADER] !== undefined };
  };

  return {
    authenticator: {
      authenticate: (headers, address) => authenticator.authenticate(headers, address),
      identify: (headers, address) =>
        tickets.size > 0 ? identifyByTicket(headers, address) : authenticator.identify(headers, address),
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
