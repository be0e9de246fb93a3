/** A restore is all or nothing, whenever it dies; the change feed goes on without a seam. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findPublishState } from '../../src/database/readers/publish-state.ts';
import { checkSchema, migrate, readMigrations, versionOf } from '../../src/database/schema/migrate.ts';
import { type BackupHead, encodeJson, HEAD } from '../../src/upkeep/archive/form.ts';
import { openFolderSink } from '../../src/upkeep/archive/write.ts';
import { abandonRestore } from '../../src/upkeep/backup/restore-hold.ts';
import { backUp, backUpFolder, dumpTables, restoreFolder } from '../support/backups.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { dumpContent, UNLIMITED } from '../support/loads.ts';
import { operatorRefusal } from '../support/operator-refusal.ts';
import { printSchema } from '../support/schema.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';
import { identify, walkChanges } from '../torture/walk.ts';

const PROCESS = fileURLToPath(new URL('../support/restore-process.ts', import.meta.url));

const createEmpty = async (t: TestContext) => await createTestDatabase(t, { ...UNLIMITED, migrated: false });
const createMigrated = async (t: TestContext) => await createTestDatabase(t, UNLIMITED);

async function killAt(url: string, folder: string, step: string): Promise<void> {
  const words = ['--conditions=tmds-source', '--import', 'tsx', PROCESS, url, folder, step];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL', `died at ${step}`);
}

/** Resolves when the sessions of a killed process have ended, whose transaction is then undone. */
async function waitUntilAlone(db: Database): Promise<void> {
  for (;;) {
    const [others] = await db.query<{ n: number }>(sql`
      select count(*)::int4 as n from pg_stat_activity
      where datname = current_database() and application_name = 'tmds test' and state like '%transaction%'
        and pid <> pg_backend_pid()`);
    const [locks] = await db.query<{ n: number }>(sql`
      select count(*)::int4 as n from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`);
    if (others!.n === 0 && locks!.n === 0) return;
  }
}

test('killed at any step it leaves what was there and a mark; nothing serves that, and a second restore completes', {
  timeout: 300_000,
}, async (t) => {
  const { db: source } = await createMigrated(t);
  await publishRecords(source, buildRecords(50));
  const expected = await dumpTables(source);
  const folder = await backUpFolder(source, makeFolder(t));
  for (const step of chooseCases(['marked', 'cleared', 'copied', 'counted'])) {
    const { db, url } = await createMigrated(t);
    await publishRecords(db, buildRecords(3, {}, 'old'));
    const before = await dumpContent(db);
    await killAt(url, folder, step);
    await waitUntilAlone(db);
    assert.equal(await dumpContent(db), before, `after ${step}`);
    const refused = /^a restore into the database has begun and not ended: .* tmds restore/;
    assert.match(await operatorRefusal(checkSchema(db)), refused, `served after ${step}`);
    assert.match(await operatorRefusal(migrate(db)), refused, `migrated after ${step}`);
    if (step === 'copied') {
      await abandonRestore(db);
      await checkSchema(db);
      assert.equal(await dumpContent(db), before);
    }
    await restoreFolder(db, folder, { replace: true });
    await checkSchema(db);
    assert.deepEqual(await dumpTables(db), expected, `after ${step}`);
  }
});

test('killed after its last step, everything is there', async (t) => {
  const { db: source } = await createMigrated(t);
  await publishRecords(source, buildRecords(20));
  const folder = await backUpFolder(source, makeFolder(t));
  const { db, url } = await createEmpty(t);
  await killAt(url, folder, 'committed');
  await checkSchema(db);
  assert.deepEqual(await dumpTables(db), await dumpTables(source));
});

