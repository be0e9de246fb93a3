/** Publishes matched against watches: every hit exactly once, wherever the matching ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { Database, Queryable, Transaction } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { HITS_OF_ROW } from '../../src/store/watches/hit-rows.ts';
import { findHits, findLatestHits, type StoredHit } from '../../src/store/watches/hits.ts';
import { Overtaken } from '../../src/store/watches/matching.ts';
import type { EventPosition } from '../../src/store/watches/version-events.ts';
import { putWatch, type WatchSubject } from '../../src/store/watches/watches.ts';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { runsOf } from '../support/depth.ts';
import { WatchedWorld } from '../support/watched-world.ts';
import { publishRecords } from '../torture/publish.ts';
import { buildRandom } from '../torture/random.ts';

const ROUNDS = runsOf(40);
const SEED = Number(process.env.TMDS_WATCH_SEED ?? 1);

class Killed extends Error {}

/** Fails at a statement of a transaction, before or after it ran, as when the process ends there. */
function killAt(db: Database, place: number, isAfter: boolean): { db: Database; reached: () => boolean } {
  let left = place;
  const guard = <Target extends Queryable>(target: Target): Target =>
    new Proxy(target, {
      get(own, name) {
        const member = Reflect.get(own, name, own);
        if (typeof member !== 'function') return member;
        if (name === 'transaction') {
          return (work: (tx: Transaction) => Promise<unknown>, options: object) =>
            member.call(own, (tx: Transaction) => work(guard(tx)), options);
        }
        if (name !== 'query' && name !== 'copyIn') return member.bind(own);
        return async (...given: unknown[]) => {
          left -= 1;
          if (left === 0 && !isAfter) throw new Killed();
          const rows = await member.apply(own, given);
          if (left === 0 && isAfter) throw new Killed();
          return rows;
        };
      },
    });
  return { db: guard(db), reached: () => left <= 0 };
}

async function matchAll(
  db: Database,
  step: { events: number; bytes: number },
  searches = new WatchedSearches(testLog),
) {
  while (await matchEvents(db, searches, step));
}

test('hits equal a reference over every version, with kills at every statement and steps of any size', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 4 });
  const random = buildRandom(SEED);
  const world = await WatchedWorld.open(db, random);
  let searches = new WatchedSearches(testLog);
  let kills = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let count = random.integer(0, 3); count > 0; count -= 1) await world.changeWatch();
    for (let count = random.integer(0, 3); count > 0; count -= 1) await world.publish(random.integer(1, 25));
    const step = { events: random.integer(1, 40), bytes: random.pick([1, 2_000, 1e9]) };
    for (let count = random.integer(0, 4); count > 0; count -= 1) {
      const killing = killAt(db, random.integer(1, 14), random.chance(0.5));
      try {
        await matchEvents(killing.db, searches, step);
      } catch (error) {
        assert.ok(error instanceof Killed, inspect(error));
        kills += 1;
        searches = new WatchedSearches(testLog);
      }
    }
    if (random.chance(0.3)) await matchAll(db, step, searches);
  }
  await matchAll(db, { events: 17, bytes: 1e9 });
  const [expected, told] = [world.listExpected(), await world.listTold()];
  let hits = 0;
  for (const [id, list] of expected) {
    assert.deepEqual(told.get(id) ?? [], list, id);
    hits += list.length;
  }
  for (const [id, list] of told) assert.ok(expected.has(id) || list.length === 0, id);
  assert.ok(kills > 0 && hits > 0, `${kills} kills, ${hits} hits`);
});

