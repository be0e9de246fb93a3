/** Checks that other accounts cannot reach the data folder, which this program creates for its own account alone. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observation } from '../../base/observation.ts';

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;
/** Files that are secret wherever the folder lies. */
const SECRET_FILES = ['postgres/password', 'postgres/log'];

/** One finding for each that is open; none on Windows, which has no such bits. */
export async function checkPrivacy(dataDir: string): Promise<Observation[]> {
  if (process.platform === 'win32') return [];
  const found: Observation[] = [];
  for (const [path, mode] of [[dataDir, '700'], ...SECRET_FILES.map((name) => [join(dataDir, name), '600'])] as const) {
    const status = await stat(path!).catch(() => null);
    if (status === null || (status.mode & OTHERS) === 0) continue;
    const shown = (status.mode & 0o777).toString(8);
    found.push({ seen: `${path} is open to other accounts (mode ${shown})`, remedy: `chmod ${mode} ${path}` });
  }
  return found;
}
