/** `tmds load`: loads source files into the registers and reports the result for people or programs. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { isoInstant } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { openProgress } from '../load/findings/progress.ts';
import type { LoadReport } from '../load/findings/report.ts';
import { type Format, ISSUE_REMEDIES, type IssueCode, isSetFormat } from '../load/formats/format.ts';
import { FORMATS, findFormat } from '../load/formats/registry.ts';
import { placesIn } from '../load/places.ts';
import { LOAD_POOL_MIN, runLoad } from '../load/run.ts';
import { expectRecords, readManifest } from '../load/sources/manifest.ts';
import { openSource } from '../load/sources/source.ts';
import { traceLoad } from '../monitor/traces.ts';
import { parseInstant } from '../parse/values.ts';
import { type PeriodUnit, parsePeriod } from '../sync/declared/file-names.ts';
import { findServedHorizon } from '../upkeep/health/liveness.ts';
import { parseRegister } from './arguments.ts';
import { type CommandContext, Interrupted } from './context.ts';

interface LoadFlags {
  register?: string;
  currentThrough?: string;
  period?: string;
  acceptRejects?: boolean;
  allowEmpty?: boolean;
  whole?: boolean;
  acceptAbsent?: boolean;
  expect?: number;
  manifest?: string;
  rejects?: string;
  json?: boolean;
}

export function registerLoadCommand(program: Command, context: CommandContext): void {
  program
    .command('load')
    .description('load source files; "-" is standard input; .gz and .zip files are unpacked')
    .argument('<format>', `one of ${FORMATS.map((format) => format.name).join(', ')}`, parseFormatName)
    .argument('<file...>', 'source files, or folders of them; either all of them are loaded or none')
    .addOption(new Option('--register <code>', 'the register of the files').argParser(parseRegister))
    .option('--current-through <instant>', 'the registers are complete up to this instant')
    .addOption(
      new Option(
        '--period <period>',
        'the period of the files: a day 2026-11-20, a week 2026-W47, a month 2026-11, a year 2026, or number-2240',
      ).argParser(parseAnyPeriod),
    )
    .option('--accept-rejects', 'treat the registers as complete although records were rejected')
    .option('--allow-empty', 'accept a file without any records')
    .addOption(
      new Option('--expect <n>', 'fail, and store nothing, unless the files hold this many records together').argParser(
        parseCount,
      ),
    )
    .option('--manifest <file>', 'fail unless the files agree with this list of sizes, checksums or counts')
    .option('--whole', 'the files state the whole register: what they no longer state gets an event and an issue')
    .option('--accept-absent', 'with --whole: accept that more than a tenth of the register is not stated')
    .option('--rejects <file>', 'where to write rejected records; default: rejects/<load id>.txt in the data folder')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `\nFormats:\n${FORMATS.map((each) => `  ${each.name.padEnd(NAME_WIDTH)}  ${each.title}`).join('\n')}`,
    )
    .action((format: string, files: string[], flags: LoadFlags) => runLoadCommand(context, format, files, flags));
}

const NAME_WIDTH = Math.max(...FORMATS.map(({ name }) => name.length));

function parseFormatName(name: string): string {
  if (findFormat(name) !== null) return name;
  throw new InvalidArgumentError(`Formats: ${FORMATS.map((format) => format.name).join(', ')}.`);
}

const UNITS_OF_TIME: readonly PeriodUnit[] = ['day', 'week', 'month', 'year'];

/** A bare number would be a year. */
function parseAnyPeriod(text: string): string {
  const [, number] = /^number-(.*)$/.exec(text) ?? [];
  const labels =
    number === undefined ? UNITS_OF_TIME.map((unit) => parsePeriod(unit, text)) : [parsePeriod('number', number)];
  const label = labels.find((each) => each !== null) ?? null;
  if (label !== null) return label;
  throw new InvalidArgumentError('Give a period such as 2026-11-20, 2026-W47, 2026-11, 2026 or number-2240.');
}

function parseCount(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be an integer of at least 0.');
}

/** Never in the future: a register cannot be complete up to an instant that has not come yet. */
function parseFrontier(context: CommandContext, text: string | undefined): string | null {
  if (text === undefined) return null;
  let instant: string;
  try {
    instant = parseInstant('--current-through', text);
  } catch (error) {
    throw new OperatorError((error as Error).message, { exitStatus: 2, cause: error });
  }
  if (instant > isoInstant(context.clock.nowMs())) {
    throw new OperatorError(`--current-through ${text} is in the future`, { exitStatus: 2 });
  }
  return instant;
}

/** Throws `OperatorError` with status 2 for options that do not fit together. */
function checkFlags(format: Format, files: readonly string[], flags: LoadFlags): void {
  const refuse = (reason: string): never => {
    throw new OperatorError(reason, { exitStatus: 2 });
  };
  const fromInput = files.filter((file) => file === '-').length;
  if (fromInput > 1) refuse('standard input can be read only once');
  if (fromInput > 0 && flags.manifest !== undefined) refuse('--manifest: standard input has no name to look up');
  if (flags.whole && isSetFormat(format)) {
    refuse(`--whole: a set of ${format.name} states only the rows that changed, never a whole register`);
  }
  if (flags.acceptAbsent && !flags.whole) refuse('--accept-absent is of use with --whole only');
}

