/**
 * Upgrades from every released schema, and from the last one before the first release, with data and under load:
 * nothing is lost and no statement fails; in the proofs, nobody waits for a second either. A migration that would make
 * somebody wait is found by what it locks and reads (`support/migration-locks.ts`).
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../src/database/driver/db.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { MIGRATIONS_FOLDER, type Migration, migrate, readMigrations } from '../../src/database/schema/migrate.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { isFull } from '../support/depth.ts';
import { watchLocks } from '../support/migration-locks.ts';
import { printSchema } from '../support/schema.ts';

const FOLDER = fileURLToPath(new URL('../released/', import.meta.url));
const RELEASED = readdirSync(FOLDER)
  .flatMap((name) => /^(\d{4})-data\.sql$/.exec(name)?.[1] ?? [])
  .sort();

/** The migrations of a released version, which are never edited (`schema.test.ts`). */
async function listReleased(version: string): Promise<Migration[]> {
  return (await readMigrations()).filter(({ number }) => number <= Number(version));
}

/** A database of a released version with its data. */
async function createReleased(t: TestContext, version: string): Promise<{ db: Database; url: string }> {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await migrate(db, await listReleased(version));
  await runFile(db, `${version}-data.sql`);
  return { db, url };
}

async function runFile(db: Database, name: string): Promise<void> {
  await db.transaction(async (tx) => void (await tx.runScript(readFileSync(join(FOLDER, name), 'utf8'))));
}

