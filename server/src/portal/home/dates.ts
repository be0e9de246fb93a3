/** The dates ahead of the first page, in two groups. */
import type { DateText } from '@tmds/contract/record';
import type { Clock } from '../../base/clock.ts';
import { type DatesReader, type DatesAhead as Due, dayAfter } from '../../due/watched-dates.ts';

/** Days ahead, in two groups. */
export const NEAR_DAYS = 30;
export const FAR_DAYS = 90;

export interface DatesAhead extends Due {
  /** The last day of the first group. */
  readonly near: DateText;
}

export async function readDatesAhead(readDates: DatesReader, clock: Clock, customerId: string): Promise<DatesAhead> {
  const span = { from: dayAfter(clock, 0), to: dayAfter(clock, FAR_DAYS) };
  return { ...(await readDates(customerId, span)), near: dayAfter(clock, NEAR_DAYS) };
}
