/** Looks at servers again and again, one look after the other, until that is ended. */
import type { Clock } from '../../base/clock.ts';

/** A look must not reject. Returns what ends it, and resolves once the last look has ended. */
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
