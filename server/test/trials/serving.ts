/** A `tmds serve` on its own port that is started again whenever it ends, as a service manager does. */
import { systemClock } from '../../src/base/clock.ts';
import { type Running, startTmds } from '../support/process.ts';
import { takePort } from './ports.ts';

export interface KeptServer {
  readonly port: number;
  readonly url: string;
  readonly metricsPort: number;
  /** For the process that runs now. */
  pid(): number;
  /** How often it ended without being asked to. */
  deaths(): number;
  signal(name: NodeJS.Signals): void;
  /** What its processes have written to standard error. */
  said(): string;
  /** Whether calls should be sent to it now. */
  isReady(): Promise<boolean>;
  /** Resolves when it serves, searches included. */
  untilReady(): Promise<void>;
}

type Context = Parameters<typeof startTmds>[0];

const RESTART_MS = 200;
const POLL_MS = 50;
const READY_MS_MAX = 60_000;

export async function keepServer(
  t: Context,
  environment: Readonly<Record<string, string>>,
  limits: { readonly descriptorsMax?: number } = {},
): Promise<KeptServer> {
  const port = await takePort();
  const metricsPort = await takePort();
  const settings = { ...environment, PORT: String(port), TMDS_METRICS_PORT: String(metricsPort) };
  let isWanted = true;
  let deaths = 0;
  let running: Running;
  let saidBefore = '';
  // Each process is ended by the one context of the server, however many there were.
  const own = { after: () => undefined };
  const start = (): void => {
    running = startTmds(own, ['serve'], settings, limits);
    void running.ended.then(async ({ stderr }) => {
      if (!isWanted) return;
      saidBefore += stderr;
      deaths += 1;
      await systemClock.sleep(RESTART_MS);
      if (isWanted) start();
    });
  };
  start();
  t.after(async () => {
    isWanted = false;
    running.kill('SIGKILL');
    await running.ended;
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    port,
    url,
    metricsPort,
    pid: () => running.pid,
    deaths: () => deaths,
    signal: (name) => running.kill(name),
    said: () => saidBefore + running.stderr(),
    isReady: () => isReady(url),
    untilReady: async () => {
      const startedMs = systemClock.monotonicMs();
      while (!(await isReady(url))) {
        if (systemClock.monotonicMs() - startedMs > READY_MS_MAX) throw new Error(`not ready: ${running.stderr()}`);
        await systemClock.sleep(POLL_MS);
      }
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.status === 200,
    () => false,
  );
}
