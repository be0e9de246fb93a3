/** A caller in a separate thread, who looks records up now and then and reports, when asked, how long that took. */
import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../src/base/clock.ts';
import { type CallEnd, callOnce } from '../callers.ts';

export interface QuietData {
  readonly port: number;
  readonly key: string;
  readonly path: string;
}

/** Since they were last asked for. */
export interface FeltTimes {
  readonly calls: number;
  readonly medianMs: number;
  readonly slowestMs: number;
  /** How calls ended that were not answered with 200. */
  readonly failures: readonly CallEnd[];
}

const EVERY_MS = 20;

const { port, key, path } = workerData as QuietData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let times: number[] = [];
let failures: CallEnd[] = [];
let startedMs = 0;

parentPort?.on('message', () => {
  // The call under way counts as long as it has taken so far.
  const all = [...times, systemClock.monotonicMs() - startedMs].sort((one, other) => one - other);
  const felt: FeltTimes = {
    calls: times.length,
    medianMs: all[Math.floor(all.length / 2)] ?? 0,
    slowestMs: all.at(-1) ?? 0,
    failures,
  };
  times = [];
  failures = [];
  parentPort?.postMessage(felt);
});

for (;;) {
  startedMs = systemClock.monotonicMs();
  const { end } = await callOnce(agent, port, path, key);
  times.push(systemClock.monotonicMs() - startedMs);
  if (end !== 200) failures.push(end);
  startedMs = systemClock.monotonicMs() + EVERY_MS;
  await systemClock.sleep(EVERY_MS);
}
