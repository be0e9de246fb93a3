/** What a customer gets: the packed client alone in an empty folder, without a network, in every way it is used. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { VERSION } from '../src/version.ts';
import { installClient, packClient } from './support/packed.ts';

const CLIENT = join(dirname(fileURLToPath(import.meta.url)), '..');
const ROOT = join(CLIENT, '..');
const run = promisify(execFile);

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tmds-packed-'));
  await installClient(folder, await packClient(folder));
});

after(() => rm(folder, { recursive: true, force: true }));

test('the README installs the file that packing makes, and no package that no registry has', async () => {
  const readme = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const installed = [...readme.matchAll(/^npm install (\S+)/gm)].map(([, target]) => target);
  const packed = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  assert.deepEqual(
    installed.filter((target) => target?.includes('tmds')),
    packed.map((name) => `./${name}`),
  );
  assert.match(readme, /^npm ci && npm pack --workspace client /m);
});

async function runNode(name: string, code: string, ...flags: string[]): Promise<string> {
  await writeFile(join(folder, name), code);
  const { stdout, stderr } = await run(process.execPath, [...flags, name], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
  });
  assert.equal(stderr, '');
  return stdout.trim();
}

const OLDEST_TYPESCRIPT = join(CLIENT, 'node_modules/typescript/bin/tsc');

/** Compiles each source as a separate module. */
async function compile(
  name: string,
  sources: readonly string[],
  options: Record<string, unknown>,
  tsc = join(ROOT, 'node_modules/typescript/bin/tsc'),
): Promise<void> {
  const project = join(folder, name);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: options.type }));
  const files = sources.map((_, index) => `main-${index + 1}.ts`);
  for (const [index, file] of files.entries()) await writeFile(join(project, file), sources[index]!);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    // The declarations of TypeScript itself are not ours.
    skipDefaultLibCheck: true,
    target: 'es2023',
    module: 'nodenext',
    ...(options.compilerOptions as object),
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await run(process.execPath, [tsc, '-p', project]).catch((error: { stdout?: string }) => {
    assert.fail(`the consumer does not compile:\n${error.stdout}`);
  });
}

test('installs alone: no dependency comes along, no driver, no framework', async () => {
  const installed = (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed, ['@tmds']);
  assert.deepEqual(await readdir(join(folder, 'node_modules/@tmds')), ['client']);
  assert.equal(existsSync(join(folder, 'node_modules/@tmds/client/node_modules')), false);
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules/@tmds/client/package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  assert.deepEqual(
    Object.keys(manifest.peerDependencies).filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true),
    [],
  );
  assert.equal(manifest.version, VERSION);
});

