/** By which spellings of a name a record is found: hidden characters in it, and the aliases that it holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { loadRecords, UNLIMITED } from '../support/loads.ts';
import { startWithKey, type TestService } from '../support/service.ts';

const RECORD = { jurisdiction_code: 'XA', status: 'Registered' };

interface Found {
  items: { uid: string; owner_names: string[] | null; mark_name: string | null }[];
}

async function find(service: TestService, key: string, filter: string, value: string): Promise<Found['items']> {
  const query = `/v1/XA/trademarks?${filter}=${encodeURIComponent(value)}&sort=application_date&order=asc`;
  const { status, body, text } = await service.call(query, { key });
  assert.equal(status, 200, text);
  return (body as Found).items;
}

test('a name is found with and without the characters that nobody sees, and delivered with them [I-12, I-32]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const hide = (text: string): string => text.replaceAll('|', '\u200b\u00ad\ufeff\u2060');
  const stated = {
    ...RECORD,
    uid: '1',
    mark_name: hide('Ze|ro |WIDTH'),
    mark_name_variants: [hide('نامه|ای')],
    owner_names: [hide('Inv|isible Inc')],
    representative_names: [hide('Hid|den LLP')],
  };
  await loadRecords(database.db, [stated]);
  const { key, ...service } = await startWithKey(t, { database });
  for (const [filter, value] of [
    ['mark_name', 'ze|ro width'],
    ['mark_name', 'نامه|ای'],
    ['mark_name_contains', 'ro wi|d'],
    ['mark_name_startswith', 'ze|r'],
    ['owner_name', 'inv|isible inc'],
    ['owner_name_contains', 'vis|ible'],
    ['owner_name_startswith', 'invi|s'],
    ['representative_name', 'hid|den llp'],
    ['representative_name_contains', 'id|den'],
    ['representative_name_startswith', 'hid|d'],
  ] as const) {
    for (const asked of [value.replaceAll('|', ''), hide(value), value.replaceAll('|', '\u200c')]) {
      const [found] = await find(service, key, filter, asked);
      assert.deepEqual(
        [found?.uid, found?.mark_name, found?.owner_names],
        ['1', stated.mark_name, [hide('inv|isible inc')]],
        `${filter} ${JSON.stringify(asked)}`,
      );
    }
  }
});

test('an emoji of three code points is a part of a name long enough to search for [I-12]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const names = ['Code 👩\u200d💻 Shop', '👩💻', '👩 and 💻', 'abc'];
  await loadRecords(
    database.db,
    names.map((name, at) => ({ ...RECORD, uid: `${at}`, mark_name: name, owner_names: [name] })),
  );
  const { key, ...service } = await startWithKey(t, { database });
  const uids = async (filter: string, value: string): Promise<string> =>
    (await find(service, key, filter, value)).map(({ uid }) => uid).join();
  for (const field of ['mark_name', 'owner_name']) {
    assert.equal(await uids(`${field}_contains`, '👩\u200d💻'), '0,1', field);
    assert.equal(await uids(`${field}_startswith`, '👩\u200d💻'), '1', field);
    assert.equal(await uids(`${field}_contains`, 'B\u200b\u200b'), '3', `${field}: one visible character`);
  }
});

test('a name with an alias is listed in its parts, and found by each and by the whole [I-49, 4.3]', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const owners = [['Acme Inc. d/b/a Zenith Shop'], ['Acme Inc.'], ['Zenith Shop'], ['Other Ltd', 'Zenith Shop']];
  await loadRecords(
    database.db,
    owners.map((owner_names, at) => ({
      ...RECORD,
      uid: `${at}`,
      owner_names,
      representative_names: at === 0 ? ['Ann Example t/a Marks'] : null,
      application_date: `2020-01-0${at + 1}`,
    })),
  );
  const { key, ...service } = await startWithKey(t, { database });
  const uids = async (filter: string, value: string): Promise<string> =>
    (await find(service, key, filter, value)).map(({ uid }) => uid).join();
  const [whole] = await find(service, key, 'owner_name', 'ACME INC. D/B/A Zenith Shop');
  assert.deepEqual([whole?.uid, whole?.owner_names], ['0', ['acme inc.', 'zenith shop']]);
  for (const [filter, value, found] of [
    ['owner_name', 'acme inc.', '0,1'],
    ['owner_name', 'zenith shop', '0,2,3'],
    ['owner_name', 'Acme Inc. doing business as Zenith Shop', '0'],
    ['owner_name', 'Acme Inc. doing business as Zenith', ''],
    ['owner_name_startswith', 'acme inc. d/b/a zen', '0'],
    ['owner_name_contains', 'me inc. d/b/a z', '0'],
    ['owner_name_contains', 'e d/b/a zenith s', ''],
    ['representative_name', 'Ann Example t/a Marks', '0'],
    ['representative_name', 'Marks', '0'],
  ] as const) {
    assert.equal(await uids(filter, value), found, `${filter} ${value}`);
  }
});

test('a watch of an owner with an alias gets the records that list both parts [I-49]', async (t) => {
  const database = await createTestDatabase(t, { ...UNLIMITED, poolMax: 4 });
  const { key, ...service } = await startWithKey(t, { database });
  const put = async (id: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await service.call(`/v1/watches/${id}`, {
      key,
      method: 'PUT',
      headers,
      body: JSON.stringify({ name: id, ...body }),
    });
    assert.ok(status < 300, text);
  };
  await put('owners', { owners: ['ACME Inc. T/A Zen\u200bith', 'Nobody'] });
  await put('search', { search: `owner_name=${encodeURIComponent('Acme Inc. dba Zenith')}` });
  const records = [['Acme Inc. d/b/a Zenith'], ['Acme Inc.'], ['Zenith', 'Acme Ltd'], ['First', 'Acme Inc.', 'Zenith']];
  await loadRecords(
    database.db,
    records.map((owner_names, at) => ({ ...RECORD, uid: `${at}`, owner_names })),
  );
  const searches = new WatchedSearches(testLog);
  while (await matchEvents(database.db, searches));
  for (const id of ['owners', 'search']) {
    const { body } = await service.call(`/v1/watches/${id}/hits?since=2000-01-01`, { key });
    assert.deepEqual((body as Found).items.map(({ uid }) => uid).sort(), ['0', '3'], id);
  }
});
