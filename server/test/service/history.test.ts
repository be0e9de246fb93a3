/** The history of records over HTTP: what an event says, pages of one record, versions, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryEvent } from '@tmds/contract/history';
import type { TrademarkDetail } from '@tmds/contract/record';
import { sql } from '../../src/database/driver/sql.ts';
import { refusalOf, type startService, startWithKey } from '../support/service.ts';
import { foldChanges, pageOf, publishVersions, walkHistory } from '../support/stored-history.ts';

const RECORD = '/v1/XA/trademarks/XA1';

async function startWithHistory(t: Parameters<typeof startService>[0]) {
  const { key, ...service } = await startWithKey(t);
  const call = (path: string) => service.call(path, { key });
  const lookUp = async (): Promise<TrademarkDetail> => (await call(`${RECORD}?expand=payload`)).body as TrademarkDetail;
  return { service, db: service.db, key, call, lookUp };
}

test('says what changed in a record by field, why, and what its payload differs in, newest first', async (t) => {
  const { db, call, lookUp } = await startWithHistory(t);
  const payload = { events: [{ date: '2026-01-01', text: 'filed' }], images: [] };
  await publishVersions(db, [{ mark_name: 'Lumora', nice_classes: [9], payload }]);
  const first = await lookUp();
  await publishVersions(
    db,
    [{ mark_name: 'Lumora', nice_classes: [9, 42], owner_names: ['A Ltd'], payload }],
    'correction',
  );
  const second = await lookUp();
  const later = { ...payload, events: [...payload.events, { date: '2026-02-01', text: 'published' }] };
  await publishVersions(db, [{ mark_name: 'Lumora', nice_classes: [9, 42], payload: later, status: 'Registered' }]);
  const third = await lookUp();
  const { items, next_cursor } = pageOf(await call(`${RECORD}/history`));
  const identity = { jurisdiction_code: 'XA', uid: 'XA1' };
  assert.deepEqual(
    items.map(({ source: _loaded, ...event }) => event),
    [
      {
        ...identity,
        version: third.updated_at,
        previous_version: second.updated_at,
        cause: 'office',
        changes: [
          { field: 'status', old: 'Pending', new: 'Registered' },
          { field: 'owner_names', old: ['a ltd'], new: null },
          { field: 'payload', paths: ['/events/1'], more_paths: 0 },
        ],
      },
      {
        ...identity,
        version: second.updated_at,
        previous_version: first.updated_at,
        cause: 'correction',
        changes: [
          { field: 'nice_classes', old: [9], new: [9, 42] },
          { field: 'owner_names', old: null, new: ['a ltd'] },
        ],
      },
      { ...identity, version: first.updated_at, previous_version: null, cause: 'first', changes: [] },
    ],
  );
  assert.equal(next_cursor, null);
});

test('answers a record as it was under each of its stamps, in any form of the instant, and keeps it permanently', async (t) => {
  const { db, call, lookUp } = await startWithHistory(t);
  const versions: TrademarkDetail[] = [];
  // A payload that stays over several versions, one that goes, and one that comes again.
  const payloads = [{ a: 1 }, { a: 1 }, { a: 1 }, null, null, { a: 2 }];
  for (const [number, payload] of payloads.entries()) {
    await publishVersions(db, [{ mark_name: `Mark ${number}`, payload }]);
    versions.push(await lookUp());
  }
  for (const version of versions) {
    const plain = await call(`${RECORD}/history/${version.updated_at}`);
    const { payload, ...detail } = version;
    assert.deepEqual(plain.body, detail);
    const escaped = `${version.updated_at.slice(0, -1)}+00:00`.replaceAll(':', '%3A').replace('+', '%2B');
    const expanded = await call(`${RECORD}/history/${escaped}?expand=payload`);
    assert.deepEqual(expanded.body, { ...detail, payload });
    assert.match(String(expanded.headers['cache-control']), /^private, max-age=31536000, immutable$/);
  }
  const { updated_at } = versions[0]!;
  const tag = (await call(`${RECORD}/history/${updated_at}`)).headers.etag!;
  await publishVersions(db, [{ mark_name: 'Later' }]);
  const same = await call(`${RECORD}/history/${updated_at}`);
  assert.equal(same.headers.etag, tag);
});

test('what all events say, added to the first version, is the record', async (t) => {
  const { db, call, lookUp } = await startWithHistory(t);
  const states = [
    { mark_name: 'One', owner_names: ['a', 'b'], nice_classes: [1] },
    { mark_name: 'One', owner_names: ['b', 'a'], nice_classes: [1], application_date: '2026-01-01' },
    { mark_name: null, owner_names: ['b', 'a'], expiry_date: '2036-01-01', vienna_codes: ['26.3.23'] },
    { mark_name: 'Two', vienna_codes: ['26.3.23', '1.1.1'], designated_countries: ['FR', 'DE'] },
    { mark_name: 'Two', vienna_codes: ['26.3.23', '1.1.1'], designated_countries: ['FR'], status: 'Cancelled' },
  ];
  for (const state of states) await publishVersions(db, [state]);
  const { items } = pageOf(await call(`${RECORD}/history`));
  const oldestFirst = items.toReversed();
  const first = (await call(`${RECORD}/history/${oldestFirst[0]!.version}`)).body as TrademarkDetail;
  const { payload: _none, ...record } = await lookUp();
  assert.deepEqual({ ...foldChanges(first, oldestFirst), updated_at: record.updated_at }, record);
});

test('goes through a long history by pages of any size, and by what changed and why', async (t) => {
  const { db, call, service, key } = await startWithHistory(t);
  for (let number = 0; number < 12; number += 1) {
    const isMarked = number % 3 === 0;
    await publishVersions(
      db,
      [{ mark_name: `Mark ${Math.floor(number / 3)}`, office: number % 2 === 0 ? 'XA' : 'XB', payload: { number } }],
      isMarked ? 'office' : 'renormalization',
    );
  }
  const all = (await walkHistory(service, `${RECORD}/history?limit=100`, key)).events;
  assert.equal(all.length, 12);
  assert.deepEqual(
    all.map(({ version }) => version),
    all
      .map(({ version }) => version)
      .toSorted()
      .toReversed(),
  );
  for (const limit of [1, 5, 12]) {
    assert.deepEqual((await walkHistory(service, `${RECORD}/history?limit=${limit}`, key)).events, all);
  }
  const having = (test: (event: HistoryEvent) => boolean): HistoryEvent[] => all.filter(test);
  const changed = (name: string) => (event: HistoryEvent) => event.changes.some(({ field }) => field === name);
  const walk = async (query: string) => (await walkHistory(service, `${RECORD}/history?limit=2&${query}`, key)).events;
  assert.deepEqual(await walk('field=mark_name'), having(changed('mark_name')));
  assert.deepEqual(await walk('field=PAYLOAD'), having(changed('payload')));
  assert.deepEqual(
    await walk('cause=office'),
    having(({ cause }) => cause === 'office'),
  );
  assert.deepEqual(
    await walk('cause=first,renormalization&field=mark_name,status'),
    having((event) => event.cause === 'renormalization' && changed('mark_name')(event)),
  );
  assert.deepEqual(await walk('cause=first'), all.slice(-1));
  const page = pageOf(await call(`${RECORD}/history?limit=2`));
  const other = await call(`${RECORD}/history?field=status&cursor=${page.next_cursor}`);
  assert.equal(refusalOf(other).code, 'cursor_query_mismatch');
});

test('a uid that ends as an address of the history does is found when it is escaped, and has a history', async (t) => {
  const { db, call } = await startWithHistory(t);
  const uids = ['a', 'a/b', 'a/history', 'history', '/history', 'a/history/2026-01-01', 'a/history/soon', 'a/history/'];
  await publishVersions(
    db,
    uids.map((uid) => ({ uid })),
  );
  await publishVersions(
    db,
    uids.map((uid) => ({ uid, mark_name: uid })),
  );
  const uidOf = async (path: string) => ((await call(path)).body as TrademarkDetail).uid;
  for (const uid of uids) {
    const path = `/v1/XA/trademarks/${encodeURIComponent(uid)}`;
    assert.equal(await uidOf(path), uid);
    const { items } = pageOf(await call(`${path}/history`));
    assert.deepEqual(
      items.map((event) => [event.uid, event.changes.length]),
      [
        [uid, 1],
        [uid, 0],
      ],
    );
    assert.equal(await uidOf(`${path}/history/${items[1]!.version}`), uid);
    assert.equal(await uidOf(`/records${path}/history/${items[0]!.version}`), uid);
  }
  // Unescaped, what does not end as an address of the history does is still the record.
  for (const uid of ['a/b', 'history', 'a/history/soon', 'a/history/']) {
    assert.equal(await uidOf(`/v1/XA/trademarks/${uid}`), uid);
  }
  assert.equal(pageOf(await call('/v1/XA/trademarks/a/b/history')).items[0]!.uid, 'a/b');
});

test('names the load of a version and its first files, each with its period', async (t) => {
  const { db, call } = await startWithHistory(t);
  await publishVersions(db, [{}]);
  await db.query(sql`
    insert into load_file (load_id, number, name, bytes, digest, period)
    select load_id, number, 'part-' || number, 5000000000 + number, sha256('x'),
      case when number > 20 then '2026-01-' || number end
    from load, generate_series(1, 23) as number`);
  const [event] = pageOf(await call(`${RECORD}/history`)).items;
  const { load_id, ...source } = event!.source!;
  assert.match(load_id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    { ...source, files: source.files.map(({ name }) => name) },
    {
      format: 'ndjson',
      files: Array.from({ length: 20 }, (_, index) => `part-${index + 1}`),
      more_files: 3,
      source_date: null,
    },
  );
  assert.deepEqual(source.files[0], {
    name: 'part-1',
    sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
    bytes: 5_000_000_001,
    period: null,
  });
  await db.query(sql`delete from load`);
  assert.equal(pageOf(await call(`${RECORD}/history`)).items[0]!.source!.format, null);
  await db.query(sql`delete from publish`);
  assert.equal(pageOf(await call(`${RECORD}/history`)).items[0]!.source, null);
});

test('dates each version as its source does, whatever period its file covers', async (t) => {
  const { db, call } = await startWithHistory(t);
  for (const mark_name of ['first', 'second', 'third']) await publishVersions(db, [{ mark_name }]);
  await db.query(sql`
    insert into load_file (load_id, number, name, bytes, digest, period)
    select load_id, 1, 'part', 1, sha256('x'), '2026-05' from load`);
  await db.query(sql`update record set source_version = '20260131.2'`);
  await db.query(sql`
    update record_version set source_version = case detail::json ->> 'mark_name'
      when 'second' then '2026-01-30T23:59:59.000000Z' else '00000000.1' end`);
  const dates = (events: HistoryEvent[]) => events.map(({ source }) => source!.source_date);
  const { items } = pageOf(await call(`${RECORD}/history`));
  assert.deepEqual(dates(items), ['2026-01-31', '2026-01-30', null]);
  const feed = pageOf(await call('/v1/history?since=2020-01-01'));
  assert.deepEqual(dates(feed.items), [null, '2026-01-30', '2026-01-31']);
  assert.equal(feed.items[0]!.source!.files[0]!.period, '2026-05');
});

test('refuses what the history cannot mean, and what is not there, as every endpoint does [I-5, I-6, I-15, I-17, I-28]', async (t) => {
  const { db, call, service, key } = await startWithHistory(t);
  await publishVersions(db, [{}]);
  const stamp = pageOf(await call(`${RECORD}/history`)).items[0]!.version;
  const refusals: [path: string, status: number, code: string, param?: string][] = [
    ['/v1/XA/trademarks/none/history', 404, 'not_found'],
    ['/v1/XB/trademarks/XA1/history', 404, 'not_found', 'jurisdiction_code'],
    ['/v1/XA/trademarks/a%00b/history', 404, 'not_found'],
    [`${RECORD}/history/2026-01-01`, 404, 'not_found'],
    [`/v1/XA/trademarks/none/history/${stamp}`, 404, 'not_found'],
    [`${RECORD}/history/2026-02-30`, 400, 'invalid_parameter', 'version'],
    [`${RECORD}/history/2026-01-01T25:00`, 400, 'invalid_parameter', 'version'],
    [`${RECORD}/history/${stamp}?expand=all`, 422, 'validation_error', 'expand'],
    [`${RECORD}/history/${stamp}?limit=1`, 400, 'unknown_parameter', 'limit'],
    [`${RECORD}/history?limit=0`, 422, 'validation_error', 'limit'],
    [`${RECORD}/history?limit=101`, 422, 'validation_error', 'limit'],
    [`${RECORD}/history?field=uid`, 400, 'invalid_parameter', 'field'],
    [`${RECORD}/history?field=status,`, 400, 'invalid_parameter', 'field'],
    [`${RECORD}/history?cause=none`, 400, 'invalid_parameter', 'cause'],
    [`${RECORD}/history?since=2026-01-01`, 400, 'unknown_parameter', 'since'],
    [`${RECORD}/history?q=x`, 400, 'reserved_parameter', 'q'],
    [`${RECORD}/history?cursor=abc`, 400, 'cursor_invalid', 'cursor'],
    ['/v1/history', 422, 'validation_error', 'since'],
    ['/v1/history?since=yesterday', 400, 'invalid_parameter', 'since'],
    ['/v1/history?since=2026-01-01&limit=501', 422, 'validation_error', 'limit'],
    ['/v1/history?since=2026-01-01&expand=payload', 400, 'unknown_parameter', 'expand'],
    ['/v1/history?since=2026-01-01&since=2026-01-01', 400, 'invalid_parameter', 'since'],
    ['/v1/history?since=2026-01-01&nice_class=46', 400, 'invalid_parameter', 'nice_class'],
    ['/v1/history?since=2026-01-01&mark_name_contains=abc', 400, 'query_too_broad', 'mark_name_contains'],
    ['/v1/XA/history?since=2026-01-01&jurisdiction=XA', 400, 'unknown_parameter', 'jurisdiction'],
    ['/v1/XZ/history?since=2026-01-01', 404, 'not_found', 'jurisdiction_code'],
  ];
  for (const [path, status, code, param] of refusals) {
    assert.deepEqual(refusalOf(await call(path)), { status, code, param }, path);
  }
  assert.equal(refusalOf(await service.call(`${RECORD}/history`)).code, 'unauthorized');
  const posted = await service.call(`${RECORD}/history`, { key, method: 'POST' });
  assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET']);
});

test('a call costs one unit, also for a page without events and for what is not there [I-28]', async (t) => {
  const { db, service, call } = await startWithHistory(t);
  await publishVersions(db, [{}]);
  const { key } = await service.issue({ quota: 5 });
  const since = '/v1/history?since=2026-01-01';
  for (const path of [since, `${since}&cause=removal`, `${RECORD}/history`, `${RECORD}/history/2026-01-01`]) {
    await service.call(path, { key });
  }
  await service.call(`${since}&limit=0`, { key });
  assert.equal((await service.call(since, { key })).status, 200);
  assert.equal(refusalOf(await service.call(since, { key })).code, 'quota_exceeded');
  assert.equal((await call(since)).status, 200);
});
