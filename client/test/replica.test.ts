import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TrademarkDetail } from '@tmds/contract/record';
import { makeFolder } from '../../server/test/support/folder.ts';
import { TrademarkClient } from '../src/client.ts';
import { isApiError, TrademarkProtocolError } from '../src/errors.ts';
import { openNdjsonSink } from '../src/replica/ndjson.ts';
import { type ReplicateOptions, replicate } from '../src/replica/replicate.ts';
import { ReplicaError, type ReplicaSink } from '../src/replica/sink.ts';
import { openSqliteSink } from '../src/replica/sqlite.ts';
import { verify } from '../src/replica/verify.ts';
import { buildAnswer, buildFetch, buildRecord, buildRefusal } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, type FakeService, HORIZON_MS, nameOf } from './support/service.ts';

const WHOLE = { since: '1970-01-01', jurisdiction_code: null, expand: null, search: null } as const;

type OpenSink = (folder: string) => Promise<ReplicaSink>;
const SINKS: Record<string, OpenSink> = {
  sqlite: (folder) => openSqliteSink(join(folder, 'marks.db')),
  ndjson: (folder) => openNdjsonSink(join(folder, 'marks')),
};

function buildClient(service: Pick<FakeService, 'fetch'>): TrademarkClient {
  const clock = buildSimulatedClock();
  return new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch: service.fetch, clock });
}

function buildOptions(service: Pick<FakeService, 'fetch'>, sink: ReplicaSink): ReplicateOptions {
  return { client: buildClient(service), sink, clock: buildSimulatedClock(), random: () => 0, limit: 3 };
}

async function readAll(sink: ReplicaSink): Promise<Map<string, unknown>> {
  const records = new Map<string, unknown>();
  for await (const { payload: _payload, ...record } of sink.listRecords() as AsyncIterable<TrademarkDetail>) {
    assert.ok(!records.has(nameOf(record)), 'a record is listed once');
    records.set(nameOf(record), { ...record });
  }
  return records;
}

function listServed(service: FakeService): Map<string, unknown> {
  return new Map([...service.records].map(([name, { payload: _payload, ...record }]) => [name, record]));
}

const uids = (count: number, code = 'US'): Partial<TrademarkDetail>[] =>
  Array.from({ length: count }, (_, index) => ({ jurisdiction_code: code, uid: `${code}-${index}` }));

/** What follows from records of which each has two owners, two classes and a number. */
const listDerived = (records: number) =>
  Object.entries({ trademark_owners: 2, trademark_classes: 2, trademark_numbers: 1 }).map(([table, each]) => ({
    ...{ table, rows: records * each, missing: 0, extra: 0 },
  }));

