import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Company, WayFlag } from '../../src/follow/company.ts';

function openCompany(alarms: (() => void)[] = [], flag = new WayFlag(), spare = 2): Company {
  return new Company(flag, spare, {
    monotonicMs: () => 0,
    callAfter: (_ms, act) => {
      alarms.push(act);
      return () => undefined;
    },
  });
}

/** A customer searches from 0 on, one search every given number of milliseconds, each taking this long of a thread. */
function useFor(
  seconds: number,
  { tookMs, everyMs, waitedMs = 0 }: { tookMs: number; everyMs: number; waitedMs?: number },
) {
  const use = openCompany();
  const endMs = seconds * 1_000;
  for (let nowMs = everyMs; nowMs <= endMs; nowMs += everyMs) use.noteUse('a', { tookMs, waitedMs }, nowMs);
  return { use, endMs, exceeds: (afterMs = 0): boolean => use.exceedsShare('a', endMs + afterMs) };
}

test('a quarter of a thread may be taken permanently, more may not', () => {
  assert.equal(useFor(60, { tookMs: 1, everyMs: 4 }).exceeds(), false);
  assert.equal(useFor(60, { tookMs: 1.2, everyMs: 4 }).exceeds(), true);
});

test('a moment above the share is not an excess: a single search of a few milliseconds', () => {
  const use = openCompany();
  use.noteUse('a', { tookMs: 9, waitedMs: 0 }, 0);
  assert.equal(use.exceedsShare('a', 0), false);
  use.noteUse('a', { tookMs: 9, waitedMs: 0 }, 10);
  assert.equal(use.exceedsShare('a', 10), true);
  assert.equal(use.exceedsShare('b', 10), false);
});

test('a customer who stops has its share again within half a second, however much it took', () => {
  const { exceeds } = useFor(600, { tookMs: 100, everyMs: 100 });
  assert.deepEqual([exceeds(), exceeds(300), exceeds(500)], [true, true, false]);
});

test('ten who share one thread exceed their shares, because each of them waits for the others', () => {
  assert.equal(useFor(60, { tookMs: 10, everyMs: 100, waitedMs: 89 }).exceeds(), true);
  assert.equal(useFor(60, { tookMs: 10, everyMs: 100 }).exceeds(), false);
});

test('waits of several connections at once are no more than the time that passed', () => {
  const use = openCompany();
  use.noteUse('a', { tookMs: 20, waitedMs: 0 }, 0);
  for (let nowMs = 1; nowMs < 50; nowMs += 1) use.noteUse('a', { tookMs: 0, waitedMs: 1_000 }, nowMs);
  assert.deepEqual([use.exceedsShare('a', 50), use.exceedsShare('a', 100)], [true, false]);
});

test('threads make way while as many calls are under way as processors are left, and for a moment after', () => {
  const flag = new WayFlag();
  const alarms: (() => void)[] = [];
  const company = openCompany(alarms, flag);
  const ring = (): void => {
    for (const act of alarms.splice(0)) act();
  };
  const endFirst = company.beginCall('a');
  assert.equal(flag.isSet, false);
  const endSecond = company.beginCall('a');
  assert.equal(flag.isSet, true);
  endFirst();
  const endThird = company.beginCall('a');
  ring();
  assert.equal(flag.isSet, true, 'another call began in the meantime');
  endThird();
  endSecond();
  assert.deepEqual([flag.isSet, alarms.length], [true, 1], 'one check at the end of the moment is enough');
  ring();
  assert.equal(flag.isSet, false);
});
