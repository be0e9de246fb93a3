/** A follower continues after every temporary failure, and verification while it runs never ends it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { TrademarkDetail } from '@tmds/contract/record';
import { chooseCases, isFull } from '../../server/test/support/depth.ts';
import { makeFolder } from '../../server/test/support/folder.ts';
import { TrademarkClient } from '../src/client.ts';
import { isApiError, TrademarkConnectionError } from '../src/errors.ts';
import { openNdjsonSink } from '../src/replica/ndjson.ts';
import { repair } from '../src/replica/repair.ts';
import { type ReplicateOptions, replicate } from '../src/replica/replicate.ts';
import { ReplicaError, type ReplicaSink } from '../src/replica/sink.ts';
import { openSqliteSink } from '../src/replica/sqlite.ts';
import { openSqlite } from '../src/replica/sqlite-driver.ts';
import { verify } from '../src/replica/verify.ts';
import { buildAnswer, buildRecord, buildRefusal } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, type FakeService, type Fault, HORIZON_MS, nameOf } from './support/service.ts';

const SINKS: Record<string, (folder: string) => Promise<ReplicaSink>> = {
  sqlite: (folder) => openSqliteSink(join(folder, 'marks.db')),
  ndjson: (folder) => openNdjsonSink(join(folder, 'marks')),
};

interface Scene {
  folder: string;
  service: FakeService;
  client: TrademarkClient;
}

async function setScene(t: TestContext, count: number): Promise<Scene> {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  service.publish(marks(count));
  service.advance(HORIZON_MS);
  const clock = buildSimulatedClock();
  const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch: service.fetch, clock });
  return { folder, service, client };
}

const marks = (count: number, code = 'US'): Partial<TrademarkDetail>[] =>
  Array.from({ length: count }, (_, index) => ({ jurisdiction_code: code, uid: `${code}-${index}` }));

function options({ client }: Pick<Scene, 'client'>, sink: ReplicaSink): ReplicateOptions {
  return { client, sink, clock: buildSimulatedClock(), random: () => 0, limit: 10 };
}

/** Follows until it was caught up `rounds` times. */
async function follow(scene: Scene, sink: ReplicaSink, rounds = 1, more: Partial<ReplicateOptions> = {}) {
  const stop = new AbortController();
  const seen: string[] = [];
  const state = await replicate({
    ...options(scene, sink),
    mode: 'follow',
    signal: stop.signal,
    ...more,
    onStep: (step) => {
      seen.push(step.event.kind);
      more.onStep?.(step);
      if (seen.filter((kind) => kind === 'end_saved').length === rounds) stop.abort();
    },
  });
  return { seen, state };
}

async function listHeld(sink: ReplicaSink): Promise<string[]> {
  const held: string[] = [];
  for await (const record of sink.listRecords()) held.push(`${nameOf(record)} ${record.mark_name}`);
  return held.sort();
}

const listServed = (service: FakeService): string[] =>
  [...service.records].map(([name, { mark_name }]) => `${name} ${mark_name}`).sort();

const WAITED: readonly Fault[] = ['quota', 'internal', 'timeout', 'busy_gateway', 'gateway', 'unavailable', 'network'];

for (const fault of chooseCases(WAITED, 2)) {
  test(`a follower waits out ${fault}, more often than any single run would [7]`, async (t) => {
    const scene = await setScene(t, 3);
    const sink = await openSqliteSink(join(scene.folder, 'marks.db'));
    scene.service.plan((call) => (call < 200 ? fault : 'none'));
    const { state } = await follow(scene, sink);
    assert.equal(state.kind, 'caught_up');
    assert.deepEqual(await listHeld(sink), listServed(scene.service));
    await sink.close();
  });
}

test('a refusal is judged by its code, whatever its status; a code unknown here by its status [7]', async (t) => {
  const scene = await setScene(t, 3);
  const answers: [ReturnType<typeof buildAnswer>, 'waits' | 'ends'][] = [
    [buildAnswer(500, { error: { code: 'key_revoked', message: '' } }), 'ends'],
    [buildAnswer(400, { error: { code: 'unavailable', message: '' } }), 'waits'],
    [buildAnswer(503, { error: { code: 'overloaded', message: '' } }), 'waits'],
    [buildAnswer(418, { error: { code: 'teapot', message: '' } }), 'ends'],
    [buildAnswer(429, { error: { code: 'too_fast', message: '' } }), 'waits'],
    [buildRefusal('cursor_invalid'), 'ends'],
    [buildAnswer(404, '<html>'), 'ends'],
  ];
  for (const [index, [answer, outcome]] of answers.entries()) {
    const sink = await openSqliteSink(join(scene.folder, `${index}.db`));
    let calls = 0;
    const clock = buildSimulatedClock();
    const fetch: FakeService['fetch'] = async (url, init) => {
      calls += 1;
      return calls === 1 ? answer : scene.service.fetch(url, init);
    };
    const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch, clock });
    const run = follow({ ...scene, client }, sink, 1, { snapshot: false });
    if (outcome === 'waits') assert.equal((await run).state.kind, 'caught_up', `${index}`);
    else await assert.rejects(run, Error, `${index}`);
    await sink.close();
  }
});

