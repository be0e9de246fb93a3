/** The size of a file, its SHA-256, and the kinds of checksums that are stated for it, in one pass. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { unreadable } from '../load/sources/file-errors.ts';
import { CHECKSUM_ALGORITHMS } from '../load/sources/manifest.ts';

export interface Digests {
  bytes: number;
  /** SHA-256, hexadecimal. */
  digest: string;
  /** That, and one of each kind that was asked for. */
  all: ReadonlySet<string>;
}

/** @param like checksums whose lengths show which kinds are wanted */
export async function measureFile(path: string, like: readonly string[]): Promise<Digests> {
  const kinds = new Set(['sha256', ...like.map(({ length }) => CHECKSUM_ALGORITHMS[length] ?? 'sha256')]);
  const hashes = [...kinds].map((kind) => createHash(kind));
  let bytes = 0;
  try {
    for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      for (const hash of hashes) hash.update(part as Buffer);
      bytes += (part as Buffer).length;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  const all = hashes.map((hash) => hash.digest('hex'));
  return { bytes, digest: all[0] ?? '', all: new Set(all) };
}
