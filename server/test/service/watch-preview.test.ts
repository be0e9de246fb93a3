/** What a preview says of the months of a year, against a reference over every version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { countPastEvents } from '../../src/http/past-events.ts';
import { previewRecords, previewSearch } from '../../src/http/preview-watch.ts';
import { planOwners } from '../../src/plan/watches.ts';
import { createTestDatabase } from '../support/database.ts';
import { isFull } from '../support/depth.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { WatchedWorld } from '../support/watched-world.ts';
import { buildRandom, type Random } from '../torture/random.ts';

const SEED = Number(process.env.TMDS_WATCH_SEED ?? 1);
const ROUNDS = isFull ? 60 : 30;
const LIMITS = { deadlineMs: Number.POSITIVE_INFINITY };

type Judge = ReturnType<WatchedWorld['chooseSubject']>['judge'];

/** The stamps of the events in which a record began to match, changed while matching, or stopped matching. */
function listStamps({ events }: WatchedWorld, judge: Judge): string[] {
  const isHit = ({ stored, before }: WatchedWorld['events'][number]) =>
    judge(stored) || (before !== null && judge(before));
  return events.filter(isHit).map(({ stored }) => stored.updated_at);
}

/** Publishes over some sixteen months. */
async function fill(db: Database, random: Random): Promise<WatchedWorld> {
  const world = await WatchedWorld.open(db, random);
  for (let count = 0; count < 40; count += 1) {
    await world.publish(random.integer(1, 20), `${random.integer(0, 24)} days ${random.integer(1, 100)} minutes`);
  }
  return world;
}

function chooseOwners(world: WatchedWorld) {
  for (;;) {
    const { subject, judge } = world.chooseSubject();
    if (subject.kind === 'owners') return { subject, judge };
  }
}

function lastStampOf({ events }: WatchedWorld): string {
  return events.at(-1)!.stored.updated_at;
}

test('the events of each month of a year equal a reference, whatever was replaced since', async (t) => {
  const { db } = await createTestDatabase(t);
  const random = buildRandom(SEED, 4);
  const world = await fill(db, random);
  const index = openLocalIndex(db);
  const nowMs = Date.parse(lastStampOf(world)) + random.integer(0, 40) * 86_400_000;
  // A preview counts for two seconds, which a slow machine may need; they end ten minutes later here.
  const monotonicMs = (): number => systemClock.monotonicMs() + 600_000;
  const sources = { index, database: db, clock: { ...systemClock, nowMs: () => nowMs, monotonicMs } };
  const kinds = new Set<string>();
  let counted = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { subject, judge } = world.chooseSubject();
    const preview =
      subject.kind === 'records'
        ? await previewRecords(sources, subject.records, null)
        : await previewSearch(sources, subject, null, LIMITS);
    const stamps = listStamps(world, judge);
    assert.equal(preview.counted_from, `${preview.months.at(-1)!.month}-01T00:00:00.000000Z`);
    assert.deepEqual(
      preview.months.map(({ month, events }) => [month, events]),
      preview.months.map(({ month }) => [month, stamps.filter((stamp) => stamp.startsWith(month)).length]),
      JSON.stringify(subject),
    );
    kinds.add(subject.kind);
    counted += preview.months.reduce((sum, { events }) => sum + events!, 0);
  }
  assert.equal(kinds.size, 4);
  assert.ok(counted > 0);
});

test('a preview that has too many events to check says from where on it counted, and that is exact', async (t) => {
  const { db } = await createTestDatabase(t);
  const random = buildRandom(SEED, 5);
  const world = await fill(db, random);
  const span = { from: '2026-01-01T00:00:00.000000Z', through: lastStampOf(world) };
  const sift = openLocalIndex(db).sift;
  let early = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { subject, judge } = chooseOwners(world);
    let left = random.integer(1, 4);
    const index = {
      ...openLocalIndex(db),
      sift: async (...given: Parameters<typeof sift>) => {
        left -= 1;
        if (left === 0 && round % 2 === 0) throw new NoAnswer('search_over_time');
        return await sift(...given);
      },
    };
    const look = {
      events: random.integer(1, world.events.length * 2),
      ms: 600_000,
      stepEvents: random.integer(1, 150),
    };
    const sources = { index, database: db, clock: systemClock };
    const { counts, countedFrom } = await countPastEvents(
      sources,
      [planOwners(subject.owners), null],
      span,
      LIMITS,
      look,
    );
    const expected = new Map<string, number>();
    for (const stamp of listStamps(world, judge).filter((each) => each >= countedFrom)) {
      expected.set(stamp.slice(0, 7), (expected.get(stamp.slice(0, 7)) ?? 0) + 1);
    }
    assert.deepEqual(new Map(counts), expected);
    if (countedFrom !== span.from) early += 1;
  }
  assert.ok(early > 0 && early < ROUNDS, `${early} stopped early`);
});
