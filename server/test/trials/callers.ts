/**
 * Callers of every kind at once, who note how each call ended. They report how many calls were answered with which
 * status, which were broken, the slowest, and what the meter must at least and may at most have counted.
 */
import { Agent, request } from 'node:http';
import { systemClock } from '../../src/base/clock.ts';
import type { Random } from '../torture/random.ts';

/** What is asked, and whether a served call costs a unit. */
export interface CallKind {
  readonly name: string;
  readonly metered: boolean;
  readonly path: (random: Random) => string;
}

/** `refused`: nothing came; `cut`: a part of an answer came; `late`: none within `CALL_MS_MAX`. */
export type CallEnd = number | 'refused' | 'cut' | 'late';

export interface NotedCall {
  readonly kind: string;
  readonly port: number;
  readonly end: CallEnd;
  /** Milliseconds of `systemClock.monotonicMs`. */
  readonly startedMs: number;
  readonly durationMs: number;
  readonly metered: boolean;
}

const CALL_MS_MAX = 30_000;

export interface Answer {
  readonly end: CallEnd;
  /** Decodes the body, which most callers have no use for. */
  text(): string;
}

/** Longer than any time limit of the service. */
export async function callOnce(agent: Agent, port: number, path: string, key: string): Promise<Answer> {
  return await new Promise((resolve) => {
    let status: number | null = null;
    const parts: Buffer[] = [];
    let isLate = false;
    const call = request({ host: '127.0.0.1', port, agent, path, headers: { 'x-api-key': key } });
    const timer = setTimeout(() => {
      isLate = true;
      call.destroy();
    }, CALL_MS_MAX);
    const finish = (end: CallEnd): void => {
      clearTimeout(timer);
      resolve({ end, text: () => Buffer.concat(parts).toString() });
    };
    const fail = (): void => finish(isLate ? 'late' : status === null ? 'refused' : 'cut');
    call.on('response', (response) => {
      status = response.statusCode ?? 0;
      response.on('data', (chunk: Buffer) => parts.push(chunk));
      response.on('end', () => (response.complete ? finish(status!) : fail()));
      response.on('error', fail);
      response.on('close', () => (response.complete ? undefined : fail()));
    });
    call.on('error', fail);
    call.end();
  });
}

export interface Callers {
  /** Resolves when every caller has its last answer. */
  stop(): Promise<void>;
}

export interface CallerOptions {
  /** The port of the server for the next call of a caller. */
  readonly portOf: (caller: number) => number;
  readonly callers: number;
  readonly kinds: readonly CallKind[];
  readonly key: string;
  readonly random: Random;
  /** From one call of a caller to its next, or as soon as that is answered. */
  readonly everyMs: number;
  readonly onCall: (call: NotedCall) => void;
}

export function startCallers(options: CallerOptions): Callers {
  const { kinds, key, random } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: options.callers });
  let isWanted = true;
  const call = async (caller: number): Promise<void> => {
    let nextMs = systemClock.monotonicMs();
    while (isWanted) {
      nextMs = Math.max(nextMs + options.everyMs, systemClock.monotonicMs());
      const port = options.portOf(caller);
      const kind = random.pick(kinds);
      const startedMs = systemClock.monotonicMs();
      const { end } = await callOnce(agent, port, kind.path(random), key);
      const durationMs = systemClock.monotonicMs() - startedMs;
      options.onCall({ kind: kind.name, port, end, startedMs, durationMs, metered: kind.metered });
      await systemClock.sleep(Math.max(0, nextMs - systemClock.monotonicMs()));
    }
  };
  const done = Promise.all(Array.from({ length: options.callers }, (_, caller) => call(caller)));
  return {
    stop: async () => {
      isWanted = false;
      await done;
      agent.destroy();
    },
  };
}

/** How many ended how: `200: 61, 503: 4, refused: 2`. */
export function countEnds(calls: readonly NotedCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { end } of calls) counts.set(String(end), (counts.get(String(end)) ?? 0) + 1);
  return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}
