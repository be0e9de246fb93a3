/** Deltas between snapshots: what is in them, that they add up, and how they are served and kept. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Delta, DeltaPeriod, DeltasPage, Snapshot } from '@tmds/contract/snapshots';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { SnapshotReport } from '../../src/store/snapshots/write.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { UNLIMITED } from '../support/loads.ts';
import { refusalOf, startWithKey, type TestService } from '../support/service.ts';
import { makeSnapshot, namesOf, readLines } from '../support/snapshots.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

interface Scene {
  readonly service: TestService;
  readonly folder: string;
  readonly key: string;
  /** Makes a snapshot, as if a day had passed, or what else is named. */
  make(due: readonly DeltaPeriod[], options?: Parameters<typeof makeSnapshot>[2]): Promise<SnapshotReport>;
}

async function setScene(t: TestContext): Promise<Scene> {
  const database = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  const { key, ...service } = await startWithKey(t, { database, config: { snapshotsDir: folder } });
  return {
    ...{ service, folder, key },
    make: (due, options) =>
      makeSnapshot(service.db, folder, { deltaDays: 35, keep: 9, isDue: (period) => due.includes(period), ...options }),
  };
}

const EM = { jurisdiction_code: 'EM' };
const US = { jurisdiction_code: 'US' };

/** Three days of changes: records that change again, that come, and a register that comes. */
async function makeDays({ service, make }: Scene, options?: Parameters<typeof makeSnapshot>[2]) {
  const { db } = service;
  await publishRecords(db, buildRecords(30, US));
  const start = await make([], options);
  await publishRecords(db, buildRecords(5, { ...US, mark_name: 'MONDAY' }));
  const first = await make(['day'], options);
  await publishRecords(db, buildRecords(12, { ...US, mark_name: 'TUESDAY' }));
  await publishRecords(db, buildRecords(3, { ...EM, mark_name: 'NEW' }));
  const second = await make(['day'], options);
  await publishRecords(db, buildRecords(2, { ...EM, mark_name: 'LATER' }));
  await publishRecords(db, buildRecords(2, { ...US, mark_name: 'MONDAY' }, 'N'));
  const third = await make(['day', 'month'], options);
  return { start, days: [first, second, third].map(({ deltas }) => deltas[0]!), month: third.deltas[1]!, third };
}

type State = Map<string, string>;

async function apply(folder: string, made: Snapshot | Delta, state: State): Promise<void> {
  for (const register of made.registers) {
    for (const line of await readLines(join(folder, made.id), register)) {
      const { jurisdiction_code, uid } = JSON.parse(line) as { jurisdiction_code: string; uid: string };
      state.set(`${jurisdiction_code}/${uid}`, line);
    }
  }
}

const listState = (state: State): string[] => [...state.values()].sort();

for (const payloads of [false, true]) {
  test(`a snapshot and the deltas of its days are the state at the last cursor, and a month is its days${payloads ? ', with payloads' : ''} [4.6.5, I-22]`, async (t) => {
    const scene = await setScene(t);
    const { folder, service, key } = scene;
    const { start, days, month, third } = await makeDays(scene, { payloads });
    const state: State = new Map();
    await apply(folder, start.snapshot, state);
    const ofMonth: State = new Map(state);
    for (const day of days) await apply(folder, day, state);
    await apply(folder, month, ofMonth);
    const expected: State = new Map();
    await apply(folder, third.snapshot, expected);
    assert.equal(expected.size, 35);
    assert.deepEqual(listState(state), listState(expected));
    assert.deepEqual(listState(ofMonth), listState(expected));

    const changed = days.map(({ registers }) => registers.map(({ record_count }) => record_count));
    assert.deepEqual(changed, [[5], [3, 12], [2, 2]]);
    assert.deepEqual(
      month.registers.map(({ record_count }) => record_count),
      [3, 14],
    );

    // Cursors and instants are those of the snapshots, end to end.
    const ends = [start.snapshot, ...days];
    for (const [position, day] of days.entries()) {
      assert.deepEqual([day.from_as_of, day.from_cursor], [ends[position]!.as_of, ends[position]!.cursor]);
      assert.deepEqual([day.period, day.payloads, day.since], ['day', payloads, start.snapshot.since]);
    }
    assert.deepEqual([month.from_cursor, month.cursor], [start.snapshot.cursor, third.snapshot.cursor]);
    assert.deepEqual(
      days[1]!.registers.map(({ from_cursor }) => from_cursor === null),
      [true, false],
      'EM had no records',
    );
    for (const delta of [days[2]!, month]) {
      assert.deepEqual(
        delta.registers.map(({ cursor }) => cursor),
        third.snapshot.registers.map(({ cursor }) => cursor),
      );
    }
    await publishRecords(service.db, buildRecords(1, { ...US, mark_name: 'AFTER' }));
    const feed = await service.call(`/v1/changes?since=1970-01-01&cursor=${days[2]!.cursor}`, { key });
    const items = (feed.body as { items: { mark_name: string }[] }).items;
    assert.deepEqual(
      items.map(({ mark_name }) => mark_name),
      ['AFTER'],
    );
  });
}

test('a snapshot made between two ends of deltas goes on with the next delta', async (t) => {
  const { service, folder, make } = await setScene(t);
  await publishRecords(service.db, buildRecords(6, US));
  await make([]);
  await publishRecords(service.db, buildRecords(3, { ...US, mark_name: 'ONE' }));
  const between = await make([]);
  assert.deepEqual(between.deltas, []);
  await publishRecords(service.db, buildRecords(2, { ...US, mark_name: 'TWO' }, 'S'));
  const last = await make(['day']);
  assert.equal(last.deltas[0]!.registers[0]!.record_count, 5);
  const state: State = new Map();
  await apply(folder, between.snapshot, state);
  await apply(folder, last.deltas[0]!, state);
  const expected: State = new Map();
  await apply(folder, last.snapshot, expected);
  assert.deepEqual(listState(state), listState(expected));
});

