/** Marks whose names are alike, over HTTP: filters, strategies, order, bounds, product, metering, freshness. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { SimilarPage } from '@tmds/contract/likeness';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { loadRecords } from '../support/loads.ts';
import { refusalOf, startService, type TestService } from '../support/service.ts';

const PATH = '/analytics/v1/similar';
const RECORDS = [
  ['1', 'RHEOBASE', 'acme', [1], 'XA'],
  ['2', 'Rheoplan', 'basf', [1], 'XA'],
  ['3', 'Rheotop', 'basf', [19], 'XB'],
  ['4', 'Rheotherm', 'basf', [1], 'XA'],
  ['5', 'Rheobasa', 'other', [9], 'XB'],
  ['6', 'Aurelia', 'other', [9], 'XB'],
  ['7', 'Ауре́лия', 'third', [9], 'XC'],
] as const;

const closers: (() => Promise<void>)[] = [];
let service: TestService;
let key: string;

before(async () => {
  const database = await createTestDatabase();
  service = await startService({ after: (work) => void closers.push(work) }, { database });
  key = (await service.issue({ products: ['analytics'] })).key;
  await loadRecords(
    service.db,
    RECORDS.map(([uid, mark_name, owner, nice_classes, jurisdiction_code]) => ({
      status: 'Registered',
      jurisdiction_code,
      uid,
      mark_name,
      owner_names: [owner],
      nice_classes: [...nice_classes],
      application_date: '2020-02-29',
      ...(uid === '6' ? { mark_name_variants: ['Golden'] } : {}),
    })),
  );
});

test.after(async () => {
  for (const close of closers) await close();
});

async function find(query: string, as = key): Promise<SimilarPage> {
  const answer = await service.call(`${PATH}?${query}`, { key: as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as SimilarPage;
}

const list = ({ items }: SimilarPage): string[] => items.map(({ record, tier }) => `${record.uid} ${tier}`);

test('finds names that are alike, nearest first, with what makes them so [I-40]', async () => {
  const page = await find('mark=rheobase');
  assert.equal(page.names_compared, 8);
  assert.deepEqual(page.compared, { words: ['rheobase'], is_transliterated: false });
  assert.deepEqual(list(page).slice(0, 2), ['1 identical', '5 near']);
  const [first, second] = page.items;
  assert.deepEqual(first!.evidence[0], { strategy: 'equal', place: 1 });
  assert.deepEqual(
    second!.evidence.find(({ strategy }) => strategy === 'edits'),
    {
      strategy: 'edits',
      edits: 1,
      place: 1,
    },
  );
  assert.deepEqual([first!.name, first!.held_as, first!.goods], ['rheobase', 'mark', null]);
  assert.deepEqual(page.bounds_met, []);
});

test('folds marks of one owner that begin alike into one entry', async () => {
  const page = await find('mark=rheobase');
  const family = page.items.find(({ record }) => record.owner_names?.[0] === 'basf')!.family!;
  assert.deepEqual([family.owner, family.beginning, family.members.length], ['basf', 'rheo', 2]);
});

test('takes every filter of a search, and compares only names of records that satisfy it', async () => {
  const page = await find('mark=rheobase&jurisdiction=XB&nice_class=9');
  assert.equal(page.names_compared, 3);
  assert.deepEqual(list(page)[0], '5 near');
  assert.ok(page.items.every(({ record }) => record.jurisdiction_code === 'XB'));
  const none = await find('mark=rheobase&owner_name=nobody');
  assert.deepEqual([none.names_compared, none.items], [0, []]);
});

test('leaves out strategies that were not chosen', async () => {
  const page = await find('mark=rheobase&strategies=edits,BEGINNING');
  assert.deepEqual(
    page.strategies.map(({ strategy }) => strategy),
    ['edits', 'beginning'],
  );
  const named = new Set(page.items.flatMap(({ evidence }) => evidence.map(({ strategy }) => strategy)));
  assert.deepEqual([...named].sort(), ['beginning', 'edits']);
});

test('puts classes in common first within a tier, and says how they relate', async () => {
  const page = await find('mark=aurelia&classes=1');
  const goods = new Map(page.items.map(({ record, goods: relation }) => [record.uid, relation]));
  assert.deepEqual(goods.get('6'), { relation: 'apart', nice_classes: [] });
  const same = await find('mark=aurelia&classes=9,42');
  assert.deepEqual(same.items[0]!.goods, { relation: 'same', nice_classes: [9] });
});

test('finds held variants and names in other scripts, and says which they are', async () => {
  const variant = await find('mark=golden');
  assert.deepEqual([variant.items[0]!.record.uid, variant.items[0]!.held_as], ['6', 'variant']);
  const page = await find('mark=aureliia');
  const cyrillic = page.items.find(({ record }) => record.uid === '7')!;
  assert.equal(cyrillic.compared.is_transliterated, true);
  assert.ok(cyrillic.evidence.some(({ strategy }) => strategy === 'transliteration'));
});

test('shows the age, and stops at its bounds and says so', async () => {
  const page = await find('mark=rheobase&limit=1');
  assert.equal(page.items.length, 1);
  assert.deepEqual(page.bounds_met, ['entries', 'records']);
  assert.ok(page.items[0]!.age_years! >= 6);
});

test('refuses what it cannot compare [I-5, I-6, I-13, I-40]', async () => {
  const refuse = async (query: string) => {
    const { status, code, param } = refusalOf(await service.call(`${PATH}?${query}`, { key }));
    return [status, code, param];
  };
  assert.deepEqual(await refuse(''), [422, 'validation_error', 'mark']);
  assert.deepEqual(await refuse('mark=%21%21'), [400, 'invalid_parameter', 'mark']);
  assert.deepEqual(await refuse(`mark=${'a'.repeat(201)}`), [400, 'invalid_parameter', 'mark']);
  assert.deepEqual(await refuse(`mark=${'a%20'.repeat(31)}b`), [400, 'invalid_parameter', 'mark']);
  assert.deepEqual(await refuse('mark=a&strategies=guess'), [400, 'invalid_parameter', 'strategies']);
  assert.deepEqual(await refuse('mark=a&classes=46'), [400, 'invalid_parameter', 'classes']);
  assert.deepEqual(await refuse('mark=a&limit=201'), [422, 'validation_error', 'limit']);
  assert.deepEqual(await refuse('mark=a&mark_name_contains=abc'), [400, 'query_too_broad', 'mark_name_contains']);
  assert.deepEqual(await refuse('mark=a&q=1'), [400, 'reserved_parameter', 'q']);
  assert.deepEqual(await refuse('mark=a&expand=payload'), [400, 'unknown_parameter', 'expand']);
});

test('needs a key with the product analytics, and costs a unit of it [5.5, I-3, I-28, I-30, I-40]', async () => {
  const records = await service.issue();
  assert.equal(refusalOf(await service.call(`${PATH}?mark=a`, { key: records.key })).code, 'product_not_enabled');
  assert.equal(refusalOf(await service.call(`${PATH}?mark=a`)).code, 'unauthorized');
  const both = await service.issue({ products: ['records', 'analytics'], rateLimitPerMinute: 100, quota: 2 });
  const answer = await service.call(`${PATH}?mark=rheobase`, { key: both.key });
  assert.deepEqual([answer.status, answer.headers['x-ratelimit-remaining']], [200, '99']);
  const units = await service.db.query(
    sql`select product, units_used::int from key_product where key_id = ${both.id} order by product`,
  );
  assert.deepEqual(units, [
    { product: 'analytics', units_used: 1 },
    { product: 'records', units_used: 0 },
  ]);
  assert.equal((await service.call(`${PATH}?mark=b`, { key: both.key })).status, 200);
  assert.equal(refusalOf(await service.call(`${PATH}?mark=c`, { key: both.key })).code, 'quota_exceeded');
});

test('is not below the prefix of the records [I-3]', async () => {
  const { key: both } = await service.issue({ products: ['records', 'analytics'] });
  for (const path of ['/v1/similar?mark=a', '/records/v1/similar?mark=a', '/records/analytics/v1/similar?mark=a']) {
    assert.equal(refusalOf(await service.call(path, { key: both })).code, 'not_found', path);
  }
});

test('sees every publish that had committed when it began [I-41]', async () => {
  await find('mark=rheobase');
  await loadRecords(service.db, [{ jurisdiction_code: 'XD', uid: '1', status: 'Pending', mark_name: 'Rheobose' }]);
  const page = await find('mark=rheobase&strategies=edits&jurisdiction=XD');
  assert.deepEqual(list(page), ['1 near']);
  await loadRecords(service.db, [{ jurisdiction_code: 'XD', uid: '1', status: 'Pending', mark_name: 'Unlike' }]);
  assert.deepEqual(list(await find('mark=rheobase&strategies=edits&jurisdiction=XD')), []);
});
