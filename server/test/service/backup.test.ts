/** A backup of a database in use is one consistent state of it, whole or refused; nothing incomplete looks complete. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { issueKey } from '../../src/access/keys.ts';
import { OperatorError } from '../../src/base/errors.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { readMigrations } from '../../src/database/schema/migrate.ts';
import { generateLines } from '../../src/generator/generate.ts';
import { insertCalls, keepCallDays } from '../../src/store/accounts/call-log.ts';
import { noteBackup } from '../../src/store/accounts/customers.ts';
import { HEAD, MANIFEST, SEAL } from '../../src/upkeep/archive/form.ts';
import { openFolderSink, openStreamSink } from '../../src/upkeep/archive/write.ts';
import { LEFT_OUT, listBackupTables } from '../../src/upkeep/backup/backup-tables.ts';
import { readFigures } from '../../src/upkeep/health/figures.ts';
import { backUp, backUpFolder, backUpStream, dumpTables, restoreFolder, restoreStream } from '../support/backups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { chooseCases, isFull } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { dumpContent, loadText, UNLIMITED } from '../support/loads.ts';
import { operatorRefusal } from '../support/operator-refusal.ts';
import { printSchema } from '../support/schema.ts';
import { countWrongDigests } from '../torture/digests.ts';

const RECORDS = isFull ? 3000 : 600;
const LINES = [...generateLines({ records: RECORDS, seed: 'kept', payload: 'full' })];

async function fillDatabase(db: Database): Promise<void> {
  await loadText(db, LINES.join(''));
  const { id: key_id } = await issueKey(db, { customer: 'Example', name: 'one', products: ['records'], actor: 'test' });
  await keepCallDays(db);
  const call = { path: '/', status: 200, units: 1, duration_ms: 1, code: null, param: null, message: null, age_ms: 0 };
  const request_id = '00000000-0000-4000-8000-000000000000';
  const product = 'records' as const;
  await insertCalls(db, [{ key_id, product, request_id, ...call }], [{ key_id, product, code: null, calls: 1 }]);
}

let filled: Promise<TestDatabase> | undefined;

/** One for all tests, which only read it. */
function openFilled(): Promise<TestDatabase> {
  filled ??= createTestDatabase(undefined, UNLIMITED).then(async (database) => {
    await fillDatabase(database.db);
    return database;
  });
  return filled;
}

const createEmpty = (t: TestContext): Promise<TestDatabase> => createTestDatabase(t, { ...UNLIMITED, migrated: false });

test('every row comes back unchanged, through a folder and through a stream, with the schema that migrations make', async (t) => {
  const { db } = await openFilled();
  const expected = await dumpTables(db);
  const [byFolder, byStream] = [await createEmpty(t), await createEmpty(t)];
  await restoreFolder(byFolder.db, await backUpFolder(db, makeFolder(t)));
  await restoreStream(byStream.db, await backUpStream(db));
  assert.ok(expected.record!.length === RECORDS && expected.payload!.length > 0 && expected.call_log!.length === 1);
  assert.deepEqual(await dumpTables(byFolder.db), expected);
  assert.deepEqual(await dumpTables(byStream.db), expected);
  assert.equal(await printSchema(byFolder.db), await printSchema(db));
});

test('a backup holds every table that migrations make, or says why not, and no foreign table', async (t) => {
  const { db } = await createTestDatabase(t);
  await db.query(sql`create table somebody_elses (n int)`);
  const kept = (await listBackupTables(db, await readMigrations())).map(({ name }) => name);
  const tables = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  const expected = tables
    .map(({ name }) => name)
    .filter((name) => !['somebody_elses', 'migration', 'migration_step'].includes(name));
  assert.deepEqual([...kept, ...Object.keys(LEFT_OUT)].sort(), expected.sort());
});

