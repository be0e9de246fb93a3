/** Watches through the API: what is put, what it matches, which hits it gets, and who may see it. */
import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { URL_BYTES_MAX } from '@tmds/contract/limits';
import {
  BODY_BYTES_MAX,
  WATCH_ITEMS_MAX,
  WATCH_REFERENCE_MAX,
  type WatchDetail,
  type WatchHitsPage,
} from '@tmds/contract/watches';
import { isApiError, TrademarkClient } from '../../../client/src/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { CUSTOMER_BODIES_MAX } from '../../src/http/read-body.ts';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { testLog } from '../support/database.ts';
import { refusalOf, startService, startWithKey, type TestAnswer, type TestService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { readUnits } from '../support/units.ts';
import { WatchedWorld } from '../support/watched-world.ts';
import { publishRecords } from '../torture/publish.ts';
import { buildRandom } from '../torture/random.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

function put(service: TestService, key: string, id: string, body: unknown): Promise<TestAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return service.call(`/v1/watches/${id}`, { key, method: 'PUT', headers: JSON_TYPE, body: text });
}

interface HeldPut {
  readonly request: ClientRequest;
  readonly answered: Promise<IncomingMessage>;
}

/** Sends everything but the body. */
function holdPut(service: TestService, key: string, id: string, body: string): HeldPut {
  const headers = { ...JSON_TYPE, 'x-api-key': key, 'content-length': Buffer.byteLength(body) };
  const held = request(`${service.url}/v1/watches/${id}`, { method: 'PUT', headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    held.on('response', (answer) => {
      answer.resume();
      resolve(answer);
    });
    held.on('error', reject);
  });
  held.flushHeaders();
  return { request: held, answered };
}

async function customerOf(db: Database, keyId: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`select customer_id as id from access_key where key_id = ${keyId}`);
  return row!.id;
}

async function matchAll(db: Database): Promise<void> {
  const searches = new WatchedSearches(testLog);
  while (await matchEvents(db, searches));
}

test('a watch is made, changed, ended and made live again, and repeating a call changes nothing', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const search = { name: 'Acme in XA', search: '?owner_name=ACME&jurisdiction=xa&sort=updated_at&limit=10' };
  const made = (await put(service, key, 'acme', search)).body as WatchDetail;
  assert.deepEqual(
    [made.id, made.name, made.kind, made.search, made.item_count, made.revision, made.ended_at],
    ['acme', 'Acme in XA', 'search', 'jurisdiction=XA&owner_name=acme', 0, 1, null],
  );
  assert.deepEqual((await put(service, key, 'acme', search)).body, made);
  const sameSearch = { name: 'Acme in XA', search: 'jurisdiction=XA&owner_name=Acme' };
  assert.deepEqual((await put(service, key, 'acme', sameSearch)).body, made, 'equal searches are one, however written');

  const records = [
    { jurisdiction_code: 'xb', uid: 'é/2' },
    { jurisdiction_code: 'XA', uid: '1' },
    { jurisdiction_code: 'XA', uid: '1' },
  ];
  const changed = (await put(service, key, 'acme', { name: 'two', records })).body as WatchDetail;
  assert.deepEqual([changed.kind, changed.search, changed.item_count, changed.revision], ['records', null, 2, 2]);
  const one = (await service.call('/v1/watches/acme', { key })).body as WatchDetail;
  assert.deepEqual(one.records, [
    { jurisdiction_code: 'XA', uid: '1' },
    { jurisdiction_code: 'XB', uid: 'é/2' },
  ]);
  assert.deepEqual([one.owners, one.matches_now], [null, 0]);

  const end = () => service.call('/v1/watches/acme', { key, method: 'DELETE' });
  const ended = (await end()).body as WatchDetail;
  assert.notEqual(ended.ended_at, null);
  assert.deepEqual((await end()).body, ended);
  assert.deepEqual((await service.call('/v1/watches', { key })).body, { items: [], next_cursor: null });
  assert.equal(((await service.call('/v1/watches/acme', { key })).body as WatchDetail).ended_at, ended.ended_at);
  const again = (await put(service, key, 'acme', { name: 'owners', owners: ['Acme  Ltd', 'ACME LTD'] })).body;
  assert.deepEqual(
    { ...(again as WatchDetail), changed_at: '', holds_from: '' },
    { ...changed, kind: 'owners', name: 'owners', item_count: 1, revision: 3, changed_at: '', holds_from: '' },
  );
  assert.deepEqual(((await service.call('/v1/watches/acme', { key })).body as WatchDetail).owners, ['acme ltd']);
});

