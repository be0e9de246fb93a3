/**
 * A store of objects behind the S3 protocol. This file alone knows the client library (docs/design/payloads.md). For a
 * failure it keeps the message and the status, never the request, which is signed.
 */
import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../base/clock.ts';
import { runAtOnce } from './at-once.ts';
import { OBJECTS_AT_ONCE, type ObjectStore, ObjectStoreAway } from './object-store.ts';
import { type Try, type Wait, waitOfCall, waitOfWork } from './patience.ts';

export interface S3Options {
  /** `http://host:port` or `https://host`; null = the region's address at Amazon. */
  readonly endpoint: string | null;
  readonly bucket: string;
  /** Prefix of every name, such as `tmds/`; may be empty. */
  readonly prefix: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  readonly clock: Clock;
}

const CONNECT_MS = 2_000;
const NAMES_MAX = 1000;

/** The kept parts of a failure. */
interface Failure {
  readonly words: string;
  /** The status of the answer; null: there was none. */
  readonly status: number | null;
  readonly name: string;
}

export async function openS3(options: S3Options): Promise<ObjectStore> {
  // Loaded only on demand: it takes longer than the rest of a command together.
  const library = await import('@aws-sdk/client-s3');
  const { bucket, prefix, clock } = options;
  const client = openClient(library, options);
  const place = `s3://${bucket}/${prefix}`;
  const keyOf = (name: string): string => `${prefix}${name}`;

  const attempt: Attempt = async (what, { wait, signal: gone }, work) =>
    await wait.during(async () => {
      // A separate signal: the signal of a call would get too many listeners.
      const signal = gone === undefined ? undefined : AbortSignal.any([gone]);
      for (let tried = 1; ; tried += 1) {
        signal?.throwIfAborted();
        const trying = wait.begin();
        const abortSignal = signal === undefined ? trying.signal : AbortSignal.any([trying.signal, signal]);
        let pauseMs: number | null;
        try {
          abortSignal.throwIfAborted();
          return await untilAborted(work({ abortSignal }, trying), abortSignal);
        } catch (error) {
          signal?.throwIfAborted();
          const failure = describeFailure(error);
          pauseMs = mayPass(failure) ? wait.pauseAfter(tried) : null;
          if (pauseMs === null) throw away(`${what} ${place}`, failure);
        } finally {
          trying.end();
        }
        await clock.sleep(pauseMs, signal);
      }
    });

  /** Uses the patience of work, unless the store is read for a call. */
  const build = (call: { readonly wait: Wait; readonly signal?: AbortSignal | undefined } | null): ObjectStore => {
    const patience = (bytes = 0): TryOptions => call ?? { wait: waitOfWork(clock, bytes) };
    return {
      place,
      forCall: (signal) => build({ wait: waitOfCall(clock), signal: signal ?? call?.signal }),
      put: async (name, bytes) => {
        const input = { Bucket: bucket, Key: keyOf(name), Body: bytes, ContentLength: bytes.length };
        await attempt('writing to', patience(bytes.length), (options) =>
          client.send(new library.PutObjectCommand(input), options),
        );
      },
      get: async (name, bytesMax) =>
        await attempt('reading from', patience(), async (options, trying) => {
          try {
            const input = { Bucket: bucket, Key: keyOf(name) };
            const { Body, ContentLength } = await client.send(new library.GetObjectCommand(input), options);
            return await readBody(Body as AsyncIterable<Uint8Array>, { declared: ContentLength, bytesMax, trying });
          } catch (error) {
            if (describeFailure(error).name === 'NoSuchKey') return null;
            throw error;
          }
        }),
      // One by one: some servers refuse a list of names without its MD5, which the library does not send.
      delete: async (names) =>
        await runAtOnce(names, OBJECTS_AT_ONCE, async (name) => {
          const input = { Bucket: bucket, Key: keyOf(name) };
          await attempt('deleting from', patience(), async (options) => {
            try {
              await client.send(new library.DeleteObjectCommand(input), options);
            } catch (error) {
              if (describeFailure(error).name !== 'NoSuchKey') throw error;
            }
          });
        }),
      list: async function* (begin) {
        for (let token: string | undefined; ; ) {
          const input = { Bucket: bucket, Prefix: keyOf(begin), MaxKeys: NAMES_MAX };
          const next = token === undefined ? input : { ...input, ContinuationToken: token };
          const page = await attempt('listing', patience(), (options) =>
            client.send(new library.ListObjectsV2Command(next), options),
          );
          yield (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified }) => ({
            name: Key.slice(prefix.length),
            bytes: Size,
            writtenMs: LastModified?.getTime() ?? Number.POSITIVE_INFINITY,
          }));
          token = page.NextContinuationToken;
          if (token === undefined) return;
        }
      },
      close: () => client.destroy(),
    };
  };
  return build(null);
}

