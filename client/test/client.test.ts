import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { TrademarkClient } from '../src/client.ts';
import type { ClientOptions } from '../src/config.ts';
import { TrademarkProtocolError } from '../src/errors.ts';
import type { SearchParameters } from '../src/query.ts';
import { buildAnswer, buildFetch, buildRecord } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';

const BASE = 'https://tm.example/records';

function buildClient(fetch: ClientOptions['fetch'], options: ClientOptions = {}): TrademarkClient {
  return new TrademarkClient({
    apiKey: 'k-1',
    baseUrl: BASE,
    fetch,
    clock: buildSimulatedClock(),
    random: () => 0,
    ...options,
  });
}

const emptyPage = { items: [], next_cursor: null };

test('calls each endpoint by its own path, with the parameters of the wire [4]', async () => {
  const fetch = buildFetch(buildAnswer(200, emptyPage));
  const client = buildClient(fetch);
  const broad: SearchParameters = {
    jurisdiction: ['US', 'EM'],
    nice_class_all: [9, 42],
    mark_name_contains: 'a&b é',
    application_date_from: '2026-01-01',
    status: 'registered',
    cursor: undefined,
    limit: 10,
  };
  await client.search(broad);
  await client.search({ jurisdiction_code: 'US' });
  await client.get('US', 'a/b ü.1', { expand: 'payload' });
  await client.changes({ since: '2026-01-01T00:00:00+02:00', limit: 5000, cursor: 'c_1' });
  await client.changes({ jurisdiction_code: 'EM', since: '2026-01-01' });
  await client.jurisdictions();
  await client.usage();
  assert.deepEqual(
    fetch.calls.map(({ url }) => url),
    [
      `${BASE}/v1/trademarks?jurisdiction=US%2CEM&nice_class_all=9%2C42&mark_name_contains=a%26b%20%C3%A9` +
        '&application_date_from=2026-01-01&status=registered&limit=10',
      `${BASE}/v1/US/trademarks`,
      `${BASE}/v1/US/trademarks/a%2Fb%20%C3%BC.1?expand=payload`,
      `${BASE}/v1/changes?since=2026-01-01T00%3A00%3A00%2B02%3A00&limit=5000&cursor=c_1`,
      `${BASE}/v1/EM/changes?since=2026-01-01`,
      `${BASE}/v1/jurisdictions`,
      `${BASE}/v1/usage`,
    ],
  );
});

test('asks the product next to the records for marks that are alike, or the one that it was given [9.2]', async () => {
  const urlOf = async (options: ClientOptions): Promise<string> => {
    const fetch = buildFetch(buildAnswer(200, emptyPage));
    await buildClient(fetch, options).analytics.similar({ mark: 'acme & co', classes: [9, 42], status: 'Registered' });
    return fetch.calls[0]!.url;
  };
  const path = '/v1/similar?mark=acme%20%26%20co&classes=9%2C42&status=Registered';
  assert.equal(await urlOf({}), `https://tm.example/analytics${path}`);
  assert.equal(await urlOf({ baseUrl: 'https://tm.example' }), `https://tm.example/analytics${path}`);
  assert.equal(await urlOf({ baseUrl: 'https://tm.example/eu/records' }), `https://tm.example/eu/analytics${path}`);
  assert.equal(await urlOf({ analyticsUrl: 'https://other.example/a/' }), `https://other.example/a${path}`);
});

test('sends the key in X-API-Key, whatever the other headers say, and follows no redirect with it [5.2]', async () => {
  const fetch = buildFetch(buildAnswer(200, emptyPage));
  const client = buildClient(fetch, { defaultHeaders: { 'X-Api-Key': 'other', 'X-Team': 'a', accept: 'text/html' } });
  await client.jurisdictions({ headers: { 'x-team': 'b' } });
  const { init } = fetch.calls[0]!;
  assert.deepEqual(init.headers, {
    accept: 'text/html',
    'user-agent': 'tmds-client/0.1.0',
    'x-api-key': 'k-1',
    'x-team': 'b',
  });
  assert.equal(init.redirect, 'manual');
  const moved = buildClient(buildFetch(buildAnswer(302, '', { location: 'https://elsewhere.example/' })));
  await assert.rejects(moved.jurisdictions(), TrademarkProtocolError);
});

test('takes answers uncompressed from a service on its own machine, unless configured otherwise', async () => {
  const encodingOf = async (options: ClientOptions): Promise<string | undefined> => {
    const fetch = buildFetch(buildAnswer(200, emptyPage));
    await buildClient(fetch, options).jurisdictions();
    return fetch.calls[0]!.init.headers['accept-encoding'];
  };
  for (const host of ['localhost:80', '127.0.0.1:8080', '[::1]:1']) {
    assert.equal(await encodingOf({ baseUrl: `http://${host}/records` }), 'identity');
  }
  assert.equal(await encodingOf({ baseUrl: 'https://127.0.0.1.example/records' }), undefined);
  const told = { baseUrl: 'http://localhost', defaultHeaders: { 'Accept-Encoding': 'gzip' } };
  assert.equal(await encodingOf(told), 'gzip');
});

