/** The traps of a feed ordered by time, one test each: none of them may lose a change or repeat one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { type PublishStep, PublishTooLate, publishBatch } from '../../src/store/publish/publish.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { createSkewedDatabase } from '../torture/clock.ts';
import { buildRecords, publishRecords, type SourceFields, stageRecords } from '../torture/publish.ts';
import { type DeliveredItem, identify, readPage, walkChanges } from '../torture/walk.ts';

/** A publish that stops after one of its steps until it is released, or fails there. */
interface HeldPublish {
  /** Resolves once it has stopped at the step. */
  held: Promise<void>;
  release(): void;
  abort(reason: Error): void;
  done: Promise<unknown>;
}

async function holdPublish(
  db: Database,
  records: readonly SourceFields[],
  at: PublishStep,
  deadlineMs?: number,
): Promise<HeldPublish> {
  const loadId = await stageRecords(db, records);
  let release = (): void => {};
  let abort = (_reason: Error): void => {};
  const released = new Promise<void>((resolve, reject) => {
    release = resolve;
    abort = reject;
  });
  let arrive = (): void => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const onStep = async (step: PublishStep): Promise<void> => {
    if (step !== at) return;
    arrive();
    await released;
  };
  const done = publishBatch(db, loadId, 1, { onStep, ...(deadlineMs === undefined ? {} : { deadlineMs }) });
  done.catch(() => undefined);
  return { held, release, abort, done };
}

/** Every change delivered, as `uid@stamp`; fails on a repeat. */
function listDelivered(items: readonly DeliveredItem[]): Set<string> {
  const delivered = items.map((item) => `${item.jurisdiction_code} ${item.uid}@${item.updated_at}`);
  assert.equal(new Set(delivered).size, delivered.length, 'a change was delivered twice');
  return new Set(delivered);
}

const HORIZON = { horizonSeconds: 2 };

test('a publish held past the horizon arrives, and the horizon waits for it [4.6.1, 4.6.4, I-21, I-23]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  await publishRecords(db, buildRecords(3, {}, 'before'));
  const held = await holdPublish(db, buildRecords(3, {}, 'held'), 'written');
  await held.held;
  const others = publishRecords(db, buildRecords(3, {}, 'other'));
  await step(10);
  const drained = await walkChanges(db, {}, HORIZON);
  assert.deepEqual(identify(drained.items), ['before1', 'before2', 'before3']);
  const empty = await readPage(db, { cursor: drained.cursor! }, HORIZON);
  assert.equal(empty.horizon, drained.items[0]!.updated_at);
  held.release();
  await Promise.all([held.done, others]);
  await step(10);
  const rest = await walkChanges(db, { cursor: drained.cursor! }, HORIZON);
  assert.deepEqual(identify(rest.items), ['held1', 'held2', 'held3', 'other1', 'other2', 'other3']);
  listDelivered([...drained.items, ...rest.items]);
});

test('a publish past its deadline is rolled back whole and can be published again [4.6.1, 4.6.4]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  const held = await holdPublish(db, buildRecords(3, {}, 'late'), 'counted', 30_000);
  await held.held;
  await step(31);
  held.release();
  await assert.rejects(held.done, PublishTooLate);
  assert.deepEqual((await walkChanges(db)).items, []);
  await publishRecords(db, buildRecords(3, {}, 'late'));
  assert.deepEqual(identify((await walkChanges(db)).items), ['late1', 'late2', 'late3']);
});

test('a loader that begins, waits, then writes, stamps its rows at the time of writing [4.6.1, I-21]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  const idle = await holdPublish(db, buildRecords(2, {}, 'idle'), 'begun');
  await idle.held;
  await publishRecords(db, buildRecords(2, {}, 'quick'));
  await step(10);
  const drained = await walkChanges(db, {}, HORIZON);
  assert.deepEqual(identify(drained.items), ['quick1', 'quick2']);
  idle.release();
  await idle.done;
  await step(10);
  const rest = await walkChanges(db, { cursor: drained.cursor! }, HORIZON);
  assert.deepEqual(identify(rest.items), ['idle1', 'idle2']);
});

test('a rolled back publish delivers nothing and holds nothing back [4.6.1]', async (t) => {
  const { db } = await createTestDatabase(t);
  for (const step of ['begun', 'locked', 'stamped', 'written', 'counted'] as const) {
    const failing = await holdPublish(db, buildRecords(2, {}, step), step);
    await failing.held;
    failing.abort(new Error(`fails after ${step}`));
    await assert.rejects(failing.done, /fails after/);
    await publishRecords(db, buildRecords(1, {}, `after-${step}-`));
  }
  const { items } = await walkChanges(db);
  assert.deepEqual(identify(items), [
    'after-begun-1',
    'after-locked-1',
    'after-stamped-1',
    'after-written-1',
    'after-counted-1',
  ]);
});

