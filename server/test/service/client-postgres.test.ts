/** The replica in PostgreSQL: what it waits out, what it refuses, how it is repaired, and what queries find in it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { TrademarkClient } from '../../../client/src/main.ts';
import { openPostgresSink, ReplicaError, repair, replicate, verify } from '../../../client/src/replica/main.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const US = { jurisdiction_code: 'US' };

interface Scene {
  service: TestService;
  client: TrademarkClient;
  place: TestDatabase;
}

async function setScene(t: TestContext): Promise<Scene> {
  const service = await startService(t);
  await publishRecords(service.db, [
    ...buildRecords(20, US),
    {
      ...{ ...US, uid: 'owned', owner_names: ['Acme Inc.', 'Bolt GmbH'], nice_classes: [9, 42] },
      ...{ application_number: '97/1', registration_number: '5', payload: { a: [1, null] } },
    },
  ]);
  const { key } = await service.issue();
  const place = await createTestDatabase(t, { migrated: false });
  return { service, place, client: new TrademarkClient({ apiKey: key, baseUrl: service.url }) };
}

const listOwners = ({ db }: TestDatabase): Promise<{ uid: string }[]> =>
  db.query<{ uid: string }>(sql`
    select uid || ' ' || owner_name || ' ' || (select string_agg(nice_class::text, ',' order by nice_class)
      from trademark_classes where trademark_classes.uid = trademark_owners.uid) as uid
    from trademark_owners where uid = 'owned' order by owner_name`);

/** Of this test only: other tests have replicas in the same cluster. Resolves when they have ended. */
const endReplicas = ({ db }: TestDatabase): Promise<unknown> =>
  db.query(sql`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where application_name = 'tmds-replica' and datname = current_database()`);

test('a follower goes on after its connection to PostgreSQL was ended, and saves nothing twice [4.6.1]', async (t) => {
  const { service, client, place } = await setScene(t);
  const sink = await openPostgresSink(place.url);
  await replicate({ client, sink });
  await publishRecords(service.db, buildRecords(3, { ...US, mark_name: 'LATER' }));
  await endReplicas(place);
  const seen: string[] = [];
  const stop = new AbortController();
  const { position } = await replicate({
    client,
    sink,
    mode: 'follow',
    signal: stop.signal,
    onStep: ({ event }) => {
      seen.push(event.kind);
      if (event.kind === 'end_saved') stop.abort();
    },
  });
  assert.deepEqual([seen.at(0), seen.at(-1), position.delivered], ['fault', 'end_saved', 24]);
  assert.equal((await verify({ client, sink })).equal, true);
  await sink.close();
});

test('keeps tables of owners and classes, and indexes of dates, in step with the records', async (t) => {
  const { service, client, place } = await setScene(t);
  const sink = await openPostgresSink(place.url);
  await replicate({ client, sink });
  assert.deepEqual(
    (await listOwners(place)).map(({ uid }) => uid),
    ['owned acme inc. 9,42', 'owned bolt gmbh 9,42'],
  );
  const change = { ...US, uid: 'owned', owner_names: ['Other'], nice_classes: [35] };
  await publishRecords(service.db, [change]);
  await replicate({ client, sink });
  assert.deepEqual(
    (await listOwners(place)).map(({ uid }) => uid),
    ['owned other 35'],
  );
  const cookbook = await readFile(new URL('../../../client/cookbook.md', import.meta.url), 'utf8');
  const queries = [...cookbook.matchAll(/```sql\n([\s\S]*?)```/g)].map((match) => match[1]!);
  const reader = new pg.Client({ connectionString: place.url });
  await reader.connect();
  for (const query of queries) await reader.query(query);
  await reader.end();
  assert.ok(queries.length >= 5);
  const indexes = await place.db.query<{ indexname: string }>(
    sql`select indexname from pg_indexes where indexname = 'trademarks_opposition_period_end'`,
  );
  assert.equal(indexes.length, 1);
  await sink.close();
});

