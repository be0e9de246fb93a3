/**
 * What makes a source file unreadable, in words for the operator: missing, truncated, damaged, or a compression bomb.
 * Every failure below a format goes through here, so that none reaches the operator without the name of its file.
 */
import { Readable, Transform } from 'node:stream';
import { OperatorError } from '../base/errors.ts';

/** More inflated bytes than this for each compressed one is no register file. Real dailies inflate 10 to 30 times. */
const INFLATION_RATIO_MAX = 200;
/** Below this many inflated bytes the ratio is not judged: a few blanks compress a thousand times. */
export const INFLATION_FREE_BYTES = 64 * 1024 * 1024;

/** Fails once the inflated bytes are out of proportion to the compressed ones read so far. */
export function boundInflation(name: string, compressedBytes: () => number): Transform {
  let inflated = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      inflated += chunk.length;
      if (isBomb(inflated, compressedBytes())) done(bomb(name));
      else done(null, chunk);
    },
  });
}

export function isBomb(inflatedBytes: number, compressedBytes: number): boolean {
  return inflatedBytes > INFLATION_FREE_BYTES && inflatedBytes > compressedBytes * INFLATION_RATIO_MAX;
}

export function bomb(name: string): OperatorError {
  return new OperatorError(`${name} inflates more than ${INFLATION_RATIO_MAX} times: refused as a compression bomb`);
}

/** The same bytes; a failure of the stream arrives as an `OperatorError` that names the file. */
export function nameFailures(name: string, stream: Readable): Readable {
  async function* named(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) yield chunk as Buffer;
    } catch (error) {
      throw unreadable(name, error);
    }
  }
  return Readable.from(named(), { objectMode: false, highWaterMark: 256 * 1024 });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  EISDIR: 'it is a folder, not a file',
  EIO: 'the disk failed',
  Z_BUF_ERROR: 'it is truncated',
  Z_DATA_ERROR: 'its compressed data is damaged',
};

/** One sentence for the operator about a file that cannot be read, whatever failed. */
export function unreadable(name: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const { code, message } = error as { code?: string; message?: string };
  return new OperatorError(`cannot read ${name}: ${REASONS[code ?? ''] ?? message ?? String(error)}`, { cause: error });
}
