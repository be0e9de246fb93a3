/** A clock that starts at a given instant and then goes on. */
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { patientClock } from './patient-clock.ts';

export function clockAt(instant: string): Clock {
  const startMs = systemClock.nowMs();
  return { ...patientClock, nowMs: () => Date.parse(instant) + (systemClock.nowMs() - startMs) };
}
