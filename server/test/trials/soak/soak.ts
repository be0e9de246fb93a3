/**
 * A long run at a share of what the service can do: callers of every kind, loads and replicas, while memory,
 * descriptors and the time of calls are watched in windows. At the end each server is asked to stop, and comes back.
 */
import { join } from 'node:path';
import { issueKey } from '../../../src/access/keys.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { makeFolder } from '../../support/folder.ts';
import { buildRandom } from '../../torture/random.ts';
import { type Callers, type CallKind, startCallers } from '../callers.ts';
import { startTrialPostgres } from '../postgres.ts';
import { type KeptServer, keepServer } from '../serving.ts';
import { CallTimes } from './call-times.ts';
import { type HeldInWindow, type ProcessWatch, summarizeHeld, watchProcess } from './watch.ts';
import { keepLoading, type Loads, listSoakKinds, loadRound, type SoakData, startReplica } from './work.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly windowSeconds: number;
  /** The share of the capacity, which is measured first. */
  readonly share: number;
  readonly records: number;
  readonly seed: number;
  readonly measureSeconds: number;
  readonly onProgress?: (text: string) => void;
}

export interface SoakWindow {
  readonly calls: number;
  /** Calls that were not answered with 200. */
  readonly failed: number;
  readonly p99Ms: Readonly<Record<string, number>>;
  readonly servers: readonly (HeldInWindow | null)[];
}

export interface SoakReport {
  /** Calls a second with as many callers as a machine of this size has use for. */
  readonly capacity: number;
  readonly windows: readonly SoakWindow[];
  readonly loads: Loads;
  /** Exit status of each replica's comparison: 0 = equal. */
  readonly replicas: readonly number[];
  readonly restart: { readonly calls: number; readonly failed: number };
}

type Context = Parameters<typeof startTrialPostgres>[0];

const CALLERS = 16;
const SERVERS = 2;
const REPLICAS = 2;
const LOAD_EVERY_MS = 20_000;
const AFTER_RESTART_MS = 3_000;
const READINESS_MS = 100;

export async function runSoak(t: Context, options: SoakOptions): Promise<SoakReport> {
  const note = options.onProgress ?? (() => undefined);
  const folder = makeFolder(t);
  const postgres = await startTrialPostgres(t);
  const order = { customer: 'soak', name: null, products: ['records'], quota: null, actor: 'trial' } as const;
  const { key } = await issueKey(postgres.db, { ...order, rateLimitPerMinute: 1_000_000_000 });
  const environment = {
    DATABASE_URL: postgres.url,
    TMDS_DATA_DIR: folder,
    TMDS_CHANGE_HORIZON_SECONDS: '1',
    // As it is by default; tests that start a server do without.
    TMDS_DRAIN_SECONDS: '2',
  };
  const data: SoakData = { folder, records: options.records };
  await loadRound(t, environment, data, 0);
  const servers: KeptServer[] = [];
  for (let index = 0; index < SERVERS; index += 1) {
    servers.push(await keepServer(t, { ...environment, TMDS_DATA_DIR: join(folder, `server-${index}`) }));
  }
  for (const server of servers) await server.untilReady();

  const portOf = (caller: number): number => servers[caller % servers.length]!.port;
  const traffic = { portOf, key, kinds: listSoakKinds(data), seed: options.seed };
  note('measuring capacity');
  // Warm before it is measured.
  await call(traffic, options.measureSeconds, 0);
  const capacity = (await call(traffic, options.measureSeconds, 0)).calls / options.measureSeconds;
  note(`${capacity.toFixed(0)} calls a second; soaking at ${options.share * 100} %`);

  const replicas = Array.from({ length: REPLICAS }, (_, index) =>
    startReplica(t, join(folder, `replica-${index}`), `${servers[index % SERVERS]!.url}/records`, key),
  );
  const watches = servers.map(watchProcess);
  const ending = new AbortController();
  const loading = keepLoading(t, environment, data, { everyMs: LOAD_EVERY_MS, until: ending.signal });
  const windows: SoakWindow[] = [];
  const rate = capacity * options.share;
  for (let passed = 0; passed < options.seconds; passed += options.windowSeconds) {
    const fromMs = systemClock.monotonicMs();
    const times = await call({ ...traffic, seed: options.seed + passed }, options.windowSeconds, rate);
    windows.push(summarize(times, watches, fromMs));
    note(`${passed + options.windowSeconds} s: ${windows.at(-1)!.calls} calls, ${windows.at(-1)!.failed} failed`);
  }
  for (const watch of watches) await watch.stop();
  ending.abort();
  const loads = await loading;
  const equal: number[] = [];
  for (const replica of replicas) equal.push(await replica.verify());
  note('restarting');
  return { capacity, windows, loads, replicas: equal, restart: await restartAll(servers, traffic, rate) };
}

interface Traffic {
  readonly portOf: (caller: number) => number;
  readonly key: string;
  readonly kinds: readonly CallKind[];
  readonly seed: number;
}

/** Calls for a time; at `rate` calls a second, or with 0 as fast as they are answered. */
async function call(traffic: Traffic, seconds: number, rate: number): Promise<CallTimes> {
  const times = new CallTimes();
  const callers = startTraffic(traffic, rate, times);
  await systemClock.sleep(seconds * 1000);
  await callers.stop();
  return times;
}

function startTraffic({ portOf, key, kinds, seed }: Traffic, rate: number, times: CallTimes): Callers {
  const everyMs = rate === 0 ? 0 : (CALLERS * 1000) / rate;
  const random = buildRandom(seed, 17);
  return startCallers({ portOf, callers: CALLERS, kinds, key, random, everyMs, onCall: (call) => times.note(call) });
}

function summarize(times: CallTimes, watches: readonly ProcessWatch[], fromMs: number): SoakWindow {
  const untilMs = systemClock.monotonicMs();
  return {
    calls: times.calls,
    failed: times.failed,
    p99Ms: times.p99Ms(),
    servers: watches.map(({ held }) => summarizeHeld(held, fromMs, untilMs)),
  };
}

/** Asks each server in turn to stop, as an upgrade does, while callers are sent to those that say they are ready. */
async function restartAll(
  servers: readonly KeptServer[],
  traffic: Traffic,
  rate: number,
): Promise<{ calls: number; failed: number }> {
  const ready = new Set(servers);
  const ending = new AbortController();
  const asking = Promise.all(servers.map((server) => followReadiness(server, ready, ending.signal)));
  let turn = 0;
  const portOf = (): number => {
    const open = servers.filter((server) => ready.has(server)).map(({ port }) => port);
    turn += 1;
    return open[turn % open.length] ?? servers[0]!.port;
  };
  const times = new CallTimes();
  const callers = startTraffic({ ...traffic, portOf }, rate, times);
  for (const server of servers) {
    server.signal('SIGTERM');
    await systemClock.sleep(AFTER_RESTART_MS);
    await server.untilReady();
    await systemClock.sleep(AFTER_RESTART_MS);
  }
  await callers.stop();
  ending.abort();
  await asking;
  return { calls: times.calls, failed: times.failed };
}

/** As a switch in front of the servers does. */
async function followReadiness(server: KeptServer, ready: Set<KeptServer>, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    if (await server.isReady()) ready.add(server);
    else ready.delete(server);
    await systemClock.sleep(READINESS_MS, until).catch(() => undefined);
  }
}
