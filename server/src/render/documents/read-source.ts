/** Reads the files that pages are made of: from the package, which has them in `pages`, else from the repository. */
import { readFile } from 'node:fs/promises';

/** `server/pages` and the root of the repository, seen from `src/render/documents` as from `dist/render/documents`. */
const PLACES = [new URL('../../../pages/', import.meta.url), new URL('../../../../', import.meta.url)];

/** `source`: the file, from the root of the repository. */
export async function readSource(source: string): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(source, place), 'utf8').catch(skipMissing);
    if (text !== null) return text;
  }
  throw new Error(`${source} is neither in the package nor in a repository around it`);
}

function skipMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
