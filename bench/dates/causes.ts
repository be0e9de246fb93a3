/** Why a stated end of term is not the one that follows: the classes of docs/dates.md, tried in this order. */
import { addTerm, dayNumber } from '../../server/src/dates/calendar.ts';
import type { ComputedDate, Facts } from '../../server/src/dates/compute.ts';

/** The longest time between a priority and the filing that claims it, in months (Paris Convention, article 4C). */
const PRIORITY_MONTHS = 6;

export const CAUSES = {
  no_anchor: 'the day from which the term runs is not in the data',
  one_day: 'one day apart: 28 and 29 February, or the eve of the anniversary',
  other_term: 'terms of another length from the same day: which Act applies depends on a day that is not in the data',
  other_anchor: 'counted from another date of the record',
  parent: 'ends with the international registration, whose day is not in the data',
  priority: 'counted from a day within six months before filing: a priority that is not in the data',
  before_start: 'stated to end before the first term can end',
  other_day: 'the same month, another day',
  unnamed_start: 'counted from a day that is not in the data',
} as const;
export type Cause = keyof typeof CAUSES;

const OTHER_ANCHORS = ['application_date', 'registration_date', 'publication_date'] as const;

export function causeOf({ jurisdiction, stated, anchors, route }: Facts, computed: ComputedDate | null): Cause {
  const expiry = stated.expiry;
  if (computed === null || expiry === null) return 'no_anchor';
  const anchor = computed.anchor.date;
  if (Math.abs(dayNumber(expiry) - dayNumber(computed.endsOn)) === 1) return 'one_day';
  if (isAnniversary(anchor, expiry)) return 'other_term';
  if (OTHER_ANCHORS.some((fact) => isAnniversary(anchors[fact], expiry))) return 'other_anchor';
  if (route === 'madrid') return 'parent';
  // In Singapore a claimed priority was the start of the term; elsewhere it never was.
  if (jurisdiction === 'SG' && lastStart(expiry, anchor) >= addTerm(anchor, { months: -PRIORITY_MONTHS, days: -3 })) {
    return 'priority';
  }
  if (expiry < addTerm(anchor, { years: 5 })) return 'before_start';
  return expiry.slice(5, 7) === computed.endsOn.slice(5, 7) ? 'other_day' : 'unnamed_start';
}

function isAnniversary(from: string | null, day: string): boolean {
  return from !== null && from < day && from.slice(5) === day.slice(5);
}

/** The last day, not after `anchor`, from which terms of ten years lead to `expiry`. */
function lastStart(expiry: string, anchor: string): string {
  let start = expiry;
  while (start > anchor) start = addTerm(start, { years: -10 });
  return start;
}
