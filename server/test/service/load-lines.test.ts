/** A reload that knows lines without reading them: it changes, rejects and reports what reading them would. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { countsOf, dumpContent, listStages, loadRecords, loadText, renderLines, UNLIMITED } from '../support/loads.ts';
import { publishRecords } from '../torture/publish.ts';

const ACME = { jurisdiction_code: 'XA', uid: '1', status: 'Registered', mark_name: 'Café ACME', payload: { a: 1 } };
const BRAVO = { ...ACME, uid: '2', mark_name: 'Bravo' };
const OTHER = { ...ACME, mark_name: 'Other' };

async function listVersions(db: Queryable): Promise<object[]> {
  return await db.query(sql`select uid, xmin::text as version from record order by jurisdiction_code, uid`);
}

async function listMarks(db: Queryable): Promise<unknown[]> {
  const rows = await db.query<{ mark: string }>(sql`
    select uid || ' ' || (detail::json->>'mark_name') as mark from record order by uid`);
  return rows.map(({ mark }) => mark);
}

test('a line that is stored is not read again; where it is not known the content decides [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [ACME, BRAVO]);
  // The line alone holds now: reading it would find a change.
  await db.query(sql`update record set content_digest = decode(repeat('00', 16), 'hex')`);
  let before = await listVersions(db);
  assert.deepEqual(countsOf(await loadRecords(db, [ACME, BRAVO])), [2, 0, 0, 2, 0]);
  assert.deepEqual(await listVersions(db), before);
  const rewritten = renderLines([ACME, BRAVO]).replaceAll('"status"', ' "status"');
  assert.deepEqual(countsOf(await loadText(db, rewritten)), [2, 0, 2, 0, 0]);
  // And the content alone: as records that an earlier version stored.
  await db.query(sql`update record set line_digest = ''`);
  before = await listVersions(db);
  const stages: string[] = [];
  const onStep = async (step: string) => void (step === 'publishing' && stages.push(...(await listStages(db))));
  assert.deepEqual(countsOf(await loadText(db, rewritten, { onStep })), [2, 0, 0, 2, 0]);
  assert.deepEqual(countsOf(await loadRecords(db, [ACME, BRAVO], { onStep })), [2, 0, 0, 2, 0]);
  assert.deepEqual(stages, [], 'nothing of them is left to publish');
  assert.deepEqual(await listVersions(db), before);
});

test('a change back is a change, whatever lines stood for the record before [4.6.6]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  for (const record of [ACME, OTHER, ACME]) {
    await loadRecords(db, [record]);
    assert.deepEqual(await listMarks(db), [`1 ${record.mark_name}`]);
    assert.deepEqual(countsOf(await loadRecords(db, [record])), [1, 0, 0, 1, 0]);
  }
  // From a source without lines.
  await publishRecords(db, [{ uid: '1', mark_name: 'Elsewhere' }]);
  assert.deepEqual(await db.query(sql`select encode(line_digest, 'hex') as line from record`), [{ line: '' }]);
  assert.deepEqual(countsOf(await loadRecords(db, [ACME])), [1, 0, 1, 0, 0]);
  assert.deepEqual(await listMarks(db), ['1 Café ACME']);
});

test('known lines supersede and are superseded like any other', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [ACME, BRAVO]);
  const before = await listVersions(db);
  for (const records of [
    [OTHER, ACME, BRAVO],
    [ACME, BRAVO, ACME],
  ]) {
    const report = await loadRecords(db, records);
    assert.deepEqual([countsOf(report), report.superseded], [[3, 0, 0, 3, 0], 1]);
    assert.deepEqual(await listVersions(db), before);
  }
  const report = await loadRecords(db, [ACME, OTHER, BRAVO]);
  assert.deepEqual([countsOf(report), report.superseded], [[3, 0, 1, 2, 0], 1]);
  assert.deepEqual(await listMarks(db), ['1 Other', '2 Bravo']);
});

test('a line that raises an issue raises it with every load', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const delivered = { ...ACME, updated_at: '2026-01-01T00:00:00.000000Z' };
  for (const counts of [
    [2, 2, 0, 0, 0],
    [2, 0, 0, 2, 0],
    [2, 0, 0, 2, 0],
  ]) {
    const report = await loadRecords(db, [delivered, BRAVO]);
    assert.deepEqual([countsOf(report), report.issues], [counts, { service_field: 1 }]);
  }
});

test('a line that states its uid twice is rejected, whatever is stored under the first', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [ACME]);
  const before = await listVersions(db);
  const line = '{"jurisdiction_code":"XA","uid":"1","uid":"2","status":"Registered","mark_name":"Two"}\n';
  for (const text of [renderLines([ACME]) + line, line + renderLines([ACME])]) {
    assert.deepEqual(countsOf(await loadText(db, text)), [2, 0, 0, 1, 1]);
    assert.deepEqual(await listVersions(db), before);
  }
});

test('known lines of another register than the one asked for are rejected, and rejects keep their order', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const elsewhere = { ...ACME, jurisdiction_code: 'XB' };
  await loadRecords(db, [ACME, BRAVO, elsewhere]);
  const before = await dumpContent(db);
  // The first of these is recognized by its line, the second read at once, the third read where its line is not known.
  const bad = [JSON.stringify(elsewhere), 'no record', JSON.stringify({ ...ACME, colour: 'red' })];
  const path = join(makeFolder(t), 'rejects.txt');
  const text = `${bad[2]}\n${bad[0]}\n${renderLines([ACME])}${bad[1]}\n${bad[2]}\n${renderLines([BRAVO])}`;
  const report = await loadText(db, text, { register: 'XA', rejectsPath: path });
  assert.deepEqual(countsOf(report), [6, 0, 0, 2, 4]);
  assert.deepEqual(report.registers, ['XA']);
  assert.equal(
    readFileSync(path, 'utf8'),
    `# test.ndjson, line 1: unknown field "colour"\n${bad[2]}\n` +
      `# test.ndjson, line 2: the record is of register "XB", not of XA\n${bad[0]}\n` +
      `# test.ndjson, line 4: the line is not valid JSON\n${bad[1]}\n` +
      `# test.ndjson, line 5: unknown field "colour"\n${bad[2]}\n`,
  );
  assert.equal(await dumpContent(db), before);
});
