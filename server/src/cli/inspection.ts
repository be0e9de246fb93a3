/** Prints an inspection for people: first the format of the file, then its contents, then what needs attention. */
import type { Inspection } from '../load/inspection/inspect.ts';
import type { CountedIssue } from '../store/publish/findings.ts';
import { describePlace, oneLine, printable } from './printable.ts';
import { type Column, renderTable } from './table.ts';

interface NamedShare {
  name: string;
  records: number;
  percent: number;
  earliest?: string | null;
  latest?: string | null;
}

const SHARE_COLUMNS: readonly Column<NamedShare>[] = [
  { title: 'name', cell: ({ name }) => oneLine(name) },
  { title: 'records', cell: ({ records }) => records },
  { title: '%', cell: ({ percent }) => percent },
  { title: 'from', cell: ({ earliest }) => earliest ?? '' },
  { title: 'through', cell: ({ latest }) => latest ?? '' },
];

const ISSUE_COLUMNS: readonly Column<CountedIssue>[] = [
  { title: 'count', cell: ({ count }) => count },
  { title: 'kind', cell: ({ code }) => code },
  { title: 'path', cell: ({ path }) => oneLine(path) },
  { title: 'value', cell: ({ value }) => oneLine(value) },
  { title: 'for example', cell: ({ examples }) => oneLine(examples.slice(0, 1).map(describePlace).join('')) },
];

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
    yield renderTable(SHARE_COLUMNS, nameShares(inspection.fields));
    const sections = nameShares(inspection.payload_sections);
    if (sections.length > 0) yield `sections of the payload\n${renderTable(SHARE_COLUMNS.slice(0, 3), sections)}`;
  }
  const largest = inspection.largest_record;
  if (largest !== null) {
    yield `largest record: ${describePlace(largest)}, ${number(largest.characters)} characters`;
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
  yield renderTable<(typeof rows)[number]>(
    [
      { title: 'table', cell: ({ name }) => name },
      { title: 'rows', cell: (row) => row.rows },
      { title: 'removed', cell: ({ removed }) => removed },
    ],
    rows,
  );
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
