/** How long a store of objects is waited for, by a process that may be the slow one itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { waitOfWork } from '../../src/objects/patience.ts';

/** Time that the test sets. */
function buildToldClock(): { clock: Clock; pass: (ms: number) => void } {
  let nowMs = 0;
  let timers: { readonly dueMs: number; readonly act: () => void }[] = [];
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    callAfter: (ms, act) => {
      const timer = { dueMs: nowMs + ms, act };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
  const pass = (ms: number): void => {
    nowMs += ms;
    const due = timers.filter(({ dueMs }) => dueMs <= nowMs);
    timers = timers.filter(({ dueMs }) => dueMs > nowMs);
    for (const { act } of due) act();
  };
  return { clock, pass };
}

test('work that was delayed itself for a minute goes on; a store that is silent for five seconds is abandoned', async () => {
  const { clock, pass } = buildToldClock();
  const wait = waitOfWork(clock);
  await wait.during(async () => {
    const first = wait.begin();
    pass(60_000);
    assert.equal(first.signal.aborted, false);
    first.hear(1);
    assert.equal(first.signal.aborted, false);
    for (let step = 0; step < 60; step += 1) pass(100);
    assert.equal(first.signal.aborted, true);
    first.end();
    assert.notEqual(wait.pauseAfter(1), null);
  });
});
