/**
 * The paths of a newcomer, from a key to the first record, the first change and the first watch: from the packages, in
 * an empty folder, with the programs that the guide prints. The times are for the table of the guide.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeFolder } from '../../server/test/support/folder.ts';
import { installPacked } from '../../server/test/support/package.ts';
import { createDataFolder, runTmds, startServing } from '../../server/test/support/process.ts';
import { findPython, NO_PYTHON, PYTHON_CLIENT } from '../../server/test/support/python.ts';
import { ROOT } from '../../server/test/support/sources.ts';
import { installClient, packClient } from './support/packed.ts';

const run = promisify(execFile);
const closers: (() => unknown)[] = [];
const context = { after: (work: () => unknown) => void closers.push(work) };
/** The key, and the address of the service with the product's path. */
let environment: Record<string, string>;
let address: string;
let guide: string;

before(async () => {
  guide = await readFile(join(ROOT, 'docs/guides/start.md'), 'utf8');
  const settings = {
    TMDS_DATA_DIR: await createDataFolder(context),
    NODE_ENV: 'production',
    TMDS_CHANGE_HORIZON_SECONDS: '1',
  };
  ({ address } = await startServing(context, settings, ['serve', '--demo']));
  const order = ['--customer', 'Newcomer', '--product', 'records,analytics', '--json'];
  const { key } = JSON.parse((await runTmds(context, ['key', 'issue', ...order], settings)).stdout) as { key: string };
  environment = { PATH: process.env.PATH ?? '', TMDS_API_KEY: key, TMDS_BASE_URL: `${address}/records` };
});

after(async () => {
  for (const close of closers.reverse()) await close();
});

/** Times the steps of a path one after the other. */
class Path {
  private readonly steps: string[] = [];
  private readonly t: TestContext;
  private readonly name: string;

  constructor(t: TestContext, name: string) {
    this.t = t;
    this.name = name;
  }