test('a reference of the customer is kept with a watch and repeated in its hits, and blank or long ones are refused', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const of = (reference?: unknown) => put(service, key, 'nine', { name: 'Nine', reference, search: 'nice_class=9' });
  const made = (await of(' M-2041 ')).body as WatchDetail;
  assert.deepEqual([made.reference, made.revision], ['M-2041', 1]);
  assert.deepEqual((await of('M-2041')).body, made);
  await publishRecords(service.db, [{ uid: 'one', nice_classes: [9] }]);
  await matchAll(service.db);
  const referencesOf = async () => {
    const { body } = await service.call('/v1/watches/nine/hits?since=2020-01-01', { key });
    return (body as WatchHitsPage).items.map(({ reference }) => reference);
  };
  assert.deepEqual(await referencesOf(), ['M-2041']);
  assert.equal(((await service.call('/v1/watches/nine', { key })).body as WatchDetail).reference, 'M-2041');
  const longest = '⚖'.repeat(WATCH_REFERENCE_MAX);
  assert.equal(((await of(longest)).body as WatchDetail).reference, longest);
  assert.deepEqual(await referencesOf(), [longest], 'as it is when the hit is read');
  assert.equal(((await of(null)).body as WatchDetail).reference, null);
  assert.deepEqual(await referencesOf(), [null]);
  for (const wrong of ['', '  ', `${longest}1`, 7, ['M-2041'], 'a\0b']) {
    const refused = refusalOf(await of(wrong));
    assert.deepEqual([refused.code, refused.param], ['invalid_parameter', 'reference'], String(wrong));
  }
});

test('watches are listed page by page, and nobody sees watches of another customer', async (t) => {
  const service = await startService(t);
  const [one, two] = [await service.issue(), await service.issue()];
  const ids = ['a', 'B', 'b.1', 'c-2', 'c_3'].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
  for (const id of ids) await put(service, one.key, id, { name: id, owners: ['acme'] });
  await put(service, two.key, 'a', { name: 'mine', owners: ['other'] });
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await service.call(`/v1/watches?limit=2${more}`, { key: one.key });
    const page = body as { items: { id: string }[]; next_cursor: string | null };
    listed.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(listed, ids);
  assert.equal(((await service.call('/v1/watches/a', { key: two.key })).body as WatchDetail).name, 'mine');
  for (const path of ['/v1/watches/B', '/v1/watches/B/hits?since=2026-01-01']) {
    assert.equal(refusalOf(await service.call(path, { key: two.key })).code, 'not_found');
  }
  const foreign = await service.call('/v1/watches/B', { key: two.key, method: 'DELETE' });
  assert.equal(refusalOf(foreign).code, 'not_found');
  assert.equal(((await service.call('/v1/watches/B', { key: one.key })).body as WatchDetail).ended_at, null);
});