/** Rows by table, and what the records say. */
async function takeStock(db: Database, tables?: readonly string[]): Promise<Record<string, unknown>> {
  const found = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p') and not relispartition and relname not like 'migration%'
    order by 1`);
  const stock: Record<string, unknown> = {};
  for (const name of tables ?? found.map((table) => table.name)) {
    const [row] = await db.query<{ rows: number }>(sql`select count(*)::int as rows from ${identifier(name)}`);
    stock[name] = row!.rows;
  }
  const [content] = await db.query<{ digest: string }>(sql`
    select md5(string_agg(uid || detail || document, '' order by uid)) as digest
    from record join payload using (jurisdiction_code, uid)`);
  return { ...stock, content: content!.digest };
}

/** Longer than a migration may block a statement, where the machine has nothing else to do. */
const BLOCKED_MS_MAX = isFull ? 1_000 : 60_000;

/** Look-ups, feed pages, publishes and metering, each of which gives up when a lock blocks it for too long. */
async function startTraffic(
  t: TestContext,
  url: string,
): Promise<{ answered: () => number; stop: () => Promise<string[]> }> {
  const db = await connectTestDatabase(url, { poolMax: 6, lockTimeoutMs: BLOCKED_MS_MAX });
  const statements = [
    sql`select detail from record where jurisdiction_code = 'XA' and uid = 'U7'`,
    sql`select uid from record where updated_at > '2026-01-01Z' order by updated_at, jurisdiction_code, uid limit 100`,
    sql`update record set line_digest = line_digest where jurisdiction_code = 'XA' and uid = 'U9'`,
    sql`update key_product set window_calls = window_calls + 1 where key_id = (select min(key_id) from access_key)`,
    sql`insert into usage_day (key_id, product, day, units)
      select min(key_id), 'records', '2025-01-01', 1 from access_key on conflict do nothing`,
    sql`select count(*) from call_log`,
  ];
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const running = statements.map(async (statement) => {
    while (!isOver) {
      try {
        await db.query(statement);
        answered += 1;
      } catch (error) {
        failures.push(`${statement.text}: ${String((error as Error).cause ?? error)}`);
        return;
      }
    }
  });
  t.after(async () => {
    isOver = true;
    await db.close();
  });
  const stop = async (): Promise<string[]> => {
    isOver = true;
    await Promise.all(running);
    return failures;
  };
  return { answered: () => answered, stop };
}

/** Migrates under load; resolves to what would have stopped others. */
async function upgrade(t: TestContext, version: string, migrations: readonly Migration[]): Promise<string[]> {
  return await upgradeUnderLoad(t, await createReleased(t, version), migrations);
}

async function upgradeUnderLoad(
  t: TestContext,
  { db, url }: { db: Database; url: string },
  migrations: readonly Migration[],
): Promise<string[]> {
  const before = await takeStock(db);
  const traffic = await startTraffic(t, url);
  const findings: string[] = [];
  const migrator = await connectTestDatabase(url, { poolMax: 2, statementTimeoutMs: 0 });
  t.after(() => migrator.close());
  await migrate(watchLocks(migrator, findings), migrations);
  assert.deepEqual(await traffic.stop(), []);
  assert.ok(traffic.answered() > 0);
  const { content: _, ...counts } = before;
  assert.deepEqual(await takeStock(db, Object.keys(counts)), before);
  return findings;
}

for (const version of RELEASED) {
  test(`a database of schema version ${version} with data is upgraded under load, and no statement fails [I-35]`, async (t) => {
    assert.deepEqual(await upgrade(t, version, await readMigrations()), []);
  });

  test(`what an upgrade makes of schema version ${version} is what a new database is`, async (t) => {
    const { db } = await createReleased(t, version);
    await migrate(db);
    const text = (await printSchema(db)).replaceAll(/create table call_log_\d{8} [\s\S]*?\n\n/g, '');
    assert.equal(text, readFileSync(join(MIGRATIONS_FOLDER, 'schema.sql'), 'utf8'));
  });

  test(`the data of released schema version ${version} fill every table`, async (t) => {
    const { db } = await createReleased(t, version);
    const empty = Object.entries(await takeStock(db)).flatMap(([name, rows]) => (rows === 0 ? [name] : []));
    assert.deepEqual(empty, ['staged_record']);
  });
}

test('a database of the last build before the first release is taken over under load, and only its ledger changes [I-35]', async (t) => {
  const released = await createReleased(t, RELEASED[0]!);
  await runFile(released.db, '0025-ledger.sql');
  const before = await printSchema(released.db);
  const migrations = await readMigrations();
  assert.deepEqual(await upgradeUnderLoad(t, released, migrations), []);
  if (migrations.length === 1) assert.equal(await printSchema(released.db), before);
  const [ledger] = await released.db.query(sql`
    select number, name, works_since, applied_at = '2026-01-02Z' as kept from migration order by number limit 1`);
  assert.deepEqual(ledger, { number: 26, name: '0026_baseline.sql', works_since: 25, kept: true });
});

/** The migrations of the newest release and one more. */
async function addMigration(text: string): Promise<{ version: string; migrations: Migration[] }> {
  const version = RELEASED.at(-1)!;
  const migrations = await listReleased(version);
  const number = Number(version) + 1;
  migrations.push({ number, name: `${String(number).padStart(4, '0')}_tried.sql`, text });
  return { version, migrations };
}

test('a large table gets a required column and an index in steps, and no statement fails', async (t) => {
  const { version, migrations } = await addMigration(`
-- works with programs since 0001
-- step: the column
alter table record add column size int;
-- step (batches): fill it
update record set size = length(detail) where (jurisdiction_code, uid) in
  (select jurisdiction_code, uid from record where size is null limit 1000);
-- step (alone): find records by it
create index concurrently record_size on record (size);
-- step: every row has one
alter table record add constraint record_sized check (size is not null) not valid;
-- step: check them
alter table record validate constraint record_sized;
-- step: say so
alter table record alter column size set not null;
alter table record drop constraint record_sized;
`);
  assert.deepEqual(await upgrade(t, version, migrations), []);
});

const READ_THROUGH = /^record is read through while \w+ stops others$/;

/** Each would block callers or loads on a database of millions of records. */
const DANGEROUS: Readonly<Record<string, RegExp>> = {
  'create index record_source on record (source_version)': READ_THROUGH,
  'alter table record alter column source_version type varchar(100)': READ_THROUGH,
  'alter table record add column made uuid not null default gen_random_uuid()': READ_THROUGH,
  'alter table record alter column line_digest drop not null; alter table record alter column line_digest set not null':
    READ_THROUGH,
  "alter table record add check (uid <> '')": READ_THROUGH,
  'alter table record add unique (content_digest)': READ_THROUGH,
  'alter table payload add foreign key (jurisdiction_code, uid) references record':
    /^(record|payload) is read through while/,
  "update record set source_version = '1'": /^more than \d+ rows of record are changed in one transaction$/,
  'lock table record in exclusive mode; select count(*) from record': READ_THROUGH,
};

for (const [text, found] of Object.entries(DANGEROUS)) {
  test(`a migration that would block others is refused: ${text}`, async (t) => {
    const { version, migrations } = await addMigration(`-- works with programs since 0001\n${text};`);
    const { db } = await createReleased(t, version);
    const findings: string[] = [];
    await migrate(watchLocks(db, findings), migrations);
    assert.ok(
      findings.some((finding) => found.test(finding)),
      findings.join('; '),
    );
  });
}
