/** Many records by their numbers in one call: in any usual form, of one register, page by page, for one unit each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IdentitiesPage, NumbersPage } from '@tmds/contract/asked';
import type { SearchPage } from '@tmds/contract/record';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { CoverageBoard } from '../../src/http/coverage-board.ts';
import { refusalOf, startService, startWithKey } from '../support/service.ts';
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

test('finds the records of a register by any of their numbers, in any spelling [I-11, I-33]', async (t) => {
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

test('finds numbers of several registers in one call, each in the order it was asked for [I-11, I-40, I-50]', async (t) => {
  const board = new CoverageBoard(systemClock);
  const service = await startService(t, { coverage: board });
  const stored = RECORDS.map((record, at) => buildStored(buildSource(record), `2026-01-02T03:04:0${at}.000000Z`));
  await storeRecords(service.db, stored);
  const { key, id } = await service.issue();
  const ask = async (numbers: string, more = ''): Promise<NumbersPage> => {
    const answer = await service.call(`/v1/numbers?numbers=${numbers}${more}`, { key });
    assert.equal(answer.status, 200, answer.text);
    return answer.body as NumbersPage;
  };
  const found = ({ items, asked }: NumbersPage): (string | string[])[][] =>
    asked.map(({ number, positions }) => [number, positions.map((place) => items[place]!.uid)]);
  const all = 'us:7123456,EM:18%20229%20854,GB:18229854,EM:018000000,UK:18229854,EM:EU018229854,em:IR1234567';
  const whole = await ask(all);
  assert.deepEqual(found(whole), [
    ['7123456', ['f', 'e']],
    ['18 229 854', ['a']],
    ['18229854', ['d']],
    ['018000000', []],
    ['18229854', []],
    ['EU018229854', ['a']],
    ['IR1234567', ['c']],
  ]);
  assert.deepEqual(
    whole.items.map(({ uid }) => uid),
    ['c', 'a', 'd', 'f', 'e'],
    'each record once, register by register, newest change first',
  );
  assert.deepEqual([whole.coverage, whole.next_cursor], [null, null]);
  assert.ok(!whole.items.some(({ uid }) => uid === 'b'), 'a number is sought in its own register only');
  // Page by page, across registers.
  const pages: NumbersPage[] = [];
  let cursor = '';
  do {
    const page = await ask(all, `&limit=2${cursor}`);
    pages.push(page);
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  assert.deepEqual(
    pages.map(({ items }) => items.map(({ uid }) => uid)),
    [['c', 'a'], ['d', 'f'], ['e']],
  );
  assert.deepEqual(
    pages.map((page) => found(page)[0]![1]),
    [[], ['f'], ['e']],
  );
  board.note([{ jurisdiction_code: 'EM', complete_through: '2026-11-25', late: true, gaps: 0, rejects: 2 }]);
  const covered = await service.call('/v1/numbers?numbers=UK:1,EM:1', { key });
  assert.equal(covered.headers.coverage, 'EM;through="2026-11-25";late;rejects=2, UK;unserved');
  assert.deepEqual((covered.body as NumbersPage).coverage, [
    { jurisdiction_code: 'EM', complete_through: '2026-11-25', late: true, gaps: 0, rejects: 2, searched: true },
    { jurisdiction_code: 'UK', complete_through: null, late: false, gaps: 0, rejects: 0, searched: false },
  ]);
  const [row] = await service.db.query<{ units: number }>(
    sql`select sum(units)::float8 as units from usage_by_day where key_id = ${id}`,
  );
  assert.equal(row?.units, 5, 'a unit for each page');
});

test('finds records of several registers by their identities, byte for byte [I-24, I-40]', async (t) => {
  const service = await startService(t);
  const uids = ['a', 'A/1 é', 'x,y', '50%', 'p:q', '商标', ' b '];
  const records = uids.map((uid) => ({ jurisdiction_code: 'XA', uid })).concat({ jurisdiction_code: 'XB', uid: 'a' });
  await storeRecords(
    service.db,
    records.map((record, at) => buildStored(buildSource(record), `2026-01-02T03:04:0${at}.000000Z`)),
  );
  const { key } = await service.issue();
  const list = [
    'XB:a',
    'xa:a',
    'XA:none',
    'XA:A/1 é',
    'XA:x%2Cy',
    'XA:50%25',
    'XA:p:q',
    'XA:商标',
    'XA:%20b%20',
    'XA:b%00',
    'XC:a',
    'XB:a',
  ];
  const answer = await service.call(`/v1/identities?identities=${encodeURIComponent(list.join(','))}`, { key });
  assert.equal(answer.status, 200, answer.text);
  const { items, asked } = answer.body as IdentitiesPage;
  assert.deepEqual(
    asked.map(({ position }) =>
      position === null ? null : [items[position]!.jurisdiction_code, items[position]!.uid],
    ),
    [
      ['XB', 'a'],
      ['XA', 'a'],
      null,
      ['XA', 'A/1 é'],
      ['XA', 'x,y'],
      ['XA', '50%'],
      ['XA', 'p:q'],
      ['XA', '商标'],
      ['XA', ' b '],
      null,
      null,
      ['XB', 'a'],
    ],
  );
  assert.equal(items.length, 8, 'each record once');
  const single = await service.call('/v1/XA/trademarks/x%2Cy', { key });
  assert.deepEqual(items[asked[4]!.position!], single.body);
});

test('500 identities of 30 characters fit into one address; lists that are wrong are refused [I-5, I-9, I-40]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const long = Array.from({ length: 500 }, (_, at) => `US:${String(at).padStart(27, '0')}`);
  const whole = await service.call(`/v1/identities?identities=${long.join(',')}`, { key });
  assert.equal(whole.status, 200, whole.text);
  assert.equal((whole.body as IdentitiesPage).asked.length, 500);
  assert.equal((await service.call(`/v1/numbers?numbers=${long.join(',')}`, { key })).status, 200);
  const short = Array.from({ length: 501 }, (_, at) => `US:${at}`).join(',');
  const many = Array.from({ length: 21 }, (_, at) => `X${String.fromCharCode(65 + at)}:1`).join(',');
  for (const [target, code] of [
    [`/v1/identities?identities=${short}`, 'invalid_parameter'],
    [`/v1/numbers?numbers=${short}`, 'invalid_parameter'],
    [`/v1/numbers?numbers=${many}`, 'invalid_parameter'],
    ['/v1/numbers?numbers=97123456', 'invalid_parameter'],
    ['/v1/numbers?numbers=US:', 'invalid_parameter'],
    ['/v1/numbers?numbers=US:word', 'invalid_parameter'],
    ['/v1/numbers?numbers=US:1,,US:2', 'invalid_parameter'],
    ['/v1/identities?identities=USAUSA:1', 'invalid_parameter'],
    ['/v1/identities?identities=US:1%25', 'invalid_parameter'],
    ['/v1/identities', 'validation_error'],
    ['/v1/numbers', 'validation_error'],
    ['/v1/identities?identities=US:1&limit=1', 'unknown_parameter'],
    ['/v1/numbers?numbers=US:1&cursor=x', 'cursor_invalid'],
  ] as const) {
    assert.equal(refusalOf(await service.call(target, { key })).code, code, target.slice(0, 60));
  }
  assert.equal(refusalOf(await service.call('/v1/identities?identities=US:1')).status, 401);
  const other = await service.issue({ products: ['analytics'] });
  const refused = await service.call('/v1/numbers?numbers=US:1', { key: other.key });
  assert.equal(refusalOf(refused).code, 'product_not_enabled');
});
