/** Deliveries of a whole register: what is no longer in the file is reported, and nothing is ever deleted. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadOptions, LoadStep } from '../../src/load/run.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { listIssues } from '../../src/store/publish/findings.ts';
import { listLoads } from '../../src/store/publish/loads.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { countsOf, dumpContent, listStages, loadRecords, loadSources, UNLIMITED } from '../support/loads.ts';

const PROCESS = fileURLToPath(new URL('../support/load-process.ts', import.meta.url));
const WHOLE: Partial<LoadOptions> = { whole: true, currentThrough: '2026-03-01T00:00:00.000000Z' };
const EVENT = { kind: 'absent_from_register_file', date: '2026-03-01' };

function mark(uid: number, fields: object = {}): object {
  return { jurisdiction_code: 'XA', uid: `XA${uid}`, status: 'Registered', mark_name: `mark ${uid}`, ...fields };
}

const marks = (count: number): object[] => Array.from({ length: count }, (_, at) => mark(at + 1));

async function readPayload(db: Queryable, uid: string): Promise<unknown> {
  const [row] = await db.query<{ document: string; status: string; name: string }>(sql`
    select document, detail::json->>'status' as status, detail::json->>'mark_name' as name
    from record left join payload using (jurisdiction_code, uid) where record.uid = ${uid}`);
  return row && { payload: JSON.parse(row.document), status: row.status, name: row.name };
}

test('a record that a whole delivery no longer states keeps its content and gets an event and an issue [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [
    mark(1),
    mark(2, { payload: { events: [{ kind: 'history', code: 'A' }], mark: {} } }),
    mark(3),
  ]);
  const report = await loadRecords(db, [mark(1), mark(4)], WHOLE);
  assert.deepEqual([countsOf(report), report.absent], [[4, 1, 2, 1, 0], 2]);
  assert.deepEqual(report.issues, { absent_record: 2 });
  assert.deepEqual(await readPayload(db, 'XA3'), {
    payload: { events: [EVENT] },
    status: 'Registered',
    name: 'mark 3',
  });
  assert.deepEqual(await readPayload(db, 'XA2'), {
    payload: { events: [{ kind: 'history', code: 'A' }, EVENT], mark: {} },
    status: 'Registered',
    name: 'mark 2',
  });
  const issues = await listIssues(db, { loadId: report.load_id, limitMax: 10, code: null, pathPart: null });
  assert.deepEqual(
    issues.map(({ code, path, value }) => [code, path, value]),
    [
      ['absent_record', 'uid', 'XA2'],
      ['absent_record', 'uid', 'XA3'],
    ],
  );
  assert.deepEqual(await listStages(db), []);
});

test('the same whole delivery again, and a later one, change nothing; a record that comes back is stated in full', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, marks(3));
  await loadRecords(db, marks(2), WHOLE);
  const before = await dumpContent(db);
  for (const currentThrough of ['2026-03-01T00:00:00.000000Z', '2026-04-01T00:00:00.000000Z']) {
    const again = await loadRecords(db, marks(2), { whole: true, currentThrough });
    assert.deepEqual([countsOf(again), again.absent], [[2, 0, 0, 2, 0], 1]);
    assert.equal(await dumpContent(db), before);
  }
  const back = await loadRecords(db, marks(3), WHOLE);
  assert.deepEqual([countsOf(back), back.absent], [[3, 0, 1, 2, 0], 0]);
  const { db: fresh } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(fresh, marks(3));
  assert.equal(await dumpContent(db), await dumpContent(fresh));
  const gone = await loadRecords(db, marks(2), { whole: true });
  assert.deepEqual(
    [countsOf(gone), await readPayload(db, 'XA3')],
    [[3, 0, 1, 2, 0], { payload: { events: [{ kind: EVENT.kind }] }, status: 'Registered', name: 'mark 3' }],
  );
});

test('a first whole delivery, and one that repeats a record, lack nothing', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const first = await loadRecords(db, [...marks(3), mark(3, { mark_name: 'other' })], WHOLE);
  assert.deepEqual([countsOf(first), first.superseded, first.absent], [[4, 3, 0, 1, 0], 1, 0]);
  const again = await loadRecords(db, [...marks(3), mark(3, { mark_name: 'other' })], WHOLE);
  assert.deepEqual([countsOf(again), again.absent], [[4, 0, 0, 4, 0], 0]);
});

test('other registers are never touched by a whole delivery', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, [...marks(2), { ...mark(1), jurisdiction_code: 'XB' }]);
  const report = await loadRecords(db, marks(2), WHOLE);
  assert.deepEqual([countsOf(report), report.absent], [[2, 0, 0, 2, 0], 0]);
});

test('a delivery that cannot be a whole register is refused, and nothing of it is stored', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, marks(3));
  const before = await dumpContent(db);
  const refuse = async (records: object[], options: Partial<LoadOptions>, reason: RegExp): Promise<void> => {
    await assert.rejects(loadRecords(db, records, { ...WHOLE, ...options }), reason);
    assert.equal(await dumpContent(db), before);
  };
  await refuse([mark(1), { ...mark(1), jurisdiction_code: 'XB' }], {}, /states records of XA, XB/);
  await refuse([mark(9), { uid: 'broken' }], {}, /1 records were rejected.*--accept-rejects/);
  await refuse([], { allowEmpty: true }, /states no record/);
  const accepted = await loadRecords(db, [mark(1), mark(2), { uid: 'broken' }], { ...WHOLE, acceptRejects: true });
  assert.deepEqual([accepted.rejected, accepted.absent], [1, 1]);
});

test('a delivery that lacks more than a tenth of its register is refused unless that is accepted', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(db, marks(1010));
  const before = await dumpContent(db);
  await assert.rejects(
    loadRecords(db, marks(908), WHOLE),
    /102 of the 1010 records of XA \(10\.1 %\).*--accept-absent/,
  );
  assert.equal(await dumpContent(db), before);
  const report = await loadRecords(db, marks(908), { ...WHOLE, acceptAbsent: true });
  assert.deepEqual([countsOf(report), report.absent], [[1010, 0, 102, 908, 0], 102]);
});

const KILLS: readonly (readonly [step: LoadStep, times: number])[] = [
  ['staged', 1],
  ['settled', 1],
  ['written', 2],
  ['committed', 1],
  ['published', 1],
];

test('killed at any step and run again, a whole delivery ends as if never killed', { timeout: 300_000 }, async (t) => {
  const path = join(makeFolder(t), 'whole.ndjson');
  writeFileSync(
    path,
    marks(700)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  const run = { ...WHOLE, acceptAbsent: true };
  const { db: spared } = await createTestDatabase(t, UNLIMITED);
  await loadRecords(spared, marks(1000));
  await loadSources(spared, { sources: [await openSource(path)], ...run });
  const expected = await dumpContent(spared);
  for (const [step, times] of chooseCases(KILLS)) {
    const { db, url } = await createTestDatabase(t, UNLIMITED);
    await loadRecords(db, marks(1000));
    const words = ['--conditions=tmds-source', '--import', 'tsx', PROCESS, url, path, step, String(times), 'whole'];
    const [, signal] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit');
    assert.equal(signal, 'SIGKILL', `died at ${step}`);
    while ((await listLoads(db, { limitMax: 1 }))[0]?.state !== 'interrupted');
    await loadSources(db, { sources: [await openSource(path)], ...run });
    assert.equal(await dumpContent(db), expected, `after ${step}`);
    assert.deepEqual(await listStages(db), [], `nothing stays behind after ${step}`);
  }
});
