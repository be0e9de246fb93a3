/** Sets of open tables of the Australian office: whole each time, so that a mark is what the newest set says. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { ipAustraliaFormat } from '../../src/load/formats/ip-australia/adapter.ts';
import { jpoFormat } from '../../src/load/formats/jpo/adapter.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { AUSTRALIAN_MARK, type AustralianTables, row, writeAustralianSet } from '../support/australian-rows.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { countsOf, dumpContent, loadSources, UNLIMITED } from '../support/loads.ts';
import { openSet } from '../support/tables.ts';
import { openText } from '../support/texts.ts';
import { buildZip } from '../support/zip.ts';

async function load(db: Database, tables: AustralianTables): Promise<LoadReport> {
  const sources = Object.entries(writeAustralianSet(tables)).map(([name, text]) => openText(name, [text]));
  return await loadSources(db, { sources, format: ipAustraliaFormat });
}

/** Loads an archive with the day in its name. */
async function loadDated(t: TestContext, db: Database, tables: AustralianTables, day: string): Promise<LoadReport> {
  const path = join(makeFolder(t), `iprapid-${day}.zip`);
  const members = Object.entries(writeAustralianSet(tables)).map(([name, text]) => ({ name, text }));
  writeFileSync(path, buildZip(members));
  return await loadSources(db, { sources: [await openSource(path)], format: ipAustraliaFormat });
}

/** Loads unpacked tables from a folder that the day names. */
async function loadFolder(t: TestContext, db: Database, tables: AustralianTables, day: string): Promise<LoadReport> {
  const folder = join(makeFolder(t), day);
  mkdirSync(folder);
  const paths = Object.entries(writeAustralianSet(tables)).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  return await loadSources(db, {
    sources: await Promise.all(paths.map((path) => openSource(path))),
    format: ipAustraliaFormat,
  });
}

async function findRecord(db: Database): Promise<Record<string, unknown>> {
  const rows = await db.query<{ detail: string }>(sql`select detail from record`);
  assert.equal(rows.length, 1);
  return JSON.parse(rows[0]?.detail ?? '{}');
}

/** The mark once its owner has changed and one class has gone. */
const LATER: AustralianTables = {
  ...AUSTRALIAN_MARK,
  party_activity: [
    {
      ...AUSTRALIAN_MARK.party_activity[0],
      ...{ party_id: '80', party_name: 'Blue Fern Ltd', effective_from_date: '2024-01-01' },
    },
  ],
  application_classification: [row({ classification_system: 'nice', classification: '1', is_current: 'FALSE' })],
  application_description: [row({ description_type: 'trade_mark_word' })],
};

test('a set that is loaded again changes nothing [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  assert.deepEqual(countsOf(await load(db, AUSTRALIAN_MARK)), [1, 1, 0, 0, 0]);
  const before = await dumpContent(db);
  assert.deepEqual(countsOf(await load(db, AUSTRALIAN_MARK)), [1, 0, 0, 1, 0]);
  assert.equal(await dumpContent(db), before);
});

test('the next set replaces all that the one before said about a mark [I-22, 4.6.6]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, AUSTRALIAN_MARK);
  await load(db, LATER);
  const record = await findRecord(db);
  assert.deepEqual(
    [record.owner_names, record.nice_classes, record.mark_name, record.mark_feature],
    [['blue fern ltd'], null, null, 'Word'],
  );
});

test('a set of an earlier day that is loaded late undoes nothing [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadDated(t, db, LATER, '2026-07-20');
  const before = await dumpContent(db);
  assert.deepEqual(countsOf(await loadDated(t, db, AUSTRALIAN_MARK, '2026-07-13')), [1, 0, 0, 1, 0]);
  assert.equal(await dumpContent(db), before);
  await loadDated(t, db, AUSTRALIAN_MARK, '2026-07-27');
  assert.deepEqual((await findRecord(db)).owner_names, ['quillfern holdings pty ltd', 'ada quill']);
});

test('the day of unpacked tables is the one of their folder [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadDated(t, db, LATER, '2026-07-20');
  const before = await dumpContent(db);
  assert.deepEqual(countsOf(await loadFolder(t, db, AUSTRALIAN_MARK, '2026-07-13')), [1, 0, 0, 1, 0]);
  assert.equal(await dumpContent(db), before);
});

test('a set that lacks a table blanks nothing that the table had stated', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, AUSTRALIAN_MARK);
  const [application] = AUSTRALIAN_MARK.application;
  const report = await load(db, { application: [{ ...application, status: 'removed' }] });
  assert.deepEqual([countsOf(report), report.issues], [[1, 0, 1, 0, 0], {}]);
  const record = await findRecord(db);
  assert.deepEqual(
    [record.status, record.mark_name, record.nice_classes, record.owner_names],
    ['Cancelled', 'QUILLFERN "BLUE"', [9], ['quillfern holdings pty ltd', 'ada quill']],
  );
});

test('the first set of a format is merged in one pass, whatever rows of other formats are kept', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const japanese = Array.from({ length: 300 }, (_, at) => ({ yonpo_code: '4', shutugan_no: `2020${at + 100_000}` }));
  await loadSources(db, { sources: openSet({ jiken_c_t: japanese }), format: jpoFormat });
  const numbers = Array.from({ length: 1_000 }, (_, at) => String(at + 2_000_000));
  const tables = Object.fromEntries(
    Object.entries(AUSTRALIAN_MARK).map(([table, rows]) => [
      table,
      numbers.flatMap((application_number) => rows.map((cells) => ({ ...cells, application_number }))),
    ]),
  );
  const before = await countReadRows(db);
  assert.deepEqual(countsOf(await load(db, tables)), [1_000, 1_000, 0, 0, 0]);
  assert.ok((await countReadRows(db)) - before < 10_000_000, 'rows read');
});

/** Rows that queries of the database have read so far. A session reports them when a long transaction ends. */
async function countReadRows(db: Database): Promise<number> {
  const [row] = await db.query<{ read: string }>(
    sql`select tup_returned::text as read from pg_stat_database where datname = current_database()`,
  );
  return Number(row?.read);
}
