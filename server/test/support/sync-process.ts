/**
 * One check in its own process that kills itself, as in a power cut, when it reaches a step for the n-th time.
 * Arguments: database address, data folder, declarations, step, n.
 */
import { readFileSync } from 'node:fs';
import { connectTestDatabase } from './database.ts';
import { buildStandingClock, checkSources, declareSources } from './sources-declared.ts';

const [url = '', dataDir = '', toml = '', wanted = '', times = '1'] = process.argv.slice(2);
const db = await connectTestDatabase(url, { statementTimeoutMs: 0, poolMax: 10 });
let seen = 0;
const die = async (step: string): Promise<void> => {
  if (step !== wanted) return;
  seen += 1;
  if (seen === Number(times)) process.kill(process.pid, 'SIGKILL');
};
await checkSources(declareSources(readFileSync(toml, 'utf8')), {
  ...{ db, dataDir, clock: buildStandingClock('2026-11-20T12:00:00Z') },
  onStep: die,
  onLoadStep: async (step) => await die(`load ${step}`),
});
process.exit(0);