test('an invalid body is refused with what to change, and an invalid search in the words of a search [I-45, I-46]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const refused = async (body: unknown, headers: Record<string, string> = JSON_TYPE) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await service.call('/v1/watches/w', { key, method: 'PUT', headers, body: text });
    const { status, code, param } = refusalOf(answer);
    return [status, code, param];
  };
  const name = 'n';
  const at = (list: string, place: number) => `${list}[${place}]`;
  const invalid = (param?: string) => [400, 'invalid_parameter', param];
  assert.deepEqual(await refused('{'), invalid());
  assert.deepEqual(await refused('[]'), invalid());
  assert.deepEqual(await refused('null'), invalid());
  assert.deepEqual(await refused({ name, owners: ['a'] }, { 'content-type': 'text/plain' }), invalid());
  assert.deepEqual(await refused({ name, owners: ['a'] }, {}), invalid());
  assert.deepEqual(await refused({ owners: ['a'] }), invalid('name'));
  assert.deepEqual(await refused({ name: ' ', owners: ['a'] }), invalid('name'));
  assert.deepEqual(await refused({ name: 'x'.repeat(201), owners: ['a'] }), invalid('name'));
  assert.deepEqual(await refused({ name: 'a\0b', owners: ['a'] }), invalid('name'));
  const marked = `a${'\u0301'.repeat(31)}`;
  assert.deepEqual(await refused({ name: marked, owners: ['a'] }), invalid('name'));
  assert.deepEqual(await refused({ name, owners: ['a', marked] }), invalid(at('owners', 1)));
  const long = `jurisdiction=${'US,'.repeat(URL_BYTES_MAX / 3)}US`;
  assert.deepEqual(await refused({ name, search: long }), invalid('search'));
  assert.deepEqual(await refused({ name, search: `owner_name=${'é'.repeat(URL_BYTES_MAX / 2)}` }), invalid('search'));
  assert.deepEqual(await refused('{"name":"\\ud800","owners":["a"]}'), invalid('name'));
  assert.deepEqual(await refused({ name }), invalid('search'));
  assert.deepEqual(await refused({ name, search: 'a=b', owners: ['a'] }), invalid('owners'));
  assert.deepEqual(await refused({ name, owner: 'a' }), [400, 'unknown_parameter', 'owner']);
  assert.deepEqual(await refused({ name, owners: [] }), invalid('owners'));
  assert.deepEqual(await refused({ name, owners: 'acme' }), invalid('owners'));
  assert.deepEqual(await refused({ name, owners: ['a', ' '] }), invalid(at('owners', 1)));
  assert.deepEqual(await refused({ name, owners: ['x'.repeat(501)] }), invalid(at('owners', 0)));
  const many = Array.from({ length: WATCH_ITEMS_MAX + 1 }, (_, at) => `o${at}`);
  assert.deepEqual(await refused({ name, owners: many }), invalid('owners'));
  assert.deepEqual(await refused({ name, records: ['US1'] }), invalid(at('records', 0)));
  assert.deepEqual(await refused({ name, records: [{ jurisdiction_code: 'US' }] }), invalid(`${at('records', 0)}.uid`));
  assert.deepEqual(await refused({ name, records: [{ jurisdiction_code: 'US', uid: '' }] }), invalid(at('records', 0)));
  assert.deepEqual(
    await refused({ name, records: [{ jurisdiction_code: 'US', uid: '1', mark: 'x' }] }),
    invalid(at('records', 0)),
  );
  assert.deepEqual(await refused(`{"name":"n","search":"${' '.repeat(BODY_BYTES_MAX)}"}`), invalid());
  for (const query of [
    'sort=updated_at',
    'q=x',
    'owner_nam=acme',
    'owner_name=a&owner_name=b',
    'owner_name=%ff',
    `owner_name=a${'%CC%81'.repeat(31)}`,
    'nice_class=99',
    'limit=0&owner_name=a',
    'owner_name_contains=acme',
    'jurisdiction=US&cursor=AAAA',
    'application_date=2026-01-01&application_date_from=2026-01-01',
  ]) {
    const searched = await service.call(`/v1/trademarks?${query}`, { key });
    const watched = await put(service, key, 'w', { name, search: query });
    assert.deepEqual([watched.status, watched.body], [searched.status, searched.body], query);
  }
  const badId = await put(service, key, '-x', { name, owners: ['a'] });
  assert.deepEqual(refusalOf(badId), { status: 400, code: 'invalid_parameter', param: 'watch' });
  assert.deepEqual((await service.call('/v1/watches', { key })).body, { items: [], next_cursor: null });
});

