/**
 * `tmds issues`: the oddities that a load found, by kind, path and value, with counts and examples, and its rejects.
 */
import { Argument, type Command, Option } from 'commander';
import type { Queryable } from '../database/driver/db.ts';
import { ISSUE_MEANINGS } from '../load/formats/issues.ts';
import { type CountedIssue, type IssueFilter, type KeptReject, listIssues } from '../store/publish/findings.ts';
import { isFiltered, readRejects, writeFindings } from '../store/publish/findings-text.ts';
import type { LoadSummary } from '../store/publish/loads.ts';
import { buildLimitParser } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { findLoad, parseIdStart } from './load-id.ts';
import { describePlace, oneLine, printable } from './printable.ts';
import { type Column, renderTable } from './table.ts';

/** More than a load keeps of either: 20,000 values and one for each path, 10,000 rejects. */
const LIMIT_MAX = 100_000;

interface IssuesFlags {
  kind?: string;
  path?: string;
  limit: number;
  json: boolean;
}

export function registerIssuesCommand(program: Command, context: CommandContext): void {
  program
    .command('issues')
    .description(
      'show the issues of a load by kind, path and value with examples, its rejects, and why it failed if it did',
    )
    .addArgument(
      new Argument('[load]', 'id of the load, or the beginning of it; default: the newest').argParser(parseIdStart),
    )
    .addOption(new Option('--kind <kind>', 'only issues of this kind, and no rejects').choices(KINDS))
    .option('--path <text>', 'only issues whose path contains this text, and no rejects')
    .option('--limit <n>', 'show at most this many issues and this many rejects', buildLimitParser(LIMIT_MAX), 50)
    .option('--json', 'one JSON document instead of text', false)
    .action((idStart: string | undefined, flags: IssuesFlags) =>
      context.withDatabase('issues', ({ database }) => runIssues(context, database, idStart ?? '', flags)),
    );
}

const KINDS = Object.keys(ISSUE_MEANINGS);

async function runIssues(context: CommandContext, db: Queryable, idStart: string, flags: IssuesFlags): Promise<void> {
  const load = await findLoad(db, idStart);
  if (load === null) {
    context.print(flags.json ? JSON.stringify({ load: null, issues: [], rejects: [] }) : 'nothing has been loaded yet');
    return;
  }
  const filter = { code: flags.kind ?? null, pathPart: flags.path ?? null };
  const asked = { load, limitMax: flags.limit, ...filter };
  if (flags.json) {
    for await (const part of writeFindings(db, asked)) context.write(part);
    return;
  }
  const issues = await listIssues(db, { loadId: load.load_id, limitMax: flags.limit, ...filter });
  const rejects = readRejects(db, asked);
  await printText(context, { load, issues, rejects, filter: isFiltered(filter) ? filter : null });
}

interface Found {
  load: LoadSummary;
  issues: readonly CountedIssue[];
  rejects: AsyncIterable<KeptReject>;
}

const ISSUE_COLUMNS: readonly Column<CountedIssue>[] = [
  { title: 'count', cell: ({ count }) => count },
  { title: 'kind', cell: ({ code }) => code },
  { title: 'path', cell: ({ path }) => oneLine(path) },
  { title: 'value', cell: ({ value }) => oneLine(value) },
  { title: 'examples', cell: ({ examples }) => oneLine(examples.map(describePlace).join('; ')) },
];

async function printText(
  context: CommandContext,
  { load, issues, rejects, filter }: Found & { filter: IssueFilter | null },
): Promise<void> {
  context.print(`load ${load.load_id}, ${load.format}, ${load.state}, started ${load.started_at}`);
  if (load.failure !== null) context.print(`it failed: ${oneLine(load.failure)}`);
  const none = filter === null ? 'no issue' : 'no issue of this kind and path';
  context.print(renderTable(ISSUE_COLUMNS, issues, none));
  const kinds = new Set(issues.map(({ code }) => code));
  for (const kind of kinds) {
    const meaning = (ISSUE_MEANINGS as Readonly<Record<string, string>>)[kind];
    if (meaning !== undefined) context.print(`${kind}: ${meaning}`);
  }
  if (filter !== null) return;
  const shown = issues.reduce((sum, { count }) => sum + count, 0);
  if (shown < load.issues) context.print(`${shown} of ${load.issues} issues are shown; --limit shows more`);
  let rejected = 0;
  for await (const { position, reason, raw, closed_at, closed_by } of rejects) {
    const state = closed_at === null ? '' : ` (closed ${closed_at} by ${oneLine(closed_by ?? '')})`;
    context.print(`# ${oneLine(position)}: ${oneLine(reason)}${state}`);
    context.print(printable(raw.toString('utf8')));
    rejected += 1;
  }
  if (rejected === 0) context.print('no reject');
  if (rejected < load.rejected) {
    context.print(`${rejected} of ${load.rejected} rejects are shown; --limit shows more, the rejects file has all`);
  }
}
