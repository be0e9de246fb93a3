/** A replica of what a search matches: records that come, change and leave, and what a failure in between may cost. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { TrademarkDetail } from '@tmds/contract/record';
import { makeFolder } from '../../server/test/support/folder.ts';
import { TrademarkClient } from '../src/client.ts';
import { isApiError, TrademarkProtocolError } from '../src/errors.ts';
import { openNdjsonSink } from '../src/replica/ndjson.ts';
import { type ReplicateOptions, replicate } from '../src/replica/replicate.ts';
import { ReplicaError, type ReplicaSink } from '../src/replica/sink.ts';
import { openSqliteSink } from '../src/replica/sqlite.ts';
import { openSqlite } from '../src/replica/sqlite-driver.ts';
import { verify } from '../src/replica/verify.ts';
import { buildAnswer, buildFetch, buildRecord } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, type FakeService, nameOf } from './support/service.ts';

const SINKS: Record<string, (folder: string) => Promise<ReplicaSink>> = {
  sqlite: (folder) => openSqliteSink(join(folder, 'marks.db')),
  ndjson: (folder) => openNdjsonSink(join(folder, 'marks')),
};

const ACME = { owner_names: ['acme inc.'] };
const SEARCH = { owner_name: 'acme inc.', status: 'Pending' } as const;

interface Scene {
  folder: string;
  service: FakeService;
  client: TrademarkClient;
}

/** Ten records that match and three that do not, each changed at another moment. */
async function setScene(t: TestContext): Promise<Scene> {
  const service = buildService({ build: buildRecord });
  for (let index = 0; index < 10; index += 1) service.publish([{ ...ACME, uid: `${index}` }]);
  service.publish([
    { uid: 'others' },
    { ...ACME, uid: 'ended', status: 'Cancelled' },
    { uid: 'none', owner_names: null },
  ]);
  const clock = buildSimulatedClock();
  const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch: service.fetch, clock });
  return { folder: makeFolder(t), service, client };
}

const options = (client: ReplicateOptions['client'], sink: ReplicaSink): ReplicateOptions => {
  return { client, sink, search: SEARCH, clock: buildSimulatedClock(), random: () => 0, limit: 4 };
};

async function refresh(scene: Pick<Scene, 'client'>, sink: ReplicaSink, more: Partial<ReplicateOptions> = {}) {
  const told = { records: 0, left: [] as string[], faults: 0 };
  const state = await replicate({
    ...options(scene.client, sink),
    ...more,
    onStep: ({ event, records, left }) => {
      told.records += records;
      told.left.push(...left);
      told.faults += event.kind === 'fault' ? 1 : 0;
    },
  });
  return { ...told, left: told.left.sort(), position: state.position };
}

async function listHeld(sink: ReplicaSink): Promise<string[]> {
  const held: string[] = [];
  for await (const record of sink.listRecords())
    held.push(`${nameOf(record)} ${record.mark_name} ${record.updated_at}`);
  return held.sort();
}

const listMatching = ({ records }: FakeService): string[] =>
  [...records.values()]
    .filter(({ owner_names, status }) => owner_names?.includes(SEARCH.owner_name) && status === SEARCH.status)
    .map((record) => `${nameOf(record)} ${record.mark_name} ${record.updated_at}`)
    .sort();

