/** Work that a process repeats: one loop for all of it, with one way to stop. */
import type { Clock } from './clock.ts';

export interface Rounds {
  /** Resolves once the running round has ended. */
  stop(): Promise<void>;
}

/** Resolves to the pause before the next round, in milliseconds. `signal` is aborted once the rounds are to end. */
export type Round = (signal: AbortSignal) => Promise<number>;

/** Repeats a round until `signal` is aborted, or while `goesOn`. Rejects as they do. */
export async function runRounds(
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
  round: Round,
  goesOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  while (!signal.aborted && (await goesOn())) {
    const pauseMs = await round(signal);
    if (pauseMs > 0) await clock.sleep(pauseMs, signal).catch(() => undefined);
  }
}

/** The same until it is stopped; a round must not reject. The first one begins after `firstMs`. */
export function startRounds(clock: Pick<Clock, 'sleep'>, round: Round, firstMs = 0): Rounds {
  const ending = new AbortController();
  const { signal } = ending;
  const begin = async (): Promise<void> => {
    if (firstMs > 0) await clock.sleep(firstMs, signal).catch(() => undefined);
    await runRounds(clock, signal, round);
  };
  const running = begin();
  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}
