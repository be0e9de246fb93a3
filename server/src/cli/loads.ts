/** `tmds loads`: the loads that the registers came from. */
import type { Command } from 'commander';
import { type LoadSummary, listLoads } from '../store/publish/loads.ts';
import { buildLimitParser } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { type Column, renderTable } from './output.ts';

export function registerLoadsCommand(program: Command, context: CommandContext): void {
  program
    .command('loads')
    .description(
      'list the loads, newest first, with the records each read, added, changed, left unchanged and rejected',
    )
    .option('--limit <n>', 'show at most this many', buildLimitParser(LIMIT_MAX), 50)
    .option('--json', 'one JSON document instead of a table', false)
    .action((flags: { json: boolean; limit: number }) => runLoads(context, flags));
}

const LIMIT_MAX = 100_000;

const LOAD_COLUMNS: readonly Column<LoadSummary>[] = [
  { title: 'load', cell: (row) => row.load_id.slice(0, 8) },
  { title: 'started', cell: (row) => row.started_at },
  { title: 'state', cell: (row) => row.state },
  { title: 'format', cell: (row) => row.format },
  { title: 'read', cell: (row) => row.read },
  { title: 'new', cell: (row) => row.new },
  { title: 'changed', cell: (row) => row.changed },
  { title: 'unchanged', cell: (row) => row.unchanged },
  { title: 'rejected', cell: (row) => row.rejected },
  { title: 'issues', cell: (row) => row.issues },
  { title: 'source', cell: (row) => row.source },
  { title: 'failure', cell: (row) => row.failure ?? '' },
];

async function runLoads(context: CommandContext, flags: { json: boolean; limit: number }): Promise<void> {
  const loads = await context.withDatabase('loads', ({ database }) => listLoads(database, { limitMax: flags.limit }));
  if (flags.json) context.print(JSON.stringify({ loads }));
  else context.print(renderTable(LOAD_COLUMNS, loads, 'nothing has been loaded yet'));
}
