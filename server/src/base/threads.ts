/** Starts threads, whether the program runs from its built files or from the TypeScript sources. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * `file`: the built module, `new URL('./name.js', import.meta.url)`. When tests run the sources, a thread has to load
 * the TypeScript loader itself, because it does not inherit that of the main thread.
 */
export function startThread(file: URL, options: WorkerOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(file, options);
  const loader = import.meta.resolve('tsx/esm/api');
  const source = file.href.replace(/\.js$/, '.ts');
  const start = `import('${loader}').then(({ register }) => { register(); return import('${source}'); })`;
  return new Worker(start, { ...options, eval: true });
}

let collect: (() => void) | undefined;

/**
 * Collects the garbage of this thread. An idle thread does not do so by itself, and shared memory stays allocated until
 * every thread has released it.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