test('reading and writing cost a unit each, refused bodies none, and nothing is written without one [I-28]', async (t) => {
  const service = await startService(t);
  const { key } = await service.issue({ quota: 6 });
  const body = { name: 'n', owners: ['acme'] };
  await put(service, key, 'w', body);
  await put(service, key, 'w', body);
  await put(service, key, 'w', { name: 'n' });
  await service.call('/v1/watches/w/hits?since=2026-01-01', { key });
  await service.call('/v1/watches/none', { key, method: 'DELETE' });
  assert.equal(await readUnits(service, key), 5);
  await service.call('/v1/watches/w', { key, method: 'DELETE' });
  const refused = await put(service, key, 'w', body);
  assert.equal(refusalOf(refused).code, 'quota_exceeded');
  const [kept] = await service.db.query<{ ended: boolean }>(sql`select ended_at is not null as ended from watch`);
  assert.equal(kept!.ended, true);
  const unknown = await service.call('/v1/watches/w', { method: 'PUT', headers: JSON_TYPE, body: '{' });
  assert.equal(refusalOf(unknown).code, 'unauthorized');
});

test('the verdict comes before the body, and a customer has few bodies under way [I-46]', async (t) => {
  const service = await startService(t);
  const [poor, rich, other] = [await service.issue({ quota: 0 }), await service.issue(), await service.issue()];
  const body = JSON.stringify({ name: 'n', owners: ['acme'] });
  const refused = holdPut(service, poor.key, 'w', body);
  assert.equal((await refused.answered).statusCode, 429);
  refused.request.destroy();

  const held = Array.from({ length: CUSTOMER_BODIES_MAX + 1 }, (_, at) => holdPut(service, rich.key, `w${at}`, body));
  const answers = held.map(async ({ answered }, at) => ({ at, answer: await answered }));
  const { at: first, answer } = await Promise.race(answers);
  assert.deepEqual([answer.statusCode, Number(answer.headers['retry-after']) > 0], [503, true]);
  assert.equal((await put(service, other.key, 'w', body)).status, 200);
  for (const { request: waiting } of held) waiting.end(body);
  const statuses = (await Promise.all(answers)).map((each) => each.answer.statusCode);
  assert.deepEqual(
    statuses,
    statuses.map((_, at) => (at === first ? 503 : 200)),
  );
  assert.equal((await put(service, rich.key, 'w', body)).status, 200);
  // What was served, this call included.
  assert.equal(await readUnits(service, rich.key), CUSTOMER_BODIES_MAX + 2);
});

test('every path says which methods it takes: a watch GET, PUT and DELETE, the others GET [I-2]', async (t) => {
  const { key, ...service } = await startWithKey(t, { config: { corsOrigins: ['https://app.example'] } });
  const posted = await service.call('/v1/watches/w', { key, method: 'POST', headers: JSON_TYPE, body: '{}' });
  assert.equal(refusalOf(posted).code, 'method_not_allowed');
  assert.equal(posted.headers.allow, 'GET, PUT, DELETE');
  const messageOf = ({ body }: typeof posted): string => (body as { error: { message: string } }).error.message;
  assert.equal(messageOf(posted), 'POST is not allowed here; this path takes GET, PUT, DELETE.');
  const listed = await service.call('/v1/watches', { key, method: 'POST' });
  assert.equal(messageOf(listed), 'POST is not allowed here; this path takes GET.');
  for (const path of ['/v1/watches', '/v1/watches/w/hits', '/v1/trademarks', '/v1/XA/trademarks/1']) {
    for (const method of ['PUT', 'DELETE']) {
      const answer = await service.call(path, { key, method });
      assert.deepEqual([refusalOf(answer).code, answer.headers.allow], ['method_not_allowed', 'GET'], path);
    }
  }
  const preflight = (path: string) =>
    service.call(path, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
    });
  const [watch, search] = [await preflight('/v1/watches/w'), await preflight('/v1/trademarks')];
  assert.deepEqual([watch.status, watch.headers['access-control-allow-methods']], [204, 'GET, PUT, DELETE']);
  assert.ok(watch.headers['access-control-allow-headers']!.includes('Content-Type'));
  assert.equal(search.headers['access-control-allow-methods'], 'GET');
});

