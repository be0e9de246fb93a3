import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { checkSchema, type Migration, migrate, readMigrations } from '../../src/database/schema/migrate.ts';
import { describePlace } from '../../src/upkeep/health/checks.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { isFull } from '../support/depth.ts';

const STEPS: readonly Migration[] = [
  { number: 1, name: '0001_one.sql', text: 'create table one (value int); insert into one values (1);' },
  { number: 2, name: '0002_two.sql', text: 'create table two (value int);' },
];

test('migrators at once apply each migration once', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  const others = await Promise.all(
    Array.from({ length: isFull ? 20 : 5 }, () => connectTestDatabase(url, { poolMax: 1 })),
  );
  const applied = await Promise.all(others.map((each) => migrate(each, STEPS)));
  await Promise.all(others.map((each) => each.close()));
  const rows = await db.query(sql`select number, name from migration order by number`);
  assert.deepEqual(
    { applied: applied.flat().sort(), rows, content: await db.query(sql`select value from one`) },
    {
      applied: ['0001_one.sql', '0002_two.sql'],
      rows: [
        { number: 1, name: '0001_one.sql' },
        { number: 2, name: '0002_two.sql' },
      ],
      content: [{ value: 1 }],
    },
  );
});

test('migrating again does nothing', async (t) => {
  const { db } = await createTestDatabase(t);
  assert.deepEqual(await migrate(db), []);
});

test('a migration that fails leaves nothing of itself, and the ones before it stay', async (t) => {
  const { db } = await createTestDatabase(t, { migrated: false });
  const broken = { number: 2, name: '0002_two.sql', text: 'create table two (value int); select 1 / 0;' };
  await assert.rejects(migrate(db, [STEPS[0]!, broken]), {
    name: 'OperatorError',
    message: 'migration 0002_two.sql failed: division by zero',
    exitStatus: 1,
  });
  const found = await db.query(
    sql`select to_regclass('one') is not null as one, to_regclass('two') is not null as two`,
  );
  assert.deepEqual(found, [{ one: true, two: false }]);
  assert.deepEqual(await migrate(db, STEPS), ['0002_two.sql']);
});

test('a database that a newer version migrated is refused, and left unchanged', async (t) => {
  const { db } = await createTestDatabase(t, { migrated: false });
  await migrate(db, STEPS);
  await assert.rejects(migrate(db, STEPS.slice(0, 1)), {
    name: 'OperatorError',
    message: 'the database has schema version 2, this version of tmds knows 1; run a newer tmds',
  });
});

test('a database of an earlier build is refused with the way out, and left unchanged', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  const before = { number: 1, name: '0001_records.sql', text: 'create table record (terms int[]);' };
  await migrate(db, [before, ...STEPS.slice(1)]);
  const place = describePlace({ dataDir: '/srv/tmds', databaseUrl: url });
  assert.doesNotMatch(place, new RegExp(new URL(url).password));
  const refusal = {
    name: 'OperatorError',
    message:
      `${place} was filled by an earlier build of tmds, which this one cannot read: load the register files again into ` +
      'an empty data folder (TMDS_DATA_DIR) or database (DATABASE_URL)',
  };
  await assert.rejects(migrate(db, undefined, place), refusal);
  await assert.rejects(checkSchema(db, place), refusal);
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['migration', 'migration_step', 'record', 'two'],
  );
  assert.equal(describePlace({ dataDir: '/srv/tmds', databaseUrl: null }), 'the data folder /srv/tmds');
});

test('migrations are numbered from 1 without a gap', async () => {
  const numbers = (await readMigrations()).map(({ number }) => number);
  assert.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, position) => position + 1),
  );
});

test('a migration that meets a statement holding its table steps back and tries again [I-35]', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  const other = await connectTestDatabase(url, { poolMax: 2 });
  t.after(() => other.close());
  await migrate(db, STEPS.slice(0, 1));
  const changing = { number: 2, name: '0002_two.sql', text: 'alter table one add column more int;' };
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let retries = 0;
  const clock = {
    ...systemClock,
    sleep: async () => {
      retries += 1;
      // Nobody waits behind it until then.
      assert.deepEqual(await other.query(sql`select value from one`), [{ value: 1 }]);
      if (retries === 2) release();
    },
  };
  let holding: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    holding = db.transaction(async (tx) => {
      await tx.query(sql`select value from one`);
      resolve();
      await released;
    });
  });
  const applied = await migrate(db, [STEPS[0]!, changing], undefined, clock).finally(release);
  await holding;
  assert.deepEqual(applied, ['0002_two.sql']);
  assert.ok(retries >= 2);
});
