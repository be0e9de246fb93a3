/** Weekly sets of joined tables: marks are derived from rows of many deliveries, whatever order they come in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { jpoFormat } from '../../src/load/formats/jpo/adapter.ts';
import { createTestDatabase } from '../support/database.ts';
import { countsOf, dumpContent, loadSources, UNLIMITED } from '../support/loads.ts';
import { openDatedSet, openFiles, openSet, type TableRows, writeSet } from '../support/tables.ts';

const WHOLE = '0'.repeat(31);
const CASE = { yonpo_code: '4', shutugan_no: '2020001234' };
const RIGHT = { processing_type: '0', law_cd: '4', reg_num: '6500001', split_num: WHOLE, app_num: '0000000000' };

const APPLICATION: TableRows = {
  jiken_c_t: [{ ...CASE, shutugan_bi: '20200105' }],
  jiken_c_t_shutugannindairinin: [
    { ...CASE, gez_junjo_no: '1', shutugannindairinin_sikbt: '1', shutugannindairinin_code: '700000001' },
  ],
};
const MARK: TableRows = { indct_use_t_art: [{ app_num: '2020001234', indct_use_t: 'ＢＬＵＥ' }] };
const HOLDER: TableRows = { right_person_art_t: [{ ...RIGHT, right_person_name: '青山株式会社' }] };
const REGISTRATION: TableRows = {
  mgt_info_t: [{ ...RIGHT, app_num: '2020001234', set_reg_year_month_day: '20210401' }],
};
const PARTY: TableRows = { appl_reg_info: [{ appl_cd: '700000001', appl_name: '赤山株式会社' }] };

const DELIVERIES: readonly TableRows[] = [APPLICATION, MARK, HOLDER, REGISTRATION, PARTY];

async function load(db: Database, ...sets: readonly TableRows[]): Promise<LoadReport> {
  return await loadSources(db, { sources: sets.flatMap(openSet), format: jpoFormat });
}

async function findRecord(db: Database, uid = 'JP502020000001234'): Promise<Record<string, unknown> | null> {
  const rows = await db.query<{ detail: string }>(sql`select detail from record where uid = ${uid}`);
  return rows[0] === undefined ? null : JSON.parse(rows[0].detail);
}

async function listPayload(db: Database): Promise<Record<string, unknown>> {
  const rows = await db.query<{ document: string }>(sql`select document from payload`);
  return JSON.parse(rows[0]?.document ?? '{}');
}

test('derives the same marks from one delivery and from many in any order [I-22]', async (t) => {
  const { db: whole } = await createTestDatabase(t, UNLIMITED);
  assert.deepEqual(countsOf(await load(whole, ...DELIVERIES)), [1, 1, 0, 0, 0]);
  const record = await findRecord(whole);
  assert.deepEqual(
    [record?.mark_name, record?.status, record?.registration_number, record?.owner_names],
    ['ＢＬＵＥ', 'Registered', '6500001', ['青山株式会社', '赤山株式会社']],
  );
  const expected = await dumpContent(whole);
  for (const order of [DELIVERIES.toReversed(), [HOLDER, APPLICATION, PARTY, REGISTRATION, MARK]]) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    for (const delivery of order) await load(db, delivery);
    assert.equal(await dumpContent(db), expected);
  }
});

test('changes nothing when a set is loaded again [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, ...DELIVERIES);
  const before = await dumpContent(db);
  assert.deepEqual(countsOf(await load(db, ...DELIVERIES)), [1, 0, 0, 1, 0]);
  assert.equal(await dumpContent(db), before);
});

test('keeps what a delivery does not state, and replaces the row that it does', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, ...DELIVERIES);
  const ended: TableRows = {
    mgt_info_t: [{ ...REGISTRATION.mgt_info_t?.[0], right_disppr_year_month_day: '20250401' }],
  };
  assert.deepEqual(countsOf(await load(db, ended)), [1, 0, 1, 0, 0]);
  const record = await findRecord(db);
  assert.deepEqual(
    [record?.status, record?.termination_date, record?.mark_name, record?.application_date],
    ['Cancelled', '2025-04-01', 'ＢＬＵＥ', '2020-01-05'],
  );
});

test('derives every mark of a party again when its name changes or it becomes another', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const other = { ...CASE, shutugan_no: '2020005678' };
  const second: TableRows = {
    jiken_c_t: [other],
    jiken_c_t_shutugannindairinin: [
      { ...other, gez_junjo_no: '1', shutugannindairinin_sikbt: '1', shutugannindairinin_code: '700000001' },
    ],
  };
  await load(db, APPLICATION, second, PARTY);
  const names = async (): Promise<unknown[]> => [
    (await findRecord(db))?.owner_names,
    (await findRecord(db, 'JP502020000005678'))?.owner_names,
  ];
  assert.deepEqual(await names(), [['赤山株式会社'], ['赤山株式会社']]);
  const renamed: TableRows = { appl_reg_info: [{ appl_cd: '700000001', appl_name: '黒山株式会社' }] };
  assert.deepEqual(countsOf(await load(db, renamed)), [2, 0, 2, 0, 0]);
  assert.deepEqual(await names(), [['黒山株式会社'], ['黒山株式会社']]);
  const merged: TableRows = {
    under_integ_appl_info_mgt: [{ appl_cd: '700000009', repeat_num: '1', under_integ_appl_cd: '700000001' }],
    appl_reg_info: [{ appl_cd: '700000009', appl_name: '白山株式会社', wes_join_name: 'Hakusan K.K.' }],
  };
  assert.deepEqual(countsOf(await load(db, merged)), [2, 0, 2, 0, 0]);
  assert.deepEqual(await names(), [
    ['白山株式会社', 'hakusan k.k.'],
    ['白山株式会社', 'hakusan k.k.'],
  ]);
  // The marks name the code that was merged, not this one.
  const successor: TableRows = { appl_reg_info: [{ appl_cd: '700000009', appl_name: '青山株式会社' }] };
  assert.deepEqual(countsOf(await load(db, successor)), [2, 0, 2, 0, 0]);
  assert.deepEqual(await names(), [['青山株式会社'], ['青山株式会社']]);
});

test('takes back a row that the office removes, and keeps a mark whose own row goes, with the removal [I-22]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, ...DELIVERIES);
  const remove = async (tables: TableRows): Promise<LoadReport> =>
    await loadSources(db, { sources: openFiles(writeSet(tables, 'del')), format: jpoFormat });
  const key = { processing_type: '1', law_cd: '4', reg_num: '6500001', split_num: WHOLE, app_num: '0000000000' };
  assert.deepEqual(countsOf(await remove({ right_person_art_t: [key] })), [1, 0, 1, 0, 0]);
  assert.deepEqual((await findRecord(db))?.owner_names, ['赤山株式会社']);
  assert.deepEqual(countsOf(await remove({ jiken_c_t: [CASE] })), [1, 0, 1, 0, 0]);
  const record = await findRecord(db);
  assert.deepEqual([record?.status, record?.application_date], ['Registered', '2020-01-05']);
  assert.deepEqual((await listPayload(db)).events, [{ kind: 'removal', type: 'jiken_c_t' }]);
  assert.deepEqual(countsOf(await load(db, APPLICATION)), [1, 0, 1, 0, 0]);
  assert.equal((await listPayload(db)).events, null);
});

test('makes no record of rows that nothing describes, reports them, and uses them when something does', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const first = await load(db, HOLDER, MARK);
  assert.deepEqual([countsOf(first), first.issues], [[0, 0, 0, 0, 0], { waiting_row: 2 }]);
  await load(db, REGISTRATION);
  const record = await findRecord(db);
  assert.deepEqual([record?.mark_name, record?.owner_names], ['ＢＬＵＥ', ['青山株式会社']]);
});

test('keeps nothing of a set if one file is not a table [I-37]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const sources = [...openSet(APPLICATION), ...openFiles({ 'upd_mgt_info_t.tsv': 'no\ttable\n' })];
  await assert.rejects(loadSources(db, { sources, format: jpoFormat }), OperatorError);
  const kept = await db.query(sql`select 1 from source_row`);
  const staged = await db.query(sql`select 1 from pg_class where relname ~ '^stage_[0-9a-f]'`);
  assert.deepEqual([kept.length, staged.length], [0, 0]);
});

test('ends as if nothing had happened when a load dies after its rows were kept and is run again', async (t) => {
  const { db: whole } = await createTestDatabase(t, UNLIMITED);
  await load(whole, ...DELIVERIES);
  const { db } = await createTestDatabase(t, UNLIMITED);
  await load(db, APPLICATION, MARK);
  const onStep = async (step: string): Promise<void> => {
    if (step === 'publishing') throw new Error('the power went');
  };
  const sources = [HOLDER, REGISTRATION, PARTY].flatMap(openSet);
  await assert.rejects(loadSources(db, { sources, format: jpoFormat, onStep }), /the power went/);
  assert.equal((await findRecord(db))?.registration_number, null);
  assert.deepEqual(countsOf(await load(db, HOLDER, REGISTRATION, PARTY)), [1, 0, 1, 0, 0]);
  assert.equal(await dumpContent(db), await dumpContent(whole));
});

test('the last of several rows with one key counts, within a set as between sets', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const rows = ['20200101', '20200202'].map((shutugan_bi) => ({ ...CASE, shutugan_bi }));
  const report = await load(db, { jiken_c_t: rows });
  assert.equal((await findRecord(db))?.application_date, '2020-02-02');
  assert.deepEqual(report.issues, { superseded_row: 1 });
});

/** Every order of three sets, and all of them in one load. */
const ORDERS = ['012', '021', '102', '120', '201', '210'].map((order) => [...order].map(Number));

