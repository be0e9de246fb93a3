/** What a customer of the Python client gets: its wheel alone, in an empty environment, without a network. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { makeFolder } from '../../server/test/support/folder.ts';
import { findPython, NO_PYTHON, PYTHON_CLIENT } from '../../server/test/support/python.ts';
import { VERSION } from '../src/version.ts';

const run = promisify(execFile);
const WHEEL = `tmds_client-${VERSION}-py3-none-any.whl`;
/** No index is asked, so whatever the build or the package needed from one would be missing. */
const OFFLINE = {
  PATH: process.env.PATH,
  PIP_NO_INDEX: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_CACHE_DIR: '1',
};

interface Installed {
  readonly folder: string;
  readonly python: string;
}

/** A copy is built, so that the build cannot find what is not part of the sources. */
async function install(t: TestContext, python: string, build: (source: string, folder: string) => Promise<void>) {
  const folder = makeFolder(t);
  const source = join(folder, 'source');
  const filter = (path: string): boolean => !['__pycache__', 'tests', '.mypy_cache'].includes(basename(path));
  await cp(PYTHON_CLIENT, source, { recursive: true, filter });
  await build(source, folder);
  await rm(source, { recursive: true });
  await run(python, ['-m', 'venv', join(folder, 'venv')], { env: OFFLINE });
  const bin = process.platform === 'win32' ? 'Scripts' : 'bin';
  const installed = { folder, python: join(folder, 'venv', bin, 'python') };
  const [file = ''] = (await readdir(folder)).filter((name) => name.startsWith('tmds_client'));
  await run(installed.python, ['-m', 'pip', 'install', '--no-deps', join(folder, file)], { env: OFFLINE });
  return installed;
}

const buildWheel = (python: string) => async (source: string, folder: string) => {
  await run(python, ['-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', folder, source], { env: OFFLINE });
};

async function tryOut({ folder, python }: Installed, program: string, env: Record<string, string> = {}) {
  const { stdout, stderr } = await run(python, ['-W', 'error', '-c', program], { cwd: folder, env: { ...env } });
  assert.equal(stderr, '');
  return stdout.trim();
}

test('the wheel is built without a network, is installed alone, and calls a service', async (t) => {
  const python = findPython();
  if (python === null) return t.skip(NO_PYTHON);
  const installed = await install(t, python, buildWheel(python));
  assert.ok((await readdir(installed.folder)).includes(WHEEL));
  assert.ok((await readFile(join(PYTHON_CLIENT, 'README.md'), 'utf8')).includes(WHEEL), 'the README names the file');

  const { stdout } = await run(installed.python, ['-m', 'pip', 'list', '--format', 'json'], { env: OFFLINE });
  const packages = JSON.parse(stdout).map(({ name }: { name: string }) => name);
  assert.deepEqual(
    packages.filter((name: string) => !['pip', 'setuptools'].includes(name)),
    ['tmds-client'],
  );
  const check = await run(installed.python, ['-m', 'pip', 'check'], { env: OFFLINE });
  assert.match(check.stdout, /No broken requirements/);

  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok","version":"1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/records`;
  const program = `
import importlib.metadata, importlib.resources
from tmds_client import TrademarkClient, VERSION
with TrademarkClient() as client:
    print(client.health().status)
meta = importlib.metadata.metadata("tmds-client")
assert importlib.resources.files("tmds_client").joinpath("py.typed").is_file()
assert any(str(file).endswith("licenses/LICENSE") for file in importlib.metadata.files("tmds-client"))
print(meta["Version"] == VERSION, meta["License-Expression"], importlib.metadata.requires("tmds-client"))`;
  const printed = await tryOut(installed, program, { TMDS_API_KEY: 'k', TMDS_BASE_URL: address });
  assert.equal(printed, 'ok\nTrue Apache-2.0 None');
});

test('the source package builds the same wheel', async (t) => {
  const python = findPython();
  if (python === null) return t.skip(NO_PYTHON);
  const program = 'import sys; sys.path[:0] = ["packaging"]; import backend; print(backend.build_sdist(sys.argv[1]))';
  const wheels: Buffer[] = [];
  const installed = await install(t, python, async (source, folder) => {
    await buildWheel(python)(source, folder);
    wheels.push(await readFile(join(folder, WHEEL)));
    await run(python, ['-c', program, folder], { cwd: source });
    await rm(join(folder, WHEEL));
    await buildWheel(python)(join(folder, `tmds_client-${VERSION}.tar.gz`), folder);
    wheels.push(await readFile(join(folder, WHEEL)));
    await rm(join(folder, `tmds_client-${VERSION}.tar.gz`));
  });
  assert.ok(wheels[0]!.equals(wheels[1]!));
  assert.equal(await tryOut(installed, 'import tmds_client; print(tmds_client.__version__)'), VERSION);
});

test('the types of the Python client are accepted by mypy, in its strictest mode', async (t) => {
  const python = findPython();
  if (python === null) return t.skip(NO_PYTHON);
  const checked = { cwd: PYTHON_CLIENT, env: { ...OFFLINE, MYPY_CACHE_DIR: tmpdir() } };
  const isThere = await run(python, ['-m', 'mypy', '--version'], checked).catch(() => null);
  if (isThere === null) return t.skip('mypy is not on this machine');
  const { stdout } = await run(python, ['-m', 'mypy', '--python-version', '3.10'], checked);
  assert.match(stdout, /^Success: no issues found/);
});
