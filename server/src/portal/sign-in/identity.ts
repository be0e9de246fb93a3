/**
 * Sign-in with an OpenID Connect provider: authorization code with PKCE, state and nonce, kept in a signed cookie for
 * the few minutes it takes. The provider says who a person is, not whether they may enter: their verified address must
 * have an account or an open invitation.
 */

import * as openid from 'openid-client';
import { holdCustomer, insertAudit } from '../../store/accounts/customers.ts';
import { findAccount, insertAccount } from '../../store/accounts/portal.ts';
import { acceptInvitationOf, findInviter, lockAddress } from '../../store/accounts/portal-invitations.ts';
import { PageRefusal, type PortalAnswer, type PortalRoute, type PublicCall } from '../frame/call.ts';
import { parseNext } from '../frame/pieces.ts';
import type { IdentityClient, PortalServices } from '../services.ts';
import type { Sessions } from './sessions.ts';
import { noteOperator, suspended } from './standing.ts';

const TIMEOUT_SECONDS = 10;

/** Data that has to return unchanged, with the page to continue to; it is kept in a signed cookie. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
}

function encodeAttempt({ state, nonce, verifier, next }: Attempt): string {
  return [state, nonce, verifier, encodeURIComponent(next)].join('~');
}

function decodeAttempt(text: string | null): Attempt | null {
  const [state, nonce, verifier, next] = (text ?? '').split('~');
  return state && nonce && verifier ? { state, nonce, verifier, next: decodeURIComponent(next ?? '') } : null;
}

/** `returnUrl`: `https://api.example/portal/identity/return`. */
export function listIdentityRoutes(
  services: PortalServices,
  sessions: Sessions,
  client: IdentityClient,
  returnUrl: string,
): PortalRoute[] {
  const discover = buildDiscovery(client);
  return [
    { method: 'GET', url: '/identity', open: (call) => begin(call, services, discover, returnUrl) },
    { method: 'GET', url: '/identity/return', open: (call) => finish(call, services, sessions, discover, returnUrl) },
  ];
}

type Discovery = () => Promise<openid.Configuration>;

/** The configuration of the provider, read once; after a failure, once more. */
function buildDiscovery({ issuer, clientId, clientSecret }: IdentityClient): Discovery {
  let discovered: Promise<openid.Configuration> | null = null;
  return () => {
    // The settings allow plain http only for the local host.
    const execute = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
    const authentication = clientSecret === null ? openid.None() : openid.ClientSecretPost(clientSecret);
    discovered ??= openid
      .discovery(new URL(issuer), clientId, undefined, authentication, { execute, timeout: TIMEOUT_SECONDS })
      .catch((error: unknown) => {
        discovered = null;
        throw error;
      });
    return discovered;
  };
}

async function begin(
  call: PublicCall,
  { log }: PortalServices,
  discover: Discovery,
  returnUrl: string,
): Promise<PortalAnswer> {
  const verifier = openid.randomPKCECodeVerifier();
  const attempt = { state: openid.randomState(), nonce: openid.randomNonce(), verifier };
  try {
    const { href } = openid.buildAuthorizationUrl(await discover(), {
      redirect_uri: returnUrl,
      scope: 'openid email',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { away: href, attempt: encodeAttempt({ ...attempt, next: parseNext(call.query.get('next')) }) };
  } catch (error) {
    log.warn({ err: error }, 'the identity provider does not answer');
    throw new PageRefusal(503, 'Not available', 'The identity provider does not answer. Try again shortly.');
  }
}

async function finish(
  call: PublicCall,
  services: PortalServices,
  sessions: Sessions,
  discover: Discovery,
  returnUrl: string,
): Promise<PortalAnswer> {
  const attempt = decodeAttempt(call.attempt);
  if (attempt === null) throw failed();
  const returned = new URL(`${returnUrl}?${call.query.toString()}`);
  const email = await readEmail(discover, attempt, returned).catch((error: unknown) => {
    services.log.warn({ err: error }, 'a sign-in at the identity provider failed');
    throw failed();
  });
  const found = email === null ? null : await findOrJoin(email, services, call.address);
  if (email === null || found === null) {
    const message = 'The address that the identity provider gave us has no invitation, or is not verified.';
    throw new PageRefusal(403, 'Not invited', message);
  }
  if (call.token !== null) await sessions.end(call.token);
  await noteOperator(services.database, { ...found, email }, call.address);
  return { to: parseNext(attempt.next), session: await sessions.start(found.userId) };
}

/** The person's verified address in lower case; null when the provider has none. */
async function readEmail(discover: Discovery, attempt: Attempt, returned: URL): Promise<string | null> {
  const tokens = await openid.authorizationCodeGrant(await discover(), returned, {
    pkceCodeVerifier: attempt.verifier,
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const isVerified = typeof claims?.email === 'string' && claims.email_verified === true;
  return isVerified ? String(claims.email).toLowerCase() : null;
}

function failed(): PageRefusal {
  return new PageRefusal(403, 'The sign-in was not completed', 'Start again from the sign-in page.');
}

/**
 * Finds the account of the address, or accepts its open invitation. Nobody becomes an operator this way: that takes the
 * link, and a password.
 */
async function findOrJoin(
  email: string,
  { database }: PortalServices,
  address: string,
): Promise<{ userId: string; isOperator: boolean } | null> {
  return database.transaction(async (tx) => {
    await lockAddress(tx, email);
    const known = await findAccount(tx, email);
    if (known !== null) {
      if (known.suspended) throw suspended(known.suspension_reason);
      return { userId: known.user_id, isOperator: known.is_operator };
    }
    const customerId = await findInviter(tx, email);
    // The customer is locked first: a transaction that removes it waits, and then removes this person too.
    const customer = customerId === null ? null : await holdCustomer(tx, customerId);
    const role = customerId === null ? null : await acceptInvitationOf(tx, email, customerId);
    if (customerId === null || role === null) return null;
    if (customer !== null && customer.suspended_at !== null) throw suspended(customer.suspension_reason);
    const userId = await insertAccount(tx, { customer_id: customerId, email, role });
    const actor = { name: `portal ${email}`, address };
    const audit = { actor, action: 'user.join', customer_id: customerId, key_id: null };
    await insertAudit(tx, { ...audit, change: { email, role } });
    return { userId, isOperator: false };
  });
}
