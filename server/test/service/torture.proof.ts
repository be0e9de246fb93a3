/** The torture harness, small and seeded; `npm run torture` runs it large. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listLosses } from '../torture/judge.ts';
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
  const losses = Object.entries(listLosses(report)).filter(([, count]) => count > 0);
  assert.deepEqual([losses, report.faults], [[], []]);
  assert.ok(report.made > 0 && report.delivered > 0 && report.hits > 0);
  assert.ok(report.serverCrashes + report.databaseCrashes + report.writerCrashes + report.pollerCrashes > 0);
});
