/**
 * When a source publishes: `daily`, `weekdays`, `weekly`, `weekly on thu`, `monthly`, `monthly on 5`, `yearly`, `yearly
 * on 12-31`. The expected periods, and when one is overdue, follow from it.
 */
import { type PeriodUnit, periodEndedBy } from './file-names.ts';

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

export const DAY_MS = 86_400_000;

/** Null unless the text is a day of the calendar, `YYYY-MM-DD`. */
export function toDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms)) return null;
  const day = ms / DAY_MS;
  return dayOf(day) === text ? day : null;
}

export function dayOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** 0 = Sunday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The week of ISO 8601 that a day is in: `2026-W47`. It belongs to the year of its Thursday. */
export function isoWeekOf(day: number): string {
  const thursday = day - ((weekdayOf(day) + 6) % 7) + 3;
  const year = dayOf(thursday).slice(0, 4);
  const first = toDate(`${year}-01-01`) ?? 0;
  return `${year}-W${String(Math.floor((thursday - first) / 7) + 1).padStart(2, '0')}`;
}

/** The Sunday of a week `YYYY-Www`; null for a week of no number. */
export function lastDayOfWeek(week: string): number | null {
  const number = Number(week.slice(6));
  if (number < 1 || number > 53) return null;
  const fourth = toDate(`${week.slice(0, 4)}-01-04`);
  if (fourth === null) return null;
  const monday = fourth - ((weekdayOf(fourth) + 6) % 7);
  return monday + (number - 1) * 7 + 6;
}

/** The last day of a month `YYYY-MM`. */
export function lastDayOfMonth(month: string): number | null {
  for (const last of [31, 30, 29, 28]) {
    const day = toDate(`${month}-${last}`);
    if (day !== null) return day;
  }
  return null;
}
