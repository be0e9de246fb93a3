/** Publishes matched against watches: every hit exactly once, wherever the matching ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { matchEvents } from '../../src/alert/match-events.ts';
import { WatchedSearches } from '../../src/alert/watched-searches.ts';
import type { Database, Queryable, Transaction } from '../../src/store/driver/db.ts';
import { Overtaken } from '../../src/store/watches/matching.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { WatchedWorld } from '../support/watched-world.ts';
import { buildRandom } from '../torture/random.ts';

const ROUNDS = Number(process.env.TMDS_WATCH_ROUNDS ?? 60);
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
        if (name !== 'query') return member.bind(own);
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

test('hits are those of a reference over every version, with kills at every statement and steps of any size', async (t) => {
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
  assert.ok(kills > ROUNDS / 4, `${kills} kills`);
  assert.ok(hits > world.events.length, `${hits} hits of ${world.events.length} events`);
});

test('two that match at once write each hit once, and one of them is told', async (t) => {
  const { db } = await createTestDatabase(t);
  const random = buildRandom(SEED, 2);
  const world = await WatchedWorld.open(db, random);
  for (let count = 0; count < 20; count += 1) await world.changeWatch();
  let overtaken = 0;
  for (let round = 0; round < 15; round += 1) {
    await world.publish(30);
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => matchAll(db, { events: 7, bytes: 1e9 }, new WatchedSearches(testLog))),
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
  assert.ok(overtaken > 0);
});
