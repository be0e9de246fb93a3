/** Which dates a reminder is of: those that came as near as 90, 30 or 7 days since the last one. */
import type { DateText } from '@tmds/contract/record';
import { addTerm, dayNumber } from '../dates/calendar.ts';
import type { DateSpan } from '../store/records/date-facts.ts';
import { sortDueDates } from './next-dates.ts';
import type { DatesAhead, DatesReader } from './watched-dates.ts';

/** Days ahead. */
export const REMINDED_DAYS = [90, 30, 7] as const;

/** The days after `after`, through `through`, that a reminder is of. */
export interface RemindedDays {
  readonly after: DateText;
  readonly through: DateText;
}

/** The dates that reached a distance on one of these days: one span for each distance. */
export function listRemindedSpans({ after, through }: RemindedDays): DateSpan[] {
  return REMINDED_DAYS.map((days) => ({
    from: addTerm(after, { days: days + 1 }),
    to: addTerm(through, { days }),
  }));
}

/** Among all live watches of a customer, the soonest first. */
export async function readReminded(
  readDates: DatesReader,
  customerId: string,
  days: RemindedDays,
): Promise<Omit<DatesAhead, 'today'>> {
  const found: DatesAhead[] = [];
  for (const span of listRemindedSpans(days)) found.push(await readDates(customerId, span));
  return {
    dates: sortDueDates(found.flatMap(({ dates }) => dates)),
    isPartial: found.some(({ isPartial }) => isPartial),
    lacksComputed: found.some(({ lacksComputed }) => lacksComputed),
    isInterrupted: found.some(({ isInterrupted }) => isInterrupted),
  };
}

/** Whole days from one day to a later one. */
export function daysUntil(from: DateText, to: DateText): number {
  return dayNumber(to) - dayNumber(from);
}
