/**
 * A folder that files arrive in. They are read where they are, never copied. A file counts once nothing has been
 * written to it for a while, because nobody tells when a copy is complete.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import type { FolderPlace } from '../declared/source.ts';
import { isSafeName, LIST_BYTES_MAX, type ListedFile, type Listing } from './place.ts';

/** As programs name files that are on their way. */
const UNFINISHED = /\.(part|partial|tmp|temp|filepart|crdownload|swp)$|~$/i;

export async function listFolder(place: FolderPlace, clock: Clock): Promise<Listing> {
  const files: ListedFile[] = [];
  let entries: string[];
  try {
    entries = await readdir(place.folder);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new OperatorError(`the folder ${place.folder} cannot be read (${code})`, { cause: error });
  }
  for (const name of entries.sort()) {
    if (!isSafeName(name) || UNFINISHED.test(name)) continue;
    const path = join(place.folder, name);
    // It may be taken away while the folder is read.
    const status = await stat(path).catch(() => null);
    if (status === null || !status.isFile() || clock.nowMs() - status.mtimeMs < place.settleMs) continue;
    files.push({ name, bytes: status.size, fingerprint: fingerprintOf(status), checksum: null, address: path });
  }
  return { files, remarks: [] };
}

function fingerprintOf({ size, mtimeMs }: { size: number; mtimeMs: number }): string {
  return `${size} ${Math.floor(mtimeMs)}`;
}

/** Whether a file is as it was listed. */
export async function isAsListed({ address, fingerprint }: ListedFile): Promise<boolean> {
  const status = await stat(address).catch(() => null);
  return status !== null && fingerprintOf(status) === fingerprint;
}

/** Null if there is no such file. */
export async function readBesideFolder(place: FolderPlace, name: string): Promise<Buffer | null> {
  const path = join(place.folder, name);
  const status = await stat(path).catch(() => null);
  if (status === null || !status.isFile() || status.size > LIST_BYTES_MAX) return null;
  return await readFile(path);
}
