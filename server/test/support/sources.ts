/** The source files and their imports, for the house rules that a test enforces. */
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
  /** Imported files of the repository, as paths from its root. */
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
    .filter((path) => /\.[jt]s$/.test(path))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
      const importedFiles = imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => pathFromRoot(resolve(ROOT, dirname(path), specifier)));
      return { path, text, lines: text.split('\n'), imports, importedFiles };
    });
}

/** Each import circle once, as the shortest path from one of its files back to itself. Type imports count. */
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

/** The shortest import path from a file back to itself, starting with the file; null where there is none. */
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

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|class|const|let|interface|type|enum) (\w+)/gm;
const NAMED_IMPORT =
  /(?:^|\s)(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?(\{[^}]*\}|\*(?:\s+as\s+\w+)?)\s+from\s+'([^']+)'/g;

/** Who may use an export. */
export interface ExportUsers {
  /** The product itself, and programs around it. */
  readonly users: readonly SourceFile[];
  /** Tests may use what the product uses, but keep nothing alive. */
  readonly tests: readonly SourceFile[];
  /** Files whose exports are for customers. */
  readonly publicFiles: readonly string[];
}

/**
 * Exports that no other file imports by name, as `path: name`. A test counts only if the file itself uses the name
 * again. A type's own file counts alone, if it uses the type again.
 */
export function findUnusedExports(files: readonly SourceFile[], { users, tests, publicFiles }: ExportUsers): string[] {
  const used = listUses(users);
  const tested = listUses(tests);
  return files
    .filter(({ path }) => !publicFiles.includes(path))
    .flatMap(({ path, text }) => {
      const code = text.replace(/\/\*.*?\*\//gs, '');
      const isUsedHere = (name: string): boolean => countWord(code, name) > 1;
      const isUsed = (kind: string, name: string): boolean =>
        holds(used, path, name) || ((isType(kind) || holds(tested, path, name)) && isUsedHere(name));
      return [...text.matchAll(EXPORT)]
        .filter(([, kind, name]) => !isUsed(kind!, name!))
        .map(([, , name]) => `${path}: ${name}`);
    });
}

type Uses = ReadonlyMap<string, ReadonlySet<string> | 'all'>;

function listUses(users: readonly SourceFile[]): Uses {
  const uses = new Map<string, Set<string> | 'all'>();
  for (const user of users) for (const { file, names } of listNamedImports(user)) addUse(uses, file, names);
  return uses;
}

function holds(uses: Uses, file: string, name: string): boolean {
  const names = uses.get(file);
  return names === 'all' || names?.has(name) === true;
}

function isType(kind: string): boolean {
  return kind === 'interface' || kind === 'type' || kind === 'class';
}

function countWord(text: string, word: string): number {
  return text.match(new RegExp(`\\b${word}\\b`, 'g'))?.length ?? 0;
}

function addUse(used: Map<string, Set<string> | 'all'>, file: string, names: readonly string[] | 'all'): void {
  const known = used.get(file);
  if (names === 'all' || known === 'all') used.set(file, 'all');
  else used.set(file, new Set([...(known ?? []), ...names]));
}

function listNamedImports({ path, text }: SourceFile): { file: string; names: readonly string[] | 'all' }[] {
  const named = [...text.matchAll(NAMED_IMPORT)].map(([, names, specifier]) => ({
    file: fileOf(path, specifier!),
    names: names!.startsWith('*') ? ('all' as const) : listNames(names!),
  }));
  const whole = [...text.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, specifier]) => ({
    file: fileOf(path, specifier!),
    names: 'all' as const,
  }));
  return [...named, ...whole];
}

/** `{ one, type two, three as four }`: the exported names. */
function listNames(braces: string): string[] {
  return braces
    .slice(1, -1)
    .split(',')
    .map(
      (part) =>
        part
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0]!,
    )
    .filter((name) => name !== '');
}

/** The source file that a specifier names, including one of the built program or of the contract. */
function fileOf(path: string, specifier: string): string {
  const contract = /^@tmds\/contract\/(.+)$/.exec(specifier);
  if (contract !== null) return `contract/src/${contract[1]}.ts`;
  return pathFromRoot(resolve(ROOT, dirname(path), specifier))
    .replace('/dist/', '/src/')
    .replace(/\.js$/, '.ts');
}
