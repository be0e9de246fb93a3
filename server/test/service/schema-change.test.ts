/** Servers and migrations on one database: which servers stop answering when, and why. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { type Migration, migrate } from '../../src/database/schema/migrate.ts';
import { type Liveness, startLiveness } from '../../src/upkeep/health/liveness.ts';
import { connectTestDatabase, createTestDatabase, testLog } from '../support/database.ts';
import { waitFor } from '../support/process.ts';

const ONE: Migration = { number: 1, name: '0001_one.sql', text: 'create table one (value int);' };
const TWO: Migration = { number: 2, name: '0002_two.sql', text: 'create table two (value int);' };

interface Server {
  readonly database: Database;
  readonly liveness: Liveness;
}

/** What a server of the version with these migrations has. */
async function startServer(t: TestContext, url: string, migrations: readonly Migration[]): Promise<Server> {
  const liveness = startLiveness({ horizonSeconds: 300, url: () => url, migrations, clock: systemClock, log: testLog });
  const database = await connectTestDatabase(url, { closedBecause: () => liveness.closedBecause() });
  t.after(async () => {
    await database.close();
    await liveness.stop();
  });
  await liveness.check();
  return { database, liveness };
}

/** The same database, which announces `script` before it runs. */
function watchScript(db: Database, script: string, tell: () => void): Database {
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const runScript = async (text: string): Promise<number> => {
          if (text === script) tell();
          return await tx.runScript(text);
        };
        return await work({ ...tx, runScript });
      }, options),
  };
}

function reasonOf({ liveness }: Server): string {
  return String((liveness.closedBecause()?.cause as Error | undefined)?.message);
}

test('a migration begins when every older server has stopped answering, and none answers after it [I-35, I-39]', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, [ONE]);
  const servers = await Promise.all([startServer(t, url, [ONE]), startServer(t, url, [ONE])]);
  const events: string[] = [];
  const running = servers.map(({ database }) =>
    assert
      .rejects(database.query(sql`select pg_sleep(60)`), { name: 'NoAnswer' })
      .then(() => events.push('a call was cut off')),
  );
  const watched = watchScript(db, TWO.text, () => {
    for (const { liveness } of servers) assert.notEqual(liveness.closedBecause(), null);
    events.push('the migration began');
  });
  assert.deepEqual(await migrate(watched, [ONE, TWO]), [TWO.name]);
  await Promise.all(running);
  assert.deepEqual(events, ['a call was cut off', 'a call was cut off', 'the migration began']);
  for (const server of servers) {
    await assert.rejects(server.database.query(sql`select value from one`), { name: 'NoAnswer' });
    await assert.rejects(server.liveness.check(), { name: 'NoAnswer' });
    const reason = 'the database has schema version 2, this version of tmds knows 1; run a newer tmds';
    await waitFor(async () => reasonOf(server) === reason);
  }
  const { database } = await startServer(t, url, [ONE, TWO]);
  assert.deepEqual(await database.query(sql`select value from two`), []);
});

test('a server answers again after a migration that failed [I-39]', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, [ONE]);
  const server = await startServer(t, url, [ONE]);
  let reason = '';
  const broken = { ...TWO, text: 'select 1 / 0' };
  const watched = watchScript(db, broken.text, () => {
    reason = reasonOf(server);
  });
  await assert.rejects(migrate(watched, [ONE, broken]), /division by zero/);
  assert.equal(reason, 'a migration is changing the schema of the database');
  await waitFor(async () => server.liveness.closedBecause() === null);
  assert.deepEqual(await server.database.query(sql`select value from one`), []);
});

test('a migration changes nothing under a server that does not leave, and continues when that has ended [I-39]', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, [ONE]);
  const standing: Clock = {
    ...systemClock,
    sleep: (_ms, signal) => new Promise((_resolve, reject) => signal?.addEventListener('abort', reject)),
  };
  const liveness = startLiveness({
    horizonSeconds: 300,
    url: () => url,
    migrations: [ONE],
    clock: standing,
    log: testLog,
  });
  await liveness.check();
  let retries = 0;
  const watching: Clock = {
    ...systemClock,
    sleep: async () => {
      retries += 1;
      assert.deepEqual(await db.query(sql`select to_regclass('two') as two`), [{ two: null }]);
      if (retries === 2) await liveness.stop();
    },
  };
  assert.deepEqual(await migrate(db, [ONE, TWO], undefined, watching), [TWO.name]);
  // The server of the database may need a moment to notice that the session has gone.
  assert.ok(retries >= 2);
});
