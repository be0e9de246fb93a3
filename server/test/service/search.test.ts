/**
 * Searches and look-ups over HTTP: whole answers, counts, payloads, cursors, the time limit, and no 5xx whatever comes.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ENDPOINTS } from '@tmds/contract/parameters';
import fc from 'fast-check';
import { systemClock } from '../../src/base/clock.ts';
import { findReadingOptions } from '../../src/database/distributed/distribution.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { SearchIndex } from '../../src/follow/live-index.ts';
import { Timing } from '../../src/http/call.ts';
import { findPage } from '../../src/http/search.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { toApiError } from '../../src/render/failure.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { runsOf } from '../support/depth.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { waitFor } from '../support/process.ts';
import { refusalOf, startService, type TestService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import {
  buildStored,
  literal,
  renderDetail,
  type StoredRecord,
  settlePublishes,
  storeRecords,
} from '../support/stored.ts';

const stampOf = (microsecond: number): string => `2026-01-01T00:00:00.${String(microsecond).padStart(6, '0')}Z`;

const RECORDS: readonly StoredRecord[] = [
  buildStored(
    buildSource({
      jurisdiction_code: 'XA',
      uid: 'A/1 é',
      mark_name: '100%_\\ Sure',
      nice_classes: [9, 42],
      payload: { note: 'ß' },
    }),
    stampOf(1),
  ),
  buildStored(
    buildSource({ jurisdiction_code: 'XA', uid: 'A2', status: 'Registered', application_date: '2024-02-29' }),
    stampOf(2),
  ),
  buildStored(
    buildSource({ jurisdiction_code: 'XB', uid: 'A2', nice_classes: [42], owner_names: ['商标 注册'] }),
    stampOf(2),
  ),
];
const details = (...indexes: number[]) => indexes.map((index) => JSON.parse(renderDetail(RECORDS[index]!)));

interface Page {
  items: Record<string, unknown>[];
  next_cursor: string | null;
}

let service: TestService;
let key: string;
let searchDb: Database;

before(async () => {
  const { url } = await createTestDatabase();
  searchDb = await connectSearches(url, 4);
  service = await startService({ after: (work) => void closers.push(work) }, { database: { db: searchDb, url } });
  key = (await service.issue()).key;
  await storeRecords(searchDb, RECORDS);
});
const closers: (() => Promise<void>)[] = [];
test.after(async () => {
  for (const close of closers) await close();
  await searchDb.close();
});

async function connectSearches(url: string, poolMax: number, statementTimeoutMs = 10_000): Promise<Database> {
  const lockTimeoutMs = Math.min(1_500, statementTimeoutMs / 2);
  const asking = await connectTestDatabase(url, { poolMax: 1 });
  const reading = await findReadingOptions(asking).finally(() => asking.close());
  return await connectTestDatabase(url, { poolMax, statementTimeoutMs, lockTimeoutMs, ...reading });
}

const call = (path: string) => service.call(path, { key });

test('a page is items and cursor, the counts only where asked for [2.3, 4.4, I-18]', async () => {
  const plain = await call('/v1/trademarks?nice_class=42');
  assert.equal(plain.status, 200);
  assert.deepEqual(plain.body, { items: details(2, 0), next_cursor: null });
  assert.deepEqual((await call('/records/v1/trademarks?nice_class=42&count=capped')).body, {
    items: details(2, 0),
    next_cursor: null,
    matched_count: 2,
    matched_count_capped: false,
  });
});

test('a search that matches nothing is an answer [1, I-11, I-15]', async () => {
  for (const query of [
    'jurisdiction=ZZ',
    'status_date_from=2024-02-01&status_date_to=2024-01-01',
    'vienna_code=999.1',
  ]) {
    const answer = await call(`/v1/trademarks?${query}&count=capped`);
    const empty = { items: [], next_cursor: null, matched_count: 0, matched_count_capped: false };
    assert.deepEqual([answer.status, answer.body], [200, empty]);
  }
});

test('payloads are members of their records, empty where there is none, and absent otherwise [2.2.1, 4.3, I-42]', async () => {
  const expanded = await call('/v1/xa/trademarks?order=asc&expand=payload');
  const [first, second] = details(0, 1);
  const items = [
    { ...first, payload: { note: 'ß' } },
    { ...second, payload: {} },
  ];
  assert.deepEqual(expanded.body, { items, next_cursor: null });
  const { body } = await call('/v1/xa/trademarks?order=asc');
  assert.deepEqual(body, { items: [first, second], next_cursor: null });
});

test('a record is found by its identity, byte for byte, with or without its payload [4.5, I-24, I-45]', async () => {
  const [first] = details(0);
  assert.deepEqual((await call('/v1/XA/trademarks/A%2F1%20%C3%A9')).body, first);
  assert.deepEqual((await call('/v1/xa/trademarks/A/1%20%C3%A9?expand=payload')).body, {
    ...first,
    payload: { note: 'ß' },
  });
  assert.deepEqual((await call('/v1/XB/trademarks/A2')).body, details(2)[0]);
  for (const path of [
    'XA/trademarks/a2',
    'XA/trademarks/A2%20',
    'XC/trademarks/A2',
    'XA/trademarks/A%2F1%20e%CC%81',
    '%00/trademarks/A2',
    'XA/trademarks/A2%00',
  ]) {
    const refusal = refusalOf(await call(`/v1/${path}`));
    assert.ok(refusal.status === 404 || refusal.status === 400, path);
  }
  for (const [path, param] of [
    [`XA/trademarks/A${'%CC%81'.repeat(31)}`, 'uid'],
    [`XA${'%CC%81'.repeat(31)}/trademarks/A`, 'jurisdiction_code'],
  ]) {
    assert.deepEqual(refusalOf(await call(`/v1/${path}`)), { status: 400, code: 'invalid_parameter', param });
  }
});

test('a scoped search of a register that is not served is 404 [4.3, I-11]', async () => {
  for (const register of ['ZZ', 'nowhere', '%F0%9F%98%80', 'x.y', "'"]) {
    const { status, code } = refusalOf(await call(`/v1/${register}/trademarks?status=Pending`));
    assert.deepEqual([status, code], [404, 'not_found'], register);
  }
});

test('the path pins the register, so that jurisdiction is unknown there [4.3]', async () => {
  const refusal = refusalOf(await call('/v1/XA/trademarks?jurisdiction=XA'));
  assert.deepEqual(refusal, { status: 400, code: 'unknown_parameter', param: 'jurisdiction' });
});

test('percent, underscore and backslash are ordinary characters [I-12]', async () => {
  for (const [text, found] of [
    ['100%_\\', 1],
    ['0%_', 1],
    ['%_\\', 1],
    ['_%_', 0],
    ['%%%', 0],
    ['100', 1],
    ['00\\', 0],
  ] as const) {
    const { body } = await call(`/v1/XA/trademarks?mark_name_contains=${encodeURIComponent(text)}`);
    assert.equal((body as Page).items.length, found, text);
  }
});

test('a cursor goes on under another page size and base path, and nowhere else [I-17]', async () => {
  const first = (await call('/v1/trademarks?status=pending,registered&limit=1')).body as Page;
  assert.deepEqual(first.items, details(2));
  const cursor = encodeURIComponent(first.next_cursor!);
  const rest = await call(
    `/records/v1/trademarks?limit=500&status=%20Registered,PENDING&count=capped&cursor=${cursor}`,
  );
  assert.deepEqual(rest.body, {
    items: details(1, 0),
    next_cursor: null,
    matched_count: 3,
    matched_count_capped: false,
  });
  for (const [path, code] of [
    [`trademarks?status=pending&cursor=${cursor}`, 'cursor_query_mismatch'],
    [`trademarks?status=pending,registered&order=asc&cursor=${cursor}`, 'cursor_query_mismatch'],
    [`XA/trademarks?status=pending,registered&cursor=${cursor}`, 'cursor_query_mismatch'],
    [`changes?since=2026-01-01&cursor=${cursor}`, 'cursor_query_mismatch'],
    [`trademarks?status=pending,registered&cursor=${cursor}A`, 'cursor_invalid'],
    ['trademarks?status=pending,registered&cursor=%00', 'invalid_parameter'],
  ]) {
    const refusal = refusalOf(await call(`/v1/${path}`));
    assert.deepEqual([refusal.status, refusal.code, refusal.param], [400, code, 'cursor'], path);
  }
});

test('the count is exact up to 10,000 and capped beyond, on every page [2.3, I-18]', async (t) => {
  const { url } = await createTestDatabase(t);
  const db = await connectSearches(url, 2);
  t.after(() => db.close());
  const { call: callHere, issue } = await startService(t, { database: { db, url } });
  const hereKey = (await issue()).key;
  await db.query(sql`insert into register (jurisdiction_code, record_count) values ('XA', 1)`);
  const addRecords = async (from: number, to: number, stamp: string): Promise<void> => {
    const detail = renderDetail(buildStored(buildSource({ uid: 'THIS' }), stamp));
    await db.query(sql`
      insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
      select 'XA', lpad(uid::text, 6, '0'), ${stamp}::timestamptz, ${stamp}::timestamptz, '',
        replace(${detail}, 'THIS', lpad(uid::text, 6, '0'))
      from generate_series(${literal(from)}, ${literal(to)}) uid`);
    await settlePublishes(db);
  };
  const countOf = async (query = ''): Promise<unknown[]> => {
    const path = `/v1/XA/trademarks?count=capped&limit=1${query}`;
    const body = (await callHere(path, { key: hereKey })).body as Page & Record<string, unknown>;
    return [body.matched_count, body.matched_count_capped, body.next_cursor];
  };
  await addRecords(1, 10_000, stampOf(1));
  const [count, capped, cursor] = await countOf();
  assert.deepEqual([count, capped], [10_000, false]);
  assert.deepEqual((await countOf(`&cursor=${cursor}`)).slice(0, 2), [10_000, false]);
  await addRecords(10_001, 10_001, stampOf(2));
  assert.deepEqual((await countOf()).slice(0, 2), [10_000, true]);
  await addRecords(10_002, 30_000, stampOf(3));
  assert.deepEqual((await countOf()).slice(0, 2), [10_000, true]);
});

test('a search that a lock blocks is unavailable, not too slow, and its connection serves the next one [7, I-35]', async (t) => {
  const { db: owner, url } = await createTestDatabase(t);
  await storeRecords(owner, RECORDS);
  const db = await connectSearches(url, 1, 300);
  t.after(() => db.close());
  const { call: callHere, issue } = await startService(t, { database: { db, url } });
  const hereKey = (await issue()).key;
  const search = (query: string) => callHere(`/v1/trademarks?${query}`, { key: hereKey });
  // A page of another record: otherwise its text would be kept, and nothing of the locked table needed.
  // On a busy machine a statement that nothing blocks may be stopped too.
  const waitForPage = async (query: string): Promise<unknown> => {
    let answer = await search(query);
    await waitFor(async () => {
      if (answer.status === 503) answer = await search(query);
      return answer.status !== 503;
    });
    return answer.body;
  };
  assert.deepEqual(await waitForPage('status=Registered'), { items: details(1), next_cursor: null });
  await owner.transaction(async (tx) => {
    await tx.runScript('lock table record in access exclusive mode');
    const stopped = await search('nice_class=42');
    assert.deepEqual([refusalOf(stopped).status, refusalOf(stopped).code], [503, 'unavailable']);
    // A transaction looks once, and a connection may be busy for a moment after it has answered.
    await waitFor(async () => {
      const running = await owner.query(sql`select pid from pg_stat_activity
        where state = 'active' and datname = current_database() and pid <> pg_backend_pid()
          and backend_type = 'client backend'`);
      return running.length === 0;
    });
  });
  assert.deepEqual(await waitForPage('nice_class=42'), { items: details(2, 0), next_cursor: null });
});

test('the turn of a search lasts until its answer is sent, or its caller has gone [I-35]', async (t) => {
  const database = await createTestDatabase(t);
  await storeRecords(database.db, RECORDS);
  const local = openLocalIndex(database.db);
  let [matched, ended] = [0, 0];
  const index: SearchIndex = {
    ...local,
    search: async (query, limits) => {
      const found = await local.search(query, limits);
      matched += 1;
      const endTurn = (): void => {
        ended += 1;
      };
      return { ...found, endTurn };
    },
  };
  const { url, issue } = await startService(t, { database, index });
  const headers = { 'x-api-key': (await issue()).key };
  const search = (signal: AbortSignal | null = null) =>
    fetch(`${url}/v1/trademarks?status=Registered`, { headers, signal });
  assert.equal((await search()).status, 200);
  // The index may have been behind, and the search repeated.
  assert.ok(matched > 0 && ended === matched);
  [matched, ended] = [0, 0];
  const leaving = new AbortController();
  await database.db.transaction(async (tx) => {
    // The page is found, but the verdict on the call is not in.
    await tx.runScript('lock table key_product in access exclusive mode');
    const answers = [search(), search(leaving.signal)];
    await waitFor(async () => matched === 2);
    assert.equal(ended, 0);
    leaving.abort();
    await assert.rejects(answers[1]!);
    await waitFor(async () => ended === 1);
    void answers[0]!.then(({ status }) => assert.equal(status, 200));
  });
  await waitFor(async () => ended === 2);
});

/** An index in whose way something can be put. */
function obstruct(index: SearchIndex, beforeSearch: (search: number) => Promise<void>): SearchIndex {
  let searches = 0;
  return {
    ...index,
    search: async (query, limits) => {
      searches += 1;
      const found = await index.search(query, limits);
      await beforeSearch(searches);
      return found;
    },
  };
}

