/** Checks servers repeatedly, one check after the other, until it is stopped. */
import type { Clock } from '../../base/clock.ts';

/** A check must not reject. The returned function stops the checks, and resolves once the last one has ended. */
export function keepLooking(clock: Clock, everyMs: number, look: () => Promise<void>): () => Promise<void> {
  const ending = new AbortController();
  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(everyMs, ending.signal).catch(() => undefined);
      if (ending.signal.aborted) return;
      await look();
    }
  };
  const watching = watch();
  return async () => {
    ending.abort();
    await watching;
  };
}