for (const [kind, openSink] of Object.entries(SINKS)) {
  test(`${kind}: bootstraps from the beginning of the feed to what the service holds [4.6.1, 4.6.5]`, async (t) => {
    const folder = makeFolder(t);
    const service = buildService({ build: buildRecord });
    service.publish([
      ...uids(7),
      ...uids(2, 'EM'),
      { uid: 'ü "quoted"\n', owner_names: ['商标', "o'neill"], nice_classes: null },
    ]);
    service.advance(HORIZON_MS);
    const sink = await openSink(folder);
    const state = await replicate(buildOptions(service, sink));
    assert.equal(state.kind, 'caught_up');
    assert.equal(state.position.delivered, 10);
    assert.deepEqual(await readAll(sink), listServed(service));
    assert.equal(await sink.countRecords(), 10);
    await sink.close();
  });

  test(`${kind}: a later session goes on from the saved position, kept over empty pages [4.6.1, 4.6.3]`, async (t) => {
    const folder = makeFolder(t);
    const service = buildService({ build: buildRecord });
    service.publish(uids(5));
    service.advance(HORIZON_MS);
    for (let session = 0; session < 3; session += 1) {
      const sink = await openSink(folder);
      await replicate(buildOptions(service, sink));
      await sink.close();
    }
    service.publish([{ uid: 'US-1', mark_name: 'CHANGED' }]);
    service.advance(HORIZON_MS);
    const sink = await openSink(folder);
    const state = await replicate(buildOptions(service, sink));
    assert.equal(state.position.delivered, 6);
    assert.deepEqual(await readAll(sink), listServed(service));
    assert.deepEqual(
      service.pages.map(({ sent }) => sent.length),
      [3, 2, 0, 0, 0, 1, 0],
    );
    await sink.close();
  });

  test(`${kind}: refuses to go on with another scope, since cursors are bound to it [I-19]`, async (t) => {
    const folder = makeFolder(t);
    const service = buildService({ build: buildRecord });
    service.publish(uids(1));
    service.advance(HORIZON_MS);
    const first = await openSink(folder);
    await replicate(buildOptions(service, first));
    await first.close();
    const others = [{ since: '2026-01-01' }, { jurisdiction_code: 'US' }, { expand: 'payload' }] as const;
    for (const other of others) {
      const sink = await openSink(folder);
      await assert.rejects(replicate({ ...buildOptions(service, sink), ...other }), ReplicaError);
      await sink.close();
    }
  });

  test(`${kind}: of two writers on one replica, the one that fell behind stops`, async (t) => {
    const folder = makeFolder(t);
    const service = buildService({ build: buildRecord });
    service.publish(uids(9));
    service.advance(HORIZON_MS);
    const slow = await openSink(folder);
    const from = await slow.open(WHOLE);
    const fast = await openSink(folder);
    await replicate(buildOptions(service, fast));
    await assert.rejects(slow.save([buildRecord()], from, { ...from, cursor: 'c', delivered: 1 }), ReplicaError);
    assert.deepEqual(await readAll(fast), listServed(service));
    await fast.close();
    await slow.close();
  });

  test(`${kind}: names a record that differs by one byte, one that is missing and one too many`, async (t) => {
    const folder = makeFolder(t);
    const service = buildService({ build: buildRecord });
    service.publish([...uids(200), ...uids(40, 'EM'), ...uids(3, 'DE')]);
    service.advance(HORIZON_MS);
    const sink = await openSink(folder);
    const { position } = await replicate({ ...buildOptions(service, sink), limit: 100 });
    const equal = await verify({ client: buildClient(service), sink });
    assert.deepEqual(equal, {
      equal: true,
      as_of: position.complete_to,
      records: 243,
      unsettled: 0,
      differences: [],
      differencesCapped: false,
      unnamedBuckets: 0,
      payloads: { state: 'not_replicated', compared: 0 },
      derived: kind === 'ndjson' ? [] : listDerived(243),
      calls: 1,
    });

    const wrong = { ...service.records.get('US US-17')!, mark_name: 'EXAMPLF' };
    const extra = { ...wrong, jurisdiction_code: 'FR', uid: 'FR-1' };
    await sink.save([wrong, extra], position, { ...position, delivered: position.delivered + 2 });
    const stamps = { updated_at: '2025-12-31T00:00:00.000000Z', first_seen_at: '2025-12-31T00:00:00.000000Z' };
    service.records.set('EM EM-new', buildRecord({ jurisdiction_code: 'EM', uid: 'EM-new', ...stamps }));
    const { calls, differences, ...found } = await verify({ client: buildClient(service), sink });
    assert.deepEqual(found, {
      equal: false,
      as_of: position.complete_to,
      records: 244,
      unsettled: 0,
      differencesCapped: false,
      unnamedBuckets: 0,
      payloads: { state: 'not_replicated', compared: 0 },
      derived: kind === 'ndjson' ? [] : listDerived(244),
    });
    assert.deepEqual(
      [...differences].sort((a, b) => (a.uid < b.uid ? -1 : 1)),
      [
        { jurisdiction_code: 'EM', uid: 'EM-new', difference: 'missing' },
        { jurisdiction_code: 'FR', uid: 'FR-1', difference: 'extra' },
        { jurisdiction_code: 'US', uid: 'US-17', difference: 'content' },
      ],
    );
    assert.ok(calls <= 9, `${calls} calls`);
    await sink.close();
  });

  test(`${kind}: when the service has gone back, it compares and repairs itself, once, and says so [I-47]`, async (t) => {
    const service = buildService({ build: buildRecord });
    service.publish([...uids(60), ...uids(40, 'EM')]);
    const backup = new Map(service.records);
    service.advance(HORIZON_MS);
    const sink = await openSink(makeFolder(t));
    const notes: string[] = [];
    const options = { ...buildOptions(service, sink), client: buildClient(service), limit: 30 };
    const run = () => replicate({ ...options, onNote: (note: string) => void notes.push(note) });
    assert.equal((await run()).position.lineage, 'first');
    service.publish([{ uid: 'US-3', mark_name: 'LOST' }, { uid: 'US-lost' }, { uid: 'EM-1', jurisdiction_code: 'EM' }]);
    service.advance(HORIZON_MS);
    await run();
    assert.deepEqual(notes, []);

    service.goBack('second', backup);
    service.publish([{ uid: 'US-5', mark_name: 'AFTER' }]);
    service.advance(HORIZON_MS);
    // A change, the end, the digests of all, and then of a register.
    const failing = service.calls() + 3;
    service.plan((call) => (call === failing ? 'unavailable' : 'none'));
    const { position, kind: state } = await run();
    assert.deepEqual([state, position.lineage], ['caught_up', 'second']);
    assert.deepEqual(notes, [
      'the service has gone back: a backup was restored, or a fail-over lost changes; comparing every record',
      'the replica equals the service again: 3 records repaired',
    ]);
    assert.deepEqual(await readAll(sink), listServed(service));
    assert.equal((await sink.find())?.position.lineage, 'second');
    await run();
    assert.equal(notes.length, 2);
    await sink.close();
  });
}

