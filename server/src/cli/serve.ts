/** `tmds serve`: starts the server process and tells the operator when it is ready. */
import type { Command } from 'commander';
import { buildLog } from '../base/log.ts';
import type { CommandContext } from './context.ts';
import type { Demo } from './demo.ts';

interface ServeFlags {
  migrate: boolean;
  demo: boolean;
}

export function registerServeCommand(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('serve the API until SIGINT or SIGTERM; prints a line when ready, logs to standard error')
    .option('--no-migrate', 'stop when the schema is outdated, instead of migrating it')
    .option(
      '--demo',
      'load the sample registers into an empty database, print a demonstration key, show /portal/components',
      false,
    )
    .action((flags: ServeFlags) => runServe(context, flags));
}

async function runServe(context: CommandContext, flags: ServeFlags): Promise<void> {
  const config = context.readConfig();
  const log = buildLog({ level: config.logLevel, format: config.logFormat });
  const unknown = context.listUnknownSettings();
  if (unknown.length > 0) log.warn({ variables: unknown }, 'these variables are not settings and have no effect');
  const { serve } = await import('../main.ts');
  const demo = flags.demo ? await import('./demo.ts') : null;
  let prepared: Demo | null = null;
  await serve({
    config,
    clock: context.clock,
    log,
    version: context.version,
    isDemo: flags.demo,
    migrate: flags.migrate,
    onProgress: (step) => log.info(step),
    prepare: async (databases) => {
      prepared =
        (await demo?.prepareDemo({ config, databases, log, clock: context.clock, note: context.note })) ?? null;
    },
    onListening: (address) => {
      context.print(`listening on ${address}`);
      if (prepared !== null) demo?.printDemo({ address, config, ...prepared, print: context.print });
    },
    stopped: nextSignal(),
  });
}

/**
 * Ignores further signals: the terminal sends Ctrl-C to the process, and npm passes it on once more. The stop has its
 * own deadline.
 */
function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => resolve());
    process.on('SIGTERM', () => resolve());
  });
}
