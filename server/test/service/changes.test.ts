/** Pages of the change feed: what is in them, in which order, where they end, and what else they say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '../../src/database/driver/db.ts';
import { READING_SESSION_SETTINGS } from '../../src/database/driver/session-settings.ts';
import { type Statement, sql } from '../../src/database/driver/sql.ts';
import { parseChanges } from '../../src/parse/changes.ts';
import { planChanges } from '../../src/plan/changes.ts';
import { toApiError } from '../../src/render/failure.ts';
import { findChangesPage, itemsStatement, PLAIN_ITEM, waitStatement } from '../../src/store/records/changes.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { startWithKey } from '../support/service.ts';
import { createSkewedDatabase } from '../torture/clock.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';
import { type DeliveredItem, identify, readPage, walkChanges } from '../torture/walk.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

async function isNotFound(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => toApiError(error).code === 'not_found');
}

test('delivers records in the order of change, register and uid, each whole [4.6, I-19, I-31]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, [
    { jurisdiction_code: 'XB', uid: 'a' },
    { jurisdiction_code: 'XA', uid: 'b' },
    { jurisdiction_code: 'XA', uid: 'B' },
    { jurisdiction_code: 'XA', uid: 'é商' },
  ]);
  await publishRecords(db, [{ jurisdiction_code: 'XA', uid: 'A', mark_name: 'Later', nice_classes: [9] }]);
  const page = await readPage(db, {});
  assert.deepEqual(
    page.items.map((item) => `${item.jurisdiction_code} ${item.uid}`),
    ['XA B', 'XA b', 'XA é商', 'XB a', 'XA A'],
  );
  const last = page.items.at(-1)!;
  assert.match(last.updated_at, INSTANT);
  const silent = Object.entries(last).filter(([, value]) => value === null);
  assert.equal(silent.length, 22);
  assert.deepEqual(Object.fromEntries(Object.entries(last).filter(([, value]) => value !== null)), {
    jurisdiction_code: 'XA',
    uid: 'A',
    mark_name: 'Later',
    status: 'Pending',
    nice_classes: [9],
    record_update_date: last.updated_at.slice(0, 10),
    first_seen_at: last.updated_at,
    updated_at: last.updated_at,
  });
});

test('carries a cursor on every page but the empty one, which says when to poll again [4.6.2, 4.6.3, I-23]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(3));
  const first = await readPage(db, { limit: '2' });
  assert.deepEqual(identify(first.items), ['R1', 'R2']);
  assert.equal(first.nextPollSeconds, null);
  assert.match(first.horizon, INSTANT);
  const second = await readPage(db, { limit: '2', cursor: first.next_cursor! });
  assert.deepEqual(identify(second.items), ['R3']);
  const third = await readPage(db, { limit: '2', cursor: second.next_cursor! });
  assert.deepEqual([third.items, third.next_cursor, third.nextPollSeconds], [[], null, 1]);
});

test('ends at the horizon of the database clock and says when the next change passes it [4.6.4, I-20, I-21]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  await publishRecords(db, buildRecords(1));
  const waiting = await readPage(db, {}, { horizonSeconds: 300 });
  assert.deepEqual([waiting.items, waiting.next_cursor], [[], null]);
  assert.ok(waiting.nextPollSeconds! > 280 && waiting.nextPollSeconds! <= 300, String(waiting.nextPollSeconds));
  await step(200);
  const later = await readPage(db, {}, { horizonSeconds: 300 });
  assert.ok(later.nextPollSeconds! > 80 && later.nextPollSeconds! <= 100, String(later.nextPollSeconds));
  assert.equal(later.items.length, 0);
  await step(101);
  const due = await readPage(db, {}, { horizonSeconds: 300 });
  assert.deepEqual(identify(due.items), ['R1']);
  assert.ok(due.horizon >= due.items[0]!.updated_at);
  assert.equal((await readPage(db, { since: '2999-01-01' }, { horizonSeconds: 300 })).items.length, 0);
});

test('takes since as inclusive to the microsecond [4.6, I-15]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(1));
  const [item] = (await readPage(db, {})).items;
  const stamp = item!.updated_at;
  const after = `${stamp.slice(0, 20)}${String(Number(stamp.slice(20, 26)) + 1).padStart(6, '0')}Z`;
  assert.equal((await readPage(db, { since: stamp })).items.length, 1);
  assert.equal((await readPage(db, { since: after })).items.length, 0);
});

test('a scoped feed covers one register and does not exist for one that is not served [4.6, I-11]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, [
    ...buildRecords(2, { jurisdiction_code: 'XA' }),
    { jurisdiction_code: 'XB', uid: 'other' },
  ]);
  assert.deepEqual(identify((await readPage(db, {}, { register: 'xa' })).items), ['R1', 'R2']);
  for (const register of ['XC', '*', 'X A', "x'"]) await isNotFound(readPage(db, {}, { register }));
});

test('a new record has equal stamps, an update keeps the first [2.2.3]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(1));
  await publishRecords(db, buildRecords(2, { mark_name: 'changed' }));
  const [updated, added] = (await readPage(db, {})).items as [DeliveredItem, DeliveredItem];
  assert.equal(updated.updated_at, added.updated_at);
  assert.equal(added.first_seen_at, added.updated_at);
  assert.ok(updated.first_seen_at < updated.updated_at);
});

test('payloads come with expand=payload only, empty where there is none, in the same order [2.2.1, 4.6, I-42]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, [
    { uid: 'R1', payload: { parties: [{ name: 'É 商标 "quoted" \\' }] } },
    { uid: 'R2' },
    { uid: 'R3', payload: { text: 'x'.repeat(3_000_000) } },
    { uid: 'R4', payload: { text: 'y'.repeat(1_500_000) } },
    { uid: 'R5', payload: { images: [1] } },
  ]);
  assert.ok((await readPage(db, {})).items.every((item) => !('payload' in item)));
  const { items, next_cursor } = await readPage(db, { expand: 'payload' });
  assert.deepEqual(identify(items), ['R1', 'R2', 'R3', 'R4', 'R5']);
  assert.deepEqual(items[0]!.payload, { parties: [{ name: 'É 商标 "quoted" \\' }] });
  assert.deepEqual(items[1]!.payload, {});
  assert.deepEqual(
    items.slice(2, 4).map((item) => (item.payload as { text: string }).text.length),
    [3_000_000, 1_500_000],
  );
  const plain = await readPage(db, {});
  assert.equal(next_cursor, plain.next_cursor);
});

test('a record that changes while its page is sent is delivered once, later, as it then is [4.6.1, I-20]', async (t) => {
  const { db } = await createTestDatabase(t);
  const payload = { text: 'x'.repeat(1_500_000) };
  await publishRecords(db, buildRecords(4, { payload }));
  const plan = planChanges(parseChanges({ since: '1970-01-01', expand: 'payload' }, null));
  const page = await findChangesPage(db, plan, { horizonSeconds: 0 });
  await publishRecords(db, [{ uid: 'R3', payload, mark_name: 'changed' }]);
  const chunks: Buffer[] = [];
  for await (const chunk of page.items as AsyncIterable<Buffer>) chunks.push(chunk);
  const items: DeliveredItem[] = JSON.parse(`[${Buffer.concat(chunks).toString()}]`);
  assert.deepEqual(identify(items), ['R1', 'R2', 'R4']);
  const rest = await walkChanges(db, { cursor: page.next_cursor!, expand: 'payload' });
  assert.deepEqual(
    rest.items.map((item) => [item.uid, item.mark_name, (item.payload as typeof payload).text.length]),
    [['R3', 'changed', 1_500_000]],
  );
});

test('a record that changes between the horizon and its page is delivered once, at its new place [4.6.1, I-20, I-23]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(3));
  let isFirst = true;
  const racing: Queryable = {
    objects: null,
    query: db.query,
    queryBytes: db.queryBytes,
    copyRows: async (statement, limits) => {
      if (isFirst) await publishRecords(db, [{ uid: 'R2', mark_name: 'changed' }, { uid: 'R4' }]);
      isFirst = false;
      return await db.copyRows(statement, limits);
    },
  };
  const page = await readPage(racing, {});
  assert.deepEqual(identify(page.items), ['R1', 'R3']);
  assert.equal(page.horizon, page.items[1]!.updated_at);
  const rest = await walkChanges(db, { cursor: page.next_cursor! });
  assert.deepEqual(
    rest.items.map(({ uid, mark_name }) => [uid, mark_name]),
    [
      ['R2', 'changed'],
      ['R4', null],
    ],
  );
});

test('a page is searched for again when every record of it has changed before its payload is read [4.6.2, I-20]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(2, { payload: { version: 1 } }));
  let reads = 0;
  const changing: Queryable = {
    objects: null,
    query: db.query,
    queryBytes: db.queryBytes,
    copyRows: async (statement, limits) => {
      reads += 1;
      if (reads === 2) await publishRecords(db, buildRecords(2, { payload: { version: 2 } }));
      return await db.copyRows(statement, limits);
    },
  };
  const page = await readPage(changing, { expand: 'payload' });
  assert.deepEqual(
    page.items.map((item) => [item.uid, item.payload]),
    [
      ['R1', { version: 2 }],
      ['R2', { version: 2 }],
    ],
  );
});

test('a page is read in its order and never sorted, whatever the statistics say of the registers', async (t) => {
  const { url } = await createTestDatabase(t, { isSingle: true });
  // As the server connects: by the key, which is the smaller index, a register of unknown size would have to be sorted.
  const db = await connectTestDatabase(url, { poolMax: 1, settings: READING_SESSION_SETTINGS });
  t.after(() => db.close());
  const insert = (register: Statement, count: number, from: string) =>
    db.query(sql`
      insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
      select ${register}, 'u' || n, stamp, stamp, ''::bytea, repeat('x', 300)
      from (select n, ${from}::timestamptz + n / 100 * interval '1 second' as stamp
        from generate_series(1, ${count}::int) as n) as numbered`);
  const states: (() => Promise<unknown>)[] = [
    () => insert(sql`'X' || n % 5`, 30_000, '2026-01-01'),
    () => db.query(sql`analyze record`),
    // Loaded since the statistics were taken: one large register, all of it later, and one of three records.
    () => insert(sql`'XL'`, 20_000, '2026-02-01'),
    () => insert(sql`'XS'`, 3, '2026-01-01'),
    () => db.query(sql`analyze record`),
  ];
  for (const [state, prepare] of states.entries()) {
    await prepare();
    for (const register of [null, 'X1', 'XL', 'XS', 'ZZ']) {
      for (const since of ['1970-01-01', '2026-01-01T00:01:00Z', '2027-01-01']) {
        const plan = planChanges(parseChanges({ since, limit: '5000' }, register));
        const horizon = '2026-01-01T00:02:00.000000Z';
        for (const statement of [
          itemsStatement(plan, horizon, PLAIN_ITEM),
          waitStatement(plan, { horizonSeconds: 0 }),
        ]) {
          const lines = await db.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`, { prepare: false });
          const shown = lines.map((line) => line['QUERY PLAN']).join('\n');
          const what = `state ${state}, register ${register}, since ${since}\n${shown}`;
          assert.doesNotMatch(shown, /Sort|Seq Scan on record|Bitmap/, what);
        }
      }
    }
  }
});

test('answers over HTTP as a page with its horizon, and refuses by the table of errors [4.6, 4.6.7, I-6, I-23]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  await publishRecords(service.db, buildRecords(2));
  const answer = await service.call('/v1/changes?since=1970-01-01&limit=1', { key });
  const { items, next_cursor } = answer.body as { items: DeliveredItem[]; next_cursor: string };
  assert.deepEqual(
    [answer.status, identify(items), Object.keys(answer.body as object)],
    [200, ['R1'], ['items', 'next_cursor']],
  );
  assert.match(answer.headers['x-change-horizon']!, INSTANT);
  const [clock] = await service.db.query<{ lineage: string }>(sql`select lineage from publish_clock`);
  const asOf = answer.headers['x-change-horizon']!;
  const paths = ['changes?since=1970-01-01', 'changes?since=2999-01-01', 'XA/changes?since=1970-01-01&expand=payload'];
  paths.push('history?since=1970-01-01', 'XA/history?since=2999-01-01', 'snapshots');
  paths.push(`digests?as_of=${asOf}`, `XA/digests?as_of=${asOf}`, `XA/digests/1?as_of=${asOf}`);
  for (const path of paths) {
    const { headers, status } = await service.call(`/records/v1/${path}`, { key });
    assert.deepEqual([status, headers['feed-lineage']], [200, clock!.lineage], path);
  }
  assert.equal('x-poll-after' in answer.headers, false);
  const rest = await service.call(`/records/v1/changes?since=1970-01-01T00:00:00Z&cursor=${next_cursor}`, { key });
  assert.deepEqual(identify((rest.body as { items: DeliveredItem[] }).items), ['R2']);
  const end = (rest.body as { next_cursor: string }).next_cursor;
  const empty = await service.call(`/v1/changes?since=1970-01-01&cursor=${end}`, { key });
  assert.deepEqual([empty.text, empty.headers['x-poll-after']], ['{"items":[],"next_cursor":null}', '1']);
  const refusals: [string, number, string, string | undefined][] = [
    ['/v1/changes', 422, 'validation_error', 'since'],
    ['/v1/changes?since=1970-01-01&limit=0', 422, 'validation_error', 'limit'],
    ['/v1/changes?since=1970-01-01&limit=5001', 422, 'validation_error', 'limit'],
    ['/v1/changes?since=1970-01-01&limit=201&expand=payload', 400, 'invalid_parameter', 'limit'],
    ['/v1/changes?since=soon', 400, 'invalid_parameter', 'since'],
    ['/v1/changes?since=1970-01-01&cursor=abc', 400, 'cursor_invalid', 'cursor'],
    [`/v1/changes?since=1970-01-02&cursor=${end}`, 400, 'cursor_query_mismatch', 'cursor'],
    [`/v1/XA/changes?since=1970-01-01&cursor=${end}`, 400, 'cursor_query_mismatch', 'cursor'],
    ['/v1/ZZ/changes?since=1970-01-01', 404, 'not_found', 'jurisdiction_code'],
    ['/v1/changes?since=1970-01-01&jurisdiction=XA', 400, 'unknown_parameter', 'jurisdiction'],
  ];
  for (const [path, status, code, param] of refusals) {
    const refused = await service.call(path, { key });
    const { error } = refused.body as { error: { code: string; param?: string } };
    assert.deepEqual([refused.status, error.code, error.param], [status, code, param], path);
  }
});
