/** A built checkout of the service, and its `tmds` in separate processes, which end with the comparison. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../../server/src/base/errors.ts';

/** A load of ten million records takes a quarter of an hour. */
const COMMAND_MS_MAX = 2 * 3_600_000;
const START_MS_MAX = 120_000;
/** From the first answer until the index of millions of records is built. */
const INDEX_MS_MAX = 600_000;
const STOP_MS_MAX = 60_000;
const ASK_MS_MAX = 10_000;
const POLL_MS = 100;
const LOG_LINES = 20;

export interface Checkout {
  readonly root: string;
  /** A commit, so that no table names a folder of a machine. */
  readonly version: string;
}

export interface Service {
  readonly port: number;
  readonly key: string;
  /** Throws with what the process has come to, for a call that failed. */
  readonly refuse: (what: string, cause: unknown) => Promise<never>;
}

export interface Processes {
  /** Runs a command to its end. Throws unless it succeeds. */
  run(checkout: Checkout, folder: string, words: readonly string[]): Promise<{ out: string; seconds: number }>;
  /** Resolves when it answers searches. */
  serve(checkout: Checkout, folder: string): Promise<Service>;
  /** Ends what still runs, and starts nothing more. */
  stop(): Promise<void>;
}

/** Throws when it is not built. */
export async function openCheckout(folder: string): Promise<Checkout> {
  const root = resolve(folder);
  if (!existsSync(join(root, 'server/bin/tmds.js'))) {
    throw new OperatorError(`${root} is not a checkout of this service: it has no server/bin/tmds.js`, {
      exitStatus: 2,
    });
  }
  for (const [needed, command] of [
    ['node_modules', 'npm ci'],
    ['server/dist', 'npm run build'],
  ] as const) {
    if (existsSync(join(root, needed))) continue;
    throw new OperatorError(`${root} has no ${needed}; run there: ${command}`, { exitStatus: 2 });
  }
  return { root, version: await readVersion(root) };
}

async function readVersion(root: string): Promise<string> {
  if (existsSync(join(root, '.git'))) {
    const words = ['describe', '--always', '--dirty', '--exclude', '*'];
    const described = await promisify(execFile)('git', words, { cwd: root, timeout: 30_000 }).catch(() => null);
    if (described !== null) return described.stdout.trim();
  }
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

/** Settings of the caller's environment are not those that are compared. */
function buildEnvironment(folder: string, settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(TMDS_|DATABASE_|PG|HOST$|PORT$|NODE_)/.test(name));
  return {
    ...Object.fromEntries(own),
    TMDS_DATA_DIR: join(folder, 'data'),
    TMDS_LOG_LEVEL: 'warn',
    TMDS_METRICS_PORT: 'off',
    TMDS_CHANGE_HORIZON_SECONDS: '1',
    ...settings,
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A folder's log: what its processes write to standard error. */
const logOf = (folder: string): string => join(folder, 'log');

async function fail(folder: string, what: string, cause?: unknown): Promise<never> {
  const log = await readFile(logOf(folder), 'utf8').catch(() => '');
  const lines = log.trimEnd().split('\n').slice(-LOG_LINES);
  throw new OperatorError([`${what}. The end of its log:`, ...lines].join('\n'), { cause });
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, POLL_MS));
const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** The status of an answer; 0 without one. */
async function askStatus(url: string, headers: Record<string, string>): Promise<number> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASK_MS_MAX) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await ended;
  clearTimeout(timer);
}

export function buildProcesses(): Processes {
  const running = new Set<ChildProcess>();
  let isStopped = false;

  /** In a separate folder without a file of settings. */
  async function start(
    { root }: Checkout,
    folder: string,
    words: readonly string[],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ child: ChildProcess; ended: Promise<unknown>; out: () => string }> {
    const log = await open(logOf(folder), 'a');
    try {
      if (isStopped) throw new OperatorError('the comparison was ended');
      const child = spawn(process.execPath, [join(root, 'server/bin/tmds.js'), ...words], {
        cwd: folder,
        env: buildEnvironment(folder, settings),
        stdio: ['ignore', 'pipe', log.fd],
      });
      running.add(child);
      const ended = once(child, 'close').finally(() => running.delete(child));
      ended.catch(() => undefined);
      let out = '';
      child.stdout!.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
      return { child, ended, out: () => out };
    } finally {
      await log.close();
    }
  }

  async function run(checkout: Checkout, folder: string, words: readonly string[]) {
    const begun = performance.now();
    const { child, ended, out } = await start(checkout, folder, words);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, COMMAND_MS_MAX);
    await ended.finally(() => clearTimeout(timer));
    const seconds = (performance.now() - begun) / 1000;
    const how = isLate ? 'took more than two hours' : `ended with ${child.exitCode ?? child.signalCode}`;
    if (child.exitCode !== 0) await fail(folder, `tmds ${words.join(' ')} of ${checkout.version} ${how}`);
    return { out: out(), seconds };
  }

  async function waitFor(
    child: ChildProcess,
    limitMs: number,
    isReached: () => Promise<boolean>,
    refuse: (why: string) => Promise<never>,
  ): Promise<void> {
    const end = performance.now() + limitMs;
    while (!(await isReached())) {
      if (hasEnded(child)) await refuse('ended');
      if (performance.now() > end) await refuse(`is not ready after ${limitMs / 1000} s`);
      await pause();
    }
  }

  async function serve(checkout: Checkout, folder: string): Promise<Service> {
    const order = ['--customer', 'versions', '--rate-limit', '100000000', '--quota', '1000000000'];
    const { out } = await run(checkout, folder, ['key', 'issue', ...order]);
    const key = /tmds_[a-z0-9]+_[A-Za-z0-9]+/.exec(out)?.[0];
    if (key === undefined) return await fail(folder, `tmds key issue of ${checkout.version} printed no key`);
    const port = await findFreePort();
    const { child } = await start(checkout, folder, ['serve'], { PORT: String(port) });
    const refuse = (why: string): Promise<never> => fail(folder, `tmds serve of ${checkout.version} ${why}`);
    const base = `http://127.0.0.1:${port}/v1`;
    await waitFor(child, START_MS_MAX, async () => (await askStatus(`${base}/health`, {})) > 0, refuse);
    const search = `${base}/trademarks?status=Registered&limit=1`;
    const isSearched = async (): Promise<boolean> => (await askStatus(search, { 'x-api-key': key })) === 200;
    await waitFor(child, INDEX_MS_MAX, isSearched, refuse);
    return {
      port,
      key,
      refuse: (what, cause) => {
        const state = hasEnded(child)
          ? `its process ended with ${child.exitCode ?? child.signalCode}`
          : 'it still runs';
        return fail(folder, `${what} (${state})`, cause);
      },
    };
  }

  async function stop(): Promise<void> {
    isStopped = true;
    await Promise.all([...running].map(end));
  }

  return { run, serve, stop };
}
