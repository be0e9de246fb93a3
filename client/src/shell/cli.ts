/**
 * The command `tmds-client`: finds the command, reads its arguments, runs it and says how it ended. The key comes from
 * the environment or a file, because every user of the machine can see arguments.
 */
import { TrademarkClient } from '../client.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Environment } from '../config.ts';
import { runClientCommand } from '../docket/cli.ts';
import { UsageError } from '../docket/options.ts';
import { BLOCKED, isBlocked } from '../replica/faults.ts';
import { readSecret } from '../replica/settings.ts';
import { VERSION } from '../version.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { COMMANDS, type Command } from './commands.ts';
import { describeFailure, renderFailure } from './failures.ts';
import { COMMON_FLAGS } from './flags.ts';
import { renderHelp, USAGE } from './help.ts';
import type { ShellTerminal } from './terminal.ts';

const EXIT = { done: 0, failed: 1, usage: 2, blocked: BLOCKED } as const;

export interface ShellOptions {
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** Runs a command; never throws. @param signal ends it, which is how `--follow` and `listen` are ended */
export async function runShell(
  args: readonly string[],
  environment: Environment,
  terminal: ShellTerminal,
  signal: AbortSignal,
  options: ShellOptions = {},
): Promise<number> {
  const [name = ''] = args;
  if (name === 'reconcile') return await runClientCommand(args, environment, terminal, signal);
  if (name === '--version') {
    await terminal.write(`${VERSION}\n`);
    return EXIT.done;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    await terminal.write(USAGE);
    return EXIT.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const what = name === '' ? 'the command is missing' : `"${name}" is not a command`;
    return reportFailure(new UsageError(what), { args, terminal, address: undefined, help: 'tmds-client --help' });
  }
  let address = environment.TMDS_BASE_URL;
  try {
    const given = parseArguments(args.slice(1), { ...command.flags, ...COMMON_FLAGS });
    address = given.text('base_url') ?? address;
    if (given.has('help')) {
      await terminal.write(renderHelp(name, command));
      return EXIT.done;
    }
    await runCommand(command, { given, environment, terminal, signal, options, address });
    return EXIT.done;
  } catch (error) {
    const isEndless = args.includes('--follow') || name === 'listen';
    if (signal.aborted && isEndless) return EXIT.done;
    const flags = Object.values(command.flags).map((flag) => flag.name);
    return reportFailure(error, { args, terminal, address, flags, help: `tmds-client ${name} --help` });
  }
}

interface Running {
  readonly given: Arguments;
  readonly environment: Environment;
  readonly terminal: ShellTerminal;
  readonly signal: AbortSignal;
  readonly options: ShellOptions;
  readonly address: string | undefined;
}

async function runCommand(command: Command, running: Running): Promise<void> {
  const { given, environment, terminal, signal, options, address } = running;
  const clock = options.clock ?? systemClock;
  let client: TrademarkClient | null = null;
  await command.run({
    ...{ given, terminal, environment, clock, signal },
    random: options.random ?? Math.random,
    options: { signal },
    client: async () => {
      const apiKey = await readSecret(environment, 'TMDS_API_KEY');
      client ??= new TrademarkClient({ apiKey, baseUrl: address, clock });
      return client;
    },
  });
}

interface Reporting {
  readonly args: readonly string[];
  readonly terminal: ShellTerminal;
  readonly address: string | undefined;
  readonly flags?: readonly string[];
  readonly help: string;
}

function reportFailure(error: unknown, { args, terminal, address, flags, help }: Reporting): number {
  const isUsage = !isBlocked(error) && (error instanceof UsageError || error instanceof TypeError);
  const message = describeFailure(error, address, flags);
  if (args.includes('--json')) terminal.err(renderFailure(error, message));
  else terminal.err(`tmds-client: ${message}\n${isUsage ? `Try: ${help}\n` : ''}`);
  if (isBlocked(error)) return EXIT.blocked;
  return isUsage ? EXIT.usage : EXIT.failed;
}