test("a gateway's strange page ends a follower whose address never answered, and is waited out afterwards", async (t) => {
  const scene = await setScene(t, 25);
  const sink = await openSqliteSink(join(scene.folder, 'marks.db'));
  scene.service.plan((call) => (call === 2 ? 'strange' : 'none'));
  assert.deepEqual((await follow(scene, sink)).seen.slice(0, 3), ['page_saved', 'fault', 'page_saved']);
  await sink.close();
});

test('a single run stops within its patience, and at once when the wait would outlast it', async (t) => {
  const scene = await setScene(t, 3);
  const sink = await openSqliteSink(join(scene.folder, 'marks.db'));
  scene.service.plan(() => 'gateway');
  const clock = buildSimulatedClock(0);
  await assert.rejects(replicate({ ...options(scene, sink), clock }), TrademarkConnectionError);
  assert.ok(clock.nowMs() <= 300_000, `${clock.nowMs()}`);
  scene.service.plan(() => 'quota');
  const impatient = buildSimulatedClock(0);
  await assert.rejects(replicate({ ...options(scene, sink), clock: impatient }), (error) =>
    isApiError(error, 'quota_exceeded'),
  );
  assert.deepEqual(impatient.sleeps, []);
  await sink.close();
});

test('a follower waits while another program holds the SQLite file locked', async (t) => {
  const scene = await setScene(t, 3);
  const path = join(scene.folder, 'marks.db');
  const sink = await openSqliteSink(path);
  await replicate(options(scene, sink));
  scene.service.publish([{ uid: 'US-1', mark_name: 'LATER' }]);
  scene.service.advance(HORIZON_MS);
  const other = await openSqlite(path);
  other.exec('begin immediate');
  const { seen } = await follow(scene, sink, 1, {
    onStep: ({ event }) => {
      if (event.kind !== 'fault') return;
      assert.ok(event.error instanceof ReplicaError && /locked/.test(event.error.message), `${event.error}`);
      other.exec('rollback');
    },
  });
  assert.deepEqual(seen, ['fault', 'page_saved', 'end_saved']);
  other.close();
  assert.deepEqual(await listHeld(sink), listServed(scene.service));
  await sink.close();
});

test('a save whose outcome was lost is not made twice: the position is read again [4.6.1]', async (t) => {
  for (const kept of [true, false]) {
    const scene = await setScene(t, 25);
    const sink = await openSqliteSink(join(scene.folder, 'marks.db'));
    let saves = 0;
    const shaky: ReplicaSink = {
      ...sink,
      save: async (items, from, to) => {
        saves += 1;
        if (saves !== 2) return await sink.save(items, from, to);
        if (kept) await sink.save(items, from, to);
        throw new ReplicaError('connection lost during commit', { retryable: true });
      },
    };
    const { state } = await follow(scene, shaky);
    assert.equal(state.position.delivered, 25);
    assert.equal(scene.service.pages.length, kept ? 4 : 5);
    await sink.close();
  }
});

