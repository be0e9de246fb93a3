/** Runs the thread that matches publishes against watches, and starts it again when it ends. */
import type { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { RestartPause, startThread } from '../base/threads.ts';

interface Matching {
  /** Follow the database at another address from now on. */
  moveTo(url: string): void;
  /** Connections opened so far may lead nowhere: use new ones. */
  reconnect(): void;
  /** Ends after the step that runs, or in the middle of it, which loses nothing. */
  close(): Promise<void>;
}

export function startMatching(options: { readonly url: string; readonly clock: Clock; readonly log: Log }): Matching {
  const { clock, log } = options;
  const pause = new RestartPause();
  let { url } = options;
  let isClosed = false;
  let worker = start();

  function start(): Worker {
    const workerData: MatcherData = { url };
    const started = startThread(new URL('./matcher-thread.js', import.meta.url), { workerData });
    started.on('message', ({ level, text, about }: MatcherReport) => log[level](about, text));
    started.on('error', (error) => log.error({ err: error }, 'the thread that matches watches failed'));
    started.on('exit', () => void restart());
    return started;
  }

  async function restart(): Promise<void> {
    if (isClosed) return;
    await clock.sleep(pause.next());
    if (!isClosed) worker = start();
  }

  const order = (message: MatcherOrder): void => worker.postMessage(message);
  return {
    moveTo: (moved) => {
      url = moved;
      order({ kind: 'moved', url });
    },
    reconnect: () => order({ kind: 'reconnect' }),
    close: async () => {
      isClosed = true;
      order({ kind: 'close' });
      await worker.terminate();
    },
  };
}

export interface MatcherData {
  /** Address of the database; an order `moved` changes it. */
  readonly url: string;
}

/** From the main thread. */
export type MatcherOrder =
  | { readonly kind: 'moved'; readonly url: string }
  | { readonly kind: 'reconnect' }
  | { readonly kind: 'close' };

/** To the main thread: a line of the log. */
export interface MatcherReport {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly about: object;
}
