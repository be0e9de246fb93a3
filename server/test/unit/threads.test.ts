/** When a thread that ended is started again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RestartPause } from '../../src/base/threads.ts';

test('a thread that cannot start is tried more and more rarely, and at once again after one has run', () => {
  const pause = new RestartPause();
  const pauses = Array.from({ length: 9 }, () => pause.next());
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  pause.reset();
  assert.equal(pause.next(), 500);
});
