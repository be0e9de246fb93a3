/** `npm run torture -- --minutes N [--changes N] [--seed S]`: a large run, its figures, and status 1 on any failure. */
import { parseArgs } from 'node:util';
import { runTorture } from './torture.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    changes: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    writers: { type: 'string', default: '8' },
    pollers: { type: 'string', default: '4' },
    records: { type: 'string', default: '100000' },
    batch: { type: 'string', default: '2500' },
    horizon: { type: 'string', default: '2' },
  },
});

const report = await runTorture({
  seed: Number(values.seed),
  writers: Number(values.writers),
  pollers: Number(values.pollers),
  changesMax: Number(values.changes),
  secondsMax: Number(values.minutes) * 60,
  records: Number(values.records),
  batchMax: Number(values.batch),
  horizonSeconds: Number(values.horizon),
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
const { lost, repeated, invented, unequal, wrongDigests } = report;
const failures = lost + repeated + invented + unequal + wrongDigests + faults.length;
console.log(failures === 0 ? 'nothing lost, nothing repeated, every copy equal to the table' : 'FAILED');
process.exitCode = failures === 0 ? 0 : 1;