test('ties: 12,000 records of one stamp come as the exact set in pages of 7 and of 5,000 [4.6.1, I-19]', async (t) => {
  const { db } = await createTestDatabase(t);
  const records = buildRecords(12_000);
  await publishRecords(db, records);
  const expected = records.map((record) => String(record.uid)).sort();
  for (const limit of [7, 5000]) {
    const { items, pages } = await walkChanges(db, {}, { limit: () => limit });
    assert.equal(new Set(items.map((item) => item.updated_at)).size, 1);
    assert.deepEqual(identify(items), expected);
    assert.equal(pages, Math.ceil(12_000 / limit) + 1);
  }
});

test('microseconds: changes one microsecond apart are each delivered once, page by page [4.6.1, I-19, I-31]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  await publishRecords(db, buildRecords(1, {}, 'first'));
  await step(-3600);
  for (let round = 1; round <= 5; round += 1) await publishRecords(db, buildRecords(1, {}, `round${round}-`));
  await step(7200);
  const { items } = await walkChanges(db, {}, { limit: () => 1 });
  const micros = items.map((item) => Number(item.updated_at.slice(20, 26)));
  assert.equal(items.length, 6);
  assert.deepEqual(
    micros.slice(1).map((micro, index) => (micro - micros[index]! + 1_000_000) % 1_000_000),
    [1, 1, 1, 1, 1],
  );
  const middle = await walkChanges(db, { since: items[3]!.updated_at });
  assert.deepEqual(identify(middle.items), identify(items.slice(3)));
});

test('updated_at never goes backwards for a record that two sessions update [2.2.3, 4.6.1, I-20]', async (t) => {
  const { db } = await createTestDatabase(t);
  const first = await holdPublish(db, [{ uid: 'R1', mark_name: 'first' }], 'stamped');
  await first.held;
  const second = publishRecords(db, [{ uid: 'R1', mark_name: 'second' }]);
  first.release();
  await Promise.all([first.done, second]);
  const seen = new Map<string, DeliveredItem>();
  for (let round = 0; round < 20; round += 1) {
    const names = ['third', 'fourth', 'fifth'].map((name) => `${name} ${round}`);
    await Promise.all(names.map((mark_name) => publishRecords(db, [{ uid: 'R1', mark_name }])));
    const [item] = (await walkChanges(db)).items;
    const previous = seen.get('R1');
    assert.ok(previous === undefined || previous.updated_at < item!.updated_at);
    assert.ok(item!.first_seen_at <= item!.updated_at);
    assert.ok(previous === undefined || previous.first_seen_at === item!.first_seen_at);
    seen.set('R1', item!);
  }
});

test('database clock stepped back: stamps still rise, nothing is lost, nothing comes early [4.6.1, I-21]', async (t) => {
  const { db, step } = await createSkewedDatabase(t);
  await publishRecords(db, buildRecords(1, {}, 'a'));
  await step(10);
  const before = await walkChanges(db, {}, HORIZON);
  assert.deepEqual(identify(before.items), ['a1']);
  await step(-86_400);
  await publishRecords(db, buildRecords(1, {}, 'b'));
  await publishRecords(db, buildRecords(1, { mark_name: 'changed' }, 'a'));
  const waiting = await readPage(db, { cursor: before.cursor! }, HORIZON);
  assert.deepEqual([waiting.items, waiting.next_cursor, waiting.nextPollSeconds], [[], null, 2]);
  await step(86_400);
  const after = await walkChanges(db, { cursor: before.cursor! }, HORIZON);
  assert.deepEqual(identify(after.items), ['b1', 'a1']);
  listDelivered([...before.items, ...after.items]);
});

test('a sparse scoped feed never moves past what it has not scanned [4.6.1, I-19]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, [{ jurisdiction_code: 'XB', uid: 'rare0' }]);
  const delivered: DeliveredItem[] = [];
  let cursor: string | null = null;
  for (let round = 1; round <= 5; round += 1) {
    await publishRecords(db, buildRecords(40, { jurisdiction_code: 'XA', mark_name: `round ${round}` }));
    const held = await holdPublish(db, [{ jurisdiction_code: 'XB', uid: `rare${round}` }], 'written');
    await held.held;
    const values: { cursor?: string } = cursor === null ? {} : { cursor };
    const walk = await walkChanges(db, values, { register: 'XB', limit: () => 1 });
    held.release();
    await held.done;
    delivered.push(...walk.items);
    cursor = walk.cursor;
  }
  const last = await walkChanges(db, { cursor: cursor! }, { register: 'XB' });
  assert.deepEqual(identify([...delivered, ...last.items]), ['rare0', 'rare1', 'rare2', 'rare3', 'rare4', 'rare5']);
});

