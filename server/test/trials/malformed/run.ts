/** `npm run malformed -- --count N [--seed S]`: malformed requests to a real service; status 1 on any answer of 5xx. */
import { buildCommand, parseCount } from '../../../../scripts/command.ts';
import { buildCleanup } from '../cleanup.ts';
import { startTrialPostgres } from '../postgres.ts';
import { renderStorm, runStorm } from './storm.ts';
import { startStormTarget } from './target.ts';

const options = buildCommand(
  'npm run malformed --',
  'Sends malformed requests to every path of its own service and counts the answers by path and status.',
)
  .option('--count <number>', 'how many requests', parseCount, 20_000)
  .option('--seed <number>', 'the seed of the random numbers', parseCount, 1)
  .option('--callers <number>', 'connections at a time', parseCount, 16)
  .option('--json', 'one JSON document instead of a table', false)
  .parse()
  .opts<{ count: number; seed: number; callers: number; json: boolean }>();

const cleanup = buildCleanup();
try {
  const target = await startStormTarget(cleanup, await startTrialPostgres(cleanup));
  const { count, seed, callers } = options;
  let noted = 0;
  const onProgress = (sent: number): void => {
    if (sent - noted < 1000) return;
    noted = sent;
    process.stderr.write(`\r${sent} of ${count} `);
  };
  const report = await runStorm({ ...target, seed, count, callers, onProgress });
  process.stderr.write('\n');
  const { sent, answers, faults, faultCount } = report;
  if (options.json) {
    const byPath = Object.fromEntries([...answers].map(([path, counts]) => [path, Object.fromEntries(counts)]));
    console.log(JSON.stringify({ seed, sent, answers: byPath, faultCount, faults }));
  } else {
    console.log(renderStorm(report));
    for (const fault of faults) console.log(fault);
    console.log(`${sent} requests with seed ${seed}: ${faultCount} answers of 5xx`);
  }
  if (faultCount > 0) {
    const said = target.server.stderr().split('\n');
    for (const line of said.filter((text) => /"level":(50|60|"error"|"fatal")/.test(text)).slice(0, 5))
      console.error(line);
  }
  process.exitCode = faultCount === 0 ? 0 : 1;
} finally {
  await cleanup.end();
}
process.exit();
