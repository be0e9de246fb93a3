import { WAITING_MS_MAX } from '../../src/access/meter.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';

/** The clock of the machine, on which no call waits too long for its verdict, however busy the machine is. */
export const patientClock: Clock = {
  ...systemClock,
  callAfter: (ms, act) => systemClock.callAfter(ms === WAITING_MS_MAX ? ms * 100 : ms, act),
};
