/**
 * Sign-in at an OpenID Connect provider: authorization code with PKCE, state and nonce, all kept in a signed cookie for
 * the few minutes it takes. The provider says who somebody is; whether they may come in is still decided by the
 * invitation: the address must belong to a person of a customer, or to an open invitation, and be verified.
 */
import * as openid from 'openid-client';

export interface IdentitySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** `https://api.example/portal/identity/return`. */
  readonly returnUrl: string;
}

/** What has to come back unchanged; goes into a signed cookie. */
interface IdentityAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface IdentityProvider {
  /** A new attempt and where to send the browser for it. */
  begin(): Promise<{ attempt: IdentityAttempt; url: string }>;
  /** The verified address of whoever came back, in lower case; null when the provider vouches for none. */
  finish(attempt: IdentityAttempt, query: URLSearchParams): Promise<string | null>;
}

const TIMEOUT_SECONDS = 10;

export function buildIdentityProvider(settings: IdentitySettings): IdentityProvider {
  const { issuer, clientId, clientSecret, returnUrl } = settings;
  let discovered: Promise<openid.Configuration> | null = null;
  const discover = (): Promise<openid.Configuration> => {
    // The settings admit plain http only for this machine itself.
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
  return {
    begin: async () => {
      const configuration = await discover();
      const verifier = openid.randomPKCECodeVerifier();
      const attempt = { state: openid.randomState(), nonce: openid.randomNonce(), verifier };
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: returnUrl,
        scope: 'openid email',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { attempt, url: url.href };
    },
    finish: async (attempt, query) => {
      const returned = new URL(`${returnUrl}?${query.toString()}`);
      const tokens = await openid.authorizationCodeGrant(await discover(), returned, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      const isVouched = typeof claims?.email === 'string' && claims.email_verified === true;
      return isVouched ? String(claims.email).toLowerCase() : null;
    },
  };
}

/** An attempt, and where it leads in the portal. */
export interface Journey extends IdentityAttempt {
  readonly next: string;
}

export function encodeAttempt({ state, nonce, verifier, next }: Journey): string {
  return [state, nonce, verifier, encodeURIComponent(next)].join('~');
}

export function decodeAttempt(text: string | null): Journey | null {
  const [state, nonce, verifier, next] = (text ?? '').split('~');
  return state && nonce && verifier ? { state, nonce, verifier, next: decodeURIComponent(next ?? '') } : null;
}
