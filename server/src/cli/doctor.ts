/** `tmds doctor`: checks everything that a service needs and says what is wrong and what to do. */
import type { Command } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { examineDatabase, examineMachine, type Finding } from '../monitor/doctor.ts';
import { type CommandContext, renderFinding } from './context.ts';

export function registerDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('check settings, disk, database, schema, clock and replicas; exit status 1 when something is wrong')
    .option('--json', 'one JSON document instead of lines', false)
    .action((flags: { json: boolean }) => runDoctor(context, flags.json));
}

async function runDoctor(context: CommandContext, asJson: boolean): Promise<void> {
  const findings: Finding[] = [];
  try {
    const { config, file, warnings } = context.readSettings();
    const read = { file, warnings, unknown: context.listUnknownSettings() };
    findings.push(...(await examineMachine(config.dataDir, read)));
    const work = { migrate: false, create: false };
    findings.push(...(await context.withDatabase('doctor', examineDatabase, work)));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    findings.push({
      subject: error.exitStatus === 2 ? 'settings' : 'database',
      seen: error.message,
      remedy: error.message,
    });
  }
  const wrong = findings.filter(({ remedy }) => remedy !== null);
  if (asJson) context.print(JSON.stringify({ ok: wrong.length === 0, findings }));
  else for (const finding of findings) context.print(renderFinding(finding));
  if (wrong.length > 0) throw new OperatorError(`${wrong.length} of ${findings.length} checks failed`);
}
