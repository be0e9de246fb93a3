/** `tmds load`: loads source files into the registers and reports the result for people or programs. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isoInstant } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { openProgress } from '../load/progress.ts';
import { FORMATS, findFormat } from '../load/registry.ts';
import type { LoadReport } from '../load/report.ts';
import { LOAD_POOL_MIN, placesIn, runLoad } from '../load/run.ts';
import { openSource } from '../load/source.ts';
import { parseInstant } from '../parse/values.ts';
import type { CommandContext } from './context.ts';

interface LoadFlags {
  register?: string;
  currentThrough?: string;
  acceptRejects?: boolean;
  allowEmpty?: boolean;
  rejects?: string;
  json?: boolean;
}

export function registerLoadCommand(program: Command, context: CommandContext): void {
  program
    .command('load')
    .description('load source files; "-" is standard input; .gz and .zip files are unpacked')
    .argument('<format>', `one of ${FORMATS.map((format) => format.name).join(', ')}`, parseFormatName)
    .argument('<file...>', 'source files; either all of them are loaded or none')
    .addOption(new Option('--register <code>', 'the register of the files').argParser(parseRegister))
    .option('--current-through <instant>', 'the registers are complete up to this instant')
    .option('--accept-rejects', 'treat the registers as complete although records were rejected')
    .option('--allow-empty', 'accept a file without any records')
    .option('--rejects <file>', 'where to write rejected records; default: rejects/<load id>.txt in the data folder')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', `\nFormats:\n${FORMATS.map((each) => `  ${each.name.padEnd(12)} ${each.title}`).join('\n')}`)
    .action((format: string, files: string[], flags: LoadFlags) => runLoadCommand(context, format, files, flags));
}

function parseFormatName(name: string): string {
  if (findFormat(name) !== null) return name;
  throw new InvalidArgumentError(`Formats: ${FORMATS.map((format) => format.name).join(', ')}.`);
}

function parseRegister(code: string): string {
  if (/^[A-Za-z0-9]{2,5}$/.test(code)) return code.toUpperCase();
  throw new InvalidArgumentError('A register code has 2 to 5 letters or digits.');
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

async function runLoadCommand(
  context: CommandContext,
  formatName: string,
  files: readonly string[],
  flags: LoadFlags,
): Promise<void> {
  const format = findFormat(formatName);
  if (format === null) throw new OperatorError(`there is no format ${formatName}`, { exitStatus: 2 });
  const currentThrough = parseFrontier(context, flags.currentThrough);
  if (files.filter((file) => file === '-').length > 1) {
    throw new OperatorError('standard input can be read only once', { exitStatus: 2 });
  }
  // Before the database is opened, because a missing file is the most common mistake.
  const sources = await Promise.all(files.map((file) => openSource(file)));
  const report = await context.withDatabase('load', async ({ config, clock, log, connectUnlimited }) => {
    const places = placesIn(config.dataDir);
    return await runLoad({
      spoolFolders: places.spoolFolders,
      rejectsPath: flags.rejects ?? places.rejectsPath,
      db: await connectUnlimited(LOAD_POOL_MIN),
      clock,
      log,
      format,
      sources,
      register: flags.register ?? null,
      currentThrough,
      acceptRejects: flags.acceptRejects === true,
      allowEmpty: flags.allowEmpty === true,
      keepRejectsFile: flags.rejects !== undefined,
      progress: openProgress(clock, process.stderr),
    });
  });
  if (flags.json) context.print(JSON.stringify(report));
  else for (const line of describeReport(report)) context.print(line);
  if (report.rejected > 0) context.exitStatus = 3;
}

/** The report for people: the counts, then what needs attention. */
function describeReport(report: LoadReport): string[] {
  const number = (value: number): string => value.toLocaleString('en-US');
  const counts = (['read', 'new', 'changed', 'unchanged', 'rejected'] as const).map(
    (name) => `${number(report[name])} ${name}`,
  );
  const lines = [
    `${report.registers.join(', ') || 'no register'}: ${counts.join(', ')}`,
    `${report.seconds.toFixed(1)} s, ${number(report.records_per_second)} records/s`,
  ];
  if (report.supplements.read > 0) {
    const { read, new: added, changed } = report.supplements;
    lines.push(`supplements: ${number(read)} read, ${number(added)} new, ${number(changed)} changed`);
  }
  lines.push(
    report.current_through === null
      ? 'the frontier of the registers was left as it was'
      : `complete up to ${report.current_through}`,
  );
  for (const [code, count] of Object.entries(report.issues)) lines.push(`issue ${code}: ${number(count)}`);
  if (report.rejects_file !== null) lines.push(`rejected records: ${report.rejects_file}`);
  return lines;
}
