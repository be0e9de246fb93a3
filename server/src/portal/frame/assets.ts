/** The files that pages load: a stylesheet, a script and an icon. They are read once, at the start. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export const ASSETS = [
  { name: 'portal.css', type: 'text/css; charset=utf-8' },
  { name: 'portal.js', type: 'text/javascript; charset=utf-8' },
  { name: 'icon.svg', type: 'image/svg+xml' },
] as const;

type AssetName = (typeof ASSETS)[number]['name'];

export interface Assets {
  read(name: AssetName): Buffer;
  /** Part of every link. It changes whenever a file changes, so that browsers can cache the files. */
  readonly version: string;
}

/** `server/public`, seen from `src/portal/frame` as from `dist/portal/frame`. */
const FOLDER = new URL('../../../public/', import.meta.url);

export async function readAssets(): Promise<Assets> {
  const files = new Map<AssetName, Buffer>();
  const digest = createHash('sha256');
  for (const { name } of ASSETS) {
    const content = await readFile(new URL(name, FOLDER));
    files.set(name, content);
    digest.update(content);
  }
  return { read: (name) => files.get(name)!, version: digest.digest('hex').slice(0, 12) };
}
