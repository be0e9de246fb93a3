/** `tmds sources`: the state of each declared source, and whether the declarations are right. */
import type { Command } from 'commander';
import { readSourcesFile } from '../sync/declared/sources-file.ts';
import { describeSources, type SourceOverview } from '../sync/overview.ts';
import { type Columns, type CommandContext, oneLine, renderTable } from './context.ts';

export function registerSourcesCommand(program: Command, context: CommandContext): void {
  const sources = program
    .command('sources')
    .description('show the last file of each declared source, what is expected next, and what is overdue or missing')
    .option('--json', 'one JSON document instead of a table', false)
    .action((flags: { json: boolean }) => runSources(context, flags.json));
  sources
    .command('check')
    .description('check the declarations (TMDS_SOURCES), naming every problem with its line; needs no database')
    .action(() => runCheck(context));
}

const GAPS_SHOWN = 3;

const COLUMNS: Columns<SourceOverview> = {
  source: 'source',
  register: 'register',
  condition: 'condition',
  'last file': (row) => (row.last_file === null ? null : oneLine(row.last_file)),
  loaded: 'last_loaded_at',
  next: 'next_period',
  'overdue from': 'overdue_at',
  waiting: 'waiting',
  gaps: (row) => describeGaps(row.gaps),
  checked: 'checked_at',
};

function describeGaps(gaps: readonly string[]): string {
  const shown = gaps.slice(0, GAPS_SHOWN).join(', ');
  return gaps.length > GAPS_SHOWN ? `${shown} and ${gaps.length - GAPS_SHOWN} more` : shown;
}

async function runSources(context: CommandContext, asJson: boolean): Promise<void> {
  const declared = await readSourcesFile(context.readConfig().sourcesFile);
  const sources = await context.withDatabase('sources', ({ database, clock }) =>
    describeSources(database, declared, clock.nowMs()),
  );
  if (asJson) {
    context.print(JSON.stringify({ sources }));
    return;
  }
  context.print(renderTable(COLUMNS, sources, 'no source is declared'));
  for (const { source, problem, late } of sources) {
    if (problem !== null) context.print(`${source}: ${oneLine(problem)}`);
    if (late.length > 0) context.print(`${source}: came late and not loaded: ${late.map(oneLine).join(', ')}`);
  }
}

async function runCheck(context: CommandContext): Promise<void> {
  const { sourcesFile } = context.readConfig();
  const declared = await readSourcesFile(sourcesFile);
  const count = declared.length === 1 ? 'one source' : `${declared.length} sources`;
  context.print(`${sourcesFile} declares ${count}: ${declared.map(({ name }) => name).join(', ') || 'none'}`);
}
