/** `tmds issues`: the issues and rejects of a load. */
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../base/errors.ts';
import type { Queryable } from '../store/driver/db.ts';
import {
  type CountedIssue,
  findLoads,
  type LoadSummary,
  listIssues,
  listRejects,
  type StoredReject,
} from '../store/publish/loads.ts';
import { buildLimitParser } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { type Column, renderTable } from './table.ts';

/** A reject may have 64 KB, so this many still fit in memory. */
const LIMIT_MAX = 1_000;

interface Found {
  load: LoadSummary;
  issues: CountedIssue[];
  rejects: StoredReject[];
}

export function registerIssuesCommand(program: Command, context: CommandContext): void {
  program
    .command('issues')
    .description('show the issues of a load by kind, path and value, and the records it rejected')
    .addArgument(
      new Argument('[load]', 'id of the load, or the beginning of it; default: the newest').argParser(parseIdStart),
    )
    .option('--limit <n>', 'show at most this many issues and this many rejects', buildLimitParser(LIMIT_MAX), 50)
    .option('--json', 'one JSON document instead of text', false)
    .action((idStart: string | undefined, flags: { json: boolean; limit: number }) =>
      runIssues(context, idStart ?? '', flags),
    );
}

function parseIdStart(text: string): string {
  if (/^[0-9a-f][0-9a-f-]{3,35}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('Give an id as "tmds loads" shows it, or at least its first four characters.');
}

async function runIssues(
  context: CommandContext,
  idStart: string,
  flags: { json: boolean; limit: number },
): Promise<void> {
  const found = await context.withDatabase('issues', ({ database }) => findIssues(database, idStart, flags.limit));
  if (flags.json) context.print(JSON.stringify(renderJson(found)));
  else for (const line of describeFound(found)) context.print(line);
}

/** Null when no load was named and there is none yet. */
async function findIssues(db: Queryable, idStart: string, limitMax: number): Promise<Found | null> {
  const [load, other] = await findLoads(db, { idStart, limitMax: 2 });
  if (load === undefined && idStart === '') return null;
  if (load === undefined) throw new OperatorError(`there is no load ${idStart}; "tmds loads" lists them`);
  if (other !== undefined && idStart !== '') {
    throw new OperatorError(`more than one load begins with ${idStart}; give more characters of its id`);
  }
  const scope = { loadId: load.load_id, limitMax };
  return { load, issues: await listIssues(db, scope), rejects: await listRejects(db, scope) };
}

function renderJson(found: Found | null): object {
  if (found === null) return { load: null, issues: [], rejects: [] };
  const rejects = found.rejects.map(({ raw, ...reject }) => ({ ...reject, source: raw.toString('utf8') }));
  return { ...found, rejects };
}

const ISSUE_COLUMNS: readonly Column<CountedIssue>[] = [
  { title: 'count', cell: ({ count }) => count },
  { title: 'issue', cell: ({ code }) => code },
  { title: 'path', cell: ({ path }) => oneLine(path) },
  { title: 'value', cell: ({ value }) => oneLine(value) },
];

function describeFound(found: Found | null): string[] {
  if (found === null) return ['nothing has been loaded yet'];
  const { load, issues, rejects } = found;
  const shown = issues.reduce((sum, { count }) => sum + count, 0);
  const lines = [`load ${load.load_id}, ${load.format}, ${load.state}, started ${load.started_at}`];
  lines.push(issues.length > 0 ? renderTable(ISSUE_COLUMNS, issues) : 'no issue');
  if (shown < load.issues) lines.push(`${shown} of ${load.issues} issues are shown; --limit shows more`);
  if (rejects.length === 0) lines.push('no reject');
  for (const { position, reason, raw } of rejects) {
    lines.push(`# ${oneLine(position)}: ${oneLine(reason)}`, printable(raw.toString('utf8')));
  }
  if (rejects.length < load.rejected) {
    lines.push(`${rejects.length} of ${load.rejected} rejects are shown; the rejects file has all`);
  }
  return lines;
}

/** Removes control characters, which a terminal could interpret as commands. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, ' ');
}