test('a customer has a bounded number of watches and of what they list', async (t) => {
  const service = await startService(t);
  const { id, key } = await service.issue();
  const customer = await customerOf(service.db, id);
  await service.db.query(sql`
    insert into watch (watch_id, customer_id, id, name, kind, item_count, revision, created_at, changed_at, holds_from,
      change_number)
    select gen_random_uuid(), ${customer}, 'w' || number, 'n', 'owners', 100, 1, now(), now(), now(), 1
    from generate_series(1, 9999) as number`);
  assert.equal((await put(service, key, 'last', { name: 'n', owners: ['acme'] })).status, 200);
  assert.equal(refusalOf(await put(service, key, 'more', { name: 'n', owners: ['acme'] })).code, 'invalid_parameter');
  assert.equal((await put(service, key, 'last', { name: 'm', owners: ['acme'] })).status, 200);
  await service.call('/v1/watches/w1', { key, method: 'DELETE' });
  assert.equal((await put(service, key, 'more', { name: 'n', owners: ['acme'] })).status, 200);
  const long = Array.from({ length: 1_000 }, (_, at) => `owner ${at}`);
  const full = await put(service, key, 'more', { name: 'n', owners: long });
  assert.equal(refusalOf(full).code, 'invalid_parameter');
});

test('a watch says how many records match now, and in which months they last changed', async (t) => {
  const now = Date.UTC(2026, 4, 20);
  const clock = { ...systemClock, nowMs: () => now };
  const { key, ...service } = await startWithKey(t, { clock });
  const of = (uid: string, owner: string, day: string) =>
    buildStored(buildSource({ uid, owner_names: [owner, 'both'] }), `${day}T00:00:00.000000Z`);
  await storeRecords(service.db, [
    of('1', 'acme', '2026-05-01'),
    of('2', 'acme', '2026-04-30'),
    of('3', 'other', '2026-04-01'),
    of('4', 'acme', '2025-06-01'),
    of('5', 'acme', '2025-05-31'),
  ]);
  const preview = async (subject: object) => {
    await put(service, key, 'w', { name: 'n', ...subject });
    const { matches_now, months, counted_from } = (await service.call('/v1/watches/w', { key })).body as WatchDetail;
    assert.deepEqual([months.length, months[0]!.month, months.at(-1)!.month], [12, '2026-05', '2025-06']);
    assert.equal(counted_from, '2025-06-01T00:00:00.000000Z');
    assert.deepEqual(
      months.map(({ events }) => events),
      months.map(({ last_changed }) => last_changed),
      'nothing was replaced',
    );
    return [matches_now, ...[0, 1, 11].map((at) => months[at]!.last_changed)];
  };
  assert.deepEqual(await preview({ search: 'owner_name=acme' }), [4, 1, 1, 1]);
  assert.deepEqual(await preview({ owners: ['acme', 'BOTH', 'nobody'] }), [5, 1, 2, 1]);
  const records = ['1', '3', '9'].map((uid) => ({ jurisdiction_code: 'XA', uid }));
  assert.deepEqual(await preview({ records }), [2, 1, 1, 0]);
});

