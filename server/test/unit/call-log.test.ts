/** The call log and the overview without a database: filters, replay, projections, freshness, the CSV file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, findReplay, linkLog, parseFilter, parsePosition } from '../../src/portal/log/call-filter.ts';
import { buildUsageFile } from '../../src/portal/monitoring/report.ts';
import { judgeFreshness } from '../../src/portal/registers/coverage-view.ts';
import { projectUnits } from '../../src/portal/usage/usage-page.ts';

const REQUEST_ID = '6f2c41d8-5a0e-4d0b-9c55-31b1f2f0a7e4';

test('a filter survives the way into a link and back', () => {
  const query = new URLSearchParams({
    key: 'k1',
    hours: '168',
    outcome: 'refused',
    path: 'mark_name=a&b',
    status: '400',
    code: 'invalid_parameter',
    param: 'status',
    units: '0',
    ms: '20',
    request: REQUEST_ID,
  });
  const filter = parseFilter(query, 'customer', ['k1']);
  const again = parseFilter(new URLSearchParams(linkLog(filter).split('?')[1]), 'customer', ['k1']);
  assert.deepEqual(again, filter);
  assert.deepEqual(fieldsOf(again), Object.fromEntries(query));
});

test('a key of somebody else, and values that no call can have, count as not given', () => {
  const query = new URLSearchParams({
    key: 'theirs',
    hours: '9999999',
    outcome: 'x',
    status: '99999',
    units: '2',
    ms: '-1',
    request: "'; drop",
  });
  const none = parseFilter(new URLSearchParams(), 'customer', ['mine']);
  assert.deepEqual(parseFilter(query, 'customer', ['mine']), none);
  assert.equal(none.hours, 24);
});

test('a position is one that the log can have', () => {
  const at = '2026-11-21T09:00:00.123456Z';
  assert.deepEqual(parsePosition(`${at}_${REQUEST_ID}`), { at, request_id: REQUEST_ID });
  for (const text of [
    null,
    '',
    at,
    `2026-02-30T09:00:00.123456Z_${REQUEST_ID}`,
    `2026-13-01_${REQUEST_ID}`,
    `${at}_1`,
  ]) {
    assert.equal(parsePosition(text), null, String(text));
  }
});

test('every call of an endpoint leads to it in the console, filled in, with the key that made it', () => {
  const replays: readonly (readonly [path: string, to: string | null])[] = [
    ['/v1/trademarks?mark_name=a%26b&limit=5', 'searchTrademarks?mark_name=a%26b&limit=5&key=k'],
    ['/records/v1/trademarks?status=Registered', 'searchTrademarks?status=Registered&key=k'],
    ['/v1/FR/trademarks?limit=5', 'searchRegisterTrademarks?jurisdiction_code=FR&limit=5&key=k'],
    ['/v1/trademarks?status=Registered&cursor=***', 'searchTrademarks?status=Registered&key=k'],
    ['/v1/FR/trademarks/A%2FB?expand=payload', 'getTrademark?jurisdiction_code=FR&uid=A%2FB&expand=payload&key=k'],
    ['/v1/FR/trademarks/A/B', 'getTrademark?jurisdiction_code=FR&uid=A%2FB&key=k'],
    ['/v1/FR/changes?since=2026-01-01', 'listRegisterChanges?jurisdiction_code=FR&since=2026-01-01&key=k'],
    ['/v1/changes', 'listChanges?key=k'],
    ['/v1/usage', 'getUsage?key=k'],
    ['/v1/FR/digests/7?as_of=2026-01-01', 'listBucketDigests?jurisdiction_code=FR&bucket=7&as_of=2026-01-01&key=k'],
    [
      '/v1/trademarks?q=a&status=&status=x&kind=%ff',
      'searchTrademarks?status=x&more=q%3Da%26status%3D%26kind%3D%25ff&key=k',
    ],
    ['/v1/trademarks?apikey=***', null],
    ['/v1/FR/trademarks/***', null],
    ['/v1/trademarks?mark_name=long…', null],
    ['/v1/nowhere', null],
    ['/analytics/v1/usage', null],
  ];
  for (const [path, to] of replays) {
    assert.equal(findReplay({ key_id: 'k', path }, 'records'), to === null ? null : `/portal/api/${to}`, path);
  }
});

test('the projection continues what was used evenly to the end of the month, and waits for a day to pass', () => {
  assert.equal(projectUnits(100, Date.UTC(2026, 10, 16)), 200);
  assert.equal(projectUnits(100, Date.UTC(2026, 10, 1, 23)), null);
  assert.equal(projectUnits(0, Date.UTC(2026, 11, 31, 23, 59)), 0);
});

test('a register is late once its last load is older than twice its usual interval', () => {
  const judge = (age_days: number | null, rhythm_days: number | null) =>
    judgeFreshness({
      jurisdiction_code: 'FR',
      record_count: 1,
      data_current_through: null,
      last_load_finished_at: null,
      age_days,
      rhythm_days,
    });
  assert.deepEqual(
    [judge(6, 7), judge(8, 7), judge(14, 7), judge(14.1, 7), judge(99, null), judge(null, 7)],
    ['fresh', 'due', 'due', 'late', 'unknown', 'unknown'],
  );
});

test('the CSV file quotes names, and no name becomes a formula', () => {
  const key = {
    created_at: '',
    revoked_at: null,
    last_used_at: null,
    grace_ends_at: null,
    is_shown: true,
    products: [],
  };
  const named = (id: string, name: string) => ({ ...key, id, name });
  const day = { day: '2026-11-21', product: 'records' as const, units: 7 };
  const { download, chunks } = buildUsageFile({
    month: '2026-11',
    keys: [named('k1', '=HYPERLINK("http://x","y")'), named('k2', 'plain, with comma')],
    days: [
      { ...day, key_id: 'k1' },
      { ...day, key_id: 'k2' },
    ],
  });
  assert.equal(download, 'usage-2026-11.csv');
  const text = Buffer.concat([...(chunks as Iterable<Uint8Array>)]).toString();
  assert.deepEqual(text.split('\r\n'), [
    'day,key_id,key_name,product,units',
    `2026-11-21,k1,"'=HYPERLINK(""http://x"",""y"")",records,7`,
    '2026-11-21,k2,"plain, with comma",records,7',
    '',
  ]);
});
