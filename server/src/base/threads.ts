/** Starts threads, from the built files or from the TypeScript sources, and says when to start one again that ended. */
import { getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * `file`: the built module, `new URL('./name.js', import.meta.url)`. When tests run the sources, a thread has to load
 * the TypeScript loader itself, because it does not inherit the loader of the main thread.
 */
export function startThread(file: URL, options: WorkerOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(file, options);
  const loader = import.meta.resolve('tsx/esm/api');
  const source = file.href.replace(/\.js$/, '.ts');
  const start = `import('${loader}').then(({ register }) => { register(); return import('${source}'); })`;
  return new Worker(start, { ...options, eval: true });
}

const RESTART_MS = 500;
const RESTART_MS_MAX = 30_000;

/**
 * How long to wait before a thread that ended is started again. Each pause is twice the last, up to half a minute, so
 * that a thread that cannot start does not use up the process. Once one has run, the next pause is short again.
 */
export class RestartPause {
  private pauseMs = RESTART_MS;

  /** The pause that is due now, in milliseconds. */
  next(): number {
    const { pauseMs } = this;
    this.pauseMs = Math.min(RESTART_MS_MAX, pauseMs * 2);
    return pauseMs;
  }

  /** A thread has done some work. */
  reset(): void {
    this.pauseMs = RESTART_MS;
  }
}

const LOWER_BY = 10;
const PRIORITY_LOWEST = 19;

/** Lets other threads go first when there are fewer processors than threads. It does nothing except on Linux. */
export function lowerPriority(): void {
  // Only Linux has a priority per thread; on other systems it applies to the whole process.
  if (process.platform === 'linux') setPriority(Math.min(PRIORITY_LOWEST, getPriority() + LOWER_BY));
}

let collect: (() => void) | undefined;

/**
 * Collects the garbage of this thread. An idle thread never does so on its own, and shared memory stays allocated until
 * every thread has released it.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

/**
 * V8 allocates objects of a kind that has often survived straight in the old generation. The index outlives its start,
 * and with it small objects of kinds that every call allocates too; allocated old, those keep everything of their call
 * alive until the next major collection. To be called before the first long-lived object of a server.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
