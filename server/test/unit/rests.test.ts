import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { WayFlag } from '../../src/follow/company.ts';
import { Rests } from '../../src/follow/rests.ts';

/** Rests in a time that passes only by work and by waits. */
function openRests() {
  const waits: number[] = [];
  let nowMs = 1_000;
  const flag = {
    isSet: true,
    wait: (timeoutMs: number): void => {
      if (!flag.isSet) return;
      waits.push(timeoutMs);
      nowMs += timeoutMs;
    },
  };
  const rests = new Rests(flag, () => nowMs);
  const work = (ms: number): void => {
    nowMs += ms;
    rests.pause();
  };
  return { flag, waits, rests, work };
}

const UNBOUND = Number.POSITIVE_INFINITY;

test('a patient thread works for a tenth of its time while others call, and all the time while nobody does', () => {
  const { flag, rests, work } = openRests();
  rests.begin(0, UNBOUND);
  for (let piece = 0; piece < 10; piece += 1) work(1);
  assert.equal(rests.restedMs, 90);
  flag.isSet = false;
  work(1);
  assert.equal(rests.restedMs, 90);
});

test('short pieces of work are paid for together', () => {
  const { waits, rests, work } = openRests();
  rests.begin(0, UNBOUND);
  for (let piece = 0; piece < 8; piece += 1) work(0.125);
  assert.deepEqual(waits, [4.5, 4.5]);
});

test('work done elsewhere is paid for before the work here begins', () => {
  const { waits, rests } = openRests();
  rests.begin(2, UNBOUND);
  assert.deepEqual([waits, rests.restedMs], [[18], 18]);
  rests.begin(0, UNBOUND);
  assert.equal(rests.restedMs, 0);
});

test('a rest is bounded, and does not happen in the second half of the time limit', () => {
  const { waits, rests, work } = openRests();
  rests.begin(0, 300);
  work(100);
  work(20);
  work(20);
  assert.deepEqual(waits, [25, 5]);
});

test('another thread sees the flag, and its wait ends when the flag is taken back', async () => {
  const flag = new WayFlag();
  flag.set(true);
  const waiting = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     parentPort.postMessage('waits');
     parentPort.postMessage(Atomics.wait(new Int32Array(workerData), 0, 1, 60_000));`,
    { eval: true, workerData: flag.shared },
  );
  const said: unknown[] = [];
  await new Promise((resolve) => {
    waiting.on('message', (message) => {
      said.push(message);
      flag.set(false);
    });
    waiting.on('exit', resolve);
  });
  assert.equal(said[0], 'waits');
  assert.notEqual(said[1], 'timed-out');
  assert.equal(new WayFlag(flag.shared).isSet, false);
});
