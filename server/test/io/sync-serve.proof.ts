/** `tmds serve --sync`: registers are kept current by a process of its own, which ends with the server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdDuty } from '../../src/store/duties/duties.ts';
import { isAlive, startServing, waitFor } from '../support/process.ts';
import { statement } from '../support/sources-declared.ts';
import { openSyncWorld } from '../support/sync-world.ts';

test('a server with --sync keeps registers current while it serves, and both end together', async (t) => {
  const { db, office, environment } = await openSyncWorld(t, { secretIn: 'variable' });
  office.files.set('day-2026-11-01.ndjson', statement('XA1', 'first'));
  const server = await startServing(t, { ...environment, TMDS_LOG_LEVEL: 'info' }, ['serve', '--sync']);
  await waitFor(async () => /"event":"loaded"/.test(server.stderr()));
  assert.equal((await fetch(`${server.address}/readyz`)).status < 600, true);
  assert.equal(server.stdout().trim().split('\n').length, 1, 'standard output has its one line');
  const [child] = /"syncPid":(\d+)/.exec(server.stderr())?.slice(1).map(Number) ?? [];
  assert.ok(child !== undefined && isAlive(child));
  server.kill('SIGTERM');
  const { status } = await server.ended;
  assert.equal(status, 0);
  await waitFor(async () => !isAlive(child));

  const killed = await startServing(t, { ...environment, TMDS_LOG_LEVEL: 'info' }, ['serve', '--sync']);
  await waitFor(async () => /"syncPid":(\d+)/.test(killed.stderr()));
  const orphan = Number(/"syncPid":(\d+)/.exec(killed.stderr())![1]);
  killed.kill('SIGKILL');
  await waitFor(async () => !isAlive(orphan));
  assert.deepEqual((await holdDuty(db, 'sync', async () => 'free')).held, true);
});
