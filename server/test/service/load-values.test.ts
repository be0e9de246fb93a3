/** What a load makes of values that are easily altered or lost: numbers of every kind, and the order of lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { countsOf, loadRecords, loadText, UNLIMITED } from '../support/loads.ts';
import { startWithKey } from '../support/service.ts';

const ACME = { jurisdiction_code: 'XA', uid: '1', status: 'Registered' };

interface Found {
  items: { uid: string }[];
}

test('a payload has the digits of its source, in every answer and after a round trip [I-38]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const payload = '{"big":9007199254740993,"huge":[1e400,-1E-400],"long":0.12345678901234567890,"plain":1.1}';
  const line = JSON.stringify({ ...ACME, payload: null }).replace('"payload":null', `"payload":${payload}`);
  assert.deepEqual(countsOf(await loadText(database.db, line.replace('1.1}', '1.10}'))), [1, 1, 0, 0, 0]);
  const { key, ...service } = await startWithKey(t, { database });
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
  const { key, ...service } = await startWithKey(t, { database });
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
  const { key, ...service } = await startWithKey(t, { database });
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

test('a document is an object always, {} where the source states none, and none is the same as {} [I-42, I-22]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  await loadRecords(database.db, [ACME]);
  const { key, ...service } = await startWithKey(t, { database });
  const version = async (): Promise<string> => {
    const { body } = await service.call('/v1/XA/trademarks/1', { key });
    return (body as { updated_at: string }).updated_at;
  };
  const first = await version();
  for (const path of [
    '/v1/XA/trademarks/1?expand=payload',
    '/v1/XA/trademarks?expand=payload',
    '/v1/changes?since=2000-01-01&expand=payload',
    `/v1/XA/trademarks/1/history/${first}?expand=payload`,
  ]) {
    const { status, text } = await service.call(path, { key });
    assert.deepEqual([status, /"payload":\{\}\}/.test(text)], [200, true], text);
  }
  for (const payload of [{}, null, { goods_and_services: null }]) {
    assert.deepEqual(countsOf(await loadRecords(database.db, [{ ...ACME, payload }])), [1, 0, 0, 1, 0]);
  }
  assert.equal(await version(), first, 'nothing is delivered again');
  assert.deepEqual(countsOf(await loadRecords(database.db, [{ ...ACME, payload: { a: 1 } }])), [1, 0, 1, 0, 0]);
  assert.deepEqual(countsOf(await loadRecords(database.db, [{ ...ACME, payload: {} }])), [1, 0, 1, 0, 0]);
  assert.deepEqual(countsOf(await loadRecords(database.db, [ACME])), [1, 0, 0, 1, 0]);
  const { text } = await service.call('/v1/XA/trademarks/1?expand=payload', { key });
  assert.match(text, /"payload":\{\}\}/);
});

test('a Vienna code has one form, so that another spelling is not a change, and is found by both [I-43, I-14]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const { db } = database;
  const stated = { ...ACME, vienna_codes: ['26.3.1', ' 5.03.13', '26.03.01', '7'] };
  await loadRecords(db, [stated]);
  const { key, ...service } = await startWithKey(t, { database });
  const { body } = await service.call('/v1/XA/trademarks/1', { key });
  assert.deepEqual((body as { vienna_codes: string[] }).vienna_codes, ['26.03.01', '05.03.13', '07']);
  for (const code of ['26.3.1', '26.03.01', ' 26.03 ', '026.3', '5.3', '07']) {
    const found = await service.call(`/v1/XA/trademarks?vienna_code=${encodeURIComponent(code)}`, { key });
    assert.equal((found.body as Found).items.length, 1, code);
  }
  const other = { ...ACME, vienna_codes: ['7', '05.3.13', '026.03.1'] };
  assert.deepEqual(countsOf(await loadRecords(db, [other])), [1, 0, 0, 1, 0]);
});

test('a Vienna code of no category is kept, found, and an issue of the load [I-43]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const odd = { ...ACME, vienna_codes: ['30.1.1', '0.1', '29.1'] };
  const report = await loadRecords(database.db, [odd]);
  assert.deepEqual([countsOf(report), report.issues], [[1, 1, 0, 0, 0], { unknown_vienna_category: 2 }]);
  const { key, ...service } = await startWithKey(t, { database });
  const found = await service.call('/v1/XA/trademarks?vienna_code=30.01', { key });
  assert.equal((found.body as Found).items.length, 1);
});

test('blanks at either end of a filter value do not count, whatever its form [I-44, I-17]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const record = {
    ...ACME,
    application_number: '2020/17',
    mark_name: 'ACME tools',
    nice_classes: [9],
    international_registration_numbers: ['1234567'],
    application_date: '2020-01-02',
  };
  await loadRecords(database.db, [record]);
  const { key, ...service } = await startWithKey(t, { database });
  for (const [name, value] of [
    ['application_number', '2020/17'],
    ['international_registration_number', 'W01234567'],
    ['mark_name', 'acme TOOLS'],
    ['mark_name_contains', 'e too'],
    ['mark_name_startswith', 'acm'],
    ['status', 'Registered, Pending'],
    ['nice_class', '9 , 42'],
    ['application_date_from', '2020-01-01'],
    ['updated_since', '2000-01-01t00:00:00Z'],
  ]) {
    const cursors = [];
    for (const blank of ['', ' ', '\u00a0\t']) {
      const query = new URLSearchParams({ jurisdiction: `${blank}XA${blank}`, [name!]: `${blank}${value}${blank}` });
      const { status, body } = await service.call(`/v1/trademarks?${query}`, { key });
      assert.deepEqual([status, (body as Found).items?.length], [200, 1], `${query}`);
      cursors.push((body as { next_cursor: string | null }).next_cursor);
    }
    assert.equal(new Set(cursors).size, 1);
  }
});