test('hands the body over unchanged, with the request id and limits [I-23, I-30]', async () => {
  const page = { items: [buildRecord()], next_cursor: 'c_1' };
  const fetch = buildFetch(
    buildAnswer(200, page, {
      'x-request-id': 'req-7',
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': '599',
      'x-change-horizon': '2026-01-06T02:55:00.000000Z',
      'x-poll-after': '12',
    }),
  );
  const answer = await buildClient(fetch).changes({ since: '2026-01-01' });
  assert.deepEqual(answer, page);
  assert.equal(JSON.stringify(answer), JSON.stringify(page));
  assert.deepEqual(answer.meta, {
    requestId: 'req-7',
    attempts: 1,
    rateLimit: 600,
    rateRemaining: 599,
    changeHorizon: '2026-01-06T02:55:00.000000Z',
    feedLineage: null,
    coverage: null,
    pollAfterMs: 12_000,
  });
});

test('walks every page of a search and says that it is complete [I-16]', async () => {
  const uids = ['a', 'b', 'c'];
  const fetch = buildFetch(
    buildAnswer(200, { items: uids.slice(0, 2).map((uid) => buildRecord({ uid })), next_cursor: 'c_1' }),
    buildAnswer(200, { items: [buildRecord({ uid: 'c' })], next_cursor: null }),
  );
  const walk = buildClient(fetch).searchAll({ jurisdiction: 'US' });
  const seen: string[] = [];
  let step = await walk.next();
  for (; !step.done; step = await walk.next()) seen.push(step.value.uid);
  assert.deepEqual(seen, uids);
  assert.deepEqual(step.value, { items: 3, next_cursor: null });
  assert.deepEqual(
    fetch.calls.map(({ url }) => url),
    [`${BASE}/v1/trademarks?jurisdiction=US&limit=500`, `${BASE}/v1/trademarks?jurisdiction=US&cursor=c_1&limit=500`],
  );
});

test('ends a walk at its bound, says where to go on, and asks for no record beyond it', async () => {
  const fetch = buildFetch(
    buildAnswer(200, { items: [buildRecord({ uid: 'a' }), buildRecord({ uid: 'b' })], next_cursor: 'c_1' }),
    buildAnswer(200, { items: [buildRecord({ uid: 'c' })], next_cursor: 'c_2' }),
  );
  const walk = buildClient(fetch).searchAll({ owner_name: 'x', limit: 2 }, { itemsMax: 3 });
  const seen: string[] = [];
  let step = await walk.next();
  for (; !step.done; step = await walk.next()) seen.push(step.value.uid);
  assert.deepEqual(seen, ['a', 'b', 'c']);
  assert.deepEqual(step.value, { items: 3, next_cursor: 'c_2' });
  assert.deepEqual(
    fetch.calls.map(({ url }) => new URL(url).searchParams.get('limit')),
    ['2', '1'],
  );
});

test('a walk whose cursor does not move fails instead of asking forever', async () => {
  const stuck = buildAnswer(200, { items: [buildRecord()], next_cursor: 'c_1' });
  const fetch = buildFetch(stuck);
  const walk = buildClient(fetch).searchAll({ owner_name: 'x' });
  await assert.rejects(async () => {
    for await (const _record of walk);
  }, TrademarkProtocolError);
  assert.equal(fetch.calls.length, 2);
});

test('refuses wrong settings before any call, each by name, and never shows the key', () => {
  const wrong: [ClientOptions, RegExp][] = [
    [{ apiKey: '' }, /no API key/],
    [{ apiKey: 'se cret' }, /invalid characters/],
    [{ baseUrl: '' }, /no base address/],
    [{ baseUrl: 'ftp://x' }, /baseUrl must be/],
    [{ baseUrl: 'https://x/?a=1' }, /must not have a query/],
    [{ baseUrl: 'https://u:p@x/' }, /must not have a query/],
    [{ timeoutMs: 0 }, /timeoutMs must be an integer from 1 to 600000/],
    [{ maxRetries: 21 }, /maxRetries must be an integer from 0 to 20/],
  ];
  for (const [options, message] of wrong) {
    assert.throws(
      () => buildClient(undefined, options),
      (error: Error) => {
        assert.ok(error instanceof TypeError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /cret/);
        return true;
      },
    );
  }
  assert.doesNotMatch(inspect(buildClient(undefined), { depth: 9, showHidden: true }), /k-1/);
});

test('refuses an identity that no URL can carry, and a null where a parameter is to be left out', async () => {
  const fetch = buildFetch(buildAnswer(200, emptyPage));
  const client = buildClient(fetch);
  assert.throws(() => client.get('US', '..'), /cannot be sent as a path segment/);
  assert.throws(() => client.get('US', ''), /must not be empty/);
  assert.throws(() => client.search({ owner_name: null as unknown as string }), /owner_name must be a text/);
  assert.equal(fetch.calls.length, 0);
});
