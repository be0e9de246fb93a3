/** The house rules that a machine can hold: layers, bans, sizes. ARCHITECTURE.md has the layers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { findCircles, findUnusedExports, ROOT, readSources, type SourceFile } from './support/sources.ts';

const LINES_MAX = 350;
/** The median of all files. */
const LINES_MEDIAN_MAX = 130;
const COLUMNS_MAX = 120;
/** Files that are a declared table; their length is their content. */
const DECLARED_TABLES: readonly string[] = [
  'client/src/client.ts',
  'contract/src/parameters.ts',
  'server/src/base/settings.ts',
  'server/src/generator/countries.ts',
  'server/src/render/description/operations.ts',
];

/** What the formatter leaves alone: a line for each schema. */
const GENERATED = 'server/src/render/description/answer-schemas.ts';

/** What customers import. */
const PUBLIC_MODULES: readonly string[] = ['client/src/main.ts', 'client/src/replica/main.ts', 'mcp/src/main.ts'];

/** What only the audit of the formats uses, which writes a document (scripts/audit.ts). */
const FOR_DOCUMENTS: readonly string[] = ['server/src/load/formats/element.ts: observeReads'];

const EVERYTHING = 'everything';
const BASE = 'base';
const ARCHITECTURE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
/** What each folder of the server imports, in addition to itself and the base, as ARCHITECTURE.md says. */
const LAYERS = readLayers(ARCHITECTURE);

const product = readSources('contract/src', 'server/src', 'client/src', 'mcp/src');
const server = product.filter((file) => file.path.startsWith('server/src/'));
const tests = readSources('contract/test', 'server/test', 'client/test', 'mcp/test');

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

/** What the files of a layer import of the others. */
function listImportedLayers(layer: string): string[] {
  const files = server.filter((file) => layerOf(file.path) === layer);
  const imported = new Set(files.flatMap((file) => file.importedFiles.map(layerOf)));
  imported.delete(layer);
  if (layer !== BASE) imported.delete(BASE);
  return [...imported].sort();
}

test('the layers of the server import each other as declared, one way', () => {
  const folders = [...new Set(server.map((file) => layerOf(file.path)))];
  assert.deepEqual(folders.sort(), [...LAYERS.keys()].sort());
  for (const [layer, declared] of LAYERS) {
    if (declared === EVERYTHING) continue;
    assert.deepEqual(listImportedLayers(layer), [...declared].sort(), `${layer} imports`);
  }
  const layers = [...LAYERS].flatMap(([path, declared]) =>
    declared === EVERYTHING ? [] : [{ path, importedFiles: [...declared] }],
  );
  assert.deepEqual(findCircles(layers), []);
});

/** The room of a file, such as `database/driver`; null for files of a layer that are in none of its rooms. */
function roomOf(path: string): string | null {
  const [layer, room] = path.split('/').slice(2, -1);
  return room === undefined ? null : `${layer}/${room}`;
}

test('the rooms of a layer import each other one way', () => {
  const rooms = new Map<string, Set<string>>();
  for (const { path, importedFiles } of server) {
    const room = roomOf(path);
    if (room === null) continue;
    const imported = rooms.get(room) ?? new Set();
    for (const target of importedFiles.map(roomOf)) if (target !== null && target !== room) imported.add(target);
    rooms.set(room, imported);
  }
  assert.ok(rooms.size > 1);
  assert.deepEqual(findCircles([...rooms].map(([path, imported]) => ({ path, importedFiles: [...imported] }))), []);
});

function readLayers(architecture: string): ReadonlyMap<string, readonly string[] | typeof EVERYTHING> {
  const [, table = ''] = /<!-- folders -->\n([\s\S]*?)\n\n/.exec(architecture) ?? [];
  const rows = table.split('\n').slice(2);
  assert.ok(rows.length > 0, 'ARCHITECTURE.md has no table after <!-- folders -->');
  const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  return new Map(
    rows.flatMap((row) => {
      const [folders, , imports = ''] = row.split(' | ');
      const imported = imports.startsWith(EVERYTHING) ? EVERYTHING : namesIn(imports);
      return namesIn(folders).map((folder) => [folder, imported] as const);
    }),
  );
}