test('the content of a database is replaced only on request; foreign objects in it stay', async (t) => {
  const { db: source } = await createMigrated(t);
  await publishRecords(source, buildRecords(5));
  const folder = await backUpFolder(source, makeFolder(t));
  const { db } = await createMigrated(t);
  await db.query(sql`create table somebody_elses (n int)`);
  await db.query(sql`insert into somebody_elses values (7)`);
  await restoreFolder(db, folder);
  await publishRecords(db, buildRecords(2, {}, 'more'));
  const message = await operatorRefusal(restoreFolder(db, folder));
  assert.match(message, /not empty: it has rows in the table record; .*--replace/);
  await checkSchema(db);
  await restoreFolder(db, folder, { replace: true });
  assert.equal(await dumpContent(db), await dumpContent(source));
  assert.deepEqual(await db.query(sql`select n from somebody_elses`), [{ n: 7 }]);
});

test('one restore at a time', async (t) => {
  const { db: source } = await createMigrated(t);
  const folder = await backUpFolder(source, makeFolder(t));
  const { db } = await createEmpty(t);
  let said = '';
  await restoreFolder(db, folder, {
    onStep: async (step) => {
      if (step === 'copied') said = await operatorRefusal(restoreFolder(db, folder));
      if (step === 'counted') assert.match(await operatorRefusal(abandonRestore(db)), /another restore .* is running/);
    },
  });
  assert.match(said, /another restore into this database is running/);
});

test('a backup of an older schema is restored as it was, then migrated; one of a newer schema is refused', async (t) => {
  const migrations = await readMigrations();
  const oldest = migrations.slice(0, 1);
  const { db: source } = await createEmpty(t);
  await migrate(source, oldest);
  const sources = Array.from({ length: 30 }, (_, index) => buildSource({ jurisdiction_code: 'XA', uid: `XA${index}` }));
  await storeRecords(
    source,
    sources.map((record) => buildStored(record, '2026-01-02T03:04:05.000000Z')),
  );
  const folder = await backUpFolder(source, makeFolder(t));
  const number = versionOf(migrations) + 1;
  const next = {
    number,
    name: `${String(number).padStart(4, '0')}_notes.sql`,
    text: `alter table register add column note text;
      create table register_note (note text primary key);
      insert into register_note select jurisdiction_code || ' ' || record_count from register;`,
  };
  const { db } = await createEmpty(t);
  const report = await restoreFolder(db, folder, { migrations: [...migrations, next] });
  assert.deepEqual(
    report.migrated,
    [...migrations.slice(1), next].map(({ name }) => name),
  );
  assert.deepEqual(await db.query(sql`select note from register_note`), [{ note: 'XA 30' }]);
  const { db: newer } = await createEmpty(t);
  assert.match(
    await operatorRefusal(backUpFolder(db, makeFolder(t))),
    new RegExp(`does not know the migration ${next.name}`),
  );
  const later = `${makeFolder(t)}/later`;
  await backUp(db, await openFolderSink(later), { migrations: [...migrations, next] });
  assert.match(
    await operatorRefusal(restoreFolder(newer, later)),
    new RegExp(`the migration ${next.name}, which this tmds`),
  );
  const { db: migrated } = await createEmpty(t);
  await migrate(migrated, [...migrations, next]);
  assert.equal(await printSchema(db), await printSchema(migrated));
});

test('a backup of the last build before the first release is restored, one of an earlier build is refused with the way out', async (t) => {
  const { db: source } = await createTestDatabase(t);
  const record = buildSource({ jurisdiction_code: 'XA', uid: 'R1' });
  await storeRecords(source, [buildStored(record, '2026-01-02T03:04:05.000000Z')]);
  await source.query(sql`update publish_clock set pseudo_marks_held_at = null`);
  const ledger = readFileSync(new URL('../released/0025-ledger.sql', import.meta.url), 'utf8');
  await source.transaction(async (tx) => void (await tx.runScript(ledger)));
  const folder = await backUpFolder(source, makeFolder(t));
  const { db } = await createEmpty(t);
  assert.deepEqual((await restoreFolder(db, folder)).migrated, []);
  await checkSchema(db);
  // What ran in the background of that build still runs.
  assert.deepEqual(await db.query(sql`select uid, pseudo_marks_held_at as held from record, publish_clock`), [
    { uid: 'R1', held: null },
  ]);
  await source.query(sql`delete from migration where number = 25`);
  const { db: other } = await createEmpty(t);
  assert.match(
    await operatorRefusal(restoreFolder(other, await backUpFolder(source, makeFolder(t)))),
    /of a build before the first release, with the migration 0024_pseudo_marks.sql: restore it with the last such/,
  );
});

