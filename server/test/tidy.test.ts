/** The house rules that a machine can hold: layers, bans, sizes. ARCHITECTURE.md explains each. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const LINES_MAX = 400;
const COLUMNS_MAX = 120;
/** Files that are a declared table; their length is their content. */
const DECLARED_TABLES: readonly string[] = ['contract/src/parameters.ts', 'server/src/generator/countries.ts'];

/** What each layer of the server may import, besides itself. */
const EVERYTHING = '*';
const LAYERS: Record<string, readonly string[] | typeof EVERYTHING> = {
  base: [],
  record: ['base'],
  generator: ['base', 'record'],
  parse: ['base', 'record'],
  plan: ['base', 'record', 'parse'],
  index: ['base', 'record', 'plan'],
  store: ['base', 'record', 'plan'],
  follow: ['base', 'record', 'plan', 'store', 'index'],
  render: ['base', 'parse', 'plan', 'store'],
  access: ['base', 'store'],
  http: ['base', 'record', 'parse', 'plan', 'index', 'store', 'follow', 'render', 'access'],
  load: ['base', 'record', 'store'],
  portal: ['base', 'store', 'access'],
  app: EVERYTHING,
  cli: EVERYTHING,
  main: EVERYTHING,
};

interface SourceFile {
  path: string;
  text: string;
  lines: string[];
  imports: string[];
}

function listFiles(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

function readSources(...folders: string[]): SourceFile[] {
  return folders
    .flatMap(listFiles)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const imports = [
        ...text.matchAll(/(?:^|\s)(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'/g),
      ].map((match) => match[1] ?? match[2] ?? '');
      return { path, text, lines: text.split('\n'), imports };
    });
}

const product = readSources('contract/src', 'server/src', 'client/src');
const server = product.filter((file) => file.path.startsWith('server/src/'));
const tests = readSources('contract/test', 'server/test', 'client/test');

function layerOf(path: string): string {
  return (
    path
      .replace(/^server\/src\//, '')
      .replace(/\.ts$/, '')
      .split('/')[0] ?? ''
  );
}

function listMatches(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    file.lines.flatMap((line, index) =>
      pattern.test(line.replace(/^\s*(\*|\/\/|\/\*).*$/, '')) ? [`${file.path}:${index + 1} ${line.trim()}`] : [],
    ),
  );
}

function outside(...allowed: string[]): SourceFile[] {
  return server.filter((file) => !allowed.some((prefix) => file.path.startsWith(`server/src/${prefix}`)));
}

test('imports between the layers of the server go one way', () => {
  const violations: string[] = [];
  for (const file of server) {
    const layer = layerOf(file.path);
    const allowed = LAYERS[layer];
    assert.notEqual(allowed, undefined, `${file.path} belongs to no layer`);
    for (const imported of file.imports.filter((specifier) => specifier.startsWith('.'))) {
      const target = relative(ROOT, resolve(ROOT, dirname(file.path), imported))
        .split(sep)
        .join('/');
      const targetLayer = layerOf(target);
      const permitted = allowed === EVERYTHING || targetLayer === layer || allowed?.includes(targetLayer);
      if (!permitted) violations.push(`${file.path} imports ${target}`);
    }
  }
  assert.deepEqual(violations, []);
});

test('the contract depends on nothing and the client on the contract alone', () => {
  for (const file of product.filter((candidate) => !candidate.path.startsWith('server/'))) {
    const workspace = file.path.split('/')[0] ?? '';
    for (const imported of file.imports.filter((specifier) => specifier.startsWith('.'))) {
      const target = relative(ROOT, resolve(ROOT, dirname(file.path), imported));
      assert.ok(target.startsWith(`${workspace}${sep}`), `${file.path} imports ${target}`);
    }
    if (workspace === 'contract') {
      assert.deepEqual(
        file.imports.filter((specifier) => !specifier.startsWith('.')),
        [],
        `${file.path} imports a package`,
      );
    }
  }
});

test('every imported package is declared by the manifest of its own workspace', () => {
  const builtin = new Set(builtinModules);
  for (const file of product) {
    const workspace = file.path.split('/')[0] ?? '';
    const manifest = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));
    // The client carries the compiled contract inside its package (decision 0014), so it declares it for building only.
    const embedded = workspace === 'client' ? { '@tmds/contract': true } : {};
    const declared = {
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
      ...embedded,
    };
    for (const imported of file.imports.filter((specifier) => !specifier.startsWith('.'))) {
      if (imported.startsWith('node:') || imported.startsWith('$') || builtin.has(imported)) continue;
      const name = imported.split('/', imported.startsWith('@') ? 2 : 1).join('/');
      assert.ok(name in declared, `${file.path} imports ${name}, which ${workspace}/package.json does not declare`);
    }
  }
});

test('SQL stays in the store', () => {
  assert.deepEqual(listMatches(outside('store/'), /\bsql`|['"`]\s*(select|insert into|update|delete from)\s/i), []);
});

test('the environment is read in one file', () => {
  assert.deepEqual(listMatches(outside('base/config.ts'), /process\.env/), []);
});

test('the clock is read in one file', () => {
  assert.deepEqual(listMatches(outside('base/clock.ts'), /Date\.now\(|new Date\(\)|performance\.now\(/), []);
});

test('HTTP status numbers stand in the error table and the render stage', () => {
  assert.deepEqual(
    listMatches(outside('render/', 'portal/'), /\b(status|statusCode|code)\(?\s*[:=(]{1,3}\s*[2345]\d\d\b/),
    [],
  );
});

test('no folder is named for everything and nothing', () => {
  const banned = /\/(utils?|helpers?|common|services|shared|misc|lib)\//;
  assert.deepEqual(
    [...product, ...tests]
      .filter((file) => banned.test(file.path) || basename(file.path) === 'index.ts')
      .map((file) => file.path),
    [],
  );
});

test('files and lines stay short', () => {
  const long = product.filter((file) => file.lines.length > LINES_MAX && !DECLARED_TABLES.includes(file.path));
  assert.deepEqual(
    long.map((file) => `${file.path} (${file.lines.length} lines)`),
    [],
  );
  // A sentence stays in one string, so that it can be found; the formatter breaks everything else.
  const widthOf = (line: string) => line.replace(/'[^']*'|"[^"]*"|`[^`]*`?/g, "''").length;
  const wide = [...product, ...tests].flatMap((file) =>
    file.lines.flatMap((line, index) => (widthOf(line) > COLUMNS_MAX ? [`${file.path}:${index + 1}`] : [])),
  );
  assert.deepEqual(wide, []);
});

test('nothing is left for later without a reason, and no query selects everything or skips by offset', () => {
  const marks = /TOD[O]|FIXM[E]|XX[X]|not implemente[d]/;
  assert.deepEqual(listMatches([...product, ...tests], marks), []);
  assert.deepEqual(listMatches(server, /select \*|\boffset \$|\boffset \d/i), []);
});

test('test names say a guarantee, and no file says one twice', () => {
  for (const file of tests) {
    const names = [...file.text.matchAll(/^\s*(?:await )?(?:t\.)?(?:test|it)\(\s*(['"`])(.+?)\1\s*,/gm)].map(
      (match) => match[2] ?? '',
    );
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
      `${file.path} repeats a test name`,
    );
    assert.deepEqual(
      names.filter((name) => /\bshould\b|\bworks?$/.test(name)),
      [],
      `${file.path} names a test by hope`,
    );
  }
});