test('every room of the server is named by ARCHITECTURE, those of the portal by its own page', () => {
  const pages = `${ARCHITECTURE}${readFileSync(join(ROOT, 'docs/design/portal.md'), 'utf8')}`;
  const rooms = new Set(server.map((file) => roomOf(file.path)).filter((room) => room !== null));
  const isNamed = (room: string): boolean => pages.includes(`\`${room.replace(/^portal\//, '')}\``);
  const inner = [...rooms].filter((room) => !/^(load\/formats|generator)\//.test(room));
  assert.deepEqual(
    inner.filter((room) => !isNamed(room)),
    [],
  );
});

test('no file imports itself through others, types included', () => {
  assert.deepEqual(findCircles(product), []);
});

test('the contract depends on nothing and the client on the contract alone', () => {
  for (const file of product.filter((candidate) => !candidate.path.startsWith('server/'))) {
    const workspace = file.path.split('/')[0] ?? '';
    for (const target of file.importedFiles) {
      assert.ok(target.startsWith(`${workspace}/`), `${file.path} imports ${target}`);
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

test('every export is used by another file, and by more than tests', () => {
  const users = [...product, ...readSources('bench', 'scripts', 'client/bin', 'mcp/bin', 'server/bin')];
  const unused = findUnusedExports(product, { users, tests, publicFiles: PUBLIC_MODULES });
  assert.deepEqual(unused, FOR_DOCUMENTS);
});

test('every imported package is declared by the manifest of its workspace', () => {
  const builtin = new Set(builtinModules);
  for (const file of product) {
    const workspace = file.path.split('/')[0] ?? '';
    const manifest = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));
    // The client carries the compiled contract inside its package (docs/design/client.md), so it declares it for
    // building only.
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

test('SQL stays in the store, its upkeep and the database', () => {
  assert.deepEqual(
    listMatches(outside('database/', 'store/', 'upkeep/'), /\bsql`|['"`]\s*(select|insert into|update|delete from)\s/i),
    [],
  );
});

test('the environment is read in one file', () => {
  assert.deepEqual(listMatches(outside('base/config.ts'), /process\.env/), []);
});

test('the clock is read in one file', () => {
  assert.deepEqual(listMatches(outside('base/clock.ts'), /Date\.now\(|new Date\(\)|performance\.now\(/), []);
});

test('texts are normalized in one file, which bounds the time that takes [I-45]', () => {
  const others = product.filter((file) => file.path !== 'contract/src/text.ts');
  assert.deepEqual(listMatches(others, /\.normalize\(/), []);
});

test('HTTP status numbers are only in the error table and the render stage', () => {
  assert.deepEqual(
    listMatches(outside('render/', 'portal/'), /\b(status|statusCode|code)\(?\s*[:=(]{1,3}\s*[2345]\d\d\b/),
    [],
  );
});

test('the sentences of the API are written where calls are judged and answered; other stages state causes', () => {
  const speakers = ['http/', 'parse/', 'plan/', 'render/', 'access/', 'portal/', 'base/errors.ts'];
  assert.deepEqual(listMatches(outside(...speakers), /\bapiError\(|\b(new|extends) ApiError\b/), []);
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
  const lengths = product.map((file) => file.lines.length).sort((one, other) => one - other);
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
  assert.ok(median <= LINES_MEDIAN_MAX, `half of the files have more than ${median} lines`);
  // A sentence stays in one string, so that it can be found; the formatter breaks everything else.
  const widthOf = (line: string) => line.replace(/'[^']*'|"[^"]*"|`[^`]*`?/g, "''").length;
  const wide = [...product, ...tests]
    .filter(({ path }) => path !== GENERATED)
    .flatMap((file) =>
      file.lines.flatMap((line, index) => (widthOf(line) > COLUMNS_MAX ? [`${file.path}:${index + 1}`] : [])),
    );
  assert.deepEqual(wide, []);
});

test('nothing is left for later without a reason, and no query selects everything or skips by offset', () => {
  const marks = /TOD[O]|FIXM[E]|XX[X]|not implemente[d]/;
  assert.deepEqual(listMatches([...product, ...tests], marks), []);
  assert.deepEqual(listMatches(server, /select \*|\boffset \$|\boffset \d/i), []);
});

test('no query leaves upper and lower case to the locale of its database', () => {
  const store = server.filter(({ path }) => /^server\/src\/(database|store|upkeep)\//.test(path));
  assert.deepEqual(listMatches(store, /\b(?:lower|upper|initcap)\((?!\))|\bilike\b|~\*/i), []);
});

test('no place that a new register format lays out is left to be filled in', () => {
  const open = /TOD[O]\([a-z\d-]+\): (.*)/;
  const places = [...product, ...tests].flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      const [, what] = open.exec(line) ?? [];
      return what === undefined ? [] : [`${path}:${index + 1} ${what}`];
    }),
  );
  assert.deepEqual(places, [], 'docs/new-register.md says how');
});

test('every proof is on the list of proofs, with what it guards and when it was last run', () => {
  const page = readFileSync(join(ROOT, 'docs/design/testing.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(\S+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name]) => name);
  const proofs = tests.flatMap(({ path }) => /^(?:server\/test\/)?(.*)\.proof\.ts$/.exec(path)?.[1] ?? []);
  assert.deepEqual(listed.sort(), proofs.sort());
});

test('what has a short form says so itself, so that the proofs find all of it', () => {
  const hidden = tests.filter(({ path, text }) => !/\.(test|proof)\.ts$/.test(path) && text.includes("/depth.ts'"));
  assert.deepEqual(
    hidden.map(({ path }) => path),
    [],
  );
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
