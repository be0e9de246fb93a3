/** What the parameters of a search mean together: the refusals, their order, equal queries, breadth. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/base/errors.ts';
import { encodeCursor } from '../../src/parse/cursor.ts';
import { parseSearch, type SearchRequest } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { queryArbitrary } from '../model/search-registers.ts';
import { runsOf } from '../support/depth.ts';

type Texts = Readonly<Record<string, string>>;

const parse = (texts: Texts, register: string | null = null): SearchRequest => parseSearch(texts, register);

function refusalOf(
  texts: Texts,
  register: string | null = null,
): [code: string, param: string | undefined, message: string] {
  try {
    planSearch(parse(texts, register));
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return [error.code, error.param, error.message];
  }
  return ['accepted', undefined, ''];
}

const codeAndParam = (texts: Texts, register: string | null = null) => refusalOf(texts, register).slice(0, 2);

test('blanks around a value do not count, whatever it is [I-44]', () => {
  const texts: Texts = {
    jurisdiction: 'US , EM',
    mark_name: ' acme ',
    owner_name_contains: '\u00a0cme\t',
    representative_name_startswith: ' acm',
    application_number: ' 97/1 ',
    international_registration_number: ' W01234567 ',
    priority_number: ' a 1',
    status: ' Pending ,Registered ',
    nice_class: ' 9, 35 ',
    registration_date: ' 2026-01-02 ',
    updated_since: ' 2026-01-02T03:04:05Z ',
  };
  const bare = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.trim().replace(/\s*,\s*/g, ',')]),
  );
  assert.deepEqual(parse(texts), parse(bare));
  assert.deepEqual(codeAndParam({ jurisdiction: 'US', owner_name_contains: ' ac ' }), [
    'invalid_parameter',
    'owner_name_contains',
  ]);
});

test('a search without any filter is refused, a scoped one is not [4.3, I-10]', () => {
  for (const texts of [
    {},
    { sort: 'application_date', order: 'asc', limit: '5', count: 'capped', expand: 'payload' },
    { cursor: 'x' },
  ]) {
    assert.deepEqual(codeAndParam(texts as Texts), ['missing_filter', undefined]);
  }
  assert.deepEqual(parse({}, 'us').filters, {});
  assert.equal(parse({}, 'us').register, 'US');
});

test('defaults are newest change first, 50 a page, and 50 with payloads [4.3, 8, I-8]', () => {
  const { sort, order, limit, countMatches, expandPayload, after } = parse({ office: 'WO' });
  assert.deepEqual(
    { sort, order, limit, countMatches, expandPayload, after },
    {
      sort: 'updated_at',
      order: 'desc',
      limit: 50,
      countMatches: false,
      expandPayload: false,
      after: null,
    },
  );
  assert.equal(parse({ office: 'WO', expand: 'payload' }).limit, 50);
  assert.equal(parse({ office: 'WO', limit: '500' }).limit, 500);
});

test('payloads lower the largest page to 50 [4.3, I-8]', () => {
  assert.equal(parse({ office: 'WO', expand: 'payload', limit: '50' }).limit, 50);
  assert.deepEqual(codeAndParam({ office: 'WO', expand: 'payload', limit: '51' }), ['invalid_parameter', 'limit']);
});

test('an exact date excludes the range of the same date, not of another [4.3]', () => {
  for (const bound of ['expiry_date_from', 'expiry_date_to']) {
    const [code, param, message] = refusalOf({ expiry_date: '2024-01-01', [bound]: '2024-01-01' });
    assert.deepEqual([code, param], ['invalid_parameter', 'expiry_date']);
    assert.match(message, new RegExp(bound));
  }
  assert.deepEqual(codeAndParam({ expiry_date: '2024-01-01', status_date_from: '2024-01-01' }), [
    'accepted',
    undefined,
  ]);
});

test('both ends of an interval of dates are one condition [4.3]', () => {
  const datesOf = (texts: Texts) => planSearch(parse(texts)).conditions;
  const field = 'expiry_date';
  const [from, to] = ['2026-01-01', '2026-02-01'];
  assert.deepEqual(datesOf({ expiry_date_to: to, expiry_date_from: from }), [{ kind: 'dates', field, from, to }]);
  assert.deepEqual(datesOf({ expiry_date_from: from }), [{ kind: 'dates', field, from, to: null }]);
  assert.deepEqual(datesOf({ expiry_date_to: to }), [{ kind: 'dates', field, from: null, to }]);
  assert.deepEqual(datesOf({ expiry_date: to }), [{ kind: 'dates', field, from: to, to }]);
});

test('the first failure answers: values, date forms, limit, no filter, cursor, breadth [I-1]', () => {
  const failures: Texts[] = [
    { nice_class: 'x' },
    { status_date: '2024-01-01', status_date_to: '2024-01-01' },
    { expand: 'payload', limit: '51' },
    { cursor: 'x' },
    { mark_name_contains: 'acme' },
  ];
  const answers = failures.map((_, index) => codeAndParam(Object.assign({}, ...failures.slice(index).reverse())));
  assert.deepEqual(answers, [
    ['invalid_parameter', 'nice_class'],
    ['invalid_parameter', 'status_date'],
    ['invalid_parameter', 'limit'],
    ['cursor_invalid', 'cursor'],
    ['query_too_broad', 'mark_name_contains'],
  ]);
});

