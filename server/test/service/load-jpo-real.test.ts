/** The Japanese reader over rows that the office published, each record compared with the rows that it comes of. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { jpoFormat } from '../../src/load/formats/jpo/adapter.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { CHECKED_JAPANESE } from '../support/checked-japan.ts';
import { createTestDatabase } from '../support/database.ts';
import { listFaults } from '../support/document.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { countsOf, dumpContent, loadSources, UNLIMITED } from '../support/loads.ts';

const FOLDER = 'jpo/tsv';
const skip = skipWithout(FOLDER);

async function loadAll(db: Database): Promise<LoadReport> {
  const names = readdirSync(join(REAL_DATA, FOLDER));
  const sources = await Promise.all(names.map((name) => openSource(join(REAL_DATA, FOLDER, name))));
  return await loadSources(db, { sources, format: jpoFormat });
}

/** The rows of a table, by column. */
function listRows(table: string): Record<string, string>[] {
  const text = readFileSync(join(REAL_DATA, FOLDER, `upd_${table}.tsv`), 'utf8').replace('\ufeff', '');
  const [columns = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])));
}

/** Set by the service, not by the office. */
const SERVICE_FIELDS = ['first_seen_at', 'updated_at', 'record_update_date'];

test('reads the real rows: each is part of a record, of a party, or reported as waiting [I-22]', {
  skip,
}, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const report = await loadAll(db);
  assert.deepEqual(countsOf(report), [16, 16, 0, 0, 0]);
  const rows = readdirSync(join(REAL_DATA, FOLDER)).flatMap((name) =>
    listRows(name.slice('upd_'.length, -'.tsv'.length)),
  );
  const [kept] = await db.query<{ rows: number; parties: number }>(sql`
    select count(*)::int4 as rows, (count(*) filter (where part like 'party %'))::int4 as parties from source_row`);
  assert.deepEqual([rows.length, kept], [146, { rows: 146, parties: 6 }]);
  assert.deepEqual(report.issues, { waiting_row: 76 });

  const documents = await db.query<{ document: string }>(sql`select document::text from payload`);
  assert.deepEqual(
    documents.map(({ document }) => listFaults(JSON.parse(document))),
    documents.map(() => []),
  );
  assert.equal(documents.length, 16);

  const before = await dumpContent(db);
  assert.deepEqual(countsOf(await loadAll(db)), [16, 0, 0, 16, 0]);
  assert.equal(await dumpContent(db), before);

  for (const { uid, rows: quoted, record } of CHECKED_JAPANESE) {
    for (const [table, words] of quoted) {
      const found = listRows(table).some((row) =>
        Object.entries(words).every(([column, word]) => row[column] === word),
      );
      assert.ok(found, `${table} has a row with ${JSON.stringify(words)}`);
    }
    const [stored] = await db.query<{ detail: string }>(sql`select detail from record where uid = ${uid}`);
    const detail = JSON.parse(stored?.detail ?? '{}') as Record<string, unknown>;
    for (const stamp of ['jurisdiction_code', 'uid', ...SERVICE_FIELDS]) delete detail[stamp];
    const stated = Object.entries(detail).filter(([, value]) => value !== null);
    assert.deepEqual(Object.fromEntries(stated), record, uid);
  }
});
