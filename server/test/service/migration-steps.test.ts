/** Migrations of several steps: killed at each, run by many at once, next to servers and loads of other versions. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type Database, openSession, type PinnedSession } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { checkSchema, type Migration, migrate } from '../../src/database/schema/migrate.ts';
import { holdSchema } from '../../src/database/schema/schema-hold.ts';
import { startLiveness } from '../../src/upkeep/health/liveness.ts';
import { connectTestDatabase, createTestDatabase, testLog } from '../support/database.ts';
import { waitFor } from '../support/process.ts';

const ROWS = 250;

const ONE: Migration = {
  number: 1,
  name: '0001_one.sql',
  text: `create table one (id int primary key); insert into one select generate_series(1, ${ROWS});`,
};

/** Every kind of step; each batch changes 100 rows. */
const STEPPED: Migration = {
  number: 2,
  name: '0002_two.sql',
  text: `
-- works with programs since 0001
-- step: add the column
alter table one add column size int;
create table counted (batch int);
-- step (batches): fill it
update one set size = id * 2 where id in (select id from one where size is null order by id limit 100);
-- step (alone): find by it
create unique index concurrently one_size on one (size);
-- step: every row has one
alter table one add constraint one_sized check (size is not null) not valid;
-- step: check them
alter table one validate constraint one_sized;
-- step: say so
alter table one alter column size set not null;
alter table one drop constraint one_sized;
`,
};
const STEPS = 6;

async function describe(db: Database): Promise<unknown> {
  const [rows] = await db.query(sql`select count(*)::int as rows, sum(size)::int as sum from one`);
  const columns = await db.query(
    sql`select attname, attnotnull from pg_attribute where attrelid = 'one'::regclass and attnum > 0 order by attnum`,
  );
  const indexes = await db.query(
    sql`select indexrelid::regclass::text as name, indisvalid from pg_index where indrelid = 'one'::regclass order by 1`,
  );
  const done = await db.query(sql`select number, works_since from migration order by number`);
  return { rows, columns, indexes, done, open: await db.query(sql`select number, step from migration_step`) };
}

const MIGRATED = {
  rows: { rows: ROWS, sum: ROWS * (ROWS + 1) },
  columns: [
    { attname: 'id', attnotnull: true },
    { attname: 'size', attnotnull: true },
  ],
  indexes: [
    { name: 'one_pkey', indisvalid: true },
    { name: 'one_size', indisvalid: true },
  ],
  done: [
    { number: 1, works_since: null },
    { number: 2, works_since: 1 },
  ],
  open: [],
};

/** The same database, whose transactions and sessions fail after this many, before they commit. */
function failingAfter(db: Database, pieces: number): Database {
  let left = pieces;
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        spend();
        return result;
      }, options),
    session: (work) =>
      db.session(async (session) => {
        const query: typeof session.query = async (statement, options) => {
          if (statement.text.includes('migration_step (')) spend();
          return await session.query(statement, options);
        };
        return await work({ ...session, query });
      }),
  };
}

test('a migration of several steps is finished by the next run, wherever it was killed', async (t) => {
  // Six steps, of which one took three batches and a last look.
  const pieces = STEPS + 3;
  for (let survived = 0; survived <= pieces; survived += 1) {
    const { db } = await createTestDatabase(t, { migrated: false });
    await migrate(db, [ONE]);
    const first = migrate(failingAfter(db, survived), [ONE, STEPPED]);
    if (survived === pieces) assert.deepEqual(await first, [STEPPED.name]);
    else {
      await assert.rejects(first, /killed/, `after ${survived}`);
      assert.deepEqual(await migrate(db, [ONE, STEPPED]), [STEPPED.name]);
    }
    assert.deepEqual(await describe(db), MIGRATED, `killed after ${survived}`);
  }
});

test('an index whose build was killed is built again', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, [ONE]);
  const other = await connectTestDatabase(url, { poolMax: 1 });
  t.after(() => other.close());
  const builders = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like 'create unique index concurrently%'`;
  let building: Promise<unknown> = Promise.resolve();
  // The build waits for a transaction that has the table.
  await other.transaction(async (tx) => {
    const migrator = await connectTestDatabase(url, { poolMax: 2 });
    t.after(() => migrator.close());
    building = assert.rejects(
      // Until then, so that the steps before it get their locks.
      migrate(
        {
          ...migrator,
          session: async (work) => {
            await tx.query(sql`select id from one limit 1`);
            return await migrator.session(work);
          },
        },
        [ONE, STEPPED],
      ),
    );
    await waitFor(async () => (await db.query(builders)).length > 0);
    await db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and query like 'create unique index concurrently%'`);
    await building;
  });
  const left = sql`select indisvalid from pg_index where indexrelid = to_regclass('one_size')`;
  assert.deepEqual(await db.query(left), [{ indisvalid: false }]);
  assert.deepEqual(await migrate(db, [ONE, STEPPED]), [STEPPED.name]);
  assert.deepEqual(await describe(db), MIGRATED);
});

