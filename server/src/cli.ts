/**
 * The command line: its commands and their exit status. 0 = done, 1 = failed, 2 = wrong usage or settings, 3 = done,
 * but some input was rejected. Each command is a file in `cli/`.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { ApiError, OperatorError } from './base/errors.ts';
import { registerBackupCommands } from './cli/backup.ts';
import { registerClockCommands } from './cli/clock.ts';
import { registerConfigCommand } from './cli/config.ts';
import { buildContext, type CommandContext } from './cli/context.ts';
import { registerCustomerCommands } from './cli/customers.ts';
import { registerDoctorCommand } from './cli/doctor.ts';
import { registerInspectCommand } from './cli/inspect.ts';
import { registerIssuesCommand } from './cli/issues.ts';
import { registerKeyCommands } from './cli/keys.ts';
import { registerLoadCommand } from './cli/load.ts';
import { registerLoadsCommand } from './cli/loads.ts';
import { registerMigrateCommand } from './cli/migrate.ts';
import { registerOperatorCommands } from './cli/operators.ts';
import { registerPayloadsCommand } from './cli/payloads.ts';
import { registerPruneCommand } from './cli/prune.ts';
import { registerRegistersCommand } from './cli/registers.ts';
import { registerRolesCommand } from './cli/roles.ts';
import { registerSampleCommand } from './cli/sample.ts';
import { registerServeCommand } from './cli/serve.ts';
import { registerSnapshotCommand } from './cli/snapshot.ts';
import { registerSourcesCommand } from './cli/sources.ts';
import { registerSyncCommand } from './cli/sync.ts';
import { registerUsageCommand } from './cli/usage.ts';
import { registerVerifyCommand } from './cli/verify.ts';
import { registerWatchCommands } from './cli/watches.ts';
import { isDiskFull } from './store/driver/failures.ts';

const REGISTRATIONS: readonly ((program: Command, context: CommandContext) => void)[] = [
  registerServeCommand,
  registerMigrateCommand,
  registerRolesCommand,
  registerLoadCommand,
  registerSyncCommand,
  registerSourcesCommand,
  registerRegistersCommand,
  registerLoadsCommand,
  registerIssuesCommand,
  registerInspectCommand,
  registerKeyCommands,
  registerUsageCommand,
  registerCustomerCommands,
  registerOperatorCommands,
  registerWatchCommands,
  registerSampleCommand,
  registerBackupCommands,
  registerSnapshotCommand,
  registerVerifyCommand,
  registerPayloadsCommand,
  registerPruneCommand,
  registerClockCommands,
  registerDoctorCommand,
  registerConfigCommand,
];

function buildProgram(context: CommandContext): Command {
  const program = new Command('tmds')
    .description('Trademark registers, normalized into one record model and served over HTTP.')
    .version(context.version)
    .option('--config <file>', 'read settings from this file; default: TMDS_CONFIG, then tmds.toml if it is there')
    .configureHelp({ showGlobalOptions: true })
    .hook('preAction', (root) => {
      context.configFile = root.opts<{ config?: string }>().config ?? null;
    })
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'tmds: ')) });
  for (const register of REGISTRATIONS) register(program, context);
  for (const command of program.commands) inheritSettings(command, program);
  return program;
}

function inheritSettings(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheritSettings(child, command);
}

/** Runs a command and resolves to its exit status; every failure becomes one sentence on standard error. */
async function runCommand(words: readonly string[], context: CommandContext): Promise<number> {
  const program = buildProgram(context);
  try {
    if (words.length === 0) program.help({ error: true });
    await program.parseAsync(words, { from: 'user' });
    return context.exitStatus;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof OperatorError) {
      context.note(`tmds: ${error.message}`);
      return error.exitStatus;
    }
    context.note(`tmds: ${describeFault(error)}`);
    return 1;
  }
}

function describeFault(error: unknown): string {
  if (error instanceof ApiError)
    return isDiskFull(error) ? 'the disk of the database is full; free some space' : error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// When a reader such as `head` closes the pipe, the command ends without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const exitStatus = await runCommand(process.argv.slice(2), buildContext(manifest.version));
// A finished command ends even when something, such as a dead connection, is still open.
process.stdout.write('', () => process.exit(exitStatus));