test('a record that changes between match and fetch never makes a page wrong [4.3, I-41]', async (t) => {
  const { url } = await createTestDatabase(t);
  const db = await connectSearches(url, 2);
  t.after(() => db.close());
  const filed = buildSource({ uid: 'A1', status: 'Pending', nice_classes: [9] });
  const stored = [
    buildStored(filed, stampOf(1)),
    buildStored(buildSource({ uid: 'A2', nice_classes: [9] }), stampOf(2)),
  ];
  await storeRecords(db, stored);
  const changed = buildStored({ ...filed, nice_classes: [42] } as typeof filed, stampOf(3));
  const index = obstruct(openLocalIndex(db), async (search) => {
    // The second search is the first that has seen the records.
    if (search !== 2) return;
    await db.query(sql`delete from record where uid = 'A1'`);
    await storeRecords(db, [changed], stampOf(1));
  });
  const plan = planSearch(parseSearch({ nice_class: '9' }, null));
  const limits = { deadlineMs: systemClock.monotonicMs() + 60_000 };
  const page = await findPage(plan, { index, database: db }, limits, new Timing(systemClock));
  assert.deepEqual(JSON.parse(`[${page.items}]`), [JSON.parse(renderDetail(stored[1]!))]);
});

test('a record that changes while its page streams comes as it has become, whole [2.2.2, I-36]', async (t) => {
  const { url } = await createTestDatabase(t);
  const db = await connectSearches(url, 2);
  t.after(() => db.close());
  const first = buildSource({ uid: 'A1', nice_classes: [9], payload: { note: 'as it was' } });
  // Larger than a portion, so that the other record is read when this one has been sent.
  const large = buildSource({ uid: 'A2', nice_classes: [9], payload: { note: 'x'.repeat(3_000_000) } });
  await storeRecords(db, [buildStored(first, stampOf(1)), buildStored(large, stampOf(2))]);
  const index = openLocalIndex(db);
  const plan = planSearch(parseSearch({ nice_class: '9', expand: 'payload' }, null));
  const limits = { deadlineMs: systemClock.monotonicMs() + 60_000 };
  const page = await findPage(plan, { index, database: db }, limits, new Timing(systemClock));
  await db.query(sql`delete from record where uid = 'A1'`);
  await db.query(sql`delete from payload where uid = 'A1'`);
  const changed = { ...first, nice_classes: [42], payload: { note: 'as it has become' } } as typeof first;
  await storeRecords(db, [buildStored(changed, stampOf(3))], stampOf(1));
  const chunks: Buffer[] = [];
  for await (const chunk of page.items as AsyncIterable<Buffer>) chunks.push(chunk);
  const items: { uid: string; nice_classes: number[]; payload: { note: string } }[] = JSON.parse(
    `[${Buffer.concat(chunks)}]`,
  );
  assert.deepEqual(
    items.map(({ uid, nice_classes, payload }) => [uid, nice_classes, payload.note.slice(0, 20)]),
    [
      ['A2', [9], 'x'.repeat(20)],
      ['A1', [42], 'as it has become'],
    ],
  );
});