async function runLoadCommand(
  context: CommandContext,
  formatName: string,
  files: readonly string[],
  flags: LoadFlags,
): Promise<void> {
  const format = findFormat(formatName);
  if (format === null) throw new OperatorError(`there is no format ${formatName}`, { exitStatus: 2 });
  checkFlags(format, files, flags);
  const currentThrough = parseFrontier(context, flags.currentThrough);
  // Before the database is opened, because a missing file is the most common mistake.
  const sources = await Promise.all(files.map((file) => openSource(file)));
  const manifest = flags.manifest === undefined ? null : await readManifest(flags.manifest);
  const expectedRecords = flags.expect ?? (manifest === null ? null : expectRecords(files, manifest));
  if (expectedRecords !== null && isSetFormat(format)) {
    throw new OperatorError(`a set of ${format.name} holds rows, not records: its records cannot be counted`);
  }
  const loading = context.withDatabase('load', async (services) => {
    const { config, clock, log, database, connectUnlimited, whenInterrupted } = services;
    context.giveWay();
    const places = placesIn(config.dataDir);
    const { tracesEndpoint: endpoint, tracesShare: share } = config;
    const tracing = { endpoint, share, version: context.version, clock, log };
    const db = await connectUnlimited(LOAD_POOL_MIN);
    const report = await traceLoad(tracing, format.name, (watched) =>
      runLoad({
        spoolFolders: places.spoolFolders,
        rejectsPath: flags.rejects ?? places.rejectsPath,
        db,
        clock,
        log,
        format,
        sources,
        register: flags.register ?? null,
        currentThrough,
        period: flags.period ?? null,
        acceptRejects: flags.acceptRejects === true,
        allowEmpty: flags.allowEmpty === true,
        ...(manifest === null ? {} : { manifest }),
        expectedRecords,
        whole: flags.whole === true,
        acceptAbsent: flags.acceptAbsent === true,
        keepRejectsFile: flags.rejects !== undefined,
        payloads: config.payloads,
        whenInterrupted,
        progress: openProgress(clock, process.stderr),
        ...watched,
      }),
    );
    return { report, horizonSeconds: await findServedHorizon(database) };
  });
  const { report, horizonSeconds } = await loading.catch((error: unknown) => {
    if (!(error instanceof Interrupted)) throw error;
    throw new OperatorError(`${error.message}; load the same files again, what has been published stays`);
  });
  if (flags.json) context.print(JSON.stringify(report));
  else {
    const options = { horizonSeconds, acceptRejects: flags.acceptRejects === true };
    for (const line of describeReport(report, options)) context.print(line);
  }
  if (report.rejected > 0) context.exitStatus = 3;
}

/** The report for people: the counts, then what needs attention. */
export function describeReport(
  report: LoadReport,
  { horizonSeconds, acceptRejects }: { horizonSeconds: number | null; acceptRejects: boolean },
): string[] {
  const number = (value: number): string => value.toLocaleString('en-US');
  const counts = (['read', 'new', 'changed', 'unchanged', 'rejected'] as const).map(
    (name) => `${number(report[name])} ${name}`,
  );
  const lines = [
    `${report.registers.join(', ') || 'no register'}: ${counts.join(', ')}`,
    `${report.seconds.toFixed(1)} s, ${number(report.records_per_second)} records/s`,
  ];
  if (report.new + report.changed > 0) {
    lines.push(
      horizonSeconds === null
        ? 'no server runs; the next one serves them'
        : `searches and look-ups show them now; the change feed follows ${horizonSeconds} s behind, so that it misses none`,
    );
  }
  if (report.supplements.read > 0) {
    const { read, new: added, changed } = report.supplements;
    lines.push(`supplements: ${number(read)} read, ${number(added)} new, ${number(changed)} changed`);
  }
  lines.push(describeFrontier(report, acceptRejects));
  if (report.absent !== null) lines.push(`${number(report.absent)} records of the register are not in the files`);
  for (const [code, count] of Object.entries(report.issues)) {
    lines.push(`issue ${code}: ${number(count)}`);
    const remedy = ISSUE_REMEDIES[code as IssueCode];
    if (remedy !== undefined) lines.push(`  ${remedy}`);
  }
  if (report.rejects_file !== null) lines.push(`rejected records: ${report.rejects_file}`);
  return lines;
}

/** Up to when the registers are complete now (rule I-37), or why that has not changed. */
function describeFrontier({ current_through, rejected }: LoadReport, acceptRejects: boolean): string {
  if (current_through !== null) return `complete up to ${current_through}`;
  return rejected > 0 && !acceptRejects
    ? 'records were rejected, so the date up to which the registers are complete stays as it was'
    : 'the files do not say up to which date the registers are complete, so that date stays; set it with --current-through';
}
