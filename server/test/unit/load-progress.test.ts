/** What somebody who waits for a load sees. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../src/base/clock.ts';
import { openProgress } from '../../src/load/findings/progress.ts';
import type { Source } from '../../src/load/sources/source.ts';

function sourceOf(totalBytes: number | null, readBytes: () => number): Source {
  return { name: 'a', totalBytes, readBytes, entries: () => (async function* () {})() };
}

/** A progress whose time and ticks the test owns. */
function openWatched(isTTY: boolean): {
  tick: (nowMs: number) => void;
  progress: ReturnType<typeof openProgress>;
  written: string[];
} {
  const written: string[] = [];
  let nowMs = 0;
  let draw = (): void => {};
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async () => {},
    callAfter: () => () => {},
  };
  const screen = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const progress = openProgress(clock, screen, (tick) => {
    draw = tick;
    return () => {
      draw = () => {};
    };
  });
  const tick = (atMs: number): void => {
    nowMs = atMs;
    draw();
  };
  return { tick, progress, written };
}

test('without a terminal a line every so often says share, records, rate and remaining time', () => {
  const { tick, progress, written } = openWatched(false);
  let bytes = 0;
  let records = 0;
  progress.startReading([sourceOf(1000, () => bytes)], () => records);
  [bytes, records] = [250, 100_000];
  tick(10_000);
  [bytes, records] = [1000, 400_000];
  tick(100_000);
  progress.startPublishing(80);
  progress.notePublished(20);
  tick(140_000);
  progress.stop();
  tick(200_000);
  assert.deepEqual(written, [
    'reading: 25 % done, 100,000 records, 10,000/s, 30 s left\n',
    'reading: 100 % done, 400,000 records, 4,000/s, 0 s left\n',
    'publishing: 25 % done, 2 min 0 s left\n',
  ]);
});

test('what has no known end is counted, not estimated', () => {
  const { tick, progress, written } = openWatched(false);
  progress.startReading([sourceOf(null, () => 5), sourceOf(10, () => 5)], () => 1234);
  tick(10_000);
  progress.stop();
  assert.deepEqual(written, ['reading: under way, 1,234 records, 123/s\n']);
});