test('only a search whose own work took too long says so [4.3, 7, I-35]', async () => {
  const plan = planSearch(parseSearch({ nice_class: '42' }, null));
  const index = openLocalIndex(searchDb);
  await index.waitFor(1, { deadlineMs: 0 });
  const late = { deadlineMs: systemClock.monotonicMs() - 1 };
  await assert.rejects(index.search(plan, late), (error) => toApiError(error).code === 'query_timeout');
});

/** Values for any parameter: its own example, examples of others, and what nobody would send on purpose. */
const HOSTILE = [
  '',
  ' ',
  ',',
  'a,,b',
  '\0',
  '%',
  '%%%',
  '_',
  '\\',
  "'",
  '"',
  ';--',
  '\ud800',
  '\u202e',
  '💥',
  'null',
  'NaN',
  '-1',
  '0',
  '1e9',
  '99999999999',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '0001-01-01',
  '10000-01-01',
  '2026-01-01T00:00:00+99:99',
  'infinity',
  'now()',
  '1.2.3',
  '127.128.1',
  '999.999.999',
  '45',
  'US',
  'us,em',
  'Registered',
  'a'.repeat(3_000),
  '商标注册',
  'ﬁ',
  'İ',
  '\u0301\u0301\u0301',
  '   ',
  '{1,2}',
  '$1',
  '[]',
];