type Library = typeof import('@aws-sdk/client-s3');

interface TryOptions {
  readonly wait: Wait;
  readonly signal?: AbortSignal | undefined;
}

type Attempt = <T>(
  what: string,
  options: TryOptions,
  work: (options: { readonly abortSignal: AbortSignal }, trying: Try) => Promise<T>,
) => Promise<T>;

function openClient({ S3Client: Client }: Library, { endpoint, region, keyId, secret }: S3Options): S3Client {
  const agent = { maxSockets: OBJECTS_AT_ONCE, keepAlive: true };
  return new Client({
    region,
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: 1,
    // Servers other than Amazon's refuse the newer checksums; our own digests are compared anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, httpAgent: agent, httpsAgent: agent },
  });
}

/** The library does not stop reading a body when it is aborted. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
  }
}

interface BodyOptions {
  readonly declared: number | undefined;
  readonly bytesMax: number;
  readonly trying: Try;
}

async function readBody(body: AsyncIterable<Uint8Array>, { declared, bytesMax, trying }: BodyOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  trying.hear(0);
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`an object has more than ${bytesMax} bytes`);
    chunks.push(chunk);
    trying.hear(chunk.length);
  }
  if (declared !== undefined && bytes !== declared) throw new Error(`${bytes} of ${declared} bytes came`);
  return Buffer.concat(chunks);
}

function describeFailure(error: unknown): Failure {
  const { name, message, $metadata, code } = error as {
    name?: string;
    message?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode ?? null;
  return {
    name: name ?? '',
    words: [status, code, message ?? name].filter((word) => word != null && word !== '').join(' '),
    status,
  };
}

/** Refusals of a server that our settings cause, and what to change. */
const REMEDIES: Readonly<Record<string, string>> = {
  // Some servers answer this for unknown keys too.
  SignatureDoesNotMatch: 'correct TMDS_S3_SECRET or TMDS_S3_KEY_ID',
  InvalidAccessKeyId: 'correct TMDS_S3_KEY_ID',
  AuthorizationHeaderMalformed: 'correct TMDS_S3_REGION',
  PermanentRedirect: 'correct TMDS_S3_REGION or TMDS_S3_ENDPOINT',
  NoSuchBucket: 'correct TMDS_S3_BUCKET, or make the bucket',
  AccessDenied:
    'let the key TMDS_S3_KEY_ID read, write, list and delete below TMDS_S3_PREFIX, or correct TMDS_S3_SECRET',
  RequestTimeTooSkewed: 'set the clock of this machine',
};

/** Too many requests, one that took too long to send, or a clock that is off: the library corrects these on its own. */
const PASSING = { statuses: [408, 429], names: ['RequestTimeTooSkewed'] };

/** False if the server has understood the request and refuses it. */
function mayPass({ status, name }: Failure): boolean {
  if (status === null || status < 400 || status >= 500) return true;
  return PASSING.statuses.includes(status) || PASSING.names.includes(name);
}

function away(what: string, { words, name }: Failure): ObjectStoreAway {
  const remedy = REMEDIES[name];
  return new ObjectStoreAway(`${what}: ${remedy === undefined ? words : `${words.replace(/\.$/, '')}; ${remedy}`}`);
}
