import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { checkSchema, type Migration, migrate } from '../../src/database/schema/migrate.ts';
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

/** The last migration of one build, and the baseline of the next one. */
const LAST: Migration = { number: 7, name: '0007_last.sql', text: 'create table one (value int);' };
const BASELINE: Migration = {
  number: 8,
  name: '0008_baseline.sql',
  text: '-- works with programs since 0007\n-- takes over from 0007_last.sql\ncreate table one (value int);',
};
const NEXT: Migration = { number: 9, name: '0009_next.sql', text: 'create table two (value int);' };

test('a baseline makes a new database, and takes over one that has its schema by its number [I-39]', async (t) => {
  const fresh = await createTestDatabase(t, { migrated: false });
  assert.deepEqual(await migrate(fresh.db, [BASELINE, NEXT]), [BASELINE.name, NEXT.name]);
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, [LAST]);
  await db.query(sql`insert into one values (7)`);
  await db.query(sql`update migration set applied_at = '2026-01-01Z'`);
  await assert.rejects(
    checkSchema(db, undefined, [BASELINE, NEXT]),
    /has schema version 7, this tmds needs 9; run: tmds migrate/,
  );
  const others = await Promise.all(Array.from({ length: 5 }, () => connectTestDatabase(url, { poolMax: 1 })));
  const applied = await Promise.all(others.map((each) => migrate(each, [BASELINE])));
  await Promise.all(others.map((each) => each.close()));
  assert.deepEqual(applied.flat(), [BASELINE.name]);
  // A program from before still works with it, and has nothing to migrate.
  await checkSchema(db, undefined, [LAST]);
  assert.deepEqual(await migrate(db, [LAST]), []);
  assert.deepEqual(await migrate(db, [BASELINE, NEXT]), [NEXT.name]);
  assert.deepEqual(await db.query(sql`select value from one`), [{ value: 7 }]);
  assert.deepEqual(
    await db.query(sql`select number, name, works_since, applied_at = '2026-01-01Z' as kept from migration order by 1`),
    [
      { number: 8, name: BASELINE.name, works_since: 7, kept: true },
      { number: 9, name: NEXT.name, works_since: null, kept: false },
    ],
  );
});

test('a database that is not taken over is refused with the way out, and left unchanged', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  const place = describePlace({ dataDir: '/srv/tmds', databaseUrl: url });
  assert.doesNotMatch(place, new RegExp(new URL(url).password));
  const older = { number: 1, name: '0001_records.sql', text: 'create table record (terms int[]);' };
  await migrate(db, [older, ...STEPS.slice(1)]);
  const refusal = {
    name: 'OperatorError',
    message:
      `${place} has schema version 2 of a build before the first release: run tmds migrate of the last such build, whose ` +
      'newest migration is 0025_agreements.sql, then this tmds; or load the register files again into an empty data ' +
      'folder (TMDS_DATA_DIR) or database (DATABASE_URL)',
  };
  await assert.rejects(migrate(db, undefined, place), refusal);
  await assert.rejects(checkSchema(db, place), refusal);
  await assert.rejects(migrate(db, STEPS, place), {
    name: 'OperatorError',
    message:
      `${place} was made by another tmds, with the migration 0001_records.sql, which this one does not know: run that ` +
      'one, or load the register files again into an empty data folder (TMDS_DATA_DIR) or database (DATABASE_URL)',
  });
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  assert.deepEqual(
    tables.map(({ name }) => name),
    ['migration', 'migration_step', 'record', 'two'],
  );
  assert.equal(describePlace({ dataDir: '/srv/tmds', databaseUrl: null }), 'the data folder /srv/tmds');
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
