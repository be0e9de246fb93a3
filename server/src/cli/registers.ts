/** `tmds registers`: the registers served, and what can be concluded when one of them reports no change. */
import type { CoverageReport, CoverageSeries } from '@tmds/contract/coverage';
import { Argument, type Command } from 'commander';
import { OperatorError } from '../base/errors.ts';
import type { Queryable } from '../database/driver/db.ts';
import { describeCoverage } from '../render/coverage.ts';
import { listRegisterFacts, listRegisterSummaries, type RegisterSummary } from '../store/records/registers.ts';
import { parseRegister } from './arguments.ts';
import { type Columns, type CommandContext, oneLine, renderTable } from './context.ts';

export function registerRegistersCommand(program: Command, context: CommandContext): void {
  program
    .command('registers')
    .description(
      'list the registers with their record counts, frontier, last load and what silence means; or show one with its periods',
    )
    .addArgument(
      new Argument(
        '[code]',
        'the register to show with the periods that are loaded, missing or out of order',
      ).argParser(parseRegister),
    )
    .option('--json', 'one JSON document instead of text', false)
    .action((code: string | undefined, { json }: { json: boolean }) =>
      context.withDatabase('registers', async ({ database, clock }) => {
        const nowMs = clock.nowMs();
        if (code === undefined) await listAll(context, database, { asJson: json, nowMs });
        else await showOne(context, database, { code, asJson: json, nowMs });
      }),
    );
}

const REGISTER_COLUMNS: Columns<RegisterSummary> = {
  register: 'jurisdiction_code',
  records: 'record_count',
  'current through': 'data_current_through',
  'last load': (row) => row.last_load_id?.slice(0, 8) ?? null,
  ended: 'last_load_finished_at',
  source: 'last_load_source',
};

async function listAll(
  context: CommandContext,
  db: Queryable,
  { asJson, nowMs }: { asJson: boolean; nowMs: number },
): Promise<void> {
  const summaries = await listRegisterSummaries(db);
  const facts = await listRegisterFacts(db, { register: null, nowMs });
  const conclusions = new Map(
    facts.map((each) => [each.jurisdiction_code, describeCoverage(each, nowMs).conclusion] as const),
  );
  const registers = summaries.map((summary) => ({
    ...summary,
    conclusion: conclusions.get(summary.jurisdiction_code) ?? '',
  }));
  if (asJson) {
    context.print(JSON.stringify({ registers }));
    return;
  }
  context.print(renderTable(REGISTER_COLUMNS, registers, 'no register is loaded yet'));
  for (const { jurisdiction_code, conclusion } of registers) context.print(`${jurisdiction_code}: ${conclusion}`);
}

async function showOne(
  context: CommandContext,
  db: Queryable,
  { code, asJson, nowMs }: { code: string; asJson: boolean; nowMs: number },
): Promise<void> {
  const [facts] = await listRegisterFacts(db, { register: code, nowMs });
  if (facts === undefined) throw new OperatorError(`there is no register ${code}; "tmds registers" lists them`);
  const report = describeCoverage(facts, nowMs);
  if (asJson) context.print(JSON.stringify(report));
  else for (const line of describeReport(report)) context.print(line);
}

const SERIES_COLUMNS: Columns<CoverageSeries> = {
  source: (row) => row.source ?? 'by hand',
  format: 'format',
  condition: 'condition',
  first: (row) => row.first_period ?? 'not known',
  last: (row) => row.last_period ?? 'not known',
  'complete through': (row) => row.complete_through ?? 'not known',
  missing: countMissing,
  'out of order': (row) => (row.last_period === null ? 'not known' : row.out_of_order_count),
  next: 'next_period',
  'overdue from': 'overdue_at',
  loaded: 'last_loaded_at',
};

/** Without expected periods, none can be reported as missing. */
function countMissing({ expected, missing_count }: CoverageSeries): string | number {
  if (expected) return missing_count;
  return missing_count === 0 ? 'not known' : `at least ${missing_count}`;
}

function describeReport(report: CoverageReport): string[] {
  const {
    jurisdiction_code: code,
    record_count,
    data_current_through,
    conclusion,
    series,
    last_load,
    open_rejects,
    issues,
  } = report;
  const number = (value: number): string => value.toLocaleString('en-US');
  const lines = [
    `${code}: ${number(record_count)} records, ${data_current_through === null ? 'no frontier is known' : `current through ${data_current_through}`}`,
    conclusion,
  ];
  if (series.length > 0) lines.push(renderTable(SERIES_COLUMNS, series));
  for (const { source, format, missing, missing_count, out_of_order, out_of_order_count } of series) {
    const name = oneLine(source ?? format);
    for (const { period, reason } of missing) lines.push(`${name}: ${period} is missing: ${reason}`);
    if (missing_count > missing.length) lines.push(`${name}: ${missing_count - missing.length} more are missing`);
    for (const { period, after, loaded_at } of out_of_order) {
      lines.push(`${name}: ${period} was loaded after ${after}, at ${loaded_at}`);
    }
    const further = out_of_order_count - out_of_order.length;
    if (further > 0) lines.push(`${name}: ${further} more were loaded out of order`);
  }
  if (last_load !== null) {
    const counts = (['read', 'new', 'changed', 'unchanged', 'rejected', 'issues'] as const).map(
      (name) => `${number(last_load[name])} ${name}`,
    );
    lines.push(`last load ${last_load.load_id.slice(0, 8)}, ended ${last_load.finished_at}: ${counts.join(', ')}`);
  }
  if (open_rejects > 0)
    lines.push(`rejected and not stored: ${number(open_rejects)}; "tmds rejects list" has their loads`);
  if (issues === null) {
    lines.push('share of records with issues: not known; no load that counts them read at least half of the register');
  } else {
    const { flagged, read, share, load_id } = issues;
    const percent = (share * 100).toLocaleString('en-US', { maximumFractionDigits: 2 });
    const of = `${number(flagged)} of ${number(read)} (${percent} %)`;
    lines.push(`records with issues: ${of}, read by load ${load_id.slice(0, 8)}`);
  }
  return lines;
}
