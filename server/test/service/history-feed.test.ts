/** The feed of the history: its order, its horizon, its cursors, what a page reads, and how it is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryEvent } from '@tmds/contract/history';
import { ApiError } from '../../src/base/errors.ts';
import type { Queryable } from '../../src/database/driver/db.ts';
import { READING_SESSION_SETTINGS } from '../../src/database/driver/session-settings.ts';
import { type Statement, sql } from '../../src/database/driver/sql.ts';
import { parseHistory, parseRecordHistory } from '../../src/parse/history.ts';
import { planHistory } from '../../src/plan/history.ts';
import { toApiError } from '../../src/render/failure.ts';
import { advanceClock } from '../../src/store/publish/announce.ts';
import { publishBatch } from '../../src/store/publish/publish.ts';
import { listStatement, recordStatement } from '../../src/store/records/history.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { startWithKey } from '../support/service.ts';
import {
  type HistoryValues,
  pageOf,
  publishVersions,
  type ReadOptions,
  readEvents,
  walkEvents,
  walkHistory,
} from '../support/stored-history.ts';
import { listVersions } from '../support/versions.ts';
import { createSkewedDatabase } from '../torture/clock.ts';
import { buildRecords, publishRecords, stageRecords } from '../torture/publish.ts';

const nameOf = ({ jurisdiction_code, uid, version }: HistoryEvent): string => `${jurisdiction_code} ${uid} ${version}`;
const uidsOf = (events: readonly HistoryEvent[]): string[] => events.map(({ uid }) => uid);

test('delivers every version of every record once, in the order of change, register and uid', async (t) => {
  const { db } = await createTestDatabase(t);
  const both = ['XB', 'XA'].flatMap((jurisdiction_code) => buildRecords(3, { jurisdiction_code }));
  await publishRecords(db, both);
  await publishVersions(
    db,
    both.slice(1, 5).map((fields) => ({ ...fields, mark_name: 'second' })),
    'correction',
  );
  await publishVersions(db, [{ ...both[1], mark_name: 'third' }]);
  const { events } = await walkEvents(db);
  assert.deepEqual(
    events.map(
      ({ jurisdiction_code, uid, cause, changes }) => `${jurisdiction_code} ${uid} ${cause} ${changes.length}`,
    ),
    [
      ...['XA R1 first 0', 'XA R2 first 0', 'XA R3 first 0', 'XB R1 first 0', 'XB R2 first 0', 'XB R3 first 0'],
      ...['XA R1 correction 1', 'XA R2 correction 1', 'XB R2 correction 1', 'XB R3 correction 1', 'XB R2 office 1'],
    ],
  );
  for (const limit of ['1', '2', '4', '11']) assert.deepEqual((await walkEvents(db, { limit })).events, events, limit);
  const scoped = await walkEvents(db, { limit: '2' }, { register: 'xb' });
  assert.deepEqual(
    scoped.events,
    events.filter(({ jurisdiction_code }) => jurisdiction_code === 'XB'),
  );
  const since = events[8]!.version;
  assert.deepEqual((await walkEvents(db, { since })).events, events.slice(6), 'since is inclusive');
  await assert.rejects(readEvents(db, {}, { register: 'XC' }), (error) => toApiError(error).code === 'not_found');
});

test('a cursor is bound to since, scope and filters however they are written, and never expires [I-17, I-19]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(3));
  const values = { since: '2026-01-01', status: 'pending, Registered', field: 'status,payload', limit: '1' };
  const { next_cursor: cursor } = await readEvents(db, values);
  const equal = {
    since: '2026-01-01T01:00:00+01:00',
    status: 'Registered,Pending',
    field: 'PAYLOAD,status',
    limit: '7',
  };
  await readEvents(db, { ...equal, cursor: cursor! });
  const others: [HistoryValues, ReadOptions?][] = [
    [{ ...values, since: '2026-01-02' }],
    [{ ...values, status: 'Pending' }],
    [{ ...values, field: 'status' }],
    [{ ...values, cause: 'office' }],
    [values, { register: 'XA' }],
  ];
  for (const [other, options] of others) {
    await assert.rejects(
      readEvents(db, { ...other, cursor: cursor! }, options),
      (error) => error instanceof ApiError && error.code === 'cursor_query_mismatch',
    );
  }
});

test('ends at the horizon, which waits for a publish that is held, and says when to ask again [4.6.4, I-21, I-23]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  await publishRecords(db, buildRecords(2));
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrive = (): void => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const loadId = await stageRecords(db, buildRecords(2, { mark_name: 'held' }));
  const done = publishBatch(db, loadId, 1, {
    onStep: async (at) => {
      if (at !== 'written') return;
      arrive();
      await released;
    },
  });
  await held;
  const others = publishRecords(db, buildRecords(2, { mark_name: 'other' }));
  await step(10);
  const horizon = { horizonSeconds: 2 };
  const before = await walkEvents(db, {}, horizon);
  assert.deepEqual(uidsOf(before.events), ['R1', 'R2']);
  const empty = await readEvents(db, { cursor: before.cursor! }, horizon);
  assert.deepEqual([empty.horizon, empty.next_cursor, empty.nextPollSeconds], [before.events[0]!.version, null, 2]);
  release();
  await Promise.all([done, others]);
  const waiting = await readEvents(db, { cursor: before.cursor! }, { horizonSeconds: 300 });
  assert.deepEqual([waiting.items, waiting.next_cursor], [[], null]);
  assert.ok(waiting.nextPollSeconds! > 280 && waiting.nextPollSeconds! <= 300, String(waiting.nextPollSeconds));
  await step(10);
  const rest = await walkEvents(db, { cursor: before.cursor! }, horizon);
  assert.deepEqual(
    rest.events.map(({ uid, changes }) => `${uid} ${JSON.stringify(changes[0])}`),
    ['null,"new":"held"', '"held","new":"other"'].flatMap((texts) =>
      ['R1', 'R2'].map((uid) => `${uid} {"field":"mark_name","old":${texts}}`),
    ),
  );
});

test('loses and repeats nothing while records change between and during pages', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(6, { payload: { n: 0 } }));
  let publishes = 0;
  const publish = async (): Promise<void> => {
    publishes += 1;
    const first = publishes % 4;
    await publishRecords(
      db,
      buildRecords(6, { mark_name: `m${publishes}`, payload: { n: Math.floor(publishes / 2) } }).slice(
        first,
        first + 3,
      ),
    );
  };
  let reads = 0;
  const changing: Queryable = {
    ...db,
    query: async (statement, options) => {
      reads += 1;
      if (reads % 3 === 0 && publishes < 20) await publish();
      return await db.query(statement, options);
    },
  };
  const walked = await walkEvents(changing, { limit: '4' });
  const rest = await walkEvents(db, { cursor: walked.cursor! });
  const told = [...walked.events, ...rest.events];
  const stored = await listVersions(db);
  assert.equal(publishes, 20);
  assert.deepEqual(
    told.map(nameOf).toSorted(),
    stored.map(({ uid, updated_at }) => `XA ${uid} ${updated_at}`).toSorted(),
  );
  assert.deepEqual((await walkEvents(db, { limit: '500' })).events, told, 'a history that is read again is the same');
});

test('a page with filters may be empty and still have a cursor; it has none only when nothing is left', async (t) => {
  const { key, ...service } = await startWithKey(t);
  await publishRecords(service.db, [{ uid: 'a', mark_name: 'Wanted' }]);
  await service.db.query(sql`
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
    select 'XB', 'u' || n, last_stamp + n * interval '1 microsecond', last_stamp, ''::bytea, '{}'
    from generate_series(1, 11000) as n, publish_clock`);
  const [newest] = await service.db.query<{ stamp: string }>(sql`select max(updated_at)::text as stamp from record`);
  await service.db.query(sql`update publish_clock set ${advanceClock(sql`${newest!.stamp}::timestamptz`)}`);
  await publishVersions(service.db, [{ uid: 'a', mark_name: 'Changed' }]);
  const query = '/v1/history?since=1970-01-01&cause=office&limit=1';
  const { events, pages, cursor } = await walkHistory(service, query, key);
  assert.deepEqual(uidsOf(events), ['a']);
  assert.equal(pages, 4);
  const first = await service.call(query, { key });
  assert.deepEqual(pageOf(first).items, []);
  assert.notEqual(pageOf(first).next_cursor, null);
  assert.equal(first.headers['x-poll-after'], undefined);
  const last = await service.call(`${query}&cursor=${cursor}`, { key });
  assert.equal(pageOf(last).next_cursor, null);
  assert.ok(Number(last.headers['x-poll-after']) >= 1);
  assert.match(String(last.headers['x-change-horizon']), /Z$/);
});

test('a page reads a bounded number of bytes, however large payloads are, and the next one goes on', async (t) => {
  const { db } = await createTestDatabase(t);
  const text = 'x'.repeat(1_500_000);
  const records = buildRecords(8).map((fields) => ({ ...fields, payload: { text, last: 1 } }));
  await publishRecords(db, records);
  await publishRecords(
    db,
    records.map((fields) => ({ ...fields, payload: { text, last: 2 } })),
  );
  let bytesMax = 0;
  const measuring: Queryable = {
    ...db,
    query: async (statement, options) => {
      const rows = await db.query(statement, options);
      bytesMax = Math.max(bytesMax, JSON.stringify(rows).length);
      return rows as never;
    },
  };
  const page = await readEvents(measuring, { field: 'payload' });
  assert.ok(page.items.length >= 4 && page.items.length < 8, String(page.items.length));
  assert.ok(bytesMax < 4_000_000, String(bytesMax));
  const { events } = await walkEvents(db, { field: 'payload' });
  assert.deepEqual(uidsOf(events), uidsOf(records as never));
  for (const { changes } of events) assert.deepEqual(changes, [{ field: 'payload', paths: ['/last'], more_paths: 0 }]);
});

test('a page is read in its order by the indexes, whatever the statistics say, and never sorted as a whole', async (t) => {
  const { url } = await createTestDatabase(t, { isSingle: true });
  const db = await connectTestDatabase(url, { poolMax: 1, settings: READING_SESSION_SETTINGS });
  t.after(() => db.close());
  const insert = (register: Statement, count: number, from: string) =>
    db.query(sql`
      with numbered as (
        select ${register} as code, 'u' || n as uid, ${from}::timestamptz + n / 100 * interval '1 second' as stamp
        from generate_series(1, ${count}::int) as n
      ), kept as (
        insert into record_version (jurisdiction_code, uid, updated_at, replaced_at, cause, detail, has_document)
        select code, uid, stamp, stamp + interval '1 day', 'office', repeat('x', 300), false from numbered
      )
      insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
      select code, uid, stamp + interval '1 day', stamp, ''::bytea, repeat('x', 300) from numbered`);
  const states: (() => Promise<unknown>)[] = [
    () => insert(sql`'X' || n % 5`, 30_000, '2026-01-01'),
    () => db.query(sql`analyze record, record_version`),
    () => insert(sql`'XL'`, 20_000, '2026-02-01'),
    () => insert(sql`'XS'`, 3, '2026-01-01'),
    () => db.query(sql`analyze record, record_version`),
  ];
  for (const [state, prepare] of states.entries()) {
    await prepare();
    const statements = [
      recordStatement(parseRecordHistory({}, { register: 'XL', uid: 'u7' }), 26),
      recordStatement(parseRecordHistory({ cause: 'first' }, { register: 'XL', uid: 'u7' }), 5001),
    ];
    for (const register of [null, 'X1', 'XL', 'XS', 'ZZ']) {
      for (const since of ['1970-01-01', '2026-01-01T00:01:00Z', '2027-01-01']) {
        for (const cause of [{}, { cause: 'office' }]) {
          statements.push(listStatement(planHistory(parseHistory({ since, limit: '500', ...cause }, register)), 0));
        }
      }
    }
    for (const statement of statements) {
      const lines = await db.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`, { prepare: false });
      const shown = lines.map((line) => line['QUERY PLAN']).join('\n');
      // Single rows are sorted, such as the payload of a record.
      assert.doesNotMatch(
        shown,
        /Seq Scan on (record|payload)|Bitmap|Sort {2}\(.*rows=(?![12] )/,
        `state ${state}\n${shown}`,
      );
    }
  }
});
