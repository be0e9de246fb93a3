/** The sources as files that import each other, for the house rules that a machine holds. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
  lines: string[];
  /** As written. */
  imports: string[];
  /** Files of the repository among the imports, as paths from its root. */
  importedFiles: string[];
}

function listFiles(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => pathFromRoot(join(entry.parentPath, entry.name)));
}

function pathFromRoot(path: string): string {
  return relative(ROOT, path).split(sep).join('/');
}

const IMPORT = /(?:^|\s)(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm;

export function readSources(...folders: string[]): SourceFile[] {
  return folders
    .flatMap(listFiles)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
      const importedFiles = imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => pathFromRoot(resolve(ROOT, dirname(path), specifier)));
      return { path, text, lines: text.split('\n'), imports, importedFiles };
    });
}

/** Each circle once, as the shortest way from one of its files back to itself. Imports of types count. */
export function findCircles(files: readonly Pick<SourceFile, 'path' | 'importedFiles'>[]): string[] {
  const importsOf = new Map(files.map(({ path, importedFiles }) => [path, importedFiles]));
  const circles = new Map<string, string>();
  for (const { path } of files) {
    const circle = findWayBack(path, importsOf);
    if (circle === null) continue;
    const members = [...circle].sort().join();
    if (!circles.has(members)) circles.set(members, [...circle, path].join(' → '));
  }
  return [...circles.values()];
}

/** The shortest way from a file over its imports to itself, the file first; null where there is none. */
function findWayBack(path: string, importsOf: ReadonlyMap<string, readonly string[]>): string[] | null {
  const reached = new Set<string>();
  let ways: string[][] = [[path]];
  while (ways.length > 0) {
    const next: string[][] = [];
    for (const way of ways) {
      for (const imported of importsOf.get(way.at(-1)!) ?? []) {
        if (imported === path) return way;
        if (reached.has(imported)) continue;
        reached.add(imported);
        next.push([...way, imported]);
      }
    }
    ways = next;
  }
  return null;
}