test('a change between two pages is delivered once, as it then is, and never lost [4.6.1, I-20]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(6));
  const first = await readPage(db, { limit: '3' });
  assert.deepEqual(identify(first.items), ['R1', 'R2', 'R3']);
  await publishRecords(db, [
    { uid: 'R2', mark_name: 'after its page' },
    { uid: 'R5', mark_name: 'before its page' },
  ]);
  const rest = await walkChanges(db, { cursor: first.next_cursor! }, { limit: () => 1 });
  assert.deepEqual(
    rest.items.map((item) => [item.uid, item.mark_name]),
    [
      ['R4', null],
      ['R6', null],
      ['R2', 'after its page'],
      ['R5', 'before its page'],
    ],
  );
});

test('an empty page: the client keeps its cursor through three of them, then gets the change [4.6.3]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(2));
  const walk = await walkChanges(db);
  for (let poll = 0; poll < 3; poll += 1) {
    const page = await readPage(db, { cursor: walk.cursor! });
    assert.deepEqual([page.items, page.next_cursor], [[], null]);
  }
  await publishRecords(db, [{ uid: 'R1', mark_name: 'changed' }]);
  assert.deepEqual(identify((await walkChanges(db, { cursor: walk.cursor! })).items), ['R1']);
});

test('a reload of identical source delivers nothing; one real change delivers one item [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t);
  const written: SourceFields = {
    uid: 'R1',
    mark_name: 'Café 商标',
    nice_classes: [9, 42],
    owner_names: ['Ørsted A/S', 'Acme'],
    owner_countries: ['DK', 'US'],
    vienna_codes: null,
    mark_name_variants: ['one', 'two'],
    payload: {
      parties: [
        { name: 'Ørsted', role: 'owner' },
        { name: 'Acme', role: 'owner' },
      ],
      notes: null,
    },
  };
  await publishRecords(db, [written]);
  const walk = await walkChanges(db);
  const rewritten = {
    ...written,
    mark_name: 'Cafe\u0301 商标',
    nice_classes: [42, 9, 9],
    owner_countries: ['us', 'dk'],
    vienna_codes: [],
    payload: {
      parties: [
        { role: 'owner', name: 'Ørsted' },
        { role: 'owner', name: 'Acme' },
      ],
    },
  };
  await publishRecords(db, [rewritten]);
  assert.deepEqual((await walkChanges(db, { cursor: walk.cursor! })).items, []);
  const changed = { ...written, payload: { parties: [{ name: 'Ørsted', role: 'applicant' }] } };
  await publishRecords(db, [changed]);
  assert.deepEqual(identify((await walkChanges(db, { cursor: walk.cursor! })).items), ['R1']);
});

test('two loads of the same change deliver it once [4.6.1, 4.6.6]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(5));
  const walk = await walkChanges(db);
  const changed = buildRecords(5, { mark_name: 'changed' });
  const loads = await Promise.all([stageRecords(db, changed), stageRecords(db, changed)]);
  await Promise.all(loads.map((loadId) => publishBatch(db, loadId, 1)));
  const { items } = await walkChanges(db, { cursor: walk.cursor! }, { limit: () => 2 });
  assert.deepEqual(identify(items), ['R1', 'R2', 'R3', 'R4', 'R5']);
});

test('cursor life: a cursor outlives connections, new columns and a dump restored elsewhere [4.6.1, I-19]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(4));
  const page = await readPage(db, { limit: '2' });
  const restarted = await connectTestDatabase(url);
  t.after(() => restarted.close());
  assert.deepEqual(identify((await walkChanges(restarted, { cursor: page.next_cursor! })).items), ['R3', 'R4']);
  await db.query(sql`alter table record add column added_later text`);
  assert.deepEqual(identify((await walkChanges(restarted, { cursor: page.next_cursor! })).items), ['R3', 'R4']);
  const { db: restored } = await createTestDatabase(t);
  await restored.query(sql`delete from publish_clock`);
  await restored.query(sql`alter table record add column added_later text`);
  for (const table of ['register', 'publish_clock', 'record', 'payload']) await copyTable(db, restored, table);
  assert.deepEqual(identify((await walkChanges(restored, { cursor: page.next_cursor! })).items), ['R3', 'R4']);
  await publishRecords(restored, [{ uid: 'R1', mark_name: 'changed after the restore' }]);
  const rest = await walkChanges(restored, { cursor: page.next_cursor! });
  assert.deepEqual(identify(rest.items), ['R3', 'R4', 'R1']);
});

/** A table from one database into another, row by row in text form, as a dump does it. */
async function copyTable(from: Database, to: Database, table: string): Promise<void> {
  const name = identifier(table);
  const rows = await from.query<{ row: string }>(sql`select to_json(${name}) as row from ${name}`);
  for (const { row } of rows) {
    await to.query(sql`insert into ${name} select (json_populate_record(null::public.${name}, ${row}::json)).*`);
  }
}
