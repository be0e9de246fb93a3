/** Lists the files below a folder in the order of their names, so that daily files come in the order of their days. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UnreadableSource } from './file-errors.ts';

/**
 * Yields paths below the folder, with slashes. Throws `UnreadableSource` for an entry that is neither a file nor a
 * folder.
 */
export async function* listFiles(folder: string, below = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      yield* listFiles(folder, name);
      continue;
    }
    // A link counts as the file it leads to. Links to folders may lead in circles.
    const isFile = entry.isFile() || (entry.isSymbolicLink() && (await stat(join(folder, name))).isFile());
    if (!isFile) throw new UnreadableSource(`${join(folder, name)} is neither a file nor a folder; take it away`);
    yield name;
  }
}
