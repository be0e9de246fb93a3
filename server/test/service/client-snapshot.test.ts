/** A replica that starts from a snapshot of the real service: what it fetches, and that it ends without a seam. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TrademarkClient } from '../../../client/src/main.ts';
import { openDestination } from '../../../client/src/replica/destination.ts';
import { type ReplicaSink, type ReplicateOptions, replicate, verify } from '../../../client/src/replica/main.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { listHeld } from '../support/held.ts';
import { loadText, UNLIMITED } from '../support/loads.ts';
import { startWithKey, type TestService } from '../support/service.ts';
import { makeSnapshot } from '../support/snapshots.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

interface Started {
  readonly service: TestService;
  readonly db: Database;
  /** The folder of the snapshots. */
  readonly folder: string;
  readonly client: TrademarkClient;
  /** The paths that were called, in order, without the product's prefix and without queries. */
  readonly calls: string[];
}

async function startWith(t: TestContext, config: { snapshots: boolean } = { snapshots: true }): Promise<Started> {
  const database = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  const { key, ...service } = await startWithKey(t, {
    database,
    config: config.snapshots ? { snapshotsDir: folder } : {},
  });
  const calls: string[] = [];
  const client = new TrademarkClient({
    apiKey: key,
    baseUrl: `${service.url}/records`,
    onRequest: ({ url }) => calls.push(new URL(url).pathname.replace('/records/v1/', '')),
  });
  return { service, db: database.db, folder, client, calls };
}

async function publishThree(db: Database): Promise<void> {
  for (const code of ['EM', 'GB', 'US']) await publishRecords(db, buildRecords(25, { jurisdiction_code: code }));
}

async function openSink(t: TestContext, kind: string): Promise<ReplicaSink> {
  const place =
    kind === 'postgres'
      ? (await createTestDatabase(t, { migrated: false })).url
      : `${kind}:${join(makeFolder(t), 'marks')}`;
  const sink = await openDestination(place);
  t.after(() => sink.close());
  return sink;
}

/** Only these registers; default: all. */
async function listStored(db: Database, codes: readonly string[] = ['EM', 'GB', 'US']): Promise<string[]> {
  const rows = await db.query<{ detail: string }>(
    sql`select detail from record where jurisdiction_code = any(${codes}::text[])`,
  );
  return rows.map(({ detail }) => detail).sort();
}

const isFeed = (path: string): boolean => path.endsWith('changes');
const isFile = (path: string): boolean => path.startsWith('snapshots/');

for (const kind of ['sqlite', 'ndjson', 'postgres']) {
  for (const codes of chooseCases([undefined, ['GB', 'US'], ['EM']])) {
    test(`a ${kind} replica of ${codes ?? 'all'} loads the files and goes on through the feed without a seam`, async (t) => {
      const { db, folder, client, calls } = await startWith(t);
      await publishThree(db);
      const { snapshot } = await makeSnapshot(db, folder, { formats: ['jsonl', 'parquet'] });
      await publishRecords(db, buildRecords(4, { jurisdiction_code: 'GB', mark_name: 'LATER' }));
      await publishRecords(db, buildRecords(2, { jurisdiction_code: 'EM', mark_name: 'LATER' }, 'new'));
      const sink = await openSink(t, kind);
      const options: ReplicateOptions = { client, sink, limit: 7, jurisdiction_code: codes };
      const { position } = await replicate(options);
      const wanted = snapshot.registers.filter((each) => codes?.includes(each.jurisdiction_code) ?? true);
      const changed = { EM: 2, GB: 4, US: 0 };
      const delivered = wanted.reduce(
        (sum, { jurisdiction_code, record_count }) =>
          sum + record_count + changed[jurisdiction_code as keyof typeof changed],
        0,
      );
      assert.equal(position.delivered, delivered, 'each once');
      const names = wanted.flatMap(({ files }) => files.filter(({ format }) => format === 'jsonl'));
      assert.deepEqual(
        calls.filter(isFile),
        names.map(({ name }) => `snapshots/${snapshot.id}/${name}`),
      );
      assert.deepEqual(await listHeld(sink), await listStored(db, codes));
      assert.equal((await verify({ client, sink })).equal, true);
      calls.length = 0;
      await publishRecords(db, buildRecords(3, { jurisdiction_code: 'EM', mark_name: 'AGAIN' }));
      await replicate(options);
      assert.ok(calls.every(isFeed), calls.join());
      assert.deepEqual(await listHeld(sink), await listStored(db, codes));
    });
  }
}