test('ten processes at once run each step once', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  // Steps are reported where they may take long: in a database that holds something.
  await migrate(db, [ONE]);
  const others = await Promise.all(Array.from({ length: 10 }, () => connectTestDatabase(url, { poolMax: 1 })));
  const steps: string[] = [];
  const applied = await Promise.all(
    others.map((each) => migrate(each, [ONE, STEPPED], undefined, systemClock, (line) => steps.push(line))),
  );
  await Promise.all(others.map((each) => each.close()));
  assert.ok(applied.flat().includes(STEPPED.name));
  assert.ok(steps.length >= STEPS);
  assert.deepEqual(await describe(db), MIGRATED);
});

/** What a server of the version with these migrations has. */
async function startServer(
  t: TestContext,
  url: string,
  migrations: readonly Migration[],
): Promise<{ database: Database; isServing: () => boolean; check: () => Promise<void> }> {
  const liveness = startLiveness({ horizonSeconds: 300, url: () => url, migrations, clock: systemClock, log: testLog });
  const database = await connectTestDatabase(url, { closedBecause: () => liveness.closedBecause() });
  t.after(async () => {
    await database.close();
    await liveness.stop();
  });
  await liveness.check();
  return { database, isServing: () => liveness.closedBecause() === null, check: () => liveness.check() };
}

test('servers of the previous version keep serving during a migration that allows it, and can be started after it [I-39]', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, [ONE]);
  const older = await startServer(t, url, [ONE]);
  const seen: boolean[] = [];
  await migrate(db, [ONE, STEPPED], undefined, systemClock, () => seen.push(older.isServing()));
  assert.deepEqual(seen, Array(STEPS).fill(true));
  await older.check();
  assert.equal((await older.database.query(sql`select id from one`)).length, ROWS);
  const another = await startServer(t, url, [ONE]);
  await another.check();
  // A program of the version before finds nothing to migrate, and may go on.
  assert.deepEqual(await migrate(db, [ONE]), []);
  await checkSchema(db, undefined, [ONE]);
});

test('only the programs that a migration breaks make way for it [I-39]', async (t) => {
  const three = { number: 3, name: '0003_three.sql', text: '-- works with programs since 0002\ndrop table counted;' };
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, [ONE, STEPPED]);
  const [first, second] = [await startServer(t, url, [ONE]), await startServer(t, url, [ONE, STEPPED])];
  const seen: boolean[] = [];
  const watched: Database = {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const runScript = async (text: string): Promise<number> => {
          if (text.includes('drop table')) seen.push(first.isServing(), second.isServing());
          return await tx.runScript(text);
        };
        return await work({ ...tx, runScript });
      }, options),
  };
  assert.deepEqual(await migrate(watched, [ONE, STEPPED, three]), [three.name]);
  assert.deepEqual(seen, [false, true]);
  await second.check();
  await assert.rejects(first.check(), { name: 'NoAnswer' });
  await assert.rejects(migrate(db, [ONE]), /run a newer tmds/);
});

test('a migration waits for loads that it would break, even when their connection was cut, and no load begins in the meantime', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, [ONE]);
  const connect = (): Promise<PinnedSession> =>
    openSession({ url, applicationName: 'tmds load', statementTimeoutMs: 0, acquireTimeoutMs: 10_000 });
  const hold = await holdSchema(connect, [ONE], systemClock);
  // Otherwise it looks for its database for as long as the process lives, and the process for as long as it looks.
  t.after(() => hold.release());
  const held = sql`select pid from pg_locks where locktype = 'advisory' and granted and mode = 'ShareLock'
    and database = (select oid from pg_database where datname = current_database())`;
  const [before] = await db.query<{ pid: number }>(held);
  await db.query(sql`select pg_terminate_backend(${before!.pid}::int)`);
  await waitFor(async () => (await db.query<{ pid: number }>(held)).some(({ pid }) => pid !== before!.pid));
  const breaking = { number: 2, name: '0002_two.sql', text: 'alter table one rename column id to number;' };
  let retries = 0;
  const clock: Clock = {
    ...systemClock,
    sleep: async () => {
      retries += 1;
      assert.deepEqual(await db.query(sql`select id from one limit 1`), [{ id: 1 }]);
      if (retries === 2) hold.release();
    },
  };
  assert.deepEqual(await migrate(db, [ONE, breaking], undefined, clock), [breaking.name]);
  assert.ok(retries >= 2);
  await assert.rejects(holdSchema(connect, [ONE], systemClock), /run a newer tmds/);
});