for (const [kind, openSink] of Object.entries(SINKS)) {
  test(`${kind}: a refresh takes what came and what changed, and takes out what left, by name [4.3]`, async (t) => {
    const scene = await setScene(t);
    const sink = await openSink(scene.folder);
    const first = await refresh(scene, sink);
    assert.deepEqual([first.records, first.left], [10, []]);
    assert.deepEqual(await listHeld(sink), listMatching(scene.service));

    scene.service.publish([{ uid: '3', mark_name: 'CHANGED' }]);
    scene.service.publish([
      { uid: 'ended', status: 'Pending' },
      { ...ACME, jurisdiction_code: 'EM', uid: 'new' },
    ]);
    scene.service.publish([
      { uid: '5', status: 'Registered' },
      { uid: '8', owner_names: ['acme inc. ltd'] },
    ]);
    const second = await refresh(scene, sink);
    assert.deepEqual([second.records, second.left], [3, ['US/5', 'US/8']]);
    assert.deepEqual(await listHeld(sink), listMatching(scene.service));

    const third = await refresh(scene, sink);
    assert.deepEqual([third.records, third.left, third.position.delivered], [0, [], 13]);
    scene.service.publish([{ uid: '5', status: 'Pending' }]);
    assert.deepEqual((await refresh(scene, sink)).records, 1);
    assert.deepEqual(await listHeld(sink), listMatching(scene.service));
    await sink.close();
  });

  test(`${kind}: whatever matches all the while is kept, though it changes while the search is walked [4.3]`, async (t) => {
    const scene = await setScene(t);
    const sink = await openSink(scene.folder);
    await refresh(scene, sink);
    let pages = 0;
    const search: TrademarkClient['search'] = (...call) => {
      pages += 1;
      if (pages === 2) {
        scene.service.publish(['0', '5', '9'].map((uid) => ({ uid, mark_name: 'MEANWHILE' })));
        scene.service.publish([{ uid: '6', status: 'Cancelled' }]);
      }
      if (pages === 3)
        scene.service.publish([
          { uid: '0', mark_name: 'AGAIN' },
          { ...ACME, uid: 'late' },
        ]);
      return scene.client.search(...call);
    };
    const client = { changes: scene.client.changes.bind(scene.client), search };
    const { left } = await refresh({ client: client as TrademarkClient }, sink);
    assert.deepEqual(left, ['US/6']);
    assert.deepEqual(await listHeld(sink), listMatching(scene.service));
    await sink.close();
  });

  test(`${kind}: a refresh goes on at the page where it failed, and nothing leaves before its end [7]`, async (t) => {
    const scene = await setScene(t);
    const sink = await openSink(scene.folder);
    await refresh(scene, sink);
    scene.service.publish([{ uid: '2', status: 'Cancelled' }]);
    const start = scene.service.calls();
    scene.service.plan((call) => (call === start + 1 ? 'unavailable' : call === start + 3 ? 'cut' : 'none'));
    const waited = await refresh(scene, sink);
    assert.deepEqual([waited.faults, waited.left, scene.service.calls() - start], [2, ['US/2'], 5]);

    scene.service.publish([{ uid: '4', status: 'Cancelled' }]);
    const before = await listHeld(sink);
    const again = scene.service.calls();
    scene.service.plan((call) => (call > again ? 'unavailable' : 'none'));
    await assert.rejects(refresh(scene, sink, { faultsMax: 2 }), (error) => isApiError(error, 'unavailable'));
    assert.deepEqual(await listHeld(sink), before);
    scene.service.plan(() => 'none');
    assert.deepEqual((await refresh(scene, sink)).left, ['US/4']);
    assert.deepEqual(await listHeld(sink), listMatching(scene.service));
    await sink.close();
  });

  test(`${kind}: a sink that fails when a refresh ends is asked again, and everything is reported once`, async (t) => {
    const scene = await setScene(t);
    const sink = await openSink(scene.folder);
    await refresh(scene, sink);
    scene.service.publish([
      { uid: '1', status: 'Cancelled' },
      { uid: '7', mark_name: 'CHANGED' },
    ]);
    let refusals = 1;
    const shaky: ReplicaSink = {
      ...sink,
      repair: async (repairs) => {
        refusals -= 1;
        if (refusals === 0) throw new ReplicaError('locked', { retryable: true });
        return await sink.repair(repairs);
      },
    };
    const told = await refresh(scene, shaky);
    assert.deepEqual([told.faults, told.records, told.left], [1, 1, ['US/1']]);
    assert.deepEqual(await listHeld(sink), listMatching(scene.service));
    await sink.close();
  });

  test(`${kind}: keeps its search for life, however it is written, and is not proven by digests [I-17]`, async (t) => {
    const scene = await setScene(t);
    const sink = await openSink(scene.folder);
    await refresh(scene, sink);
    const { scope } = (await sink.find())!;
    assert.equal(scope.search, 'owner_name=acme%20inc.&status=Pending');
    await refresh(scene, sink, { search: '?status=Pending&owner_name=acme+inc.' });
    const other = refresh(scene, sink, { search: { owner_name: 'acme inc.' } });
    await assert.rejects(other, /holds a replica with search=owner_name=acme%20inc.&status=Pending, not owner_name/);
    await assert.rejects(refresh(scene, sink, { search: undefined }), /keeps its scope/);
    await assert.rejects(verify({ client: scene.client, sink }), /holds the records of a search/);
    await sink.close();
  });

  test(`${kind}: holds the payloads of a search, in pages of at most 50`, async (t) => {
    const scene = await setScene(t);
    scene.service.publish([{ uid: '3', payload: { deep: [1] } }]);
    const sink = await openSink(scene.folder);
    await assert.rejects(
      refresh(scene, sink, { expand: 'payload', limit: 51 }),
      /limit must be an integer from 1 to 50/,
    );
    await refresh(scene, sink, { expand: 'payload' });
    const identity = { jurisdiction_code: 'US', uid: '3' };
    const held = await sink.read(({ findPayloads }) => findPayloads([identity]));
    assert.deepEqual([...held.values()], ['{"deep":[1]}']);
    await sink.close();
  });
}