test('a PostgreSQL replica without the table of numbers gets it when it first follows, in batches [I-11]', async (t) => {
  const { service, client, place } = await setScene(t);
  const follow = async (): Promise<void> => {
    const sink = await openPostgresSink(place.url);
    await replicate({ client, sink });
    await sink.close();
  };
  const listNumbers = () =>
    place.db.query<{ number: string; rows: number }>(sql`
      select min(number) filter (where uid = 'owned' and kind = 'application_number') as number, count(*)::int as rows
      from trademark_numbers`);
  await follow();
  assert.deepEqual(await listNumbers(), [{ number: '97/1', rows: 2 }]);
  await place.db.query(sql`insert into trademarks (jurisdiction_code, uid, status, application_number, first_seen_at,
      updated_at) select 'EM', 'E' || n, 'Pending', 'N' || n, now(), now() from generate_series(1, 5001) as n`);
  // As an older client leaves it, and a process that was killed while it made the table.
  await place.db.query(sql`alter table trademark_numbers rename to trademark_numbers_unfinished`);
  await place.db.query(sql`update trademark_numbers_unfinished set number = 'OLD'`);
  await place.db.query(sql`drop index trademarks_application_number`);
  await publishRecords(service.db, [{ ...US, uid: 'owned', application_number: '97/2' }]);
  await follow();
  assert.deepEqual(await listNumbers(), [{ number: '97/2', rows: 5002 }]);
  const made = await place.db.query<{ relname: string }>(sql`select relname from pg_class
    where relname in ('trademark_numbers_unfinished', 'trademarks_application_number')`);
  assert.deepEqual(made, [{ relname: 'trademarks_application_number' }]);
  await publishRecords(service.db, [{ ...US, uid: 'owned', application_number: null, registration_number: 'b' }]);
  await follow();
  const held = await place.db.query(sql`select kind, number from trademark_numbers where jurisdiction_code = 'US'`);
  assert.deepEqual(held, [{ kind: 'registration_number', number: 'B' }]);
});

test('verifies payloads and repairs what differs in PostgreSQL', async (t) => {
  const { client, place } = await setScene(t);
  const sink = await openPostgresSink(place.url);
  await replicate({ client, sink, expand: 'payload' });
  const equal = await verify({ client, sink });
  assert.deepEqual([equal.equal, equal.payloads], [true, { state: 'compared', compared: 21 }]);
  await place.db.query(sql`update trademarks set payload = '{"a": [2]}' where uid = 'owned'`);
  await place.db.query(sql`update trademarks set mark_name = 'WRONG' where uid = (select min(uid) from trademarks)`);
  await place.db.query(sql`delete from trademarks where uid = (select max(uid) from trademarks where uid <> 'owned')`);
  const { differences } = await verify({ client, sink });
  assert.deepEqual(differences.map(({ difference }) => difference).sort(), ['content', 'missing', 'payload']);
  assert.equal(await repair({ client, sink, differences }), 3);
  assert.equal((await verify({ client, sink })).equal, true);
  await sink.close();
});

test('a follower that verifies finds and repairs an altered row, and keeps in PostgreSQL how that ended', async (t) => {
  const { client, place } = await setScene(t);
  const sink = await openPostgresSink(place.url);
  await replicate({ client, sink });
  await place.db.query(sql`alter table trademarks_replica drop column verification`);
  await place.db.query(sql`update trademarks set mark_name = 'ALTERED' where uid = 'owned'`);
  const stop = new AbortController();
  await replicate({
    ...{ client, sink, mode: 'follow', signal: stop.signal, verify: { everyMs: 300_000, repair: true } },
    onStep: ({ event }) => {
      if (event.kind === 'end_saved') stop.abort();
    },
  });
  const { verified_at, as_of, ...outcome } = (await sink.find())!.verification!;
  assert.ok(Date.parse(verified_at) > 0 && as_of > '2026');
  assert.deepEqual(outcome, {
    ...{ equal: true, records: 21, differences: 1, named: ['US/owned'], derived: [], repaired: 1 },
    ...{ payloads: 'not_replicated', calls: 4 },
  });
  await sink.close();
});

