/** `tmds inspect`: the format and contents of files, without storing anything and without a database. */
import { type Command, Option } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { openProgress } from '../load/findings/progress.ts';
import { FORMATS, findFormat } from '../load/formats/registry.ts';
import { chooseFormat, unknownFile } from '../load/inspection/choose.ts';
import { type Inspection, openInspection } from '../load/inspection/inspect.ts';
import { openSource } from '../load/sources/source.ts';
import { parseRegister } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { describeInspection } from './inspection.ts';

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
  if (files.includes('-') && flags.format === undefined) {
    const reason = 'standard input can be read only once: name its format by --format, or save it to a file';
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
  const choice = file === '-' ? null : await chooseFormat(await openSource(file));
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
