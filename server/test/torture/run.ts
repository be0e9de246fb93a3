/** `npm run torture -- --minutes N [--changes N] [--seed S]`: a large run, its figures, and status 1 on any failure. */
import { buildCommand, parseAmount, parseCount } from '../../../scripts/command.ts';
import { listLosses } from './judge.ts';
import { runTorture } from './torture.ts';

const options = buildCommand(
  'npm run torture --',
  'Writers, pollers and everything that can crash, until a change is lost or repeated or the time is up. On one server: ' +
    'what was committed is noted by a trigger, which several nodes do not allow; for those see test/io/nodes-kill.test.ts.',
)
  .option('--minutes <number>', 'how long', parseAmount, 5)
  .option('--changes <count>', 'or how many changes', parseCount, 1_000_000)
  .option('--seed <number>', 'the seed of the random numbers', parseCount, 1)
  .option('--writers <count>', 'processes that publish', parseCount, 8)
  .option('--pollers <count>', 'replicas that follow the feed', parseCount, 4)
  .option('--records <count>', 'records that are changed', parseCount, 100_000)
  .option('--batch <count>', 'most changes of one publish', parseCount, 2500)
  .option('--horizon <seconds>', 'horizon of the feed', parseAmount, 2)
  .parse()
  .opts<{
    minutes: number;
    changes: number;
    seed: number;
    writers: number;
    pollers: number;
    records: number;
    batch: number;
    horizon: number;
  }>();

const report = await runTorture({
  seed: options.seed,
  writers: options.writers,
  pollers: options.pollers,
  changesMax: options.changes,
  secondsMax: options.minutes * 60,
  records: options.records,
  batchMax: options.batch,
  horizonSeconds: options.horizon,
  blowSeconds: 5,
  onProgress: (changes, seconds) => {
    process.stderr.write(`\r${changes} changes after ${Math.round(seconds)} s `);
  },
});
process.stderr.write('\n');
const { faults, seconds, ...figures } = report;
for (const [name, figure] of Object.entries(figures)) console.log(`${name.padEnd(16)} ${figure}`);
console.log(`${'seconds'.padEnd(16)} ${Math.round(seconds)}`);
for (const fault of faults.slice(0, 20)) console.log(`fault            ${fault}`);
const failures = Object.values(listLosses(report)).reduce((sum, count) => sum + count, 0);
console.log(
  failures === 0 ? 'nothing lost, nothing repeated, every copy equal to the table, every version kept' : 'FAILED',
);
process.exitCode = failures === 0 ? 0 : 1;