for (const [kind, openSink] of Object.entries(SINKS)) {
  test(`${kind}: a follower goes on from where another process moved its replica`, async (t) => {
    const scene = await setScene(t, 25);
    const sink = await openSink(scene.folder);
    const other = await openSink(scene.folder);
    let moved = false;
    const { seen, state } = await follow(scene, sink, 1, {
      client: {
        changes: async (...call) => {
          const page = await scene.client.changes(...call);
          if (!moved && call[0].cursor !== null) {
            moved = true;
            await replicate(options(scene, other));
          }
          return page;
        },
      },
    });
    assert.ok(seen.includes('fault'));
    assert.equal(state.position.delivered, 25);
    assert.deepEqual(await listHeld(sink), listServed(scene.service));
    await sink.close();
    await other.close();
  });

  test(`${kind}: a first sync that fails leaves nothing behind, and looking makes no file`, async (t) => {
    const scene = await setScene(t, 3);
    const sink = await openSink(scene.folder);
    const fetch = async () => buildRefusal('unauthorized');
    const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch });
    await assert.rejects(replicate(options({ client }, sink)), (error) => isApiError(error, 'unauthorized'));
    assert.equal(await sink.find(), null);
    assert.equal(await sink.countRecords(), 0);
    await assert.rejects(
      sink.save([{ ...buildRecord(), uid: Symbol('x') as never, payload: { n: 1n } }], START, {
        ...START,
        cursor: 'c',
      }),
    );
    await sink.close();
    assert.deepEqual(await readdir(scene.folder), []);
  });

  test(`${kind}: verification reads one moment of a replica that is being written, and repair leaves what is newer`, async (t) => {
    const scene = await setScene(t, 40);
    const sink = await openSink(scene.folder);
    const writer = await openSink(scene.folder);
    const { position } = await replicate({ ...options(scene, writer), limit: 100 });
    const wrong = { ...scene.service.records.get('US US-5')!, mark_name: 'WRONG' };
    const extra = { ...wrong, uid: 'US-extra' };
    await writer.save([wrong, extra], position, { ...position, delivered: 42 });
    scene.service.records.set('US US-new', { ...scene.service.records.get('US US-1')!, uid: 'US-new' });
    let follows = true;
    const beside = new TrademarkClient({
      apiKey: 'k',
      baseUrl: 'https://tm.example',
      fetch: async (url, init) => {
        const answer = await scene.service.fetch(url, init);
        if (follows) {
          follows = false;
          scene.service.publish([{ uid: 'US-9', mark_name: 'MEANWHILE' }]);
          scene.service.advance(HORIZON_MS);
          await replicate(options(scene, writer));
        }
        return answer;
      },
    });
    const { differences, equal } = await verify({ client: beside, sink });
    assert.equal(equal, false);
    assert.deepEqual(
      differences.map(({ uid, difference }) => `${uid} ${difference}`),
      ['US-5 content', 'US-extra extra', 'US-new missing'],
    );
    const stale = { jurisdiction_code: 'US', uid: 'US-9', seen: '2020-01-01T00:00:00.000000Z', record: wrong };
    assert.equal(await sink.repair([stale]), 0);
    assert.equal(await repair({ client: scene.client, sink, differences }), 3);
    assert.deepEqual(await listHeld(sink), listServed(scene.service));
    const after = await verify({ client: scene.client, sink });
    assert.deepEqual([after.equal, after.differences], [true, []]);
    await sink.close();
    await writer.close();
  });

  test(`${kind}: verification compares payloads where they are replicated, and says so where they are not`, async (t) => {
    const scene = await setScene(t, 0);
    scene.service.publish(marks(30).map((mark, n) => ({ ...mark, payload: { n, deep: [{ a: null, b: 'é' }] } })));
    scene.service.advance(HORIZON_MS);
    const sink = await openSink(scene.folder);
    const { position } = await replicate({ ...options(scene, sink), expand: 'payload' });
    const equal = await verify({ client: scene.client, sink });
    assert.deepEqual([equal.equal, equal.payloads], [true, { state: 'compared', compared: 30 }]);
    const held = scene.service.records.get('US US-7')!;
    const wrong = { ...held, payload: { n: 7, deep: [{ a: null, b: 'e' }] } };
    await sink.save([wrong], position, { ...position, delivered: 31 });
    const differs = await verify({ client: scene.client, sink });
    const differences = [{ jurisdiction_code: 'US', uid: 'US-7', difference: 'payload' as const }];
    assert.deepEqual([differs.equal, differs.differences], [false, differences]);
    const without = await verify({ client: scene.client, sink, payloads: false });
    assert.deepEqual([without.equal, without.payloads.state], [true, 'left_out']);
    assert.equal(await repair({ client: scene.client, sink, differences }), 1);
    assert.equal((await verify({ client: scene.client, sink })).equal, true);
    await sink.close();
  });

  test(`${kind}: several registers in one replica, each by its own feed, proven together [4.6, I-19]`, async (t) => {
    const scene = await setScene(t, 12);
    scene.service.publish([...marks(15, 'EM'), ...marks(4, 'DE')]);
    scene.service.advance(HORIZON_MS);
    const sink = await openSink(scene.folder);
    const several = { jurisdiction_code: ['us', 'EM', 'US'] };
    await replicate({ ...options(scene, sink), ...several });
    scene.service.publish([{ jurisdiction_code: 'EM', uid: 'EM-1', mark_name: 'LATER' }]);
    scene.service.advance(HORIZON_MS);
    const { position } = await replicate({ ...options(scene, sink), ...several });
    assert.equal(position.delivered, 28);
    assert.deepEqual(
      await listHeld(sink),
      listServed(scene.service).filter((name) => !name.startsWith('DE')),
    );
    const { equal, records } = await verify({ client: scene.client, sink });
    assert.deepEqual([equal, records], [true, 27]);
    await assert.rejects(replicate({ ...options(scene, sink), jurisdiction_code: 'EM' }), /keeps its scope/);
    await sink.close();
  });
}

