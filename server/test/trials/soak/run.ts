/** `npm run soak -- --minutes N`: a long run, its figures as tables, and status 1 if anything grew, failed or differed. */
import { buildCommand, parseAmount, parseCount } from '../../../../scripts/command.ts';
import { BUILT_VARIABLE } from '../../support/cluster.ts';
import { buildCleanup } from '../cleanup.ts';
import { findFindings, renderSoak } from './report.ts';
import { runSoak } from './soak.ts';

const options = buildCommand(
  'npm run soak --',
  'Calls, loads and replicas at a share of the measured capacity, while memory, descriptors and times are watched.',
)
  .option('--minutes <number>', 'how long', parseAmount, 60)
  .option('--window-minutes <number>', 'how long a window is', parseAmount, 5)
  .option('--share <number>', 'share of the capacity, above 0', parseAmount, 0.7)
  .option('--records <count>', 'records that are loaded and changed', parseCount, 3000)
  .option('--measure-seconds <count>', 'how long capacity is measured', parseCount, 20)
  .option('--seed <number>', 'the seed of the random numbers', parseCount, 1)
  .option('--json', 'one JSON document instead of tables', false)
  .parse()
  .opts<{
    minutes: number;
    windowMinutes: number;
    share: number;
    records: number;
    measureSeconds: number;
    seed: number;
    json: boolean;
  }>();

// The program as operators run it; `npm run soak` has just built it.
process.env[BUILT_VARIABLE] = '1';
const cleanup = buildCleanup();
try {
  const { minutes, windowMinutes, share, records, measureSeconds, seed } = options;
  const times = { seconds: minutes * 60, windowSeconds: windowMinutes * 60, measureSeconds };
  const onProgress = (text: string): void => console.error(text);
  const report = await runSoak(cleanup, { ...times, share, records, seed, onProgress });
  const findings = findFindings(report);
  console.log(options.json ? JSON.stringify({ ...report, findings }) : renderSoak(report));
  for (const finding of findings) console.log(finding);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await cleanup.end();
}
process.exit();
