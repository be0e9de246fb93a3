/** The torture harness, small and seeded; `npm run torture` runs it large. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTorture } from '../torture/torture.ts';

test('crash: writers, pollers, server and database die at any step; nothing is lost or repeated [4.6.1, I-19, I-20]', {
  timeout: 300_000,
}, async () => {
  const report = await runTorture({
    seed: 20_261_121,
    writers: 3,
    pollers: 3,
    changesMax: 4_000,
    secondsMax: 15,
    records: 400,
    batchMax: 80,
    horizonSeconds: 1,
    blowSeconds: 1.5,
  });
  const { lost, repeated, invented, unequal, wrongDigests, faults } = report;
  assert.deepEqual(
    { lost, repeated, invented, unequal, wrongDigests, faults },
    {
      lost: 0,
      repeated: 0,
      invented: 0,
      unequal: 0,
      wrongDigests: 0,
      faults: [],
    },
  );
  assert.ok(report.made > 0 && report.delivered > 0);
  assert.ok(report.serverCrashes + report.databaseCrashes + report.writerCrashes + report.pollerCrashes > 0);
});