test('compares and makes again what PostgreSQL holds of owners and classes, and repairs itself when the service has gone back [I-47]', async (t) => {
  const { service, client, place } = await setScene(t);
  const sink = await openPostgresSink(place.url);
  const notes: string[] = [];
  const run = () => replicate({ client, sink, onNote: (note) => void notes.push(note) });
  const first = (await run()).position.lineage;
  assert.ok(first);
  await place.db.query(sql`delete from trademark_owners where owner_name = 'acme inc.'`);
  await place.db.query(sql`delete from trademark_classes`);
  await place.db.query(sql`insert into trademark_classes values (45, 'US', 'owned')`);
  await place.db.query(sql`update trademark_numbers set number = '1' where kind = 'application_number'`);
  const broken = await verify({ client, sink });
  assert.deepEqual(
    [broken.equal, broken.differences, broken.derived],
    [
      false,
      [],
      [
        { table: 'trademark_owners', rows: 2, missing: 1, extra: 0 },
        { table: 'trademark_classes', rows: 2, missing: 2, extra: 1 },
        { table: 'trademark_numbers', rows: 2, missing: 1, extra: 1 },
      ],
    ],
  );
  await repair({ client, sink, differences: [], derived: broken.derived.map(({ table }) => table) });
  assert.equal((await verify({ client, sink })).equal, true);

  // As a replica of an earlier version that was kept while the service went back.
  await place.db.query(sql`alter table trademarks_replica drop column lineage`);
  const again = await openPostgresSink(place.url);
  const { position } = await replicate({ client, sink: again });
  assert.equal(position.lineage, first);
  await place.db.query(sql`update trademarks set mark_name = 'LOST', owner_names = '{lost}' where uid = 'owned'`);
  await service.db.query(sql`update publish_clock set lineage = gen_random_uuid()`);
  const renewed = (await run()).position.lineage;
  assert.notEqual(renewed, first);
  assert.deepEqual(notes, [
    'the service has gone back: a backup was restored, or a fail-over lost changes; comparing every record',
    'the replica equals the service again: 1 records repaired',
  ]);
  assert.equal((await verify({ client, sink })).equal, true);
  assert.deepEqual(
    (await listOwners(place)).map(({ uid }) => uid),
    ['owned acme inc. 9,42', 'owned bolt gmbh 9,42'],
  );
  await sink.close();
  await again.close();
});

test('a reader whose connection was ended says that it can be asked again, and hands on what its caller throws', async (t) => {
  const { client, place } = await setScene(t);
  const sink = await openPostgresSink(place.url);
  for await (const _ of sink.listRecords()) assert.fail('nothing is there yet');
  await replicate({ client, sink });
  const cut = sink.read(async ({ listRecords }) => {
    await endReplicas(place);
    for await (const _ of listRecords()) assert.fail('the connection is gone');
  });
  await assert.rejects(cut, (error) => error instanceof ReplicaError && error.retryable);
  const own = new RangeError('mine');
  await assert.rejects(
    sink.read(() => Promise.reject(own)),
    own,
  );
  await sink.close();
});

test('a PostgreSQL replica of the first form goes on, caught up at nothing or at much', async (t) => {
  const { service, client, place } = await setScene(t);
  for (const since of [undefined, '2100-01-01']) {
    const sink = await openPostgresSink(place.url);
    await replicate({ client, sink, since });
    await place.db.query(sql`alter table trademarks_replica drop column search`);
    await place.db.query(sql`update trademarks_replica set form = 1`);
    await publishRecords(service.db, [{ ...US, uid: 'later', mark_name: `${since}` }]);
    const { position } = await replicate({ client, sink, since });
    assert.equal(position.delivered, since === undefined ? 22 : 0);
    await sink.close();
    await place.db.query(
      sql`drop table trademarks, trademarks_replica, trademark_owners, trademark_classes, trademark_numbers`,
    );
  }
});

test('refuses a database with a table of that name, makes nothing before the first page, and waits for one that is away', async (t) => {
  const { place } = await setScene(t);
  const refused = new TrademarkClient({ apiKey: 'wrong', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
  const listTables = () => place.db.query(sql`select tablename from pg_tables where schemaname = 'public'`);
  const sink = await openPostgresSink(place.url);
  await assert.rejects(replicate({ client: refused, sink, patienceMs: 0 }), /no answer/);
  assert.deepEqual(await listTables(), []);
  await place.db.query(sql`create table trademarks (mine text)`);
  await assert.rejects(replicate({ client: refused, sink }), /is not a replica: it was not changed/);
  assert.equal((await listTables()).length, 1);
  await sink.close();
  const away = await openPostgresSink('postgres://u@127.0.0.1:1/d');
  await assert.rejects(away.find(), (error) => error instanceof ReplicaError && error.retryable);
  await away.close();
});