test('names every difference up to 10,000, without a bound of calls to be raised', async (t) => {
  const scene = await setScene(t, isFull ? 11_000 : 1_500);
  const sink = await openNdjsonSink(join(scene.folder, 'marks'));
  const { position } = await replicate({ ...options(scene, sink), limit: 5_000 });
  const records = [...scene.service.records.values()];
  const spoil = (count: number) => records.slice(0, count).map((record) => ({ ...record, status_date: '2026-01-01' }));
  await sink.save(spoil(900), position, { ...position, delivered: position.delivered + 900 });
  const some = await verify({ client: scene.client, sink });
  assert.deepEqual([some.differences.length, some.differencesCapped, some.unnamedBuckets], [900, false, 0]);
  // As many as the bound are named only by the proofs.
  if (!isFull) return await sink.close();
  await sink.save(spoil(10_500), { ...position, delivered: 11_900 }, { ...position, delivered: 22_400 });
  const most = await verify({ client: scene.client, sink });
  assert.deepEqual([most.differences.length, most.differencesCapped], [10_000, true]);
  await sink.close();
});

test('refuses what is no replica, and leaves it unchanged, byte for byte', async (t) => {
  const scene = await setScene(t, 3);
  const path = join(scene.folder, 'mine.db');
  const own = await openSqlite(path);
  own.exec('create table trademarks (mine text)');
  own.close();
  const text = join(scene.folder, 'notes.txt');
  await writeFile(text, 'not a database, but long enough to be read as one'.repeat(100));
  for (const place of [path, text]) {
    const before = await readFile(place);
    const sink = await openSqliteSink(place);
    await assert.rejects(replicate(options(scene, sink)), ReplicaError);
    await assert.rejects(sink.find(), ReplicaError);
    await sink.close();
    assert.deepEqual(await readFile(place), before);
  }
  const folder = join(scene.folder, 'log');
  const sink = await openNdjsonSink(folder);
  await replicate(options(scene, sink));
  await rm(join(folder, 'position.json'));
  const before = await readFile(join(folder, 'records.ndjson'));
  await assert.rejects(replicate(options(scene, sink)), /without a position/);
  assert.deepEqual(await readFile(join(folder, 'records.ndjson')), before);
  assert.deepEqual((await readdir(scene.folder)).sort(), ['log', 'mine.db', 'notes.txt']);
  const nowhere = await openSqliteSink(join(scene.folder, 'no/such/folder.db'));
  await assert.rejects(replicate(options(scene, nowhere)), /no file can be written/);
});

test('ndjson: reports a torn line with its number and place', async (t) => {
  const scene = await setScene(t, 4);
  const folder = join(scene.folder, 'log');
  const sink = await openNdjsonSink(folder);
  await replicate(options(scene, sink));
  const path = join(folder, 'records.ndjson');
  const bytes = await readFile(path);
  const second = bytes.indexOf(10) + 1;
  bytes[second + 20] = 0;
  await writeFile(path, bytes);
  const told = new RegExp(`records.ndjson: line 2, at byte ${second}, is not a record`);
  await assert.rejects(sink.countRecords(), told);
  await assert.rejects(verify({ client: scene.client, sink }), told);
});

test('ndjson: compaction leaves one line a record, also when it was cut short half-way', async (t) => {
  const scene = await setScene(t, 20);
  const folder = join(scene.folder, 'log');
  const path = join(folder, 'records.ndjson');
  const sink = await openNdjsonSink(folder);
  for (let round = 0; round < 3; round += 1) {
    await replicate(options(scene, sink));
    scene.service.publish(marks(10).map((mark) => ({ ...mark, mark_name: `ROUND ${round}` })));
    scene.service.advance(HORIZON_MS);
  }
  const { bytesBefore, bytesAfter } = await sink.compact!();
  assert.ok(bytesAfter < bytesBefore);
  assert.equal((await readFile(path, 'utf8')).trimEnd().split('\n').length, 20);
  await replicate(options(scene, sink));
  assert.deepEqual(await listHeld(sink), listServed(scene.service));

  // Killed after the position named the shorter log, before and after it took the place of the long one.
  const position = JSON.parse(await readFile(join(folder, 'position.json'), 'utf8'));
  const lines = (await readFile(path, 'utf8')).split('\n');
  const short = [...lines.slice(0, 10), ...lines.slice(20)].join('\n');
  const told = { ...position, replacedBy: Buffer.byteLength(short) };
  await writeFile(join(folder, 'position.json'), JSON.stringify(told));
  await writeFile(`${path}.new`, short);
  assert.equal((await listHeld(sink)).length, 20);
  await replicate(options(scene, sink));
  assert.equal(existsSync(`${path}.new`), false);
  assert.deepEqual(await listHeld(sink), listServed(scene.service));
});

const START = { cursor: null, complete_to: null, delivered: 0 };
