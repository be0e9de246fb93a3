/** A server whose database stops, below npm, and under several signals. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  buildClusterUrl,
  type Cluster,
  createCluster,
  findRunning,
  startPostgres,
} from '../../src/database/embedded/cluster.ts';
import { TEST_SERVER_SETTINGS } from '../support/cluster.ts';
import { issueKeyHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { createDataFolder, isAlive, startServing, waitFor } from '../support/process.ts';

async function startCluster(cluster: Cluster): Promise<string> {
  await startPostgres(cluster, TEST_SERVER_SETTINGS);
  await waitFor(async () => (await findRunning(cluster))?.address?.port !== undefined);
  return buildClusterUrl(cluster, (await findRunning(cluster))!.address!);
}

async function stopCluster(cluster: Cluster): Promise<void> {
  const { pid } = (await findRunning(cluster))!;
  process.kill(pid, 'SIGINT');
  await waitFor(async () => !isAlive(pid));
}

/** `npm start` without its build, as the leader of a process group that ends with the test. */
function startNpm(
  t: { after(work: () => void): void },
  environment: Record<string, string>,
): { child: ChildProcess; address: Promise<string>; ended: Promise<unknown> } {
  const child = spawn('npm', ['--ignore-scripts', 'start'], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    env: { ...process.env, TMDS_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  t.after(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // The whole group has ended on its own.
    }
  });
  const address = new Promise<string>((resolve, reject) => {
    let written = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      const line = /^listening on (http:\S+)$/m.exec(written);
      if (line !== null) resolve(line[1]!);
    });
    void ended.then(() => reject(new Error(`npm start ended: ${written}`)));
  });
  return { child, address, ended };
}

test('a database stopped under a server answers 503 with Retry-After, and its start is all that recovery takes [I-9]', async (t) => {
  const folder = await createDataFolder(t);
  const cluster = await createCluster(folder);
  const environment = { DATABASE_URL: await startCluster(cluster), TMDS_LOG_LEVEL: 'silent' };
  const server = await startServing(t, environment);
  const key = await issueKeyHere(environment);
  const call = async (path: string): Promise<{ status: number; code: string | undefined; retries: boolean }> => {
    const response = await fetch(`${server.address}${path}`, { headers: { 'x-api-key': key } });
    const body = (await response.json()) as { error?: { code: string } };
    return { status: response.status, code: body.error?.code, retries: response.headers.has('retry-after') };
  };
  const paths = ['/v1/usage', '/v1/jurisdictions', '/v1/trademarks?status=Registered', '/v1/health'];
  const before = await Promise.all(paths.map(call));
  await stopCluster(cluster);
  // Health says what the last look learned, which may be half a second old.
  await waitFor(async () => (await call('/v1/health')).status === 503);
  const during = await Promise.all(paths.map(call));
  await startCluster(cluster);
  await waitFor(async () => (await call('/v1/health')).status === 200);
  const after = await Promise.all(paths.map(call));
  server.kill('SIGTERM');
  const { status } = await server.ended;
  const served = { status: 200, code: undefined, retries: false };
  const unavailable = { status: 503, code: 'unavailable', retries: true };
  assert.deepEqual(
    { before, during, after, status },
    {
      before: paths.map(() => served),
      during: paths.map(() => unavailable),
      after: paths.map(() => served),
      status: 0,
    },
  );
});

test('a signal that arrives twice, as Ctrl-C does below npm, still ends with status 0', async (t) => {
  const { url } = await createTestDatabase(t);
  const server = await startServing(t, { DATABASE_URL: url });
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) server.kill(signal);
  const { status, stderr } = await server.ended;
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
});

test('npm start passes SIGTERM on to the server: nothing is left running behind it', async (t) => {
  const { url } = await createTestDatabase(t);
  const npm = startNpm(t, { DATABASE_URL: url, TMDS_DATA_DIR: await createDataFolder(t), PORT: '0' });
  const address = await npm.address;
  npm.child.kill('SIGTERM');
  await npm.ended;
  await assert.rejects(fetch(`${address}/v1/health`));
});
