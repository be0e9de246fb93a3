/** What a load makes of values that are easily altered or lost: numbers of every kind, and the order of lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/store/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { countsOf, loadRecords, loadText, UNLIMITED } from '../support/loads.ts';
import { startService } from '../support/service.ts';

const ACME = { jurisdiction_code: 'XA', uid: '1', status: 'Registered' };

interface Found {
  items: { uid: string }[];
}

test('the digits of a payload are those of its source, in every answer and after a round trip [I-38]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const payload = '{"big":9007199254740993,"huge":[1e400,-1E-400],"long":0.12345678901234567890,"plain":1.1}';
  const line = JSON.stringify({ ...ACME, payload: null }).replace('"payload":null', `"payload":${payload}`);
  assert.deepEqual(countsOf(await loadText(database.db, line.replace('1.1}', '1.10}'))), [1, 1, 0, 0, 0]);
  const service = await startService(t, { database });
  const { key } = await service.issue();
  for (const path of [
    '/records/v1/XA/trademarks/1?expand=payload',
    '/records/v1/XA/trademarks?status=registered&expand=payload',
    '/records/v1/changes?since=2000-01-01&expand=payload',
  ]) {
    const { status, text } = await service.call(path, { key });
    assert.equal(status, 200, path);
    assert.ok(text.includes(`"payload":${payload}`), text);
  }
  assert.deepEqual(countsOf(await loadText(database.db, line)), [1, 0, 0, 1, 0], 'what is delivered is what is stored');
  const other = line.replace('9007199254740993', '9007199254740992');
  assert.deepEqual(countsOf(await loadText(database.db, other)), [1, 0, 1, 0, 0], 'one digit is a change');
});

test('one Madrid number finds the whole family, however its parts were written [I-33, 4.3]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const spellings = ['W01234567', '01234567', ' 1234567 ', '0984562a', '984562A'];
  const records = spellings.map((number, at) => ({
    ...ACME,
    uid: `${at}`,
    international_registration_numbers: [number],
  }));
  await loadRecords(database.db, records);
  const service = await startService(t, { database });
  const { key } = await service.issue();
  for (const [asked, wanted] of [
    ...spellings.slice(0, 3).map((number) => [number, ['0', '1', '2']] as const),
    ...['0984562A', '984562a'].map((number) => [number, ['3', '4']] as const),
  ]) {
    const query = `international_registration_number=${encodeURIComponent(asked)}`;
    const { body } = await service.call(`/records/v1/trademarks?${query}`, { key });
    assert.deepEqual((body as Found).items.map(({ uid }) => uid).sort(), wanted, asked);
  }
});

test('a number with outer blanks is stored without them, and found [I-33, I-11]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  await loadRecords(database.db, [{ ...ACME, application_number: ' 2020/17 ', registration_number: '17\u00a0' }]);
  const service = await startService(t, { database });
  const { key } = await service.issue();
  for (const query of ['application_number=2020/17', 'registration_number=17']) {
    const { body } = await service.call(`/records/v1/trademarks?${query}`, { key });
    assert.equal((body as Found).items.length, 1, query);
  }
});

test('a value that no filter can find is an issue of every load that states it [I-38]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const odd = { ...ACME, vienna_codes: ['260323', '26.03.24'], owner_countries: ['CANADA'] };
  for (const counts of [
    [1, 1, 0, 0, 0],
    [1, 0, 0, 1, 0],
  ]) {
    const report = await loadRecords(db, [odd]);
    assert.deepEqual([countsOf(report), report.issues], [counts, { unfindable_value: 2 }]);
    const stored = await db.query(sql`
      select code, path, value from load_issue where load_id = ${report.load_id} order by path`);
    assert.deepEqual(stored, [
      { code: 'unfindable_value', path: 'owner_countries', value: 'CANADA' },
      { code: 'unfindable_value', path: 'vienna_codes', value: '260323' },
    ]);
  }
});

test('owners and address lines that change places are stored and delivered; sets that do are not [I-34, 4.6.6]', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const lines = ['1 High Street', 'Flat 2'];
  const first = {
    ...ACME,
    owner_names: ['acme', 'bravo'],
    vienna_codes: ['26.01.01', '05.03.13'],
    owner_countries: ['US', 'DE'],
    payload: { parties: [{ names: ['Acme'], address: { lines } }, { names: ['Bravo'] }] },
  };
  await loadRecords(db, [first]);
  const sets = { ...first, vienna_codes: ['05.03.13', '26.01.01'], owner_countries: ['DE', 'US'] };
  assert.deepEqual(countsOf(await loadRecords(db, [sets])), [1, 0, 0, 1, 0]);
  const owners = { ...first, owner_names: ['bravo', 'acme'] };
  assert.deepEqual(countsOf(await loadRecords(db, [owners])), [1, 0, 1, 0, 0]);
  const [stored] = await db.query<{ owners: string }>(sql`select detail::json->>'owner_names' as owners from record`);
  assert.deepEqual(JSON.parse(stored?.owners ?? ''), ['bravo', 'acme']);
  const [acme, bravo] = first.payload.parties;
  const moved = { ...owners, payload: { parties: [{ ...acme, address: { lines: lines.toReversed() } }, bravo] } };
  assert.deepEqual(countsOf(await loadRecords(db, [moved])), [1, 0, 1, 0, 0]);
  assert.deepEqual(countsOf(await loadRecords(db, [moved])), [1, 0, 0, 1, 0]);
});
