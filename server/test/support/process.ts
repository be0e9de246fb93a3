/** The real command line as a black box: spawned, watched through its output, and always ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { BUILT_VARIABLE, findFolder } from './cluster.ts';

export interface Ended {
  /** Exit status; null when a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Everything written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

export interface ServingProcess extends Running {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
}

interface Limits {
  /** Leaves standard input open for the test to write to. */
  readonly isInputOpen?: boolean;
  /** Limit on the files and sockets that the process may have open. */
  readonly descriptorsMax?: number;
  /** Another way to run it, in its own process group. Default: what an operator runs. */
  readonly installed?: Installed;
}

/** A program installed elsewhere, and how it is run there. */
export interface Installed {
  readonly command: readonly string[];
  readonly folder: string;
  /** Default: the tests'. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

type Context = { after(work: () => Promise<void>): void };
type Environment = Readonly<Record<string, string>>;

/** What an operator runs, if it was built; the current source when you run a file by hand. */
function programWords(): string[] {
  if (process.env[BUILT_VARIABLE] === '1') return [fileURLToPath(new URL('../../bin/tmds.js', import.meta.url))];
  const source = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
  return ['--conditions=tmds-source', '--import', import.meta.resolve('tsx'), source];
}

/** Keeps settings of the machine that runs the tests from leaking in. */
function buildEnvironment(environment: Environment): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(TMDS_|DATABASE_|PG|HOST$|PORT$|NODE_)/.test(name));
  return {
    ...Object.fromEntries(own),
    TMDS_LOG_LEVEL: 'warn',
    TMDS_METRICS_PORT: 'off',
    TMDS_DRAIN_SECONDS: '0',
    ...environment,
  };
}

/** Starts `tmds` with these arguments and this standard input; killed when the test ends. */
export function startTmds(
  t: Context,
  words: readonly string[],
  environment: Environment,
  {
    input,
    isInputOpen = false,
    stderrFile,
    descriptorsMax,
    installed,
  }: Limits & { input?: string; stderrFile?: number } = {},
): Running {
  const command = [...(installed?.command ?? [process.execPath, ...programWords()]), ...words];
  const limited = ['sh', '-c', 'ulimit -n "$0" && exec "$@"', String(descriptorsMax), ...command];
  const [program, ...rest] = descriptorsMax === undefined ? command : limited;
  const child = spawn(program!, rest, {
    env: buildEnvironment(environment),
    stdio: ['pipe', 'pipe', stderrFile ?? 'pipe'],
    ...(installed === undefined ? {} : { cwd: installed.folder, detached: true, ...installed.account }),
  });
  // The program may end before it has read everything.
  child.stdin!.on('error', () => undefined);
  if (!isInputOpen) child.stdin!.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
  t.after(async () => {
    kill('SIGKILL');
    await ended;
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (installed === undefined) child.kill(signal);
    else signalGroup(child.pid!, signal);
  };
  return { pid: child.pid!, child, stdout: () => stdout, stderr: () => stderr, ended, kill };
}

/** As a terminal does: what was started may have started the program. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The whole group has ended on its own.
  }
}

/** Runs `tmds` until it exits; `stderrFile` receives standard error. */
export async function runTmds(
  t: Context,
  words: readonly string[],
  environment: Environment = {},
  stderrFile?: number,
): Promise<Ended> {
  return await startTmds(t, words, environment, stderrFile === undefined ? {} : { stderrFile }).ended;
}

/**
 * Starts `tmds serve` on a free port and waits until it reports that it is listening. Without a data folder it gets one
 * of its own: in a shared one it would find the index of another test's database.
 */
export async function startServing(
  t: Context,
  environment: Environment,
  words: readonly string[] = ['serve'],
  limits: Limits = {},
): Promise<ServingProcess> {
  const isPlaced = limits.installed !== undefined || environment.TMDS_DATA_DIR !== undefined;
  const place = isPlaced ? {} : { TMDS_DATA_DIR: await createDataFolder(t) };
  const running = startTmds(t, words, { PORT: '0', ...place, ...environment }, limits);
  const address = await new Promise<string>((resolve, reject) => {
    running.child.stdout!.on('data', () => {
      const line = /^listening on (http:\S+)$/m.exec(running.stdout());
      if (line !== null) resolve(line[1]!);
    });
    void running.ended.then(({ status, stderr }) => reject(new Error(`tmds serve ended with ${status}: ${stderr}`)));
  });
  return { ...running, address };
}

/** A folder of mode 0700. At the end a PostgreSQL that the test left running in it is killed, and it is removed. */
export async function createDataFolder(t: Context): Promise<string> {
  const folder = await mkdtemp(join(findFolder(), 'tmds-io-'));
  t.after(async () => {
    const pid = await readPostmasterPid(folder);
    if (pid !== null) {
      process.kill(pid, 'SIGKILL');
      await waitFor(async () => !isAlive(pid));
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

/** The PostgreSQL process in the data folder; null when none is running. */
export async function readPostmasterPid(dataDir: string): Promise<number | null> {
  const note = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(note, 10);
  return Number.isInteger(pid) && isAlive(pid) ? pid : null;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const POLL_MS = 20;
/** So long that what has not happened by then does not happen on a busy machine either. */
const WAIT_MS = 300_000;

/** Resolves once `holds` does; rejects after five minutes. */
export async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = systemClock.monotonicMs() + WAIT_MS;
  while (!(await holds())) {
    if (systemClock.monotonicMs() > deadlineMs) throw new Error(`waited in vain for: ${holds}`);
    await systemClock.sleep(POLL_MS);
  }
}