test('taken while a load publishes, it restores to a state between two publishes, with its digests', {
  timeout: 300_000,
}, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadText(db, LINES.join(''));
  const records = isFull ? 12_000 : 6_000;
  const folders: string[] = [];
  const above = makeFolder(t);
  let [loads, isLoading] = [0, true];
  // Until two backups have been taken, however fast a machine loads.
  const load = async (): Promise<void> => {
    for (; loads === 0 || folders.length < 2; loads += 1) {
      await loadText(db, [...generateLines({ records, seed: `load ${loads}`, payload: 'none' })].join(''));
    }
  };
  const loading = load().finally(() => {
    isLoading = false;
  });
  while (isLoading) folders.push(await backUpFolder(db, above, `backup-${folders.length}`));
  await loading;
  const counts = new Set<number>();
  for (const folder of chooseCases(folders.slice(0, 5), 2)) {
    const { db: restored } = await createEmpty(t);
    await restoreFolder(restored, folder);
    assert.equal(await countWrongDigests(restored), 0);
    counts.add(await countRecords(restored));
  }
  assert.ok(
    [...counts].every((count) => count >= RECORDS && count <= RECORDS + loads * records),
    [...counts].join(),
  );
});

/** As its registers count them, which is checked against the records. */
async function countRecords(db: Database): Promise<number> {
  const [counts] = await db.query<{ stored: number; counted: number }>(sql`
    select (select count(*) from record)::float8 as stored,
      (select sum(record_count) from register)::float8 as counted`);
  assert.equal(counts!.stored, counts!.counted);
  return counts!.stored;
}

test('a folder of which any member is changed, cut or missing is refused by its name, and nothing is restored', async (t) => {
  const { db } = await openFilled();
  const above = makeFolder(t);
  const folder = await backUpFolder(db, above);
  const { db: empty } = await createEmpty(t);
  const spoil: [name: string, change: (path: string) => void, said: RegExp][] = [
    ['record-000001.gz', (path) => flip(path, 5000), /damaged: record-000001\.gz/],
    ['payload-000001.gz', (path) => truncateSync(path, 700), /damaged: payload-000001\.gz/],
    [HEAD, (path) => flip(path, 30), /damaged: head\.json/],
    [MANIFEST, (path) => flip(path, 30), /damaged: manifest\.json/],
    [SEAL, (path) => truncateSync(path, statSync(path).size - 20), /damaged: SHA256SUMS/],
    [SEAL, (path) => writeFileSync(path, `${readFileSync(path, 'utf8')}${'0'.repeat(64)}  more\n`), /more is missing/],
  ];
  for (const [index, [name, change, said]] of spoil.entries()) {
    const copy = join(above, `spoilt-${index}`);
    cpSync(folder, copy, { recursive: true });
    change(join(copy, name));
    assert.match(await operatorRefusal(restoreFolder(empty, copy)), said);
  }
  assert.deepEqual(await listTables(empty), [], 'the database is as empty as before');
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}

async function listTables(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return rows.map(({ name }) => name);
}

test('a stream that was cut anywhere or changed anywhere is refused, and nothing is restored', {
  timeout: 300_000,
}, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadText(db, LINES.slice(0, 50).join(''));
  const stream = await backUpStream(db);
  const { db: empty } = await createEmpty(t);
  const step = Math.floor(stream.length / 12);
  const places = Array.from({ length: 12 }, (_, place) => place * step);
  for (const at of chooseCases(places.slice(1), 3)) {
    const said = await operatorRefusal(restoreStream(empty, stream.subarray(0, at)));
    assert.match(said, /damaged|not complete|not a backup/, `cut at ${at}`);
  }
  for (const { name, middle } of chooseCases(chooseMembers(stream, 12), 2)) {
    assert.match(await operatorRefusal(restoreStream(empty, changeAt(stream, middle))), /damaged|not a backup/, name);
  }
  assert.deepEqual(await listTables(empty), [], 'the database is as empty as before');
  for (const at of chooseCases(places, 2).map((place) => place + 100)) {
    // Padding and fields of the archive that say nothing may differ; then every member is still what was written.
    const said = await restoreStream(empty, changeAt(stream, at), { replace: true }).then(
      () => null,
      (error: Error) => error.message,
    );
    if (said === null) assert.equal(await dumpContent(empty), await dumpContent(db), `changed at ${at}`);
  }
});

