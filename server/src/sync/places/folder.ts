/**
 * A folder that files arrive in. They are read where they are, never copied. A file counts once nothing has been
 * written to it for a while, because nothing signals the end of a copy.
 */
import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import type { FolderPlace } from '../declared/source.ts';
import { isSafeName, LIST_BYTES_MAX, type ListedFile, type Listing } from './place.ts';

/** Names that programs give to files in transfer. */
const UNFINISHED = /\.(part|partial|tmp|temp|filepart|crdownload|swp)$|~$/i;

export async function listFolder(place: FolderPlace, clock: Clock): Promise<Listing> {
  const files: ListedFile[] = [];
  const passed: NonNullable<Listing['passed']> = [];
  let entries: string[];
  try {
    entries = await readdir(place.folder);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new OperatorError(`the folder ${place.folder} cannot be read (${code})`, { cause: error });
  }
  for (const name of entries.sort()) {
    const path = join(place.folder, name);
    // It may be taken away while the folder is read.
    const status = await stat(path).catch(() => null);
    if (status === null) continue;
    const reason = findReason(name, status, clock.nowMs() - place.settleMs);
    if (reason !== null) {
      passed.push({ name, reason });
      continue;
    }
    files.push({ name, bytes: status.size, fingerprint: fingerprintOf(status), checksum: null, address: path });
  }
  return { files, remarks: [], passed };
}

/** Why a file does not count, or not yet; null if it does. */
function findReason(name: string, status: Stats, settledMs: number): string | null {
  if (!status.isFile()) return 'it is not a file';
  if (!isSafeName(name)) return 'its name has characters that no file of a source may have';
  if (UNFINISHED.test(name)) return 'its name marks it as incomplete';
  return status.mtimeMs > settledMs ? 'it was written to a moment ago' : null;
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