test('an older set that is loaded later replaces no row of a newer set [4.6.6]', async (t) => {
  const dates = ['20200101', '20200202', '20200303'];
  const sets = dates.map((shutugan_bi, at) =>
    openDatedSet(`2025-07-0${at + 1}`, { ...MARK, jiken_c_t: [{ ...CASE, shutugan_bi }] }),
  );
  for (const order of ORDERS) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    for (const at of order) await loadSources(db, { sources: sets[at] ?? [], format: jpoFormat });
    assert.equal((await findRecord(db))?.application_date, '2020-03-03', order.join());
    const { db: once } = await createTestDatabase(t, UNLIMITED);
    await loadSources(once, { sources: order.flatMap((at) => sets[at] ?? []), format: jpoFormat });
    assert.equal(await dumpContent(once), await dumpContent(db), order.join());
    const report = await loadSources(db, { sources: sets[0] ?? [], format: jpoFormat });
    assert.deepEqual(countsOf(report), [1, 0, 0, 1, 0]);
  }
});

test('a row that a newer set removes is not brought back by an older one, whichever comes first [4.6.6, I-22]', async (t) => {
  const named = openDatedSet('2025-07-01', { ...APPLICATION, ...MARK });
  const removed = openDatedSet('2025-07-02', { indct_use_t_art: [{ app_num: '2020001234' }] }, 'del');
  const again = openDatedSet('2025-07-03', { indct_use_t_art: [{ app_num: '2020001234', indct_use_t: 'ＲＥＤ' }] });
  const ends: string[] = [];
  for (const order of ORDERS) {
    const { db } = await createTestDatabase(t, UNLIMITED);
    const sets = [named, removed, again];
    for (const at of order.filter((each) => each < 2)) {
      await loadSources(db, { sources: sets[at] ?? [], format: jpoFormat });
    }
    assert.equal((await findRecord(db))?.mark_name, null, order.join());
    const { db: all } = await createTestDatabase(t, UNLIMITED);
    for (const at of order) await loadSources(all, { sources: sets[at] ?? [], format: jpoFormat });
    assert.equal((await findRecord(all))?.mark_name, 'ＲＥＤ', order.join());
    ends.push(await dumpContent(all));
  }
  assert.equal(new Set(ends).size, 1);
});

test('a set that states no day counts as the newest, and its rows keep the day they had', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const application = (shutugan_bi: string): TableRows => ({ jiken_c_t: [{ ...CASE, shutugan_bi }] });
  await loadSources(db, { sources: openDatedSet('2025-07-02', application('20200202')), format: jpoFormat });
  await load(db, application('20200303'));
  assert.equal((await findRecord(db))?.application_date, '2020-03-03');
  await loadSources(db, { sources: openDatedSet('2025-07-01', application('20200101')), format: jpoFormat });
  assert.equal((await findRecord(db))?.application_date, '2020-03-03');
});

test('cuts many groups into steps without losing one', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const numbers = Array.from({ length: 1001 }, (_, index) => `2021${String(index).padStart(6, '0')}`);
  const report = await load(db, { jiken_c_t: numbers.map((shutugan_no) => ({ ...CASE, shutugan_no })) });
  assert.deepEqual(countsOf(report), [1001, 1001, 0, 0, 0]);
});
