/** A clock that starts at a given instant and then goes on. */
import { type Clock, systemClock } from '../../src/base/clock.ts';

export function clockAt(instant: string): Clock {
  const startMs = systemClock.nowMs();
  return { ...systemClock, nowMs: () => Date.parse(instant) + (systemClock.nowMs() - startMs) };
}
