/**
 * `tmds loads`, `tmds issues` and `tmds rejects`: the loads that the registers came from, what each found, what it
 * could not store and no later load has stored.
 */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { OperatorError } from '../base/errors.ts';
import type { Queryable } from '../database/driver/db.ts';
import { ISSUE_MEANINGS } from '../load/formats/format.ts';
import {
  type CountedIssue,
  closeRejects,
  type IssueFilter,
  type KeptReject,
  listIssues,
  listOpenRejects,
  type OpenRejects,
} from '../store/publish/findings.ts';
import { isFiltered, readRejects, writeFindings } from '../store/publish/findings-text.ts';
import { findLoads, type LoadSummary, listLoads } from '../store/publish/loads.ts';
import { buildLimitParser, findActor, parseRegister } from './arguments.ts';
import { type Columns, type CommandContext, describeExample, oneLine, printable, renderTable } from './context.ts';

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

const ISSUE_COLUMNS: Columns<CountedIssue> = {
  count: 'count',
  kind: 'code',
  path: ({ path }) => oneLine(path),
  value: ({ value }) => oneLine(value),
  examples: ({ examples }) => oneLine(examples.map(describeExample).join('; ')),
};

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

const REJECTS_MAX = 100_000;
const ORDINAL_MAX = 2_147_483_647;

const REJECT_COLUMNS: Columns<OpenRejects> = {
  load: (row) => row.load_id.slice(0, 8),
  ended: 'finished_at',
  format: 'format',
  open: 'open',
  source: (row) => oneLine(row.source),
};

export function registerRejectsCommands(program: Command, context: CommandContext): void {
  const rejects = program
    .command('rejects')
    .description('records and files that loads rejected and that no later load has stored');
  rejects
    .command('list')
    .description('list the loads with open rejects, newest first; "tmds issues LOAD" shows the rejects of one')
    .option('--register <code>', 'only loads of this register', parseRegister)
    .option('--limit <n>', 'show at most this many', buildLimitParser(REJECTS_MAX), 50)
    .option('--json', 'one JSON document instead of a table', false)
    .action(({ register, limit, json }: { register?: string; limit: number; json: boolean }) =>
      context.withDatabase('rejects list', async ({ database }) => {
        const loads = await listOpenRejects(database, { register: register ?? null, limitMax: limit });
        context.print(json ? JSON.stringify({ loads }) : renderTable(REJECT_COLUMNS, loads, 'no reject is open'));
      }),
    );
  rejects
    .command('close')
    .description('close rejects of a load that need not be stored: the register counts as complete without them')
    .addArgument(new Argument('<load>', 'id of the load, or the beginning of it').argParser(parseIdStart))
    .addArgument(
      new Argument(
        '[ordinals...]',
        'numbers of the rejects as "tmds issues --json" shows them; default: all',
      ).argParser(parseOrdinal),
    )
    .option('--json', 'print JSON', false)
    .action((idStart: string, ordinals: readonly number[] | undefined, { json }: { json: boolean }) =>
      context.withDatabase('rejects close', async ({ database }) => {
        const closed = await close(database, idStart, ordinals ?? []);
        context.print(json ? JSON.stringify(closed) : `${closed.closed} closed`);
      }),
    );
}

async function close(
  db: Queryable,
  idStart: string,
  ordinals: readonly number[],
): Promise<{ load_id: string; closed: number }> {
  const load = await findLoad(db, idStart);
  if (load === null) throw new OperatorError('nothing has been loaded yet');
  const chosen = ordinals.length === 0 ? null : ordinals;
  const closed = await closeRejects(db, { loadId: load.load_id, ordinals: chosen, actor: findActor() });
  return { load_id: load.load_id, closed };
}

function parseOrdinal(text: string, before: readonly number[] = []): readonly number[] {
  const ordinal = Number(text);
  if (/^\d+$/.test(text) && ordinal >= 1 && ordinal <= ORDINAL_MAX) return [...before, ordinal];
  throw new InvalidArgumentError('Give the number of a reject, from 1.');
}

export function parseIdStart(text: string): string {
  if (/^[0-9a-f][0-9a-f-]{3,35}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('Give an id as "tmds loads" shows it, or at least its first four characters.');
}

/** Null when no load was named and there is none yet. */
export async function findLoad(db: Queryable, idStart: string): Promise<LoadSummary | null> {
  const [load, other] = await findLoads(db, { idStart, limitMax: 2 });
  if (load === undefined && idStart === '') return null;
  if (load === undefined) throw new OperatorError(`there is no load ${idStart}; "tmds loads" lists them`);
  if (other !== undefined && idStart !== '') {
    throw new OperatorError(`more than one load begins with ${idStart}; give more characters of its id`);
  }
  return load;
}

export function registerLoadsCommand(program: Command, context: CommandContext): void {
  program
    .command('loads')
    .description(
      'list the loads, newest first, with the records each read, added, changed, left unchanged and rejected',
    )
    .option('--limit <n>', 'show at most this many', buildLimitParser(LOADS_MAX), 50)
    .option('--json', 'one JSON document instead of a table', false)
    .action((flags: { json: boolean; limit: number }) => runLoads(context, flags));
}

const LOADS_MAX = 100_000;

const LOAD_COLUMNS: Columns<LoadSummary> = {
  load: (row) => row.load_id.slice(0, 8),
  started: 'started_at',
  state: 'state',
  format: 'format',
  read: 'read',
  new: 'new',
  changed: 'changed',
  unchanged: 'unchanged',
  rejected: 'rejected',
  issues: 'issues',
  source: 'source',
  failure: (row) => row.failure ?? '',
};

async function runLoads(context: CommandContext, flags: { json: boolean; limit: number }): Promise<void> {
  const loads = await context.withDatabase('loads', ({ database }) => listLoads(database, { limitMax: flags.limit }));
  if (flags.json) context.print(JSON.stringify({ loads }));
  else context.print(renderTable(LOAD_COLUMNS, loads, 'nothing has been loaded yet'));
}
