/** Poolers in front of the database: those that keep sessions are as good as none, others are refused at the start. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { attachDatabase } from '../../src/database/embedded/attach.ts';
import { findFolder, TEST_SERVER_SETTINGS } from '../support/cluster.ts';
import { problemOf } from '../support/connection-problem.ts';
import { connectTestDatabase, createTestDatabase, testLog } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { startFakePooler } from '../support/fake-pooler.ts';
import { makeFolder } from '../support/folder.ts';

const REFUSAL =
  'the database of DATABASE_URL cannot be used: a pooler in front of it lends sessions for one transaction only, so ' +
  'locks and settings are lost; set its pool_mode to session, or point DATABASE_URL at the database itself';

for (const lends of ['stack', 'queue'] as const) {
  for (const sessions of chooseCases([1, 2, 3])) {
    test(`a pooler that lends ${sessions} sessions for a transaction each, from a ${lends}, is refused in one sentence`, async (t) => {
      const { url } = await createTestDatabase(t, { migrated: false });
      const pooled = await startFakePooler(t, url, { lends, sessions });
      assert.equal(await problemOf(pooled), REFUSAL);
    });
  }
}

test('a pooler that keeps sessions passes, and what a session begins with holds', async (t) => {
  const { url } = await createTestDatabase(t);
  const pooled = await startFakePooler(t, url, { lends: 'session', sessions: 3 });
  assert.equal(await problemOf(pooled), null);
  const db = await connectTestDatabase(pooled, { poolMax: 1, settings: { work_mem: '32MB' } });
  t.after(() => db.close());
  const seen = await db.query(sql`
    select current_setting('timezone') as zone, current_setting('statement_timeout') as timeout,
      current_setting('work_mem') as memory`);
  assert.deepEqual(seen, [{ zone: 'UTC', timeout: '1min', memory: '32MB' }]);
});

test('a pooler that sets sessions back between statements is refused with what is lost', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const pooled = await startFakePooler(t, url, { lends: 'session', sessions: 2, resets: true });
  assert.match(
    (await problemOf(pooled))!,
    /: what a session sets is lost before its next statement \(.*statement_timeout.*\); let the pooler/,
  );
});

test('a database that gives every statement to a parallel worker is not taken for a pooler', async (t) => {
  const folder = makeFolder(t, findFolder());
  // Too long for a socket: only a connection over TCP has settings that a worker does not know.
  const dataDir = join(folder, 'a'.repeat(100));
  await mkdir(dataDir);
  const { url, release } = await attachDatabase({
    dataDir,
    databaseUrl: null,
    applicationName: 'tmds test',
    clock: systemClock,
    log: testLog,
    onProgress: () => undefined,
    serverSettings: { ...TEST_SERVER_SETTINGS, debug_parallel_query: 'on' },
  });
  assert.equal(await problemOf(url).finally(release), null);
});
