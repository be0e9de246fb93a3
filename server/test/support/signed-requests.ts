/**
 * Whether a request to a server with the S3 protocol is signed as its form "AWS4-HMAC-SHA256" demands. The signature is
 * computed by another library than the one that signs.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';

interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly service: string;
  readonly region: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** It comes without types. */
const { sign } = createRequire(import.meta.url)('aws4') as {
  sign(
    request: SignedRequest,
    credentials: { accessKeyId: string; secretAccessKey: string },
  ): {
    headers: { Authorization: string };
  };
};

export interface Signer {
  readonly keyId: string;
  readonly secret: string;
  readonly region: string;
}

/** As Amazon's server names and words it. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

const SKEW_MS_MAX = 15 * 60_000;
const HASH = '([0-9a-f]{64})';
const FORM = new RegExp(
  `^AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=${HASH}$`,
);
/** A man in the middle must not be able to change these. */
const SIGNED_ALWAYS = ['host', 'x-amz-date', 'x-amz-content-sha256'];

/** Null if it is signed rightly by the signer, for these bytes, at about this time. */
export function refuseRequest(
  asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
  { keyId, secret, region }: Signer,
  nowMs: number,
): Refusal | null {
  const { authorization = '', ...headers } = asked.headers as Record<string, string>;
  const parts = FORM.exec(authorization);
  if (parts === null) return { code: 'AccessDenied', message: 'Access Denied' };
  const [, id, day, signedRegion, names] = parts as unknown as [string, string, string, string, string];
  if (id !== keyId) return { code: 'InvalidAccessKeyId', message: 'The key id does not exist in our records.' };
  if (signedRegion !== region) {
    const message = `The header is malformed: the region ${signedRegion} is wrong, expecting ${region}`;
    return { code: 'AuthorizationHeaderMalformed', message };
  }
  const atMs = Date.parse((headers['x-amz-date'] ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (!(Math.abs(atMs - nowMs) <= SKEW_MS_MAX) || !headers['x-amz-date']!.startsWith(day)) {
    return { code: 'RequestTimeTooSkewed', message: 'The difference between the request time and ours is too large.' };
  }
  const signed = Object.fromEntries(names.split(';').map((name) => [name, headers[name]!]));
  const again = sign(
    { method: asked.method!, path: asked.url!, service: 's3', region, headers: signed },
    { accessKeyId: keyId, secretAccessKey: secret },
  );
  const isWhole = SIGNED_ALWAYS.every((name) => signed[name] !== undefined);
  if (!isWhole || again.headers.Authorization.replaceAll(', ', ',') !== authorization.replaceAll(', ', ',')) {
    return {
      code: 'SignatureDoesNotMatch',
      message: 'The signature we calculated does not match the one you provided.',
    };
  }
  const digest = createHash('sha256').update(body).digest('hex');
  if (digest === headers['x-amz-content-sha256']) return null;
  return { code: 'XAmzContentSHA256Mismatch', message: 'The digest of the content is not the one that was signed.' };
}
