/**
 * The clock of the database was fast and has been corrected: `tmds clock repair` lets the change feed go on, and keeps
 * every promise of it. The tests own the clock.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { repairClock } from '../../src/store/publish/clock-repair.ts';
import { feedTime, givenAt } from '../../src/store/publish/feed-clock.ts';
import { PublishTooLate, publishBatch } from '../../src/store/publish/publish.ts';
import { checkFeed, pulseFeed } from '../../src/upkeep/health/feed-health.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { createSkewedDatabase, type SkewedDatabase } from '../torture/clock.ts';
import { buildRecords, publishRecords, stageRecords } from '../torture/publish.ts';
import { type DeliveredItem, identify, readPage, walkChanges } from '../torture/walk.ts';

const DAY = 86_400;
const HORIZON = { horizonSeconds: 300 };

/** Records before the clock went wrong, and of the day that it was fast; the clock is right again. */
async function createFastDay(t: { after(work: () => Promise<void>): void }): Promise<SkewedDatabase> {
  const skewed = await createSkewedDatabase(t);
  await publishRecords(skewed.db, buildRecords(2, {}, 'before'));
  await skewed.step(DAY);
  await publishRecords(skewed.db, buildRecords(2, {}, 'fast'));
  await skewed.step(-DAY + 400);
  return skewed;
}

function assertRising(items: readonly DeliveredItem[]): void {
  const positions = items.map((item) => `${item.updated_at} ${item.uid}`);
  assert.deepEqual(positions, [...new Set(positions)].sort());
}

test('after the repair everything that was held back is delivered, once, in order, from the kept cursor [4.6.1, I-19, I-21]', async (t) => {
  const { db, step } = await createFastDay(t);
  const first = await walkChanges(db, {}, HORIZON);
  assert.deepEqual(identify(first.items), ['before1', 'before2']);
  const repair = await repairClock(db);
  assert.equal(Math.round(repair!.aheadSeconds / 100), (DAY - 400) / 100);
  await publishRecords(db, [...buildRecords(1, {}, 'after'), { uid: 'before1', mark_name: 'changed' }]);
  const early = await walkChanges(db, { cursor: first.cursor! }, HORIZON);
  assert.deepEqual(early.items, [], 'nothing comes before the horizon has passed');
  await step(301);
  const rest = await walkChanges(db, { cursor: first.cursor! }, { ...HORIZON, limit: () => 1 });
  assert.deepEqual(identify(rest.items), ['fast1', 'fast2', 'after1', 'before1']);
  assertRising([...first.items, ...rest.items]);
  await publishRecords(db, buildRecords(1, {}, 'later'));
  await step(301);
  const last = await walkChanges(db, { cursor: rest.cursor! }, HORIZON);
  assert.deepEqual(identify(last.items), ['later1']);
  assertRising([...rest.items, ...last.items]);
});

test('the horizon goes on from the repair, five minutes behind as before, and never goes back [4.6.4, I-21, I-23]', async (t) => {
  const { db, step } = await createFastDay(t);
  const horizon = async (): Promise<string> => (await readPage(db, { since: '2999-01-01' }, HORIZON)).horizon;
  const seen = [await horizon()];
  const { stamp } = (await repairClock(db))!;
  for (const seconds of [0, 150, 149, 2, 100, DAY / 2, DAY / 2, DAY]) {
    await step(seconds);
    await pulseFeed(db);
    seen.push(await horizon());
  }
  assert.deepEqual(seen, [...seen].sort());
  assert.deepEqual(
    seen.map((each) => each >= stamp),
    [false, false, false, false, true, true, true, true, true],
  );
});

test('an empty page says when the next change is due, also while stamps are ahead [4.6.3, I-23]', async (t) => {
  const { db, step } = await createFastDay(t);
  await repairClock(db);
  await step(100);
  await publishRecords(db, buildRecords(1, {}, 'after'));
  const { cursor } = await walkChanges(db, {}, HORIZON);
  const wait = async (from: string): Promise<number | null> =>
    (await readPage(db, { cursor: from }, HORIZON)).nextPollSeconds;
  const untilFast = await wait(cursor!);
  await step(201);
  const fast = await walkChanges(db, { cursor: cursor! }, HORIZON);
  const untilAfter = await wait(fast.cursor!);
  assert.ok(untilFast! > 150 && untilFast! <= 200, `${untilFast}`);
  assert.ok(untilAfter! > 50 && untilAfter! <= 100, `${untilAfter}`);
});

test('stamps follow the clock again once it has caught up with them [I-21]', async (t) => {
  const { db, step } = await createFastDay(t);
  await repairClock(db);
  const lead = async (): Promise<number> => {
    await pulseFeed(db);
    const [row] = await db.query<{ lead: number }>(
      sql`select extract(epoch from last_stamp - clock_timestamp())::float8 as lead from publish_clock`,
    );
    return row!.lead;
  };
  await step(DAY / 2);
  const halfway = await lead();
  await step(DAY / 2 + 1000);
  assert.ok(halfway > DAY / 2 - 1000 && halfway < DAY / 2 + 1000, `${halfway}`);
  assert.ok((await lead()) <= 0);
});