const DOCUMENT = '{"parties":[{"name":"Acme","number":9007199254740993}],"huge":[1e400,-1E-400],"plain":1.1}';

test('payloads arrive character by character; a replica without them takes the files that have none, if there are any', async (t) => {
  const { db, folder, client, calls } = await startWith(t);
  const line = (uid: string, payload: string): string =>
    `{"jurisdiction_code":"US","uid":"${uid}","status":"Registered","payload":${payload}}\n`;
  await loadText(db, line('with', DOCUMENT) + line('other', '{"a":"é"}') + line('none', 'null'));
  const full = await makeSnapshot(db, folder, { payloads: true });
  const expanded = await openSink(t, 'ndjson');
  await replicate({ client, sink: expanded, expand: 'payload' });
  assert.ok(calls.some(isFile));
  const proof = await verify({ client, sink: expanded });
  assert.deepEqual([proof.equal, proof.payloads], [true, { state: 'compared', compared: 3 }]);

  const plain = await openSink(t, 'ndjson');
  await replicate({ client, sink: plain });
  assert.deepEqual(await listHeld(plain), await listStored(db));
  const stripped = await plain.read(({ findPayloads }) => findPayloads([{ jurisdiction_code: 'US', uid: 'with' }]));
  assert.deepEqual([...stripped.values()], [null]);

  const lean = await makeSnapshot(db, folder, { keep: 3 });
  await makeSnapshot(db, folder, { keep: 3, payloads: true });
  calls.length = 0;
  await replicate({ client, sink: await openSink(t, 'sqlite') });
  assert.ok(calls.filter(isFile).every((path) => path.includes(lean.snapshot.id)));
  assert.notEqual(full.snapshot.id, lean.snapshot.id);
});

test('a replica starts from the feed if no snapshot fits, is wanted or exists', async (t) => {
  const none = await startWith(t, { snapshots: false });
  await publishThree(none.db);
  await replicate({ client: none.client, sink: await openSink(t, 'sqlite') });
  assert.equal(none.calls.filter(isFeed).length, 2);

  const { db, folder, client, calls } = await startWith(t);
  await publishThree(db);
  await makeSnapshot(db, folder, { registers: ['EM', 'GB'] });
  const unfit: Partial<ReplicateOptions>[] = [
    {},
    { jurisdiction_code: ['EM', 'US'] },
    { jurisdiction_code: 'EM', since: '2020-01-01' },
    { jurisdiction_code: 'EM', expand: 'payload' },
    { jurisdiction_code: 'EM', snapshot: false },
  ];
  for (const options of unfit) {
    calls.length = 0;
    const sink = await openSink(t, 'sqlite');
    const { kind } = await replicate({ client, sink, ...options });
    assert.deepEqual([kind, calls.filter(isFile)], ['caught_up', []], JSON.stringify(options));
    assert.equal(calls.includes('snapshots'), options.snapshot !== false);
  }
  const parquet = await startWith(t);
  await publishThree(parquet.db);
  await makeSnapshot(parquet.db, parquet.folder, { formats: ['parquet'] });
  await replicate({ client: parquet.client, sink: await openSink(t, 'sqlite') });
  assert.deepEqual(parquet.calls.filter(isFile), []);
});

test('a service of before answers 404 for snapshots, and its replica starts from the feed', async (t) => {
  const { db, folder, service } = await startWith(t);
  await publishThree(db);
  await makeSnapshot(db, folder);
  const { key } = await service.issue();
  const client = new TrademarkClient({
    apiKey: key,
    baseUrl: `${service.url}/records`,
    fetch: (url, init) => fetch(url.replace('/v1/snapshots', '/v1/unknown'), init),
  });
  const sink = await openSink(t, 'sqlite');
  const { position } = await replicate({ client, sink });
  assert.equal(position.delivered, 75);
  assert.equal((await verify({ client, sink })).equal, true);
});

/** Stops a run when its nth call begins. */
async function stopAtCall(options: ReplicateOptions, calls: string[], count: number): Promise<void> {
  const stop = new AbortController();
  const before = calls.length;
  await replicate({
    ...options,
    signal: stop.signal,
    onStep: () => {
      if (calls.length - before >= count) stop.abort(new Error('stopped'));
    },
  });
}

