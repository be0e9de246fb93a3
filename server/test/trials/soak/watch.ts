/** What a process holds, read every few seconds: memory and descriptors, for windows of time. */
import { readdir, readFile } from 'node:fs/promises';
import { systemClock } from '../../../src/base/clock.ts';
import type { KeptServer } from '../serving.ts';

export interface Held {
  readonly atMs: number;
  readonly residentBytes: number;
  /** Used by objects; the lowest of a window is what is left after a full collection. */
  readonly heapBytes: number;
  /** Not counting connections of callers, which come and go. */
  readonly descriptors: number;
}

export interface ProcessWatch {
  readonly held: readonly Held[];
  stop(): Promise<void>;
}

const LOOK_MS = 2_000;

export function watchProcess(server: KeptServer): ProcessWatch {
  const held: Held[] = [];
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      const seen = await look(server).catch(() => null);
      if (seen !== null) held.push(seen);
      await systemClock.sleep(LOOK_MS, ending.signal).catch(() => undefined);
    }
  })();
  return {
    held,
    stop: async () => {
      ending.abort();
      await watching;
    },
  };
}

async function look(server: KeptServer): Promise<Held> {
  const pid = server.pid();
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const descriptors = (await readdir(`/proc/${pid}/fd`)).length;
  const answer = await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`, { signal: AbortSignal.timeout(5_000) });
  const heap = /^nodejs_heap_size_used_bytes (\S+)/m.exec(await answer.text())?.[1];
  return {
    atMs: systemClock.monotonicMs(),
    residentBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024,
    heapBytes: Number(heap),
    descriptors,
  };
}

export interface HeldInWindow {
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly descriptorsMin: number;
  readonly descriptorsMax: number;
}

/** Null if nothing was seen between the two times. */
export function summarizeHeld(held: readonly Held[], fromMs: number, untilMs: number): HeldInWindow | null {
  const within = held.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  if (within.length === 0) return null;
  return {
    heapBytes: Math.min(...within.map(({ heapBytes }) => heapBytes)),
    residentBytes: median(within.map(({ residentBytes }) => residentBytes)),
    descriptorsMin: Math.min(...within.map(({ descriptors }) => descriptors)),
    descriptorsMax: Math.max(...within.map(({ descriptors }) => descriptors)),
  };
}

/** NaN if there are none, which is above no bound. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