test('the deadline of a publish holds while stamps are ahead of the clock [4.6.1, 4.6.4]', async (t) => {
  const { db, step } = await createFastDay(t);
  await repairClock(db);
  await step(60);
  const loadId = await stageRecords(db, buildRecords(1, {}, 'slow'));
  const slow = publishBatch(db, loadId, 1, { onStep: async (name) => (name === 'counted' ? step(31) : undefined) });
  await assert.rejects(slow, PublishTooLate);
  assert.deepEqual((await publishBatch(db, loadId, 1)).newCount, 1);
});

test('a repair waits for the publish under way, so that nothing is stamped before it and seen after [4.6.1]', async (t) => {
  const { db, url, step } = await createFastDay(t);
  const other = await connectTestDatabase(url, { poolMax: 1 });
  t.after(() => other.close());
  const loadId = await stageRecords(db, buildRecords(1, {}, 'under way'));
  let repairing: ReturnType<typeof repairClock> | undefined;
  await publishBatch(db, loadId, 1, {
    onStep: async (name) => {
      if (name !== 'written') return;
      repairing = repairClock(other);
      const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      while ((await db.query(waiting)).length === 0);
    },
  });
  const repair = await repairing!;
  await step(301);
  const { items } = await walkChanges(db, {}, HORIZON);
  assert.equal(items.at(-1)!.uid, 'under way1');
  assert.ok(items.at(-1)!.updated_at < repair!.stamp);
});

test('the alarm of a clock behind ends with the repair, and a clock that is right is not repaired [4.6.4]', async (t) => {
  const { db, step } = await createFastDay(t);
  const alarms = async (): Promise<string[]> => (await checkFeed(db, HORIZON)).map(({ check }) => check);
  const [finding] = await checkFeed(db, HORIZON);
  assert.equal(finding?.check, 'clock_behind');
  assert.match(finding.remedy, /tmds clock repair/);
  await repairClock(db);
  const after = await alarms();
  const again = await repairClock(db);
  await step(-3600);
  const behindAgain = await alarms();
  assert.deepEqual({ after, again, behindAgain }, { after: [], again: null, behindAgain: ['clock_behind'] });
});

test('repairs upon repairs: the feed goes on after each, and delivers every change once [4.6.1, I-19, I-21]', async (t) => {
  const { db, step } = await createFastDay(t);
  const walks: DeliveredItem[] = [];
  let cursor: string | null = null;
  const drain = async (): Promise<void> => {
    const walk = await walkChanges(db, cursor === null ? {} : { cursor }, { ...HORIZON, limit: () => 2 });
    walks.push(...walk.items);
    cursor = walk.cursor;
  };
  const expected = ['before1', 'before2', 'fast1', 'fast2'];
  // Fast and corrected again, set back, fast by little: each is repaired.
  for (const [round, wrong] of [DAY, -7200, 30].entries()) {
    await repairClock(db);
    await publishRecords(db, buildRecords(2, {}, `right${round}-`));
    await drain();
    await step(wrong);
    await publishRecords(db, buildRecords(2, {}, `wrong${round}-`));
    await drain();
    if (wrong > 0) await step(-wrong);
    await repairClock(db);
    await step(301);
    await drain();
    expected.push(`right${round}-1`, `right${round}-2`, `wrong${round}-1`, `wrong${round}-2`);
    assert.deepEqual(identify(walks), expected);
  }
  assertRising(walks);
});

interface Reading {
  at: number;
  given: number;
}

async function readFeedTimes(db: Database, seconds: readonly number[]): Promise<Reading[]> {
  return await db.query<Reading>(sql`
    select extract(epoch from at - timestamptz '2026-01-01')::float8 as at,
      extract(epoch from ${givenAt(sql`at`)} - timestamptz '2026-01-01')::float8 as given
    from (
      select place, ${feedTime(sql`timestamptz '2026-01-01' + make_interval(secs => each)`)} as at
      from unnest(${seconds}::float8[]) with ordinality as readings (each, place)
    ) as found order by place`);
}

test('feed time rises with the clock, is never behind it, and shows when a stamp was given, whatever was repaired [I-21]', async (t) => {
  const { db } = await createTestDatabase(t);
  // In seconds: at 100 the stamps were 1,000 ahead; at 600 they were again; the clock was set back to 50, and repaired.
  const repairs = [
    [100, 1100],
    [600, 2100],
    [50, 2200],
  ];
  const clocks = [...Array.from({ length: 60 }, (_, index) => index * 50), 99.5, 100.5, 599.9, 600.1].sort(
    (one, other) => one - other,
  );
  assert.deepEqual(
    (await readFeedTimes(db, clocks)).map(({ at }) => at),
    clocks,
    'without a repair it is the clock',
  );
  for (const [repairedAt, stamp] of repairs) {
    await db.query(sql`insert into clock_repair (stamp, repaired_at)
      select timestamptz '2026-01-01' + make_interval(secs => ${stamp}::float8),
        timestamptz '2026-01-01' + make_interval(secs => ${repairedAt}::float8)`);
    const readings = await readFeedTimes(db, clocks);
    readings.forEach(({ at, given }, index) => {
      assert.ok(at >= clocks[index]!, `behind the clock at ${clocks[index]}`);
      assert.ok(index === 0 || at > readings[index - 1]!.at, `does not rise at ${clocks[index]}`);
      assert.ok(Math.abs(given - clocks[index]!) < 0.001, `${at} was given at ${clocks[index]}, not ${given}`);
    });
  }
});
