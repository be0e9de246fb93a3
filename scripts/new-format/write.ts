/** Writes a planned format: all of its files, or none. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FormatPlan, RefusedFormat } from './plan.ts';

/** Rethrows what stops it, after taking back what it has written; throws `RefusedFormat` if a file is in the way. */
export function writeFormat(root: string, { created, edited }: FormatPlan): void {
  const before = new Map([...edited.keys()].map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const written: string[] = [];
  try {
    for (const [path, text] of created) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      if (existsSync(join(root, path))) throw new RefusedFormat(`${path} exists already`);
      written.push(path);
      writeFileSync(join(root, path), text);
    }
    for (const [path, text] of edited) writeFileSync(join(root, path), text);
  } catch (error) {
    for (const path of written) rmSync(join(root, path), { force: true });
    for (const folder of listNewFolders(created)) rmSync(join(root, folder), { recursive: true, force: true });
    for (const [path, text] of before) writeFileSync(join(root, path), text);
    throw error;
  }
}

/** Only the folder of the format's sources is new. */
function listNewFolders(created: ReadonlyMap<string, string>): string[] {
  return [...new Set([...created.keys()].map((path) => dirname(path)))].filter((folder) =>
    folder.startsWith('server/src/load/formats/'),
  );
}

/** The places that the author has to fill in, as `path:line what`. */
export function listOpenPlaces({ created }: FormatPlan, root: string): string[] {
  return [...created.keys()].flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const [, what] = /TODO\([\w-]+\): (.*)$/.exec(line) ?? [];
        return what === undefined ? [] : [`${path}:${index + 1} ${what}`];
      }),
  );
}