function buildRequest(endpoint: 'search' | 'scoped_search'): fc.Arbitrary<string> {
  const parameters = ENDPOINTS[endpoint].parameters as Readonly<Record<string, { example: string }>>;
  const examples = Object.values(parameters).map(({ example }) => example);
  const pair = fc
    .tuple(fc.constantFrom(...Object.keys(parameters)), fc.integer({ min: 0, max: 9 }))
    .chain(([name, kind]) => {
      const value =
        kind < 6
          ? fc.constant(parameters[name]!.example)
          : kind < 8
            ? fc.constantFrom(...HOSTILE, ...examples)
            : fc.string({ unit: 'binary', maxLength: 30 });
      return value.map((text) => `${name}=${encodeURIComponent(text.toWellFormed())}`);
    });
  const stray = fc.constantFrom(
    'q=1',
    'x',
    '=',
    '%',
    '%zz=1',
    'status=%ff',
    'status=%00',
    'limit=5&limit=5',
    'cursor=%2500',
  );
  const register = fc.constantFrom('XA', 'xb', 'ZZ', '%00', 'x%2Fy');
  return fc
    .tuple(
      fc.array(fc.oneof({ weight: 20, arbitrary: pair }, { weight: 1, arbitrary: stray }), { maxLength: 6 }),
      register,
    )
    .map(([pairs, code]) => `/v1/${endpoint === 'search' ? '' : `${code}/`}trademarks?${pairs.join('&')}`);
}

const REQUESTS = runsOf(300);

test('no request to search gives a 5xx, and every refusal is an envelope [7, I-9]', async () => {
  const counts: Record<string, number> = {};
  const judge = async (path: string): Promise<void> => {
    const answer = await call(path);
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    assert.ok([200, 400, 404, 422].includes(answer.status), `${answer.status} ${path} ${answer.text}`);
    if (answer.status !== 200) assert.equal(typeof refusalOf(answer).code, 'string', path);
    else assert.ok(Array.isArray((answer.body as Page).items));
  };
  await fc.assert(fc.asyncProperty(fc.oneof(buildRequest('search'), buildRequest('scoped_search')), judge), {
    numRuns: REQUESTS,
  });
  assert.ok((counts[200] ?? 0) > REQUESTS / 30, 'well-formed requests were among them');
});
