import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrademarkClient } from '../src/client.ts';
import type { ClientOptions } from '../src/config.ts';
import { isApiError, TrademarkProtocolError } from '../src/errors.ts';
import { buildAnswer, buildFetch, buildRecord, buildRefusal } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';

const page = (uids: string[], next_cursor: string | null, more: object = {}, headers: Record<string, string> = {}) =>
  buildAnswer(200, { items: uids.map((uid) => buildRecord({ uid })), next_cursor, ...more }, headers);

function buildClient(fetch: ClientOptions['fetch'], options: ClientOptions = {}): TrademarkClient {
  const clock = buildSimulatedClock(0);
  return new TrademarkClient({ apiKey: 'k', baseUrl: 'https://x/records', fetch, clock, random: () => 0, ...options });
}

test('a search is walked by record, by page or into a list, and gives the matched count [I-18]', async () => {
  const count = { matched_count: 3, matched_count_capped: false };
  const script = () => buildFetch(page(['a', 'b'], 'c_1', count), page(['c'], null, count));
  const walk = buildClient(script()).searchAll({ owner_name: 'x', count: 'capped' });
  assert.equal(walk.matchedCount, null);
  assert.deepEqual(
    (await walk.toArray()).map(({ uid }) => uid),
    ['a', 'b', 'c'],
  );
  assert.deepEqual([walk.matchedCount, walk.matchedCountCapped], [3, false]);
  const sizes: number[] = [];
  for await (const { items, meta } of buildClient(script()).pages({ owner_name: 'x' })) {
    sizes.push(items.length + meta.attempts);
  }
  assert.deepEqual(sizes, [3, 2]);
  const fetch = script();
  assert.deepEqual(await buildClient(fetch).count({ owner_name: 'x', cursor: 'c_9' }), count);
  assert.equal(fetch.calls[0]!.url, 'https://x/records/v1/trademarks?owner_name=x&limit=1&count=capped');
});

test('a walk over changes keeps the cursor of the last page that was consumed whole [4.6.1, 4.6.3]', async () => {
  const end = page([], null, {}, { 'x-change-horizon': '2026-01-06T00:00:00.000000Z' });
  const script = () => buildFetch(page(['a', 'b'], 'c_1'), page(['c'], 'c_2'), end);
  const feed = buildClient(script()).changesAll({ since: '2026-01-01', cursor: 'c_0' });
  const cursors: (string | null)[] = [];
  for await (const record of feed) cursors.push(`${record.uid} ${feed.cursor}`);
  assert.deepEqual(cursors, ['a c_0', 'b c_0', 'c c_1']);
  assert.deepEqual([feed.cursor, feed.completeTo], ['c_2', '2026-01-06T00:00:00.000000Z']);
  const left = buildClient(script()).changesAll({ since: '2026-01-01', cursor: null });
  for await (const record of left) if (record.uid === 'c') break;
  assert.equal(left.cursor, 'c_1');
});

test('a walk over a history goes on after an empty page with a cursor, and ends at a page without one', async () => {
  const event = (uid: string) => ({ uid, changes: [] });
  const script = () =>
    buildFetch(
      buildAnswer(200, { items: [event('a'), event('b')], next_cursor: 'c_1' }),
      buildAnswer(200, { items: [], next_cursor: 'c_2' }),
      buildAnswer(200, { items: [event('c')], next_cursor: 'c_3' }),
      buildAnswer(200, { items: [], next_cursor: null }, { 'x-change-horizon': '2026-01-06T00:00:00.000000Z' }),
    );
  const fetch = script();
  const walk = buildClient(fetch).historyAll({ since: '2026-01-01', status: ['Pending'], jurisdiction_code: 'XA' });
  const cursors: (string | null)[] = [];
  for await (const { uid } of walk) cursors.push(`${uid} ${walk.cursor}`);
  assert.deepEqual(cursors, ['a null', 'b null', 'c c_2']);
  assert.deepEqual([walk.cursor, walk.completeTo], ['c_3', '2026-01-06T00:00:00.000000Z']);
  assert.deepEqual(
    fetch.calls.map(({ url }) =>
      url.replace('https://x/records/v1/XA/history?limit=500&since=2026-01-01&status=Pending', ''),
    ),
    ['', '&cursor=c_1', '&cursor=c_2', '&cursor=c_3'],
  );
  const left = buildClient(script()).historyAll({ since: '2026-01-01' });
  for await (const { uid } of left) if (uid === 'c') break;
  assert.equal(left.cursor, 'c_2');
  const stuck = buildFetch(buildAnswer(200, { items: [], next_cursor: 'c_9' }));
  await assert.rejects(
    buildClient(stuck).historyAll({ since: '2026-01-01', cursor: 'c_9' }).toArray(),
    TrademarkProtocolError,
  );
});

