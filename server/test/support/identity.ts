/** An OpenID Connect provider with one person, who always consents. It checks PKCE, as a real one does. */
import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestProvider {
  readonly issuer: string;
  /** The person who signs in next. */
  person: { email: string; email_verified: boolean };
  /** Claims to falsify, so that a test can see them refused. */
  spoil: Record<string, unknown>;
}

export async function startProvider(t: { after(work: () => Promise<void>): void }): Promise<TestProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, { nonce: string; challenge: string; client: string }>();
  const provider: TestProvider = { issuer: '', person: { email: '', email_verified: true }, spoil: {} };
  const sign = (claims: Record<string, unknown>): string => {
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const body = `${encode({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${encode(claims)}`;
    return `${body}.${createSign('RSA-SHA256').update(body).sign(privateKey).toString('base64url')}`;
  };
  const issue = async (request: IncomingMessage): Promise<unknown> => {
    const form = new URLSearchParams(await readBody(request));
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant === undefined || challenge !== grant.challenge) return { error: 'invalid_grant' };
    const now = Math.floor(Date.now() / 1000);
    const { nonce, client: aud } = grant;
    const claims = { iss: provider.issuer, sub: randomUUID(), aud, iat: now, exp: now + 60, nonce, ...provider.person };
    return { access_token: 'unused', token_type: 'Bearer', id_token: sign({ ...claims, ...provider.spoil }) };
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer);
    if (url.pathname === '/authorize') {
      const query = url.searchParams;
      const code = randomUUID();
      const [nonce = '', challenge = '', client = ''] = ['nonce', 'code_challenge', 'client_id'].map(
        (name) => query.get(name) ?? '',
      );
      grants.set(code, { nonce, challenge, client });
      const back = new URL(query.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const { issuer } = provider;
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/keys': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }),
      '/token': () => issue(request),
    };
    const answer = (await answers[url.pathname]?.()) as { error?: string } | undefined;
    response.writeHead(answer === undefined ? 404 : answer.error === undefined ? 200 : 400, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  (provider as { issuer: string }).issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return provider;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