test('the Parquet of a delta says what its lines say, and a register without changes keeps its cursor', async (t) => {
  const scene = await setScene(t);
  const formats = ['jsonl', 'parquet'] as const;
  const { days, third } = await makeDays(scene, { formats });
  for (const register of days[1]!.registers) {
    const place = join(scene.folder, days[1]!.id);
    const uids: string[] = [];
    for (const name of namesOf(register, 'parquet')) {
      const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(place, name)) });
      uids.push(...rows.map((row) => `${row.uid} ${row.mark_name}`));
    }
    const lines = (await readLines(place, register)).map((line) => JSON.parse(line));
    assert.deepEqual(
      uids,
      lines.map(({ uid, mark_name }) => `${uid} ${mark_name}`),
    );
    assert.equal(uids.length, register.record_count);
  }
  assert.deepEqual((await scene.make(['day'])).deltas, [], 'the feed has not moved');
  await publishRecords(scene.service.db, buildRecords(1, { ...EM, mark_name: 'ALONE' }));
  const { deltas } = await scene.make(['day']);
  const [changed, quiet] = deltas[0]!.registers;
  assert.deepEqual([deltas[0]!.from_cursor, changed!.record_count], [third.snapshot.cursor, 1]);
  assert.deepEqual([quiet!.record_count, quiet!.files, quiet!.digest], [0, [], '0'.repeat(16)]);
  assert.equal(quiet!.from_cursor, quiet!.cursor);
});

test('deltas are listed from an instant on, served like snapshots, and cost a unit a call [I-40]', async (t) => {
  const scene = await setScene(t);
  const { service, key, folder } = scene;
  const { days, month } = await makeDays(scene);
  const list = async (query = ''): Promise<readonly string[]> => {
    const answer = await service.call(`/v1/snapshots/deltas${query}`, { key });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.headers['feed-lineage']);
    return (answer.body as DeltasPage).items.map(({ id }) => id);
  };
  const ids = [...days, month].map(({ id }) => id);
  assert.deepEqual(await list(), ids);
  assert.deepEqual(await list(`?as_of=${days[0]!.as_of}`), ids.slice(1));
  assert.deepEqual(await list(`?as_of=${month.as_of}`), []);
  const listed = (await service.call('/v1/snapshots/deltas', { key })).body as DeltasPage;
  assert.deepEqual(listed.items[0], days[0]);
  assert.equal(((await service.call('/v1/snapshots', { key })).body as { items: object[] }).items.length, 4);
  const { name } = days[0]!.registers[0]!.files[0]!;
  const file = await service.call(`/v1/snapshots/${days[0]!.id}/${name}`, { key });
  assert.equal(file.status, 200);
  for (const path of [`${days[0]!.id}/manifest.json`, `${days[0]!.id}x/${name}`]) {
    assert.equal(refusalOf(await service.call(`/v1/snapshots/${path}`, { key })).code, 'not_found');
  }
  assert.equal(refusalOf(await service.call('/v1/snapshots/deltas')).code, 'unauthorized');
  assert.equal(refusalOf(await service.call('/v1/snapshots/deltas?as_of=now', { key })).code, 'invalid_parameter');
  assert.equal(refusalOf(await service.call('/v1/snapshots/deltas?x=1', { key })).code, 'unknown_parameter');
  const { key: other } = await service.issue({ products: ['analytics'] });
  assert.equal(refusalOf(await service.call('/v1/snapshots/deltas', { key: other })).code, 'product_not_enabled');

  const [before] = await service.db.query<{ lineage: string }>(sql`select lineage from publish_clock`);
  await service.db.query(sql`update publish_clock set lineage = gen_random_uuid()`);
  assert.deepEqual(await list(), [], 'they may hold what has been lost');
  const { deltas } = await scene.make(['day', 'week', 'month']);
  assert.deepEqual(deltas, [], 'a new chain begins');
  await service.db.query(sql`update publish_clock set lineage = ${before!.lineage}::uuid`);
  assert.deepEqual(await list(), ids);
  assert.ok((await readdir(folder)).includes(month.id));
});

test('deltas are kept for the days of the setting; without it, or with some registers, none are made', async (t) => {
  const scene = await setScene(t);
  const { folder, make } = scene;
  const { days, month } = await makeDays(scene);
  const inDays = (count: number) => ({
    clock: { ...systemClock, nowMs: () => Date.parse(month.made_at) + count * 86_400_000 },
  });
  assert.deepEqual((await make(['day'], { registers: ['US'], ...inDays(0.5) })).deltas, []);
  const kept = await make([], inDays(34));
  assert.deepEqual(
    kept.pruned.filter((id) => id.includes('-')),
    [],
  );
  const { pruned } = await make([], inDays(35.5));
  assert.deepEqual(pruned.filter((id) => id.includes('-')).sort(), [...days, month].map(({ id }) => id).sort());
  assert.deepEqual(
    (await readdir(folder)).filter((id) => id.includes('-')),
    [],
  );
  await publishRecords(scene.service.db, buildRecords(1, { ...US, mark_name: 'X' }));
  assert.deepEqual((await make(['day'], { deltaDays: 0 })).deltas, []);
});
