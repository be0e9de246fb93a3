/** Threads of this program, started alike from the built files and from the TypeScript sources. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * `file`: the built module, `new URL('./name.js', import.meta.url)`. Run from its source, as tests do, a thread needs
 * the loader that the first thread was started with.
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
 * Lets go of what this thread no longer refers to. A thread that is idle collects nothing by itself, and shared memory
 * stays allocated until the last thread has let go of it.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
