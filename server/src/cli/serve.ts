/** `tmds serve`: starts the server process and notifies the operator when it is ready. */

import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { Clock } from '../base/clock.ts';
import { buildLog, type Log } from '../base/log.ts';
import { readSourcesFile } from '../sync/declared/sources-file.ts';
import type { CommandContext } from './context.ts';
import type { Demo } from './demo.ts';

interface ServeFlags {
  migrate: boolean;
  demo: boolean;
  sync: boolean;
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
    .option('--sync', 'keep the registers current from the sources of TMDS_SOURCES, in a separate process', false)
    .action((flags: ServeFlags) => runServe(context, flags));
}

async function runServe(context: CommandContext, flags: ServeFlags): Promise<void> {
  const { config, file, warnings } = context.readSettings();
  const log = buildLog({ level: config.logLevel, format: config.logFormat });
  const unknown = context.listUnknownSettings();
  if (unknown.length > 0) log.warn({ variables: unknown }, 'these variables are not settings and have no effect');
  for (const warning of warnings) log.warn(warning);
  const { serve } = await import('../main.ts');
  const demo = flags.demo ? await import('./demo.ts') : null;
  let prepared: Demo | null = null;
  let syncing: SyncProcess | null = null;
  if (flags.sync) await readSourcesFile(config.sourcesFile);
  const { stopped, hurried } = watchSignals();
  const serving = serve({
    config,
    settings: { file, warnings, unknown },
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
      if (flags.sync) syncing = startSyncProcess({ clock: context.clock, log });
    },
    stopped,
    hurried,
  });
  // Both stop at once: the next sync repeats an unfinished load, so nothing has to be waited for.
  void stopped.then(() => syncing?.stop());
  await serving.finally(() => syncing?.stop());
}

/**
 * The first signal stops the server, the second one ends the wait for the load balancer. A Ctrl-C below npm is two
 * signals: the terminal sends it to every process, and npm passes it on once more.
 */
function watchSignals(): { stopped: Promise<void>; hurried: Promise<void> } {
  const acts: (() => void)[] = [];
  const [stopped, hurried] = [0, 1].map(() => new Promise<void>((resolve) => acts.push(resolve)));
  const count = (): void => acts.shift()?.();
  process.on('SIGINT', count);
  process.on('SIGTERM', count);
  return { stopped: stopped!, hurried: hurried! };
}

export interface SyncProcess {
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

const RESTART_MS = 60_000;
/** Shorter than the time that the server gives calls in flight. */
const KILL_MS = 3_000;

export function startSyncProcess({ clock, log }: { clock: Clock; log: Log }): SyncProcess {
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await runOnce({ clock, log }, stopping.signal);
      if (stopping.signal.aborted) return;
      log.error('the sync process has ended; it is started again in a minute');
      await clock.sleep(RESTART_MS, stopping.signal).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function runOnce({ clock, log }: { clock: Clock; log: Log }, signal: AbortSignal): Promise<void> {
  const words = [...process.execArgv, process.argv[1] ?? '', 'sync', '--attached'];
  // Its standard input closes when this process is gone, however it ends.
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'ignore', 'inherit'] });
  if (child.pid !== undefined) {
    log.info({ syncPid: child.pid }, 'the sync process has started');
  }
  let cancelKill = (): void => undefined;
  const end = (): void => {
    child.kill('SIGTERM');
    cancelKill = clock.callAfter(KILL_MS, () => child.kill('SIGKILL'));
  };
  signal.addEventListener('abort', end, { once: true });
  await new Promise<void>((resolve) => {
    child.once('error', (error) => {
      log.error({ err: error }, 'the sync process cannot be started');
      resolve();
    });
    child.once('close', () => resolve());
  });
  signal.removeEventListener('abort', end);
  cancelKill();
}
