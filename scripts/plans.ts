/** Writes docs/plans.md: what is done for each statement that touches records, on one database and on several nodes. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CITUS_VARIABLE } from '../server/test/support/cluster.ts';
import { buildCommand } from './command.ts';

const program = buildCommand('plans', 'write docs/plans.md')
  .option(
    '--citus <url>',
    'the coordinator of a Citus cluster, such as ops/citus/start.sh prints; else only the plans of one database are written',
  )
  .parse();
const { citus } = program.opts<{ citus?: string }>();
const test = fileURLToPath(new URL('../server/test/service/plans.test.ts', import.meta.url));
const { status } = spawnSync(process.execPath, [...process.execArgv, '--test', '--test-reporter=spec', test], {
  stdio: 'inherit',
  env: { ...process.env, ...(citus === undefined ? {} : { [CITUS_VARIABLE]: citus }), TMDS_WRITE_PLANS: '1' },
});
process.exitCode = status ?? 1;