test('a snapshot that is replaced or spoilt while it is loaded: another is loaded over it, or the feed is read', async (t) => {
  const { db, folder, client, calls } = await startWith(t);
  await publishThree(db);
  const first = await makeSnapshot(db, folder, { keep: 1 });
  const sink = await openSink(t, 'sqlite');
  const notes: string[] = [];
  const options: ReplicateOptions = { client, sink, limit: 4, onNote: (note) => notes.push(note) };
  await stopAtCall(options, calls, 3);
  const begun = (await sink.find())!.position;
  assert.ok(begun.cursor!.includes(first.snapshot.id) && begun.delivered > 0 && begun.delivered < 75);

  await publishRecords(db, buildRecords(6, { jurisdiction_code: 'EM', mark_name: 'LATER' }));
  const second = await makeSnapshot(db, folder, { keep: 1 });
  await stopAtCall(options, calls, 3);
  assert.ok((await sink.find())!.position.cursor!.includes(second.snapshot.id));
  assert.match(notes.join('\n'), /starting from the snapshot of .*: 75 records/);

  // Its digest no longer equals the manifest's, however often it is fetched.
  for (const { files } of second.snapshot.registers) {
    for (const { name, bytes } of files) await writeFile(join(second.folder, name), Buffer.alloc(bytes));
  }
  await publishRecords(db, buildRecords(2, { jurisdiction_code: 'US', mark_name: 'LATER' }));
  calls.length = 0;
  const end = await replicate({ ...options, random: () => 0, clock: quickClock });
  assert.deepEqual([end.kind, calls.filter(isFile).length], ['caught_up', 3]);
  assert.match(notes.at(-1)!, /cannot be used any more/);
  assert.deepEqual(await listHeld(sink), await listStored(db));
  assert.equal((await verify({ client, sink })).equal, true);

  const other = await openSink(t, 'ndjson');
  const third = await makeSnapshot(db, folder, { keep: 1 });
  await stopAtCall({ ...options, sink: other }, calls, 3);
  await rm(third.folder, { recursive: true });
  await replicate({ ...options, sink: other });
  assert.deepEqual(await listHeld(other), await listStored(db));
});

/** Waits for nothing. */
const quickClock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (_ms: number, signal?: AbortSignal) => {
    // Limits of time are never reached, pauses end at once.
    if (signal !== undefined) await new Promise((_, reject) => signal.addEventListener('abort', reject));
  },
};

test('a download that breaks off goes on with the missing bytes alone', async (t) => {
  const { db, folder, service, calls } = await startWith(t);
  await publishThree(db);
  const { snapshot } = await makeSnapshot(db, folder, { partBytes: 1_000_000 });
  const { key } = await service.issue();
  const ranges: (string | null)[] = [];
  const client = new TrademarkClient({
    apiKey: key,
    baseUrl: `${service.url}/records`,
    clock: quickClock,
    onRequest: ({ url }) => calls.push(url),
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (!url.includes('/snapshots/')) return answer;
      ranges.push(init.headers.range ?? null);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const broken = ranges.length % 3 !== 0;
      return { status: answer.status, headers: answer.headers, text: async () => '', body: pieces(bytes, broken) };
    },
  });
  const sink = await openSink(t, 'sqlite');
  const { kind } = await replicate({ client, sink, clock: quickClock, random: () => 0 });
  assert.equal(kind, 'caught_up');
  assert.equal(ranges.length, 3 * snapshot.registers.length);
  assert.equal(ranges.filter((range) => range === null).length, snapshot.registers.length);
  assert.equal((await verify({ client, sink })).equal, true);
});

/** A body that sends a third of its bytes and breaks, or all of them. */
function pieces(bytes: Uint8Array, broken: boolean) {
  let count = 0;
  return {
    getReader: () => ({
      read: async () => {
        count += 1;
        if (count === 1) return { done: false, value: broken ? bytes.subarray(0, bytes.length / 3) : bytes };
        if (broken) throw new TypeError('terminated', { cause: new Error('other side closed') });
        return { done: true, value: undefined };
      },
      cancel: async () => undefined,
    }),
  };
}
