/** `tmds inspect`: the format and contents of files, without storing anything and without a database. */
import { type Command, Option } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { openProgress } from '../load/findings/progress.ts';
import { FORMATS, findFormat } from '../load/formats/registry.ts';
import { chooseFormat, unknownFile } from '../load/inspection/choose.ts';
import { type Inspection, openInspection } from '../load/inspection/inspect.ts';
import { isReadOnce, openSource } from '../load/sources/source.ts';
import type { CountedIssue } from '../store/publish/findings.ts';
import { parseRegister } from './arguments.ts';
import { type Columns, type CommandContext, describeExample, oneLine, printable, renderTable } from './context.ts';

interface InspectFlags {
  format?: string;
  register?: string;
  json: boolean;
}

export function registerInspectCommand(program: Command, context: CommandContext): void {
  program
    .command('inspect')
    .description('show what files are and hold, without storing anything; needs no database')
    .argument('<file...>', 'source files, .gz and .zip included; each is inspected on its own')
    .addOption(
      new Option('--format <name>', 'read as this format; default: as the file itself shows').choices(
        FORMATS.map((format) => format.name),
      ),
    )
    .addOption(new Option('--register <code>', 'the register of the files').argParser(parseRegister))
    .option('--json', 'one JSON object a file instead of text', false)
    .action((files: string[], flags: InspectFlags) => runInspect(context, files, flags));
}

async function runInspect(context: CommandContext, files: readonly string[], flags: InspectFlags): Promise<void> {
  const once = await Promise.all(files.map(isReadOnce));
  const pipe = files.find((_, at) => once[at]);
  if (pipe !== undefined && flags.format === undefined) {
    const name = pipe === '-' ? 'standard input' : pipe;
    const reason = `${name} can be read only once: name its format by --format, or save it to a file`;
    throw new OperatorError(reason, { exitStatus: 2 });
  }
  const failures: string[] = [];
  for (const file of files) {
    try {
      const inspection = await inspectFile(context, file, flags);
      if (flags.json) context.print(JSON.stringify(inspection));
      else for (const line of describeInspection(inspection)) context.print(line);
      if (inspection.rejected > 0) context.exitStatus = 3;
      if (inspection.failure !== null) failures.push(inspection.failure);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      failures.push(error.message);
    }
  }
  const [failure, ...others] = failures;
  if (failure === undefined) return;
  throw new OperatorError(others.length === 0 ? failure : failures.join('\ntmds: '));
}

async function inspectFile(context: CommandContext, file: string, flags: InspectFlags): Promise<Inspection> {
  const choice = (await isReadOnce(file)) ? null : await chooseFormat(await openSource(file));
  const format = flags.format === undefined ? (choice?.format ?? null) : findFormat(flags.format);
  if (format === null) throw unknownFile(file, choice);
  const source = await openSource(file);
  const inspection = openInspection({ source, format, choice, register: flags.register ?? null });
  const progress = openProgress(context.clock, process.stderr);
  progress.startReading([source], inspection.read);
  try {
    return await inspection.run();
  } finally {
    progress.stop();
  }
}

interface NamedShare {
  name: string;
  records: number;
  percent: number;
  earliest?: string | null;
  latest?: string | null;
}

const SHARE_COLUMNS: Columns<NamedShare> = {
  name: ({ name }) => oneLine(name),
  records: 'records',
  '%': 'percent',
};

const FIELD_COLUMNS: Columns<NamedShare> = {
  ...SHARE_COLUMNS,
  from: ({ earliest }) => earliest ?? '',
  through: ({ latest }) => latest ?? '',
};

const ISSUE_COLUMNS: Columns<CountedIssue> = {
  count: 'count',
  kind: 'code',
  path: ({ path }) => oneLine(path),
  value: ({ value }) => oneLine(value),
  'for example': ({ examples }) => oneLine(examples.slice(0, 1).map(describeExample).join('')),
};