test('leaves records that changed after the position out of the comparison, and says how many', async (t) => {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  service.publish(uids(60));
  service.advance(HORIZON_MS);
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  const { position } = await replicate({ ...buildOptions(service, sink), limit: 100 });
  service.advance(1);
  service.publish([...uids(50).map((mark) => ({ ...mark, mark_name: 'LATER' })), { uid: 'US-new' }]);
  const bounds = { differencesCapped: false, unnamedBuckets: 0 };
  const payloads = { state: 'not_replicated', compared: 0 };
  const derived = listDerived(60);
  const found = { as_of: position.complete_to, records: 10, unsettled: 51, ...bounds, payloads, derived };
  const before = await verify({ client: buildClient(service), sink });
  assert.deepEqual(before, { equal: true, ...found, differences: [], calls: 1 });

  const wrong = { ...service.records.get('US US-55')!, mark_name: 'EXAMPLF' };
  await sink.save([wrong], position, { ...position, delivered: 61 });
  const differences = [{ jurisdiction_code: 'US', uid: 'US-55', difference: 'content' }];
  const after = await verify({ client: buildClient(service), sink });
  assert.deepEqual(after, { equal: false, ...found, differences, calls: 3 });
  await sink.close();
});

test('spends no more calls than allowed and counts what it could not name', async (t) => {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  service.publish(uids(400));
  service.advance(HORIZON_MS);
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  const { position } = await replicate({ ...buildOptions(service, sink), limit: 500 });
  const wrong = [...service.records.values()].map((record) => ({ ...record, status_date: '2026-01-01' }));
  await sink.save(wrong, position, { ...position, delivered: 800 });
  const result = await verify({ client: buildClient(service), sink, callsMax: 5 });
  assert.equal(result.calls, 5);
  assert.equal(result.equal, false);
  assert.ok(result.unnamedBuckets > 0 && result.unnamedBuckets < 16, `${result.unnamedBuckets} buckets unnamed`);
  await sink.close();
});

test('says that verification needs a service with digests, a whole replica, and one that was caught up', async (t) => {
  const folder = makeFolder(t);
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  const client = buildClient(buildService({ build: buildRecord }));
  await assert.rejects(verify({ client, sink }), /holds no replica/);
  const start = await sink.open(WHOLE);
  await sink.save([buildRecord()], start, { ...start, cursor: 'c', delivered: 1 });
  await assert.rejects(verify({ client, sink }), /never caught up/);
  await sink.close();
  await rm(join(folder, 'marks.db'));
  const service = buildService({ build: buildRecord });
  service.advance(1);
  await replicate(buildOptions(service, sink));
  const { fetch } = buildService({ build: buildRecord });
  const without = buildClient({ fetch: (url, init) => fetch(url.replace('digests', 'nothing'), init) });
  await assert.rejects(verify({ client: without, sink }), /does not offer the digests/);
  await sink.close();
  const since = '2026-01-01';
  const partial = await openSqliteSink(join(folder, 'partial.db'));
  await replicate({ ...buildOptions(service, partial), since });
  await assert.rejects(verify({ client, sink: partial }), /only a replica since 1970-01-01/);
  await partial.close();
});

test('a scoped replica holds and verifies its register alone [4.6]', async (t) => {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  service.publish([...uids(5), ...uids(4, 'EM')]);
  service.advance(HORIZON_MS);
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  await replicate({ ...buildOptions(service, sink), jurisdiction_code: 'em' });
  assert.deepEqual([...(await readAll(sink)).keys()].sort(), ['EM EM-0', 'EM EM-1', 'EM EM-2', 'EM EM-3']);
  service.advance(1);
  service.publish([
    { uid: 'US-1', mark_name: 'LATER' },
    { jurisdiction_code: 'EM', uid: 'EM-1', mark_name: 'LATER' },
  ]);
  const { equal, records, unsettled } = await verify({ client: buildClient(service), sink });
  assert.deepEqual({ equal, records, unsettled }, { equal: true, records: 3, unsettled: 1 });
  await sink.close();
});