test('follows a search once an hour by default, since every refresh walks it whole', async (t) => {
  const scene = await setScene(t);
  const sink = await openSqliteSink(join(scene.folder, 'marks.db'));
  const clock = buildSimulatedClock();
  const stop = new AbortController();
  const seen: string[] = [];
  await replicate({
    ...options(scene.client, sink),
    clock,
    mode: 'follow',
    signal: stop.signal,
    onStep: ({ event, left }) => {
      seen.push([event.kind, ...left].join(' '));
      if (seen.length === 3) scene.service.publish([{ uid: '2', status: 'Cancelled' }]);
      if (seen.length === 6) stop.abort();
    },
  });
  assert.deepEqual(seen, ['page_saved', 'page_saved', 'end_saved', 'page_saved', 'page_saved', 'end_saved US/2']);
  assert.deepEqual(clock.sleeps, [3_600_000]);
  assert.equal((await sink.find())?.position.complete_to, '2026-01-01T01:00:00.000000Z');
  await sink.close();
});

test('refuses an invalid search before any call, and says what is wrong', async (t) => {
  const sink = await openSqliteSink(join(makeFolder(t), 'marks.db'));
  const fetch = buildFetch(buildAnswer(200, { items: [], next_cursor: null }));
  const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch });
  const wrong: [Partial<ReplicateOptions>, RegExp][] = [
    [{ search: '' }, /search must have a filter/],
    [{ search: {} }, /search must have a filter/],
    [{ search: 'status=Pending&sort=application_date' }, /sort is not a filter/],
    [{ search: 'status=Pending&status=Ended' }, /status is given twice/],
    [{ jurisdiction_code: 'US' }, /neither since nor jurisdiction_code/],
    [{ since: '2026-01-01' }, /neither since nor jurisdiction_code/],
  ];
  for (const [more, message] of wrong) {
    const run = replicate({ ...options(client, sink), ...more });
    await assert.rejects(run, (error) => error instanceof TypeError && message.test(error.message));
  }
  assert.equal(fetch.calls.length, 0);
  await sink.close();
});

test('stops at a page that breaks the contract of searches, and at more than 100,000 records', async (t) => {
  const folder = makeFolder(t);
  const sink = await openNdjsonSink(join(folder, 'marks'));
  const build = (fetch: ReturnType<typeof buildFetch>) =>
    new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch });
  for (const page of [{ items: [], next_cursor: 'c' }, { items: [] }, { next_cursor: null }]) {
    const run = replicate(options(build(buildFetch(buildAnswer(200, page))), sink));
    await assert.rejects(run, TrademarkProtocolError);
  }
  const items = Array.from({ length: 500 }, (_, index) => buildRecord({ uid: `${index}` }));
  let pages = 0;
  const endless = async () => {
    pages += 1;
    return buildAnswer(200, { items, next_cursor: `c${pages}` });
  };
  const quiet: ReplicaSink = { ...sink, save: async () => undefined };
  const run = replicate({ ...options(build(Object.assign(endless, { calls: [] })), quiet), limit: 500 });
  await assert.rejects(run, /matches more than 100,000 records; narrow it, or keep a replica of its registers/);
  assert.equal(pages, 201);
  await sink.close();
});

test('a replica of the first form goes on, unless it holds payloads whose numbers may be altered [I-38]', async (t) => {
  for (const [kind, openSink] of Object.entries(SINKS)) {
    for (const expand of [undefined, 'payload'] as const) {
      const { folder, service, client } = await setScene(t);
      const sink = await openSink(folder);
      const asked = { ...options(client, sink), search: undefined, expand };
      service.advance(300_000);
      await replicate(asked);
      await sink.close();
      if (kind === 'sqlite') {
        const db = await openSqlite(join(folder, 'marks.db'));
        db.exec('alter table trademarks_replica drop column search; update trademarks_replica set form = 1');
        db.close();
      } else {
        const path = join(folder, 'marks/position.json');
        const { search: _none, ...rest } = JSON.parse(await readFile(path, 'utf8'));
        await writeFile(path, JSON.stringify({ ...rest, form: 1 }));
      }
      service.publish([{ uid: '1', mark_name: 'LATER' } satisfies Partial<TrademarkDetail>]);
      service.advance(300_000);
      const again = await openSink(folder);
      const run = replicate({ ...asked, sink: again });
      if (expand === undefined) assert.equal((await run).position.delivered, 14);
      else await assert.rejects(run, /could alter numbers in payloads: start again in another place/);
      await again.close();
    }
  }
});