function changeAt(stream: Buffer, at: number): Buffer {
  const changed = Buffer.from(stream);
  changed[at]! ^= 4;
  return changed;
}

const TAR_BLOCK = 512;

/** Members of an archive, evenly spread, and the byte in the middle of each. */
function chooseMembers(archive: Buffer, count: number): { name: string; middle: number }[] {
  const members: { name: string; middle: number }[] = [];
  for (let at = 0; archive[at] !== 0; ) {
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8);
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    members.push({ name, middle: at + TAR_BLOCK + (size >> 1) });
    at += TAR_BLOCK * (1 + Math.ceil(size / TAR_BLOCK));
  }
  return members.filter((_, index) => index % Math.ceil(members.length / count) === 0);
}

test('sha256sum itself can check a folder: every member is listed with its digest', async (t) => {
  const { db } = await openFilled();
  const folder = await backUpFolder(db, makeFolder(t));
  const listed = readFileSync(join(folder, SEAL), 'utf8').trimEnd().split('\n');
  for (const line of listed) {
    const [digest, name] = line.split('  ');
    assert.equal(
      createHash('sha256')
        .update(readFileSync(join(folder, name!)))
        .digest('hex'),
      digest,
    );
  }
  assert.deepEqual(
    listed.map((line) => line.slice(66)).sort(),
    readdirSync(folder)
      .filter((name) => name !== SEAL)
      .sort(),
  );
  assert.deepEqual(
    new Set(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)),
    new Set([0o600]),
  );
});

test('a backup that fails leaves no folder of its name, and the next one takes its remains away', async (t) => {
  const { db } = await openFilled();
  const above = makeFolder(t);
  const folder = join(above, 'backup');
  const sink = await openFolderSink(folder);
  const failing = { ...sink, seal: () => Promise.reject(new OperatorError('no room')) };
  assert.equal(await operatorRefusal(backUp(db, failing)), 'no room');
  assert.deepEqual(readdirSync(above), []);
  // As a killed process leaves them: its number belongs to nobody.
  const remains = join(above, 'backup.unfinished-999999999-00000000');
  cpSync(await backUpFolder(db, above, 'other'), remains, { recursive: true });
  await backUpFolder(db, above);
  assert.deepEqual(readdirSync(above).sort(), ['backup', 'other']);
  assert.match(await operatorRefusal(backUpFolder(db, above)), /exists already/);
});

test('a stream whose reader goes away ends the backup with a sentence', async () => {
  const { db } = await openFilled();
  const output = new PassThrough({ highWaterMark: 1 });
  output.once('data', () => output.destroy());
  assert.match(
    await operatorRefusal(backUp(db, openStreamSink(output, 0))),
    /cannot be written: .*; its reader has ended/,
  );
});

test('something that is not a backup is refused as such', async (t) => {
  const { db } = await createEmpty(t);
  const above = makeFolder(t);
  const file = join(above, 'file');
  writeFileSync(file, 'x'.repeat(4096));
  copyFileSync(file, join(above, 'other'));
  assert.match(await operatorRefusal(restoreFolder(db, file)), /damaged or cut off after its beginning/);
  assert.match(await operatorRefusal(restoreFolder(db, above)), /not a complete backup: SHA256SUMS is missing/);
  assert.match(await operatorRefusal(restoreFolder(db, join(above, 'none'))), /there is no backup at/);
});

test('the age of the last backup comes from the audit, or is the age of the database while there is no backup', async (t) => {
  const { db } = await createTestDatabase(t);
  await db.query(sql`update migration set applied_at = applied_at - interval '3 days'`);
  const age = async (): Promise<number> => (await readFigures(db, 300)).backup_age_seconds;
  assert.ok((await age()) > 2 * 86_400);
  await noteBackup(db, 'tester', 1);
  assert.ok((await age()) < 86_400);
});
