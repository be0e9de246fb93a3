/** `npm run bench -- NAME [options]`: the runs behind the figures of the README, one folder or file each. */
import { runAccessBench } from './access/run.ts';
import { runHuntBench } from './hunt/run.ts';
import { runLoadBench } from './load/run.ts';
import { runPortalBench } from './portal/run.ts';
import { runReplicaBench } from './replica/run.ts';
import { runSearchBench } from './search/run.ts';

const RUNS: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  access: runAccessBench,
  hunt: runHuntBench,
  load: runLoadBench,
  portal: runPortalBench,
  replica: runReplicaBench,
  search: runSearchBench,
};

const [name = '', ...args] = process.argv.slice(2);
const run = RUNS[name];
if (run === undefined) {
  console.error(`usage: npm run bench -- ${Object.keys(RUNS).join('|')} [options]`);
  process.exitCode = 2;
} else await run(args);