test('between two steps of a migration no backup is taken', async (t) => {
  const { db } = await createMigrated(t);
  await db.query(sql`insert into migration_step (number, step) values (99, 0)`);
  assert.match(
    await operatorRefusal(backUpFolder(db, makeFolder(t))),
    /a migration has begun and not ended: run tmds migrate/,
  );
});

test('earlier cursors stay valid: nothing that was read is repeated, and everything published afterwards is delivered; the lineage is another one [4.6.1, I-19, I-47]', async (t) => {
  const { db } = await createMigrated(t);
  await publishRecords(db, buildRecords(3, {}, 'kept'));
  const early = await walkChanges(db);
  const folder = await backUpFolder(db, makeFolder(t));
  await publishRecords(db, buildRecords(2, {}, 'lost'));
  const late = await walkChanges(db, { cursor: early.cursor! });
  assert.deepEqual(identify(late.items), ['lost1', 'lost2']);
  const before = await findPublishState(db);
  const report = await restoreFolder(db, folder, { replace: true });
  const state = await findPublishState(db);
  assert.ok(state.lastStamp > before.lastStamp && state.lastStamp === report.last_stamp);
  assert.notEqual(state.databaseId, before.databaseId, 'no search index of before is taken for one of now');
  assert.notEqual(state.lineage, before.lineage, 'replicas see that the database has gone back');
  const { db: empty } = await createEmpty(t);
  await restoreFolder(empty, folder);
  const elsewhere = (await findPublishState(empty)).lineage;
  assert.equal(
    new Set([before.lineage, state.lineage, elsewhere]).size,
    3,
    'what came after the backup is lost there too',
  );
  assert.deepEqual((await walkChanges(db, { cursor: late.cursor! })).items, []);
  await publishRecords(db, [...buildRecords(2, {}, 'lost'), { uid: 'kept1', mark_name: 'changed' }]);
  for (const cursor of [early.cursor!, late.cursor!]) {
    const { items } = await walkChanges(db, { cursor });
    assert.deepEqual(identify(items).sort(), ['kept1', 'lost1', 'lost2']);
    assert.ok(items.every(({ updated_at }) => updated_at > before.lastStamp));
  }
  assert.deepEqual(identify((await walkChanges(db)).items).sort(), ['kept1', 'kept2', 'kept3', 'lost1', 'lost2']);
});

test('a clock behind the backup is named before anything happens; --after says from where stamps continue', async (t) => {
  const { db: source } = await createMigrated(t);
  await publishRecords(source, buildRecords(1));
  const folder = `${makeFolder(t)}/backup`;
  const sink = await openFolderSink(folder);
  await backUp(source, {
    ...sink,
    put: async (member) => {
      if (member.name !== HEAD) return await sink.put(member);
      const head = JSON.parse(member.bytes.toString()) as BackupHead;
      const bytes = encodeJson({ ...head, taken_at: '2999-01-01T00:00:00.000000Z' });
      await sink.put({ name: HEAD, bytes });
    },
  });
  const { db } = await createEmpty(t);
  const message = await operatorRefusal(restoreFolder(db, folder));
  assert.match(message, /the clock of the database reads 2\S+, but the backup was taken at 2999-01-01T.*--after/);
  const { last_stamp } = await restoreFolder(db, folder, { after: '2999-01-02T00:00:00.000000Z' });
  assert.equal(last_stamp, '2999-01-02T00:00:00.000001Z');
});
