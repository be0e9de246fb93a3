/** Two `tmds serve` behind a switch, restarted in turn under load, and what a stop does to calls that are slow. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { createDataFolder, startServing, waitFor } from '../support/process.ts';
import { startLoad } from '../support/steady-load.ts';
import { startSwitch } from '../support/switch.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const RECORDS = 300;

async function fill(db: Database): Promise<string> {
  await publishRecords(db, buildRecords(RECORDS, {}, 'rolling'));
  return '/v1/XA/trademarks/rolling1';
}

async function issueKey(environment: Record<string, string>): Promise<string> {
  const { stdout } = await runHere(['key', 'issue', '--customer', 'Example', '--json'], environment);
  return (JSON.parse(stdout) as { key: string }).key;
}

test('two servers behind a switch are restarted in turn under load, and no call fails', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const lookup = await fill(db);
  const start = async () =>
    await startServing(t, {
      DATABASE_URL: url,
      TMDS_DATA_DIR: await createDataFolder(t),
      TMDS_CHANGE_HORIZON_SECONDS: '0',
      TMDS_DRAIN_SECONDS: '1',
    });
  const key = await issueKey({ DATABASE_URL: url });
  const between = await startSwitch(t);
  const first = await Promise.all([start(), start()]);
  await Promise.all(first.map(({ address }) => between.add(address)));
  // A whole page of the feed is a long answer compared with look-ups and searches.
  const paths = [
    lookup,
    `/v1/changes?since=1970-01-01T00:00:00Z&limit=${RECORDS}`,
    '/v1/XA/trademarks?limit=200',
    lookup,
  ];
  const load = startLoad({ url: between.url, key, paths, callers: 6 });
  await load.more(50);
  const statuses: (number | null)[] = [];
  const restarted: string[] = [];
  for (const old of first) {
    const next = await start();
    await between.add(next.address);
    old.kill('SIGTERM');
    statuses.push((await old.ended).status);
    between.remove(old.address);
    restarted.push(next.address);
    await load.more(50);
  }
  await load.stop();
  assert.deepEqual(
    { failures: load.failures, switched: between.failures, statuses, ready: between.ready().sort() },
    { failures: [], switched: [], statuses: [0, 0], ready: restarted.sort() },
  );
});

test('a server that drains says so first and serves on, and a second signal ends the wait', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const lookup = await fill(db);
  const dataDir = await createDataFolder(t);
  const environment = {
    DATABASE_URL: url,
    TMDS_DATA_DIR: dataDir,
    TMDS_LOG_LEVEL: 'info',
    TMDS_DRAIN_SECONDS: '6',
  };
  const server = await startServing(t, environment);
  const key = await issueKey(environment);
  const ask = async (path: string) => await fetch(`${server.address}${path}`, { headers: { 'x-api-key': key } });
  assert.equal((await ask('/readyz')).status, 200);
  server.kill('SIGTERM');
  await waitFor(async () => (await ask('/readyz')).status === 503);
  const served = await ask(lookup);
  assert.deepEqual([served.status, served.headers.get('connection')], [200, 'close']);
  assert.equal((await ask('/livez')).status, 200);
  assert.doesNotMatch(server.stderr(), /calls in flight may finish/);
  server.kill('SIGTERM');
  await waitFor(async () => server.stderr().includes('calls in flight may finish'));
  const { status } = await server.ended;
  assert.equal(status, 0);
  await assert.rejects(ask('/livez'));
});

test('connections that carry no call do not delay a stop, whatever they have begun', async (t) => {
  const { url } = await createTestDatabase(t);
  const server = await startServing(t, { DATABASE_URL: url, TMDS_DATA_DIR: await createDataFolder(t) });
  const { port } = new URL(server.address);
  const beginnings = ['', 'GET /livez HTTP/1.1\r\nHost: x\r\n', 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'];
  const sockets = await Promise.all(
    beginnings.map(async (beginning) => {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(beginning);
      socket.on('error', () => undefined);
      return socket;
    }),
  );
  // The last one has been answered and is kept open.
  await once(sockets[2]!, 'data');
  const closed = sockets.map((socket) => once(socket.resume(), 'close'));
  server.kill('SIGTERM');
  const { status, stderr } = await server.ended;
  await Promise.all(closed);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
});
