/**
 * `tmds serve --sync`: runs `tmds sync` in a separate process, so that reading a register takes neither memory nor time
 * from calls. It is restarted when it ends, and ends with the server, even if the server is killed.
 */
import { spawn } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

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
