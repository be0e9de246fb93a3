/** Runs `tmds-client` inside the test. */
import type { Clock } from '../../src/clock.ts';
import { runShell } from '../../src/shell/cli.ts';

export interface Ran {
  status: number;
  out: string;
  err: string;
}

export interface RunOptions {
  /** Whether standard output is a terminal. */
  readonly isRead?: boolean;
  readonly columns?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Called after every write. */
  readonly onWrite?: (ran: Ran) => void;
}

export async function runInShell(
  args: readonly string[],
  environment: Record<string, string>,
  { isRead = false, columns = 200, clock, signal = new AbortController().signal, onWrite }: RunOptions = {},
): Promise<Ran> {
  const ran: Ran = { status: -1, out: '', err: '' };
  const out = (text: string): void => {
    ran.out += text;
    onWrite?.(ran);
  };
  const err = (text: string): void => {
    ran.err += text;
    onWrite?.(ran);
  };
  const terminal = { out, err, live: false, isRead, columns, write: async (text: string) => out(text) };
  const options = clock === undefined ? {} : { clock, random: () => 0 };
  ran.status = await runShell(args, environment, terminal, signal, options);
  return ran;
}

export const readLines = (out: string): Record<string, unknown>[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** It is the second of January 2026. Waits end at once, except for the time limit of an attempt, which none reaches. */
export function buildImpatientClock(onWait: (signal?: AbortSignal) => void = () => undefined): Clock {
  const attemptMs = 30_000;
  return {
    nowMs: () => Date.UTC(2026, 0, 2),
    monotonicMs: () => 0,
    sleep: async (ms, signal) => {
      if (ms === attemptMs) await new Promise(() => undefined);
      onWait(signal);
    },
  };
}
