/** Sign-in with the identity provider: the way there and back. */
import { insertAudit } from '../../store/accounts/customers.ts';
import { findAccount, insertAccount } from '../../store/accounts/portal.ts';
import { acceptInvitationOf, lockAddress } from '../../store/accounts/portal-invitations.ts';
import { PageRefusal, type PortalAnswer, type PortalRoute, type PublicCall } from '../frame/call.ts';
import { parseNext } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import { decodeAttempt, encodeAttempt, type IdentityProvider } from './identity.ts';
import type { Sessions } from './sessions.ts';

export function listIdentityRoutes(
  services: PortalServices,
  sessions: Sessions,
  provider: IdentityProvider,
): PortalRoute[] {
  return [
    { method: 'GET', url: '/identity', open: (call) => begin(call, provider, services) },
    { method: 'GET', url: '/identity/return', open: (call) => finish(call, provider, services, sessions) },
  ];
}

async function begin(call: PublicCall, provider: IdentityProvider, { log }: PortalServices): Promise<PortalAnswer> {
  try {
    const { attempt, url } = await provider.begin();
    return { away: url, attempt: encodeAttempt({ ...attempt, next: parseNext(call.query.get('next')) }) };
  } catch (error) {
    log.warn({ err: error }, 'the identity provider does not answer');
    throw new PageRefusal(503, 'Not available', 'The identity provider does not answer. Try again shortly.');
  }
}

async function finish(
  call: PublicCall,
  provider: IdentityProvider,
  services: PortalServices,
  sessions: Sessions,
): Promise<PortalAnswer> {
  const attempt = decodeAttempt(call.attempt);
  if (attempt === null) throw failed();
  const email = await provider.finish(attempt, call.query).catch((error: unknown) => {
    services.log.warn({ err: error }, 'a sign-in at the identity provider failed');
    throw failed();
  });
  const userId = email === null ? null : await findOrJoin(email, services);
  if (userId === null) {
    const message = 'The address that the identity provider gave us has no invitation, or is not verified.';
    throw new PageRefusal(403, 'Not invited', message);
  }
  if (call.token !== null) await sessions.end(call.token);
  return { to: parseNext(attempt.next), session: await sessions.start(userId) };
}

function failed(): PageRefusal {
  return new PageRefusal(403, 'The sign-in was not completed', 'Start again from the sign-in page.');
}

/** Finds the account of the address, or accepts its open invitation. */
async function findOrJoin(email: string, { database }: PortalServices): Promise<string | null> {
  return database.transaction(async (tx) => {
    await lockAddress(tx, email);
    const known = await findAccount(tx, email);
    if (known !== null) return known.user_id;
    const customerId = await acceptInvitationOf(tx, email);
    if (customerId === null) return null;
    const userId = await insertAccount(tx, { customer_id: customerId, email });
    const audit = { actor: `portal ${email}`, action: 'user.join', customer_id: customerId, key_id: null };
    await insertAudit(tx, { ...audit, change: { email } });
    return userId;
  });
}
