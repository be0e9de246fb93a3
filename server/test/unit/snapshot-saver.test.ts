/** Snapshots of the index that cannot be written: how often they are tried, and what the log says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { SnapshotSaver } from '../../src/follow/snapshot-saver.ts';
import { EMPTY_VIEW } from '../../src/index/segment.ts';

test('a snapshot that cannot be written is one line of the log, and another when it can be again', async () => {
  let fault: string | null = null;
  let saved = 0;
  let held = 0;
  const lines: string[] = [];
  const pauses: number[] = [];
  const saver = new SnapshotSaver({
    folder: 'index',
    pool: {
      isFull: false,
      run: async () => {
        assert.equal(held, 1);
        if (fault !== null) throw new Error(fault);
        saved += 1;
        return [];
      },
    },
    clock: { ...systemClock, monotonicMs: () => 0, sleep: async (ms) => void pauses.push(ms) },
    writer: () => ({
      view: EMPTY_VIEW,
      hold: () => {
        held += 1;
        return () => {
          held -= 1;
        };
      },
    }),
    log: (level, text, about) => void lines.push([level, text, ...Object.values(about ?? {})].join(' ')),
  });
  const save = (): Promise<void> => saver.saveIfDue('database', null, null);
  await save();
  assert.equal(saved, 0, 'nothing has changed');
  saver.noteDue();
  for (fault of ['full', 'full', 'read-only', 'read-only']) await save();
  assert.deepEqual([saved, pauses], [0, [6_000, 6_000, 6_000, 6_000]]);
  fault = null;
  await save();
  await save();
  assert.equal(saved, 1, 'it was still due, and then no more');
  const unwritten = 'warn a snapshot of the search index could not be written, so the next start takes longer; retried';
  assert.deepEqual(lines, [
    `${unwritten} Error: full`,
    `${unwritten} Error: read-only`,
    'info snapshots of the search index are written again',
  ]);
  assert.equal(held, 0);
});
