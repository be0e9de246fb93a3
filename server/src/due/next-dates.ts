/**
 * The dates that lie ahead for one record: what its office states, and what follows from a rule where it states
 * nothing. Pure. Invariant: a date that the office states is never left out for a computed one.
 */
import type { DateText } from '@tmds/contract/record';
import { type ComputedDate, computeDates, readFacts } from '../dates/compute.ts';
import type { DatedRecord, DateSpan } from '../store/records/date-facts.ts';

/** `expiry` and `renewal` are stated: the end of a term, and a day of renewal that lies ahead. */
export type DueKind = 'opposition' | 'expiry' | 'renewal' | 'renewal_due' | 'use_declaration' | 'dependency_end';

export interface DueDate {
  readonly date: DateText;
  readonly kind: DueKind;
  /** Null if the office states the date. */
  readonly computed: ComputedDate | null;
  /** The day without a surcharge has passed, and this is the last day of grace. */
  readonly isLate: boolean;
  readonly record: DatedRecord;
}

const STATED = [
  ['opposition', 'opposition_period_end'],
  ['expiry', 'expiry_date'],
  ['renewal', 'renewal_date'],
] as const;

const COMPUTED = {
  opposition_end: 'opposition',
  renewal: 'renewal_due',
  use_declaration: 'use_declaration',
  dependency_end: 'dependency_end',
} as const;

/** In no order. Nothing before `today` is due any more. */
export function listDueDates(record: DatedRecord, span: DateSpan, today: DateText): DueDate[] {
  const isWithin = (date: DateText): boolean => date >= today && date >= span.from && date <= span.to;
  const stated = STATED.flatMap(([kind, field]): DueDate[] => {
    const date = record[field];
    return date === null || !isWithin(date) ? [] : [{ date, kind, computed: null, isLate: false, record }];
  });
  const computed = computeDates(readFacts(record), today).flatMap((answer): DueDate[] => {
    const due = answer.stated === null ? findOpenDay(answer.computed, today) : null;
    if (due === null || !isWithin(due.date)) return [];
    return [{ ...due, kind: COMPUTED[answer.event], computed: answer.computed, record }];
  });
  return [...stated, ...computed];
}

/** The last day without a surcharge, or once it has passed the last day of grace; null if both have passed. */
export function findOpenDay(
  computed: ComputedDate | null,
  today: DateText,
): { readonly date: DateText; readonly isLate: boolean } | null {
  if (computed === null) return null;
  const { dueOn, lateUntil, rule } = computed;
  if (dueOn >= today) return { date: dueOn, isLate: false };
  const isOpen = rule.grace !== undefined && lateUntil !== null && lateUntil >= today;
  return isOpen ? { date: lateUntil, isLate: true } : null;
}

/** The soonest first; each date of a record once. */
export function sortDueDates(dates: readonly DueDate[]): DueDate[] {
  const named = new Map(dates.map((due) => [nameDueDate(due), due]));
  return [...named].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, due]) => due);
}

/** One name for each date of a record, which begins with the date. */
export function nameDueDate({ date, kind, record }: DueDate): string {
  return [date, record.jurisdiction_code, record.uid, kind].join(' ');
}
