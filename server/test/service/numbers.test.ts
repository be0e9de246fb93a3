/** Many records by their numbers in one call: in any usual form, of one register, page by page, for one unit each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchPage } from '@tmds/contract/record';
import { sql } from '../../src/database/driver/sql.ts';
import { refusalOf, startService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const RECORDS = [
  { jurisdiction_code: 'EM', uid: 'a', application_number: '018229854', registration_number: '018229854' },
  { jurisdiction_code: 'EM', uid: 'b', application_number: '018229855' },
  { jurisdiction_code: 'EM', uid: 'c', international_registration_numbers: ['1234567'] },
  { jurisdiction_code: 'GB', uid: 'd', application_number: 'UK00018229854' },
  { jurisdiction_code: 'US', uid: 'e', application_number: '97123456', registration_number: '7123456' },
  { jurisdiction_code: 'US', uid: 'f', application_number: '7123456', priority_numbers: ['97123456'] },
];

const uidsOf = (body: unknown): string[] => (body as SearchPage).items.map(({ uid }) => uid).sort();

test('finds the records of a register by any of their own numbers, however written [I-11, I-33]', async (t) => {
  const service = await startService(t);
  const stored = RECORDS.map((record, at) => buildStored(buildSource(record), `2026-01-02T03:04:0${at}.000000Z`));
  await storeRecords(service.db, stored);
  const { key, id } = await service.issue();
  const ask = (path: string) => service.call(`/v1/${path}`, { key });
  const found = async (path: string): Promise<string[]> => {
    const answer = await ask(path);
    assert.equal(answer.status, 200, answer.text);
    return uidsOf(answer.body);
  };
  assert.deepEqual(await found('em/numbers?numbers=18%20229%20854,EU018229855,IR1234567,018000000'), ['a', 'b', 'c']);
  assert.deepEqual(await found('GB/numbers?numbers=18229854'), ['d']);
  assert.deepEqual(await found('US/numbers?numbers=97/123456'), ['e'], 'a priority number is not its own');
  assert.deepEqual(await found('US/numbers?numbers=7123456'), ['e', 'f'], 'both kinds of number');
  const first = (await ask('EM/numbers?numbers=18229854,18229855&limit=1')).body as SearchPage;
  assert.deepEqual([uidsOf(first), first.next_cursor === null], [['b'], false]);
  const rest = await ask(`EM/numbers?numbers=18229854,18229855&limit=1&cursor=${first.next_cursor}`);
  assert.deepEqual([uidsOf(rest.body), (rest.body as SearchPage).next_cursor], [['a'], null]);
  const [row] = await service.db.query<{ units: number }>(
    sql`select sum(units)::float8 as units from usage_by_day where key_id = ${id}`,
  );
  assert.equal(row?.units, 6);
});

test('finds a number in every spelling, each register by its own [I-50]', async (t) => {
  const service = await startService(t);
  const records = [
    { jurisdiction_code: 'US', uid: 'us', registration_number: '0172053', nice_classes: [1] },
    { jurisdiction_code: 'XA', uid: 'bare', registration_number: '172053', nice_classes: [1] },
    { jurisdiction_code: 'XA', uid: 'padded', registration_number: '0172053', nice_classes: [1] },
    { jurisdiction_code: 'KR', uid: 'kr', application_number: '40-2021-0000001', registration_number: '40-1234567' },
    { jurisdiction_code: 'CA', uid: 'ca', application_number: '1057613-00' },
    { jurisdiction_code: 'CA', uid: 'extension', application_number: '1057613-01' },
  ];
  const stored = records.map((record, at) => buildStored(buildSource(record), `2026-01-02T03:04:0${at}.000000Z`));
  await storeRecords(service.db, stored);
  const { key } = await service.issue();
  const found = async (path: string): Promise<string[]> => {
    const answer = await service.call(`/v1/${path}`, { key });
    assert.equal(answer.status, 200, answer.text);
    return uidsOf(answer.body);
  };
  assert.deepEqual(await found('trademarks?registration_number=0172053'), ['padded', 'us']);
  assert.deepEqual(await found('trademarks?registration_number=172053&nice_class=1'), ['bare', 'us']);
  assert.deepEqual(await found('US/trademarks?registration_number=00172053'), ['us']);
  assert.deepEqual(await found('XA/trademarks?registration_number=00172053'), []);
  assert.deepEqual(await found('trademarks?application_number=0172053'), []);
  for (const number of ['40-2021-0000001', '4020210000001']) {
    assert.deepEqual(await found(`trademarks?application_number=${number}`), ['kr']);
  }
  for (const number of ['40-1234567', '4012345670000', '40-1234567-00-00']) {
    assert.deepEqual(await found(`KR/trademarks?registration_number=${number}`), ['kr']);
  }
  assert.deepEqual(await found('CA/trademarks?application_number=1057613'), ['ca']);
  assert.deepEqual(await found('CA/trademarks?application_number=1057613-00'), ['ca']);
  assert.deepEqual(await found('CA/trademarks?application_number=1057613-01'), ['extension']);
  assert.deepEqual(await found('CA/numbers?numbers=1057613-00'), ['ca']);
  assert.deepEqual(await found('US/numbers?numbers=0172053'), ['us']);
});

test('refuses invalid numbers, too many of them, another query for a cursor and unknown registers [I-5, I-17]', async (t) => {
  const service = await startService(t);
  await storeRecords(
    service.db,
    RECORDS.slice(0, 2).map((record) => buildStored(buildSource(record), '2026-01-02T03:04:05.000000Z')),
  );
  const { key } = await service.issue();
  const ask = (path: string) => service.call(`/v1/${path}`, { key });
  const many = Array.from({ length: 501 }, (_, at) => at).join(',');
  assert.deepEqual(refusalOf(await ask(`EM/numbers?numbers=${many}`)), {
    status: 400,
    code: 'invalid_parameter',
    param: 'numbers',
  });
  assert.equal((await ask(`EM/numbers?numbers=${many.slice(2)}`)).status, 200, 'as many as are allowed');
  assert.equal(refusalOf(await ask('EM/numbers?numbers=pending')).code, 'invalid_parameter');
  assert.equal(refusalOf(await ask('EM/numbers?numbers=1,,2')).code, 'invalid_parameter');
  assert.equal(refusalOf(await ask('EM/numbers')).code, 'validation_error');
  assert.equal(refusalOf(await ask('EM/numbers?numbers=1&limit=501')).code, 'validation_error');
  assert.equal(refusalOf(await ask('ZZ/numbers?numbers=1')).code, 'not_found');
  const { next_cursor: cursor } = (await ask('EM/numbers?numbers=18229854,18229855&limit=1')).body as SearchPage;
  assert.equal(refusalOf(await ask(`EM/numbers?numbers=1&cursor=${cursor}`)).code, 'cursor_query_mismatch');
  assert.equal(refusalOf(await ask(`EM/trademarks?cursor=${cursor}`)).code, 'cursor_query_mismatch');
});
