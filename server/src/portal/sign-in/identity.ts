/**
 * Sign-in with an OpenID Connect provider: authorization code with PKCE, state and nonce, kept in a signed cookie for
 * the few minutes it takes. The provider says who a person is, not whether they may enter: their verified address must
 * have an account or an open invitation.
 */
import * as openid from 'openid-client';

export interface IdentitySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** `https://api.example/portal/identity/return`. */
  readonly returnUrl: string;
}

/** Data that has to return unchanged; it is kept in a signed cookie. */
export interface IdentityAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface IdentityProvider {
  /** A new attempt, and the address to send the browser to. */
  begin(): Promise<{ attempt: IdentityAttempt; url: string }>;
  /** The person's verified address in lower case; null when the provider has none. */
  finish(attempt: IdentityAttempt, query: URLSearchParams): Promise<string | null>;
}

const TIMEOUT_SECONDS = 10;

export function buildIdentityProvider(settings: IdentitySettings): IdentityProvider {
  const { issuer, clientId, clientSecret, returnUrl } = settings;
  let discovered: Promise<openid.Configuration> | null = null;
  const discover = (): Promise<openid.Configuration> => {
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
      const isVerified = typeof claims?.email === 'string' && claims.email_verified === true;
      return isVerified ? String(claims.email).toLowerCase() : null;
    },
  };
}

/** An attempt, and the page to continue to. */
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
