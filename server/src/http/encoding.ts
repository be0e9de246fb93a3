/**
 * Compresses answers if the client accepts it and it is worthwhile. Streams are compressed on the fly, so that a slow
 * client still slows down the source. Unlike the portal, it does not use `@fastify/compress`, which answers brotli to
 * `br;q=0, *`, and compresses whole pages on the event loop (docs/design/dependencies.md).
 */

import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Answer, Chunks } from '../render/answer.ts';

/** Smaller answers fit into one network packet, so compressing them saves nothing. */
const COMPRESSED_BYTES_MIN = 1400;
/** A body with fewer characters is smaller than that: a character takes up to 3 bytes. */
export const ENCODED_LENGTH_MIN = COMPRESSED_BYTES_MIN / 3;

const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
const gzipOptions = { level: 5 };

const ENCODINGS = {
  br: {
    compress: (bytes: Buffer) =>
      promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(bytes, brotliOptions),
    stream: () => zlib.createBrotliCompress(brotliOptions),
  },
  gzip: {
    compress: (bytes: Buffer) => promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)(bytes, gzipOptions),
    stream: () => zlib.createGzip(gzipOptions),
  },
} as const;
export type Encoding = keyof typeof ENCODINGS;

/** The better of `br` and `gzip` that `Accept-Encoding` allows; null for neither. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const weights = readWeights(accepted);
  const weigh = (name: Encoding): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weigh('br') >= weigh('gzip') ? 'br' : 'gzip';
  return weigh(best) > 0 ? best : null;
}

export interface EncodedBody {
  readonly body: string | Buffer | Readable;
  readonly encoding: Encoding | null;
}

/** Encodes the body if the client accepts an encoding and the body is large enough. */
export async function encodeBody(
  body: NonNullable<Answer['body']>,
  accepted: string | undefined,
): Promise<EncodedBody> {
  const encoding = chooseEncoding(accepted);
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    if (encoding === null || Buffer.byteLength(body) < COMPRESSED_BYTES_MIN) return { body, encoding: null };
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    return { body: await ENCODINGS[encoding].compress(bytes), encoding };
  }
  return { body: streamChunks(body, encoding), encoding };
}

function streamChunks(chunks: Chunks, encoding: Encoding | null): Readable {
  const source = Readable.from(chunks, { objectMode: false });
  if (encoding === null) return source;
  const compressor = ENCODINGS[encoding].stream();
  source.on('error', (error) => compressor.destroy(error));
  compressor.on('close', () => source.destroy());
  return source.pipe(compressor);
}

/** By name in lower case, without its parameters. Weights that are not numbers are 0. */
export function readWeights(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const entry of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  return weights;
}