test('stops and throws on a refusal that waiting cannot fix, without asking again', async (t) => {
  const folder = makeFolder(t);
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  let calls = 0;
  const fetch = async () => {
    calls += 1;
    return buildRefusal('key_revoked');
  };
  await assert.rejects(replicate({ ...buildOptions({ fetch }, sink), mode: 'follow' }), (error) =>
    isApiError(error, 'key_revoked'),
  );
  assert.equal(calls, 1);
  await sink.close();
});

test('stops on a page that breaks the contract of the feed, and saves nothing of it [4.6.2]', async (t) => {
  const folder = makeFolder(t);
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  const broken = [
    { items: [buildRecord()], next_cursor: null },
    { items: [buildRecord(), buildRecord(), buildRecord(), buildRecord()], next_cursor: 'c' },
    { next_cursor: 'c' },
  ];
  for (const page of broken) {
    const fetch = buildFetch(buildAnswer(200, page));
    await assert.rejects(replicate(buildOptions({ fetch }, sink)), TrademarkProtocolError);
  }
  assert.equal(await sink.countRecords(), 0);
  await sink.close();
});

test('fails after more faults in a row than it tolerates', async (t) => {
  const folder = makeFolder(t);
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  const service = buildService({ build: buildRecord });
  service.plan(() => 'unavailable');
  await assert.rejects(replicate({ ...buildOptions(service, sink), faultsMax: 4 }), (error) =>
    isApiError(error, 'unavailable'),
  );
  assert.equal(service.calls(), 5);
  await sink.close();
});

test('follows: keeps polling after catching up, until it is stopped', async (t) => {
  const folder = makeFolder(t);
  const sink = await openSqliteSink(join(folder, 'marks.db'));
  const service = buildService({ build: buildRecord });
  service.publish(uids(2));
  service.advance(HORIZON_MS);
  const stop = new AbortController();
  const seen: string[] = [];
  const clock = buildSimulatedClock();
  const state = await replicate({
    ...buildOptions(service, sink),
    clock,
    mode: 'follow',
    pollMs: 9_000,
    signal: stop.signal,
    onStep: ({ event, state, records }) => {
      seen.push(`${event.kind} ${records} → ${state.kind}`);
      if (seen.length === 2) {
        service.publish(uids(1, 'EM'));
        service.advance(HORIZON_MS);
      }
      if (seen.length === 5) stop.abort();
    },
  });
  assert.deepEqual(seen, [
    'page_saved 2 → syncing',
    'end_saved 0 → caught_up',
    'page_saved 1 → syncing',
    'end_saved 0 → caught_up',
    'end_saved 0 → caught_up',
  ]);
  assert.deepEqual(clock.sleeps, [9_000, 9_000]);
  assert.equal(state.kind, 'caught_up');
  assert.deepEqual(await readAll(sink), listServed(service));
  await sink.close();
});

test('ndjson: stops when the log grew by other hands', async (t) => {
  const folder = makeFolder(t);
  const sink = await openNdjsonSink(folder);
  const from = await sink.open(WHOLE);
  await writeFile(join(folder, 'records.ndjson'), '{}', { flag: 'a' });
  await assert.rejects(sink.save([buildRecord()], from, { ...from, cursor: 'c', delivered: 1 }), ReplicaError);
  await sink.close();
});

test('ndjson: cuts off what a crash left behind the position, and refuses a log that lost bytes', async (t) => {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  service.publish(uids(4));
  service.advance(HORIZON_MS);
  const first = await openNdjsonSink(folder);
  await replicate(buildOptions(service, first));
  await first.close();
  await writeFile(join(folder, 'records.ndjson'), '{"jurisdiction_code":"US","uid":"torn', { flag: 'a' });
  const second = await openNdjsonSink(folder);
  await replicate(buildOptions(service, second));
  assert.deepEqual(await readAll(second), listServed(service));
  await second.close();
  await writeFile(join(folder, 'records.ndjson'), '');
  const third = await openNdjsonSink(folder);
  await assert.rejects(replicate(buildOptions(service, third)), /shorter than its position/);
  await third.close();
});