test('queries that are too broad are refused with the exact way out [4.3, I-13]', () => {
  const eleven = Array.from({ length: 11 }, (_, index) => `R${index}`).join();
  const cases: [Texts, string | null, RegExp | null][] = [
    [
      { owner_name_contains: 'acme' },
      null,
      /owner_name_contains needs a register scope: add jurisdiction with 1 to 10 codes/,
    ],
    [
      { mark_name_contains: 'acme', jurisdiction: eleven },
      null,
      /at most 10 registers: shorten jurisdiction from 11 codes/,
    ],
    [{ mark_name_contains: 'acme', jurisdiction: eleven.slice(0, -4) }, null, null],
    [{ mark_name_contains: 'acme' }, 'US', null],
    [{ representative_name_startswith: 'acme' }, null, /add jurisdiction with 1 to 20 codes/],
    [{ representative_name_startswith: 'acme', jurisdiction: eleven }, null, null],
    [
      { vienna_code: '26.03,1' },
      null,
      /one segment \(1\) needs company: add jurisdiction, nice_class, nice_class_all or owner_country.*1\.1/,
    ],
    [{ vienna_code: '26' }, 'US', null],
    [{ vienna_code: '26', nice_class: '9' }, null, null],
    [{ vienna_code: '26', nice_class_all: '9' }, null, null],
    [{ vienna_code: '26', owner_country: 'JP' }, null, null],
    [{ vienna_code: '26', jurisdiction: 'US' }, null, null],
    [{ vienna_code: '26', status: 'Pending' }, null, /needs company/],
    [{ vienna_code: '26.03' }, null, null],
  ];
  for (const [texts, register, expected] of cases) {
    const [code, param, message] = refusalOf(texts, register);
    assert.equal(code, expected === null ? 'accepted' : 'query_too_broad', JSON.stringify(texts));
    if (expected === null) continue;
    assert.match(message, expected);
    assert.ok(param !== undefined && param in texts && param !== 'jurisdiction');
  }
});

test('equal queries written differently have one cursor [4.3, I-17]', () => {
  const written: Texts[] = [
    { status: 'Pending,Registered', jurisdiction: 'US,EM', updated_since: '2026-01-01', owner_name: 'Café  Noir' },
    {
      updated_since: '2026-01-01T01:00:00 01:00',
      jurisdiction: ' em ,us,EM',
      status: 'registered, PENDING',
      owner_name: 'cafe\u0301 noir',
    },
    {
      owner_name: ' CAFÉ NOIR ',
      status: 'registered,pending,registered',
      jurisdiction: 'em,us',
      updated_since: '2026-01-01T00:00:00.000000999z',
      limit: '7',
      count: 'capped',
      expand: 'payload',
      sort: 'updated_at',
      order: 'desc',
    },
  ];
  const queries = new Set(written.map((texts) => parse(texts).binding.query));
  assert.equal(queries.size, 1);
});

test('queries that differ in any filter, sort, order or scope have different cursors [4.3, I-17]', () => {
  const different: [Texts, string | null][] = [
    [{ jurisdiction: 'US' }, null],
    [{}, 'US'],
    [{}, 'EM'],
    [{ jurisdiction: 'US', order: 'asc' }, null],
    [{ jurisdiction: 'US', sort: 'application_date' }, null],
    [{ jurisdiction: 'US', nice_class: '9' }, null],
    [{ jurisdiction: 'US', nice_class_all: '9' }, null],
    [{ jurisdiction: 'US', status_date: '2024-01-01' }, null],
    [{ jurisdiction: 'US', status_date_from: '2024-01-01' }, null],
    [{ jurisdiction: 'US', owner_name: '9' }, null],
    [{ jurisdiction: 'US', application_number: '9' }, null],
  ];
  const bindings = different.map(([texts, register]) => parse(texts, register).binding);
  assert.equal(new Set(bindings.map(({ query }) => query)).size, different.length);
  const key = { value: '2026-01-01T00:00:00.000000Z', jurisdiction_code: 'US', uid: '1' };
  const cursor = encodeCursor(bindings[0]!, key);
  assert.deepEqual(parse({ jurisdiction: 'us', cursor, limit: '3' }).after, key);
  assert.deepEqual(codeAndParam({ cursor }, 'US'), ['cursor_query_mismatch', 'cursor']);
});

test('the same request always gives the same plan', () => {
  fc.assert(
    fc.property(queryArbitrary, ({ register, texts }) => {
      const plan = planSearch(parse(texts, register));
      assert.deepEqual(planSearch(parse(texts, register)), plan);
    }),
    { numRuns: runsOf(100) },
  );
});