const ISSUES_SHOWN_MAX = 50;

/** The groups of issues that are shown, by the start of their kind; the rest comes last. */
const GROUPS: readonly (readonly [title: string, kinds: RegExp])[] = [
  ['values without a mapping', /^unmapped_/],
  ['not read', /^(unknown_|missing_)/],
  ['other issues', /^/],
];

export function* describeInspection(inspection: Inspection): Generator<string> {
  const { file, bytes, format, records, partial, rejected, period, failure } = inspection;
  const size = bytes === null ? '' : `, ${number(bytes)} bytes`;
  const seen = inspection.seen === null ? '' : `, ${inspection.seen}`;
  yield `${oneLine(file)}: ${format}${seen}${size}`;
  const { vintage_of } = inspection;
  if (vintage_of !== null && !file.endsWith(vintage_of)) yield `  ${oneLine(vintage_of)} says`;
  for (const { what, value } of inspection.vintage) yield `  ${what}: ${oneLine(value)}`;
  if (period.by !== null) yield `period: ${period.from} to ${period.through}, by ${period.by}`;
  if (inspection.tables !== null) yield* describeTables(inspection.tables);
  else {
    const parts = partial > 0 ? `, ${number(partial)} of them stated in part` : '';
    const registers = Object.entries(inspection.registers).map(([code, count]) => `${code} ${number(count)}`);
    yield `${number(records)} records${parts}, ${number(rejected)} rejected`;
    if (registers.length > 0) yield `registers: ${registers.join(', ')}`;
  }
  for (const [kind, count] of Object.entries(inspection.supplements)) {
    yield `${number(count)} statements about records of other files: ${kind}`;
  }
  if (records > 0) {
    yield renderTable(FIELD_COLUMNS, nameShares(inspection.fields));
    const sections = nameShares(inspection.payload_sections);
    if (sections.length > 0) yield `sections of the payload\n${renderTable(SHARE_COLUMNS, sections)}`;
  }
  const largest = inspection.largest_record;
  if (largest !== null) {
    yield `largest record: ${describeExample(largest)}, ${number(largest.characters)} characters`;
  }
  yield* describeIssues(inspection.issues);
  for (const { position, reason, source } of inspection.rejects) {
    yield `# ${oneLine(position)}: ${oneLine(reason)}`;
    yield printable(source);
  }
  if (inspection.rejects.length < rejected) {
    yield `${inspection.rejects.length} of ${number(rejected)} rejects are shown`;
  }
  if (failure !== null) yield 'the file could not be read to its end; this is what it held up to that point';
}

function* describeTables(tables: NonNullable<Inspection['tables']>): Generator<string> {
  const rows = Object.entries(tables).map(([name, tally]) => ({ name, ...tally }));
  const total = rows.reduce((sum, each) => sum + each.rows, 0);
  yield `${number(total)} rows in ${rows.length} tables; records are made from them when they are loaded`;
  if (rows.length === 0) return;
  yield renderTable({ table: 'name', rows: 'rows', removed: 'removed' }, rows);
}

function nameShares(shares: Inspection['fields']): NamedShare[] {
  return Object.entries(shares).map(([name, share]) => ({ name, ...share }));
}

function* describeIssues(issues: readonly CountedIssue[]): Generator<string> {
  if (issues.length === 0) yield 'no issue';
  const told = new Set<CountedIssue>();
  for (const [title, kinds] of GROUPS) {
    const group = issues.filter((issue) => kinds.test(issue.code) && !told.has(issue));
    for (const issue of group) told.add(issue);
    if (group.length === 0) continue;
    yield `${title}\n${renderTable(ISSUE_COLUMNS, group.slice(0, ISSUES_SHOWN_MAX))}`;
    if (group.length > ISSUES_SHOWN_MAX) yield `${ISSUES_SHOWN_MAX} of ${group.length} are shown; --json has all`;
  }
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