test('hits that share a row are read one by one, from the oldest on and from the newest on', async (t) => {
  const { db } = await createTestDatabase(t);
  const random = buildRandom(SEED, 3);
  const world = await WatchedWorld.open(db, random);
  for (let count = 0; count < 12; count += 1) await world.changeWatch();
  for (let round = 0; round < 4; round += 1) await world.publish(40);
  await matchAll(db, { events: 13, bytes: 1e9 });
  const rows = await db.query<{ id: string; watch_id: string }>(sql`select id, watch_id from watch`);
  const [shared] = await db.query<{ most: number }>(sql`select max(hit_count)::int4 as most from watch_hit`);
  assert.ok(shared!.most > 1);
  const keyOf = ({ version, jurisdiction_code, uid, event }: StoredHit) => [version, jurisdiction_code, uid, event];
  const told = await world.listTold();
  for (const { id, watch_id } of rows) {
    const limit = random.integer(1, 7);
    const older: unknown[] = [];
    for (let before: EventPosition | null = null; ; ) {
      const { items, olderThan } = await findLatestHits(db, watch_id, { before, limit });
      older.push(...items.map(keyOf));
      assert.ok(older.length <= told.get(id)!.length, `${id} repeats`);
      before = olderThan;
      if (before === null) break;
    }
    assert.deepEqual(older.reverse(), told.get(id), id);
    const newer: unknown[] = [];
    for (let after = { updated_at: '2026-01-01T00:00:00.000000Z', jurisdiction_code: '', uid: '' }; ; ) {
      const { items } = await findHits(db, watch_id, { id, after, limit, binding: { kind: 'hits', query: '' } });
      if (items.length === 0) break;
      newer.push(...items.map(keyOf));
      assert.ok(newer.length <= told.get(id)!.length, `${id} repeats`);
      const { version: updated_at, jurisdiction_code, uid } = items.at(-1)!;
      after = { updated_at, jurisdiction_code, uid };
    }
    assert.deepEqual(newer, told.get(id), id);
  }
});

test('ids of any text come back in hits exactly as published', async (t) => {
  const { db } = await createTestDatabase(t);
  const uids = ['"', '\\', '\\N', 'a\tb', 'a\nb', 'a\rb', '{x,y}', 'NULL', 'é/2', '商标', "'", ' ', 'a b', '"a\\"b"'];
  const records = uids.map((uid) => ({ jurisdiction_code: 'FR', uid, owner_names: ['acme'] }));
  const [customer] = await db.query<{ id: string }>(sql`
    insert into customer (customer_id, name, created_at) values (gen_random_uuid(), 'acme', now())
    returning customer_id as id`);
  const put = (id: string, subject: WatchSubject) => putWatch(db, customer!.id, id, { name: id, subject });
  await put('all', { kind: 'owners', owners: ['acme'] });
  for (const [number, uid] of uids.entries()) {
    await put(`one-${number}`, { kind: 'records', records: [{ jurisdiction_code: 'FR', uid }] });
  }
  await publishRecords(db, records);
  await matchAll(db, { events: 100, bytes: 1e9 });
  const hits = await db.query<{ id: string; uid: string }>(sql`
    select watch.id, hit.uid from watch join watch_hit hit_row using (watch_id) cross join lateral ${HITS_OF_ROW}`);
  const listOf = (id: string) => hits.filter((hit) => hit.id === id).map(({ uid }) => uid);
  assert.deepEqual(listOf('all').sort(), [...uids].sort());
  for (const [number, uid] of uids.entries()) assert.deepEqual(listOf(`one-${number}`), [uid]);
});

/** Of each matcher, the first transaction begins once all of them have read how far matching is. */
function startTogether(db: Database, count: number): Database[] {
  let arrived = 0;
  let release = (): void => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  return Array.from({ length: count }, () => {
    let isFirst = true;
    const transaction: Database['transaction'] = async (work, options) => {
      if (isFirst) {
        isFirst = false;
        arrived += 1;
        if (arrived === count) release();
        await all;
      }
      return await db.transaction(work, options);
    };
    return { ...db, transaction };
  });
}

test('of several that match at once, one writes each hit once, and the others are refused', async (t) => {
  const { db } = await createTestDatabase(t);
  const random = buildRandom(SEED, 2);
  const world = await WatchedWorld.open(db, random);
  for (let count = 0; count < 20; count += 1) await world.changeWatch();
  const rounds = 5;
  let overtaken = 0;
  for (let round = 0; round < rounds; round += 1) {
    await world.publish(30);
    const outcomes = await Promise.allSettled(
      startTogether(db, 3).map((own) => matchAll(own, { events: 7, bytes: 1e9 }, new WatchedSearches(testLog))),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      assert.ok(outcome.reason instanceof Overtaken, inspect(outcome.reason));
      overtaken += 1;
    }
  }
  await matchAll(db, { events: 100, bytes: 1e9 });
  const told = await world.listTold();
  for (const [id, list] of world.listExpected()) assert.deepEqual(told.get(id), list, id);
  assert.equal(overtaken, 2 * rounds);
});