test('carries no import of the workspace it was built in, and no test or source', async () => {
  const root = join(folder, 'node_modules/@tmds/client');
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  assert.deepEqual(
    names.filter((name) => /\.test\.|tsbuildinfo|\/src\//.test(name.slice(root.length))),
    [],
  );
  for (const name of names.filter((file) => /\.(js|d\.ts)$/.test(file) && !file.includes('/examples/'))) {
    const specifiers = [...(await readFile(name, 'utf8')).matchAll(/\bfrom ['"]([^'"]+)['"]/g)].map(
      (match) => match[1]!,
    );
    assert.deepEqual(
      specifiers.filter((specifier) => !/^(\.|node:)/.test(specifier)),
      [],
      name,
    );
  }
});

test('loads by import and by require, with the same classes', async () => {
  const use = `
    const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://x/records', fetch: async () => ({
      status: 404, headers: { get: () => null }, text: async () => '{"error":{"code":"not_found"}}' }) });
    client.get('US', '1').catch((error) =>
      console.log(isApiError(error, 'not_found'), error instanceof Error, typeof replicate));`;
  const esm = `import { TrademarkClient, isApiError } from '@tmds/client';
    import { replicate } from '@tmds/client/replica';${use}`;
  const cjs = `const { TrademarkClient, isApiError } = require('@tmds/client');
    const { replicate } = require('@tmds/client/replica');${use}`;
  assert.equal(await runNode('use.mjs', esm), 'true true function');
  assert.equal(await runNode('use.cjs', cjs), 'true true function');
});

test('names the driver to install when a sink has none', async () => {
  const code = `
    import { openPostgresSink, openSqliteSink } from '@tmds/client/replica';
    for (const open of [() => openPostgresSink('postgres://x/y'), () => openSqliteSink('marks.db')]) {
      await open().then((sink) => console.log('opened', sink.label), (error) => console.log(error.name, error.message));
    }`;
  // From version 22.13 on Node.js has its own driver, which warns that it is experimental.
  const lines = (await runNode('drivers.mjs', code, '--disable-warning=ExperimentalWarning')).split('\n');
  assert.equal(lines[0], 'ReplicaError PostgreSQL needs a driver: run "npm install pg"');
  assert.match(
    lines[1] ?? '',
    /^(ReplicaError SQLite needs a driver: run "npm install @photostructure\/sqlite", or|opened)/,
  );
});

test('puts tmds-replica on the path', async () => {
  const command = join(folder, 'node_modules/.bin', process.platform === 'win32' ? 'tmds-replica.cmd' : 'tmds-replica');
  const { stdout } = await run(command, ['--version'], { cwd: folder });
  assert.equal(stdout, `${VERSION}\n`);
});

test('a password given as an argument is not in the list of processes', {
  skip: process.platform !== 'linux' && 'arguments are listed in /proc on Linux alone',
}, async () => {
  const place = 'postgres://user:s3cret@127.0.0.1:1/marks';
  const program = join(folder, 'node_modules/@tmds/client/bin/tmds-replica.js');
  const env = { PATH: process.env.PATH ?? '', TMDS_API_KEY: 'k', TMDS_BASE_URL: 'http://127.0.0.1:1' };
  await mkdir(join(folder, 'node_modules/pg'), { recursive: true });
  const driver = `exports.Client = class { on() {} async end() {} connect() { return new Promise(() => {}); } };`;
  await writeFile(join(folder, 'node_modules/pg/index.js'), driver);
  const child = spawn(process.execPath, [program, '--to', place, '--follow'], { cwd: folder, env });
  try {
    await new Promise<void>((resolve) => child.stderr.once('data', () => resolve()));
    const listed = await readFile(`/proc/${child.pid}/cmdline`, 'utf8');
    assert.match(listed, /user:\*\*\*@/);
    assert.doesNotMatch(listed, /s3cret/);
  } finally {
    child.kill('SIGKILL');
    await rm(join(folder, 'node_modules/pg'), { recursive: true });
  }
});

test('the installed command shows help without a key, and ends quietly when its reader has had enough', async (t) => {
  const program = join(folder, 'node_modules/.bin/tmds-client');
  const env = { PATH: process.env.PATH ?? '' };
  const help = await run(process.execPath, [program, 'search', '--help'], { cwd: folder, env });
  assert.match(help.stdout, /--mark-name-startswith TEXT/);
  const completion = await run(process.execPath, [program, 'completion', 'fish'], { cwd: folder, env });
  assert.match(completion.stdout, /^complete -c tmds-client -n '__fish_seen_subcommand_from search' -l nice-class /m);
  const record = JSON.stringify({ jurisdiction_code: 'US', uid: 'x'.repeat(10_000) });
  const page = `{"items":[${Array.from({ length: 500 }, () => record).join()}],"next_cursor":null}`;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pipe = `"${process.execPath}" "${program}" search --status Pending --max 500 | head -c 9; echo`;
  const { stdout, stderr } = await run('sh', ['-c', pipe], {
    cwd: folder,
    env: { ...env, TMDS_API_KEY: 'k', TMDS_BASE_URL: address },
  });
  assert.deepEqual([stdout, stderr], ['{"jurisdi\n', '']);
});

const CONSUMER = `
  export async function count(client: TrademarkClient): Promise<number> {
    const page = await client.search({ jurisdiction: ['US'], status: 'Registered', sort: 'application_date' });
    const first: string | null | undefined = page.items[0]?.mark_name;
    const request: string | null = page.meta.requestId;
    // @ts-expect-error not a parameter of the service
    client.search({ colour: 'red' });
    // @ts-expect-error since is required
    client.changes({});
    try {
      for await (const record of client.searchAll({ owner_name: 'x' }, { itemsMax: 3 })) void record.uid;
    } catch (error) {
      if (isApiError(error, 'rate_limited')) void (error.code satisfies 'rate_limited');
    }
    return (first ?? '').length + (request ?? '').length;
  }
  export const sync = (client: TrademarkClient, sink: ReplicaSink) => replicate({ client, sink, mode: 'once' });
`;

test('compiles under strict TypeScript as a module, with the types of the browser alone', () =>
  compile(
    'types-esm',
    [
      `import { isApiError, TrademarkClient } from '@tmds/client';
     import { type ReplicaSink, replicate } from '@tmds/client/replica';
     export const made = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://x', fetch });${CONSUMER}`,
    ],
    { type: 'module', compilerOptions: { lib: ['es2023', 'dom'], types: [] } },
  ));

test('compiles under strict TypeScript as CommonJS, with the types of Node.js', () =>
  compile(
    'types-cjs',
    [
      `import { isApiError, TrademarkClient } from '@tmds/client';
     import { type ReplicaSink, replicate } from '@tmds/client/replica';
     export const made = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://x', fetch });${CONSUMER}`,
    ],
    {
      type: 'commonjs',
      compilerOptions: { lib: ['es2023'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    },
  ));

test('compiles under strict TypeScript 5.0, as a module and as CommonJS, by each way of resolving', async () => {
  const source = `import { isApiError, TrademarkClient } from '@tmds/client';
    import { type ReplicaSink, replicate } from '@tmds/client/replica';
    export const made = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://x' });${CONSUMER}`;
  const base = { target: 'es2022', lib: ['es2022', 'dom'], types: [] };
  const ways: Record<string, Record<string, unknown>> = {
    'old-esm': { type: 'module', compilerOptions: { ...base, module: 'node16', moduleResolution: 'node16' } },
    'old-cjs': { type: 'commonjs', compilerOptions: { ...base, module: 'node16', moduleResolution: 'node16' } },
    'old-node10': { type: 'commonjs', compilerOptions: { ...base, module: 'commonjs', moduleResolution: 'node' } },
    'old-bundler': { type: 'module', compilerOptions: { ...base, module: 'esnext', moduleResolution: 'bundler' } },
  };
  for (const [name, options] of Object.entries(ways)) await compile(name, [source], options, OLDEST_TYPESCRIPT);
});

test('has no problem that attw or publint knows of', async () => {
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const data = await readFile(join(folder, tarball!));
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(data)));
  assert.deepEqual(analysis.types === false ? 'no types' : analysis.problems, []);
  const { messages } = await publint({ pkgDir: join(folder, 'node_modules/@tmds/client'), strict: true });
  assert.deepEqual(messages, []);
});

test('the core runs without Node.js: bundled for browsers, with web APIs only', async () => {
  const entry = join(folder, 'node_modules/@tmds/client/dist/main.js');
  const options = { bundle: true, platform: 'browser', format: 'iife', globalName: 'tmds', write: false } as const;
  const { outputFiles, warnings } = await build({ entryPoints: [entry], ...options });
  assert.deepEqual(warnings, []);
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const fetch = async (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ url, headers: { ...headers } });
    return { status: 200, headers: { get: () => null }, text: async () => '{"items":[],"next_cursor":null}' };
  };
  const web = { fetch, URL, AbortController, setTimeout, clearTimeout, performance };
  const outcome: Promise<unknown> = runInNewContext(
    `${outputFiles[0]!.text}; new tmds.TrademarkClient({ apiKey: 'k', baseUrl: 'https://localhost/records' })
      .search({ office: 'WO', cursor: null }).then((page) => page.items.length)`,
    { ...web, console },
  );
  assert.equal(await outcome, 0);
  assert.deepEqual(asked, [
    {
      url: 'https://localhost/records/v1/trademarks?office=WO',
      headers: { accept: 'application/json', 'x-api-key': 'k' },
    },
  ]);
});

test('README.md and api.md compile under strict TypeScript, each snippet on its own', async () => {
  const given = `
    declare const client: import('@tmds/client').TrademarkClient;
    declare const apiKey: string;
    declare const baseUrl: string;
    declare function loadCursor(): Promise<string | null>;
    declare function saveTogether(items: unknown[], cursor: string | null): Promise<void>;`;
  const sources: string[] = [];
  for (const page of ['README.md', 'api.md']) {
    const text = await readFile(join(CLIENT, page), 'utf8');
    for (const [, code] of text.matchAll(/```(?:js|ts)\n([\s\S]*?)```/g)) {
      const own = given.split('\n').filter((line) => {
        const name = /declare (?:const|function) (\w+)/.exec(line)?.[1];
        return name === undefined || !new RegExp(`const ${name}\\b`).test(code!);
      });
      sources.push(`${code}\n${own.join('\n')}\nexport {};`);
    }
  }
  assert.ok(sources.length >= 6);
  const compilerOptions = { lib: ['es2023', 'dom'], types: [] };
  await compile('snippets', sources, { type: 'module', compilerOptions });
});
