/** `npm run faults [-- --only NAME…] [--seed S]`: plays the faults and writes the table of docs/faults.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { buildCommand, parseCount } from '../../../../scripts/command.ts';
import { BUILT_VARIABLE } from '../../support/cluster.ts';
import { type Fault, NotHere } from './fault.ts';
import { FAULTS } from './faults.ts';
import { type Outcome, playFault } from './play.ts';
import { renderHead, renderOutcome, type Skipped } from './report.ts';

const PAGE = new URL('../../../../docs/faults.md', import.meta.url);
const BEGIN = '<!-- faults -->';
const END = '<!-- /faults -->';
const ERRORS_MAX = 10;

const options = buildCommand(
  'npm run faults --',
  'Plays faults on a whole service and reports what callers saw and what was lost. Status 1 if anything was.',
)
  .option('--only <names...>', `some of: ${FAULTS.map(({ name }) => name).join(', ')}`)
  .option('--seed <number>', 'the seed of the random numbers', parseCount, 1)
  .option('--no-write', 'do not write docs/faults.md')
  .parse()
  .opts<{ only?: string[]; seed: number; write: boolean }>();

const unknown = (options.only ?? []).filter((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown.length > 0) {
  console.error(`there is no fault ${unknown.join(', ')}; --help lists them`);
  process.exit(2);
}
// The program as operators run it; `npm run faults` has just built it.
process.env[BUILT_VARIABLE] = '1';

const chosen = FAULTS.filter(({ name }) => options.only?.includes(name) ?? true);
const lines: string[] = [];
let failures = 0;
console.log(renderHead());
for (const fault of chosen) {
  process.stderr.write(`${fault.name} … `);
  const outcome = await play(fault);
  process.stderr.write('\n');
  if (!('reason' in outcome) && outcome.losses.length > 0) {
    failures += 1;
    for (const line of listErrors(outcome.said)) console.error(line);
  }
  lines.push(renderOutcome(outcome));
  console.log(lines.at(-1));
}
if (options.write && options.only === undefined) await writePage(lines);
process.exit(failures === 0 ? 0 : 1);

async function play(fault: Fault): Promise<Outcome | Skipped> {
  try {
    return await playFault(fault, options.seed);
  } catch (error) {
    if (error instanceof NotHere) return { name: fault.name, title: fault.title, reason: error.message };
    failures += 1;
    console.error(error);
    return {
      name: fault.name,
      title: fault.title,
      reason: `failed: ${error instanceof Error ? error.message : error}`,
    };
  }
}

/** What the servers said of their own errors, each kind once. */
function listErrors(said: string): string[] {
  const lines = said.split('\n').filter((line) => /"level":(?:50|60|"error"|"fatal")/.test(line));
  const kinds = new Map(lines.map((line) => [line.replaceAll(/\d+|"[0-9a-f-]{36}"/g, ''), line]));
  return [...kinds.values()].slice(0, ERRORS_MAX);
}

/** The table between the marks of the page. */
async function writePage(table: readonly string[]): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const [before = '', after = ''] = [page.split(BEGIN)[0], page.split(END)[1]];
  await writeFile(PAGE, `${before}${BEGIN}\n${renderHead()}\n${table.join('\n')}\n${END}${after}`);
}
