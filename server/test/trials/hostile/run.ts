/** `npm run hostile [-- --only NAME…]`: requests and files made to hold a service up; status 1 if a bound is broken. */
import { buildCommand } from '../../../../scripts/command.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { BUILT_VARIABLE } from '../../support/cluster.ts';
import { buildCleanup } from '../cleanup.ts';
import { startTrialPostgres } from '../postgres.ts';
import { SERVER_CASES } from './corpus.ts';
import { FILE_CASES } from './files.ts';
import { type Outcome, playFileCase, playServerCase } from './play.ts';
import { renderFelt, renderHead, renderOutcome } from './report.ts';
import { startHostileTarget } from './world.ts';

const ALONE_MS = 2_000;
const names = [...SERVER_CASES, ...FILE_CASES].map(({ name }) => name);

const options = buildCommand(
  'npm run hostile --',
  'Sends its own service what is made to block it, and measures how long its event loop stood, its memory and ' +
    'what a quiet caller felt. Status 1 if a bound is broken. Figures depend on the machine: leave it alone meanwhile.',
)
  .option('--only <names...>', `some of: ${names.join(', ')}`)
  .option('--json', 'one JSON document instead of a table', false)
  .parse()
  .opts<{ only?: string[]; json: boolean }>();

const unknown = (options.only ?? []).filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`there is no case ${unknown.join(', ')}; --help lists them`);
  process.exit(2);
}
// The program as operators run it; `npm run hostile` has just built it.
process.env[BUILT_VARIABLE] = '1';

const isChosen = ({ name }: { name: string }): boolean => options.only?.includes(name) ?? true;
const outcomes: Outcome[] = [];
const note = (outcome: Outcome): void => {
  outcomes.push(outcome);
  if (!options.json) console.log(renderOutcome(outcome));
};
const cleanup = buildCleanup();
try {
  const database = await startTrialPostgres(cleanup);
  const serverCases = SERVER_CASES.filter(isChosen);
  if (!options.json) console.log(renderHead());
  if (serverCases.length > 0) {
    const target = await startHostileTarget(cleanup, database);
    await target.readFelt();
    await systemClock.sleep(ALONE_MS);
    console.error(`a quiet caller alone: ${renderFelt(await target.readFelt())} ms`);
    for (const each of serverCases) note(await playServerCase(each, target));
  }
  for (const each of FILE_CASES.filter(isChosen)) note(await playFileCase(each, { DATABASE_URL: database.url }));
  if (options.json) console.log(JSON.stringify(outcomes));
  process.exitCode = outcomes.every(({ broken }) => broken.length === 0) ? 0 : 1;
} finally {
  await cleanup.end();
}
process.exit();
