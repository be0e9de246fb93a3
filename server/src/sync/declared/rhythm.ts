/**
 * When a source publishes: `daily`, `weekdays`, `weekly`, `weekly on thu`, `monthly`, `monthly on 5`, `yearly`, `yearly
 * on 12-31`. The expected periods, and when one is overdue, follow from it.
 */

import { DAY_MS } from '../../base/clock.ts';
import { dayOf, type PeriodUnit, periodEndedBy, weekdayOf } from './file-names.ts';

export interface Rhythm {
  text: string;
  /** Days between two files, at most: for a series of numbers, which name no day. */
  stepDays: number;
  /** Whether a period is published that ends on this day. */
  isExpected(day: number): boolean;
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Which rhythms files may have whose periods are of a unit. */
const FITTING: Readonly<Record<PeriodUnit, readonly string[]>> = {
  day: ['daily', 'weekdays', 'weekly on', 'monthly on', 'yearly on'],
  week: ['weekly'],
  month: ['monthly'],
  year: ['yearly'],
  number: ['daily', 'weekdays', 'weekly', 'monthly', 'yearly'],
};

/** Throws an Error whose message says what is wrong, as the rest of a sentence. */
export function parseRhythm(text: string, unit: PeriodUnit): Rhythm {
  const [, every = '', on] = /^(daily|weekdays|weekly|monthly|yearly)(?: on (\S+))?$/.exec(text) ?? [];
  const kind = on === undefined ? every : `${every} on`;
  if (!FITTING[unit].includes(kind)) {
    const fitting = FITTING[unit].map((each) => (each.endsWith(' on') ? `${each} …` : each));
    throw new Error(`must be one of ${fitting.join(', ')} for files of a ${unit}, not "${text}"`);
  }
  return { text, stepDays: STEP_DAYS[every] ?? 1, isExpected: buildTest(kind, on ?? '') };
}

const STEP_DAYS: Readonly<Record<string, number>> = { daily: 1, weekdays: 3, weekly: 7, monthly: 31, yearly: 366 };

function buildTest(kind: string, on: string): (day: number) => boolean {
  const refuse = (takes: string): never => {
    throw new Error(`must name ${takes}, not "${on}"`);
  };
  if (kind === 'weekdays') return (day) => weekdayOf(day) !== 0 && weekdayOf(day) !== 6;
  if (kind === 'weekly on') {
    const wanted = WEEKDAYS.indexOf(on);
    if (wanted < 0) refuse(`a day: ${WEEKDAYS.join(', ')}`);
    return (day) => weekdayOf(day) === wanted;
  }
  if (kind === 'monthly on') {
    if (!/^([1-9]|1\d|2[0-8])$/.test(on)) refuse('a day from 1 to 28');
    return (day) => Number(dayOf(day).slice(8)) === Number(on);
  }
  if (kind === 'yearly on') {
    if (!/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(on)) refuse('a month and day such as 12-31');
    return (day) => dayOf(day).slice(5) === on;
  }
  return () => true;
}

interface ExpectedPeriod {
  label: string;
  /** Days since 1970. */
  lastDay: number;
}

/** The expected periods that end from one day to another, both included. */
export function* listExpected(
  rhythm: Rhythm,
  unit: PeriodUnit,
  { fromDay, throughDay }: { fromDay: number; throughDay: number },
): Generator<ExpectedPeriod> {
  for (let day = fromDay; day <= throughDay; day += 1) {
    const label = periodEndedBy(unit, day);
    if (label !== null && rhythm.isExpected(day)) yield { label, lastDay: day };
  }
}

/** A period is overdue this long after its last day has ended, UTC. */
export function dueOf(lastDay: number, graceMs: number): number {
  return (lastDay + 1) * DAY_MS + graceMs;
}
