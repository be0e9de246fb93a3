/**
 * A store of objects behind the S3 protocol. It alone knows the client library (docs/decisions/0117). It decides how
 * long a call may take and how often it is tried; of a failure it keeps the words and the status, never the request,
 * which is signed.
 */
import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../../base/clock.ts';
import { OBJECTS_AT_ONCE, type ObjectStore, ObjectStoreAway, type StoredObject } from './object-store.ts';

export interface S3Options {
  /** `http://host:port` or `https://host`; null = that of the region at Amazon. */
  readonly endpoint: string | null;
  readonly bucket: string;
  /** In front of every name, such as `tmds/`; may be empty. */
  readonly prefix: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  readonly clock: Clock;
}

/** Longest time of one try, and on top what its bytes need. */
const TRY_MS = 5_000;
const CONNECT_MS = 2_000;
/** A body that crosses the network more slowly is given up. */
const BYTES_PER_MS_MIN = 500;
/** Somebody waits for what is read; a load that writes can wait for some time. */
const READ_TRIES = 2;
const WRITE_TRIES = 6;
const FIRST_PAUSE_MS = 200;
const NAMES_MAX = 1000;

/** What is kept of a failure. */
interface Failure {
  readonly words: string;
  /** The status of the answer; null: there was none. */
  readonly status: number | null;
  readonly name: string;
}

export async function openS3(options: S3Options): Promise<ObjectStore> {
  // Loaded only where it is wanted: it takes longer than the rest of a command together.
  const library = await import('@aws-sdk/client-s3');
  const { bucket, prefix, clock } = options;
  const client = openClient(library, options);
  const place = `s3://${bucket}/${prefix}`;
  const keyOf = (name: string): string => `${prefix}${name}`;

  const attempt = async <T>(
    what: string,
    { tries, bytes = 0, signal }: { tries: number; bytes?: number; signal?: AbortSignal | undefined },
    work: (call: { readonly abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    for (let tried = 1; ; tried += 1) {
      signal?.throwIfAborted();
      const stop = new AbortController();
      const limitMs = TRY_MS + bytes / BYTES_PER_MS_MIN;
      const stopTimer = clock.callAfter(limitMs, () => stop.abort(new Error(`no answer in ${Math.round(limitMs)} ms`)));
      const abortSignal = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
      try {
        return await untilAborted(work({ abortSignal }), abortSignal);
      } catch (error) {
        signal?.throwIfAborted();
        const failure = describeFailure(error);
        if (tried === tries || !mayPass(failure)) throw away(`${what} ${place}`, failure);
      } finally {
        stopTimer();
      }
      await clock.sleep(FIRST_PAUSE_MS * 2 ** (tried - 1), signal);
    }
  };

  return {
    place,
    put: async (name, bytes) => {
      const input = { Bucket: bucket, Key: keyOf(name), Body: bytes, ContentLength: bytes.length };
      await attempt('writing to', { tries: WRITE_TRIES, bytes: bytes.length }, (call) =>
        client.send(new library.PutObjectCommand(input), call),
      );
    },
    get: async (name, bytesMax, signal) =>
      await attempt('reading from', { tries: READ_TRIES, signal }, async (call) => {
        try {
          const { Body, ContentLength } = await client.send(
            new library.GetObjectCommand({ Bucket: bucket, Key: keyOf(name) }),
            call,
          );
          return await readBody(Body as AsyncIterable<Uint8Array>, ContentLength, bytesMax);
        } catch (error) {
          if (describeFailure(error).name === 'NoSuchKey') return null;
          throw error;
        }
      }),
    delete: async (names) => {
      for (let from = 0; from < names.length; from += NAMES_MAX) {
        const objects = names.slice(from, from + NAMES_MAX).map((name) => ({ Key: keyOf(name) }));
        const input = { Bucket: bucket, Delete: { Objects: objects, Quiet: true } };
        const { Errors = [] } = await attempt('deleting from', { tries: WRITE_TRIES }, (call) =>
          client.send(new library.DeleteObjectsCommand(input), call),
        );
        const [first] = Errors;
        if (first !== undefined) throw new ObjectStoreAway(`deleting from ${place}: ${first.Code ?? 'refused'}`);
      }
    },
    list: (begin) => listObjects(attempt, { client, library, bucket, prefix, begin }),
    close: () => client.destroy(),
  };
}

type Library = typeof import('@aws-sdk/client-s3');
type Attempt = <T>(
  what: string,
  options: { tries: number },
  work: (call: { readonly abortSignal: AbortSignal }) => Promise<T>,
) => Promise<T>;

function openClient({ S3Client: Client }: Library, { endpoint, region, keyId, secret }: S3Options): S3Client {
  const agent = { maxSockets: OBJECTS_AT_ONCE, keepAlive: true };
  return new Client({
    region,
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: 1,
    // Other servers than Amazon's refuse the newer ones; digests of our own are compared anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, httpAgent: agent, httpsAgent: agent },
  });
}

async function* listObjects(
  attempt: Attempt,
  {
    client,
    library,
    bucket,
    prefix,
    begin,
  }: Record<'bucket' | 'prefix' | 'begin', string> & {
    client: S3Client;
    library: Library;
  },
): AsyncGenerator<readonly StoredObject[]> {
  for (let token: string | undefined; ; ) {
    const input = { Bucket: bucket, Prefix: `${prefix}${begin}`, MaxKeys: NAMES_MAX };
    const page = await attempt(`listing s3://${bucket}/${prefix}`, { tries: WRITE_TRIES }, (call) =>
      client.send(
        new library.ListObjectsV2Command(token === undefined ? input : { ...input, ContinuationToken: token }),
        call,
      ),
    );
    yield (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified }) => ({
      name: Key.slice(prefix.length),
      bytes: Size,
      writtenMs: LastModified?.getTime() ?? Number.POSITIVE_INFINITY,
    }));
    token = page.NextContinuationToken;
    if (token === undefined) return;
  }
}

/** The library does not end the reading of a body when it is told to. */
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

async function readBody(
  body: AsyncIterable<Uint8Array>,
  declared: number | undefined,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`an object has more than ${bytesMax} bytes`);
    chunks.push(chunk);
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

/** It took too long to send the request, or there were too many. */
const PASSING: readonly number[] = [408, 429];

/** Not if the server has understood the request and refuses it. */
function mayPass({ status }: Failure): boolean {
  return status === null || status < 400 || status >= 500 || PASSING.includes(status);
}

function away(what: string, { words }: Failure): ObjectStoreAway {
  return new ObjectStoreAway(`${what}: ${words}`);
}