test('the history of a record ends with its last page, and names are sent as one part of a path', async () => {
  const fetch = buildFetch(
    buildAnswer(200, { items: [{ uid: 'a/history' }], next_cursor: 'c_1' }),
    buildAnswer(200, { items: [{ uid: 'a/history' }], next_cursor: null }),
    buildAnswer(200, { uid: 'a/history' }),
  );
  const client = buildClient(fetch);
  assert.equal((await client.recordHistoryAll('XA', 'a/history', { cause: ['office'], limit: 1 }).toArray()).length, 2);
  await client.recordVersion('XA', 'a/history', '2026-01-01T00:00:00.000001Z', { expand: 'payload' });
  const path = 'https://x/records/v1/XA/trademarks/a%2Fhistory/history';
  assert.deepEqual(
    fetch.calls.map(({ url }) => url.replace(path, '')),
    ['?limit=1&cause=office', '?limit=1&cause=office&cursor=c_1', '/2026-01-01T00%3A00%3A00.000001Z?expand=payload'],
  );
});

test('a call gives status and headers next to its body, and fails once however it is taken', async () => {
  const fetch = buildFetch(page([], null, {}, { 'x-ratelimit-limit': '5' }));
  const { data, response } = await buildClient(fetch).search({ office: 'WO' }).withResponse();
  assert.deepEqual([data.items, response.status, response.headers.get('x-ratelimit-limit')], [[], 200, '5']);
  const refused = buildClient(buildFetch(buildRefusal('not_found')))
    .get('US', '1')
    .withResponse();
  await assert.rejects(refused, (error) => isApiError(error, 'not_found'));
});

test('hooks see every attempt and may add headers, but never see the key', async () => {
  const fetch = buildFetch(buildRefusal('unavailable'), page([], null, {}, { 'x-request-id': 'r-2' }));
  const seen: unknown[] = [];
  const client = buildClient(fetch, {
    onRequest: ({ attempt, headers }) => {
      assert.equal('x-api-key' in headers, false);
      headers.traceparent = `t-${attempt}`;
      headers['x-api-key'] = 'other';
    },
    onResponse: ({ attempt, status, requestId, error }) =>
      seen.push([attempt, status, requestId, isApiError(error) ? error.code : error]),
  });
  await client.jurisdictions();
  assert.deepEqual(seen, [
    [1, 503, 'req-unavailable', 'unavailable'],
    [2, 200, 'r-2', null],
  ]);
  assert.deepEqual(
    fetch.calls.map(({ init }) => [init.headers.traceparent, init.headers['x-api-key']]),
    [
      ['t-1', 'k'],
      ['t-2', 'k'],
    ],
  );
});

test('health takes one attempt, and any other path of the service can be requested, but no other host', async () => {
  const down = buildFetch(buildRefusal('unavailable'));
  await assert.rejects(buildClient(down).health(), (error) => isApiError(error, 'unavailable'));
  assert.equal(down.calls.length, 1);
  const fetch = buildFetch(buildAnswer(200, { covered: 3 }));
  const answer = await buildClient(fetch).request<{ covered: number }>('/v1/US/coverage', { year: 2026 });
  assert.equal(answer.covered, 3);
  assert.equal(fetch.calls[0]!.url, 'https://x/records/v1/US/coverage?year=2026');
  for (const path of ['v1/x', '//evil.example/x', '/v1/x?a=1', '/v1/../x', '/v1/x#y', '/\\evil']) {
    assert.throws(() => buildClient(fetch).request(path), TypeError, path);
  }
});