  async step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const startedMs = performance.now();
    const result = await work();
    this.steps.push(`${name} ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    return result;
  }

  report(): void {
    this.t.diagnostic(`${this.name}: ${this.steps.join(', ')}`);
  }
}

/** The program that a text prints under this name. */
function findProgram(text: string, name: string): string {
  const program = text.split('```').find((block) => new RegExp(`^\\w+\\n(//|#) ${name}:`).test(block));
  assert.ok(program !== undefined, name);
  return program.slice(program.indexOf('\n') + 1);
}

test('TypeScript and JavaScript: the client is installed from its file, and the programs of the guide run', async (t) => {
  const folder = makeFolder(t);
  const tarball = await packClient(folder);
  assert.ok(guide.includes(`npm install ./${tarball} `), 'the guide names the file');
  const path = new Path(t, 'TypeScript');
  const node = async (name: string): Promise<string> => {
    await writeFile(join(folder, name), findProgram(guide, name));
    return (await run(process.execPath, [name], { cwd: folder, env: environment })).stdout;
  };
  await path.step('install', () => installClient(folder, tarball));
  assert.equal((await path.step('first record', () => node('first.mjs'))).trim().split('\n').length, 3);
  assert.match(await path.step('first change', () => node('changes.mjs')), /^2\d{3}-.*\ngo on from \S+\n$/s);
  assert.equal(await path.step('first watch', () => node('watch.mjs')), 'acme owners 0\n');
  path.report();
});

test('shell: the same file, and the commands of the guide', async (t) => {
  const folder = makeFolder(t);
  const tarball = await packClient(folder);
  const commands = [...guide.matchAll(/^npx (tmds-client .*?) +# the first (\w+)$/gm)];
  assert.deepEqual(
    commands.map(([, , what]) => what),
    ['record', 'change', 'watch'],
  );
  const path = new Path(t, 'shell');
  await path.step('install', () => installClient(folder, tarball));
  for (const [, command = '', what] of commands) {
    const shell = () => run('sh', ['-c', `npx --no ${command}`], { cwd: folder, env: environment });
    const { stdout } = await path.step(`first ${what}`, shell);
    const lines = stdout.trim().split('\n');
    assert.equal(lines.length, what === 'record' ? 3 : what === 'change' ? 20 : 1, stdout);
    for (const line of lines) assert.equal(typeof JSON.parse(line), 'object');
  }
  path.report();
});

test('Python: the wheel is installed into an empty environment, and the programs of its page run', async (t) => {
  const python = findPython();
  if (python === null) return t.skip(NO_PYTHON);
  const folder = makeFolder(t);
  const page = await readFile(join(PYTHON_CLIENT, 'README.md'), 'utf8');
  const offline = { PATH: process.env.PATH, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  await run(python, ['-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', folder, PYTHON_CLIENT], { env: offline });
  const [wheel = ''] = /tmds_client-\S+?\.whl/.exec(page) ?? [];
  const path = new Path(t, 'Python');
  const own = join(folder, '.venv', process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  await path.step('install', async () => {
    await run(python, ['-m', 'venv', '.venv'], { cwd: folder, env: offline });
    await run(own, ['-m', 'pip', 'install', '--no-deps', `./${wheel}`], { cwd: folder, env: offline });
  });
  for (const [step, name] of [
    ['first record', 'first.py'],
    ['first change', 'changes.py'],
    ['first watch', 'watch.py'],
  ] as const) {
    await writeFile(join(folder, name), findProgram(page, name));
    const { stdout } = await path.step(step, () => run(own, [name], { cwd: folder, env: environment }));
    assert.notEqual(stdout, '', name);
  }
  path.report();
});

interface Answer {
  readonly items: readonly { readonly jurisdiction_code: string; readonly uid: string; readonly id: string }[];
}

async function playAgent(path: Path, client: Client): Promise<void> {
  const ask = async (name: string, input: Record<string, unknown>): Promise<Answer> => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: input });
    assert.notEqual(isError, true, JSON.stringify(content));
    return structuredContent as unknown as Answer;
  };
  const search = () => ask('search_trademarks', { status: 'Registered', limit: 3 });
  const [{ jurisdiction_code, uid }] = (await path.step('first record', search)).items as [Answer['items'][0]];
  const changed = await path.step('first change', () => ask('trademark_history', { jurisdiction_code, uid }));
  assert.ok(changed.items.length > 0);
  // The tools only read, so the watch was made in another way.
  const sent = {
    method: 'PUT',
    headers: { 'x-api-key': environment.TMDS_API_KEY!, 'content-type': 'application/json' },
  };
  const body = JSON.stringify({ name: 'Agent', owners: ['acme inc.'] });
  assert.equal((await fetch(`${environment.TMDS_BASE_URL}/v1/watches/agent`, { ...sent, body })).status, 200);
  const watched = await path.step('first watch', () => ask('watch_changes', {}));
  assert.ok(JSON.stringify(watched).includes('"agent"'));
  path.report();
}

test('agent: the tools of the service, with an address and a key alone', async (t) => {
  const path = new Path(t, 'agent over HTTP');
  const client = new Client({ name: 'newcomer', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { 'x-api-key': environment.TMDS_API_KEY! } };
  t.after(() => client.close());
  await path.step('connect', () =>
    client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit })),
  );
  await playAgent(path, client);
});

test('agent: the tools from their packages, over standard input and output', async (t) => {
  const folder = makeFolder(t);
  await installPacked(folder, ['contract', 'client', 'mcp']);
  const path = new Path(t, 'agent over standard input');
  const client = new Client({ name: 'newcomer', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  t.after(() => client.close());
  const program = join(folder, 'node_modules/@tmds/mcp/bin/tmds-mcp.js');
  const command = { command: process.execPath, args: [program], env: environment, cwd: folder };
  await path.step('start', () => client.connect(new StdioClientTransport(command)));
  await playAgent(path, client);
});