test('a walk over hits returns each once in order, with what changed, and continues where it ended', async (t) => {
  const service = await startService(t);
  const { id, key } = await service.issue();
  const random = buildRandom(7);
  const world = await WatchedWorld.open(service.db, random, await customerOf(service.db, id));
  for (let count = 0; count < 40; count += 1) await world.changeWatch();
  const ids = [...world.listExpected().keys()];
  const cursors = new Map<string, string | null>(ids.map((each) => [each, null]));
  const walked = new Map<string, WatchHitsPage['items'][number][]>(ids.map((each) => [each, []]));
  const walk = async (watch: string): Promise<void> => {
    for (;;) {
      const cursor = cursors.get(watch);
      const query = `since=2026-01-01&limit=${random.integer(1, 9)}${cursor == null ? '' : `&cursor=${cursor}`}`;
      const { body, headers } = await service.call(`/v1/watches/${watch}/hits?${query}`, { key });
      const page = body as WatchHitsPage;
      assert.ok(headers['x-change-horizon'] && headers['feed-lineage']);
      if (page.next_cursor === null) return assert.deepEqual(page.items, []);
      walked.get(watch)!.push(...page.items);
      cursors.set(watch, page.next_cursor);
    }
  };
  for (let round = 0; round < 6; round += 1) {
    await world.publish(25);
    const searches = new WatchedSearches(testLog);
    await matchEvents(service.db, searches, { events: 9, bytes: 1e9 });
    for (const each of ids) await walk(each);
    while (await matchEvents(service.db, searches, { events: 9, bytes: 1e9 }));
  }
  let changes = 0;
  for (const [watch, expected] of world.listExpected()) {
    await walk(watch);
    const told = walked.get(watch)!;
    assert.deepEqual(
      told.map(({ version, jurisdiction_code, uid, event }) => [version, jurisdiction_code, uid, event]),
      expected,
    );
    for (const { event, previous_version, cause, changes: changed } of told) {
      assert.equal(previous_version === null, cause === 'first');
      if (event !== 'begins') assert.notEqual(previous_version, null);
      if (previous_version !== null) changes += changed.length;
    }
  }
  assert.ok(changes > 100, `${changes} changes`);
  const other = await service.call(`/v1/watches/${ids[0]}/hits?since=2026-01-02&cursor=${cursors.get(ids[1]!)}`, {
    key,
  });
  assert.equal(refusalOf(other).code, 'cursor_query_mismatch');
  await matchAll(service.db);
});

test('the client makes a watch, walks its hits of real publishes, and ends it', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const client = new TrademarkClient({ apiKey: key, baseUrl: `${service.url}/records` });
  await client.putWatch('acme', { name: 'Acme', search: 'owner_name=acme' });
  await client.putWatch('one', { name: 'One', records: [{ jurisdiction_code: 'US', uid: 'A' }] });
  const publish = async (owner: string, mark: string): Promise<void> => {
    const record = { jurisdiction_code: 'US', uid: 'A', owner_names: [owner], mark_name: mark };
    await publishRecords(service.db, [record]);
    await matchAll(service.db);
  };
  await publish('other', 'ONE');
  await publish('acme', 'ONE');
  await publish('acme', 'TWO');
  await publish('nobody', 'TWO');
  await publish('nobody', 'THREE');
  const walk = client.hitsAll('acme', { since: '2026-01-01', limit: 1 });
  const hits = await walk.toArray();
  assert.deepEqual(
    hits.map(({ event, changes }) => [event, changes.map((change) => change.field)]),
    [
      ['begins', ['owner_names']],
      ['changes', ['mark_name']],
      ['stops', ['owner_names']],
    ],
  );
  const listed = await client.hitsAll('one', { since: '2026-01-01' }).toArray();
  assert.deepEqual(
    listed.map(({ event, cause }) => [event, cause === 'first']),
    [['begins', true], ...Array.from({ length: 4 }, () => ['changes', false])],
  );
  assert.ok(walk.completeTo! >= listed.at(-1)!.version);
  assert.deepEqual(
    (await client.watches()).items.map(({ id }) => id),
    ['acme', 'one'],
  );
  assert.equal((await client.watch('one')).matches_now, 1);
  assert.notEqual((await client.deleteWatch('acme')).ended_at, null);
  await publish('acme', 'FOUR');
  assert.deepEqual(await client.hitsAll('acme', { since: '2026-01-01', cursor: walk.cursor }).toArray(), []);
  await assert.rejects(client.watch('none'), (error) => isApiError(error, 'not_found'));
});
