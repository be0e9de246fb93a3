/**
 * The commands, and how one is run. 0 = done, 1 = failed, 2 = wrong usage or settings, 3 = done, but some input was
 * rejected. Only the file of the requested command is imported, because importing all of them takes longer than most
 * commands.
 */
import { Command, CommanderError, Help, type Option } from 'commander';
import { OperatorError } from '../base/errors.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { isDiskFull } from '../database/driver/failures.ts';
import { toApiError } from '../render/failure.ts';
import type { CommandContext } from './context.ts';

type Register = (program: Command, context: CommandContext) => void;

/** In the order of the help. */
const FILES: readonly { names: readonly string[]; open: () => Promise<Register> }[] = [
  { names: ['serve'], open: async () => (await import('./serve.ts')).registerServeCommand },
  { names: ['migrate'], open: async () => (await import('./migrate.ts')).registerMigrateCommand },
  { names: ['roles'], open: async () => (await import('./migrate.ts')).registerRolesCommand },
  { names: ['load'], open: async () => (await import('./load.ts')).registerLoadCommand },
  { names: ['sync'], open: async () => (await import('./sync.ts')).registerSyncCommand },
  { names: ['sources'], open: async () => (await import('./sources.ts')).registerSourcesCommand },
  { names: ['registers'], open: async () => (await import('./registers.ts')).registerRegistersCommand },
  { names: ['loads'], open: async () => (await import('./issues.ts')).registerLoadsCommand },
  { names: ['issues'], open: async () => (await import('./issues.ts')).registerIssuesCommand },
  { names: ['rejects'], open: async () => (await import('./issues.ts')).registerRejectsCommands },
  { names: ['inspect'], open: async () => (await import('./inspect.ts')).registerInspectCommand },
  { names: ['key'], open: async () => (await import('./keys.ts')).registerKeyCommands },
  { names: ['usage'], open: async () => (await import('./keys.ts')).registerUsageCommand },
  { names: ['customer'], open: async () => (await import('./customers.ts')).registerCustomerCommands },
  { names: ['operator'], open: async () => (await import('./operators.ts')).registerOperatorCommands },
  { names: ['watch'], open: async () => (await import('./watches.ts')).registerWatchCommands },
  { names: ['sample'], open: async () => (await import('./sample.ts')).registerSampleCommand },
  { names: ['backup', 'restore'], open: async () => (await import('./backup.ts')).registerBackupCommands },
  { names: ['snapshot'], open: async () => (await import('./snapshot.ts')).registerSnapshotCommand },
  { names: ['verify'], open: async () => (await import('./verify.ts')).registerVerifyCommand },
  { names: ['payloads'], open: async () => (await import('./payloads.ts')).registerPayloadsCommand },
  { names: ['prune'], open: async () => (await import('./prune.ts')).registerPruneCommand },
  { names: ['clock'], open: async () => (await import('./clock.ts')).registerClockCommands },
  { names: ['doctor'], open: async () => (await import('./doctor.ts')).registerDoctorCommand },
  { names: ['config'], open: async () => (await import('./config.ts')).registerConfigCommand },
];

/** Runs a command and resolves to its exit status; every failure becomes one sentence on standard error. */
export async function runCommand(words: readonly string[], context: CommandContext): Promise<number> {
  const program = await buildProgram(words, context);
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

/** With the commands of one file, or with all when the words name none. */
async function buildProgram(words: readonly string[], context: CommandContext): Promise<Command> {
  const program = new Command('tmds')
    .description('Trademark registers, normalized into one record model and served over HTTP.')
    .version(context.version)
    .option('--config <file>', 'read settings from this file; default: TMDS_CONFIG, then tmds.toml if it is there')
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .hook('preAction', (root) => {
      context.configFile = root.opts<{ config?: string }>().config ?? null;
    })
    .helpCommand('help [command]', 'show the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: context.write,
      writeErr: (text) => context.note(text.replace(/\n$/, '')),
    });
  const named = findName(words);
  const file = FILES.find(({ names }) => names.includes(named));
  for (const { open } of file === undefined ? FILES : [file]) (await open())(program, context);
  passOnSettings(program, 'tmds');
  return program;
}

/**
 * The first word that is neither an option nor the file of `--config`, or the command that `help` is asked about; ''
 * without one.
 */
function findName(words: readonly string[]): string {
  const names = words.filter((word, at) => !word.startsWith('-') && words[at - 1] !== '--config');
  return (names[0] === 'help' ? names[1] : names[0]) ?? '';
}

const plainHelp = new Help();

/** A switch is obviously off by default, so the help omits that. */
function describeOption(option: Option): string {
  return plainHelp.optionDescription(option).replace(/ \(default: false\)$/, '');
}

/** `name`: how the command is called. */
function passOnSettings(command: Command, name: string): void {
  command.configureOutput({ outputError: (text, write) => write(phraseMistake(text, name)) });
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    passOnSettings(child, `${name} ${child.name()}`);
  }
}

/** A mistake on the command line as one sentence. Where a value is wrong, it says which would be right. */
function phraseMistake(text: string, name: string): string {
  const sentence = text
    .trim()
    .replace(/^error: /, 'tmds: ')
    .replace(/\n\(/, ' (')
    .replace(/command-argument value '(.*)' is invalid for argument '(.*?)'\./s, "'$1' is not a valid $2.");
  return sentence.endsWith('.') ? `${sentence}\n` : `${sentence}; "${name} --help" shows how\n`;
}

function describeFault(error: unknown): string {
  if (error instanceof NoAnswer) {
    if (isDiskFull(error)) return 'the disk of the database is full; free some space';
    const { message } = toApiError(error);
    return error.cause instanceof Error ? `${message} (${error.cause.message})` : message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
