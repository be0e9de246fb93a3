/**
 * Periods from the names of files. A pattern is a name with places in it: `apc{YY}{MM}{DD}.zip`, `RM{N}.zip`,
 * `wk-{YYYY}-{WW}.zip`. It knows neither sources nor expected dates. Invariant: the byte order of the labels of one
 * pattern is the order of their periods in time.
 */
import { DAY_MS } from '../../base/clock.ts';
import { labelNumber } from '../../store/sync/source-files.ts';

/** What a period is: a day, a week of ISO 8601, a month, a year, or a number of a series. */
export type PeriodUnit = 'day' | 'week' | 'month' | 'year' | 'number';

interface NamedPeriod {
  /** `2026-11-20`, `2026-W47`, `2026-11`, `2026`, or a number padded with zeros; `…/000003` for a part of one. */
  label: string;
  /** The label without the part. */
  base: string;
  /** From 1, where the pattern numbers the files of a period; else null. */
  part: number | null;
}

export interface NamePattern {
  text: string;
  unit: PeriodUnit;
  hasParts: boolean;
  /** Null if the name does not match this pattern, or names a day that is not in the calendar. */
  read(name: string): NamedPeriod | null;
}

const DIGITS: Readonly<Record<string, string>> = {
  YYYY: '(\\d{4})',
  YY: '(\\d{2})',
  MM: '(\\d{2})',
  DD: '(\\d{2})',
  WW: '(\\d{2})',
  N: '(\\d{1,9})',
};
const PART_DIGITS = 6;

/** Throws an Error whose message says what is wrong with the pattern, as the rest of a sentence. */
export function parseNamePattern(text: string): NamePattern {
  if (/[/\\]/.test(text)) throw new Error('must be the name of a file, without folders');
  const places: string[] = [];
  const source = text.replace(/\{([^{}]*)\}|\*|[^{}*]+|[{}]/g, (part: string, place: string | undefined) => {
    if (part === '*') return '[^/]*';
    if (place === undefined) return part.replace(/[.+?^$()|[\]\\{}]/g, '\\$&');
    const digits = DIGITS[place];
    if (digits === undefined) {
      throw new Error(`has the unknown place {${place}}; known: ${Object.keys(DIGITS).join(', ')}`);
    }
    places.push(place);
    return digits;
  });
  if (places.filter((place) => place === 'N').length > 1) throw new Error('has {N} more than once');
  const unit = findUnit(places);
  const hasParts = unit !== 'number' && places.includes('N');
  const regexp = new RegExp(`^${source}$`);
  return {
    text,
    unit,
    hasParts,
    read(name) {
      const match = regexp.exec(name);
      if (match === null) return null;
      // In a span, the second date counts: it is the end of the period.
      const values = new Map(places.map((place, at) => [place.replace('YYYY', 'YY'), match[at + 1] ?? '']));
      const base = labelOf(unit, values);
      if (base === null) return null;
      const part = hasParts ? Number(values.get('N')) : null;
      return { base, part, label: part === null ? base : labelPart(base, part) };
    },
  };
}

function findUnit(places: readonly string[]): PeriodUnit {
  const has = (place: string): boolean => places.includes(place);
  const hasYear = has('YYYY') || has('YY');
  if (hasYear && has('MM') && has('DD')) return 'day';
  if (hasYear && has('WW') && !has('MM') && !has('DD')) return 'week';
  if (hasYear && has('MM') && !has('WW')) return 'month';
  if (hasYear && !has('DD') && !has('WW')) return 'year';
  if (!hasYear && !has('MM') && !has('DD') && !has('WW') && has('N')) return 'number';
  throw new Error('must state a period: {YYYY}{MM}{DD}, {YYYY}{WW}, {YYYY}{MM}, {YYYY} or {N}');
}

function labelOf(unit: PeriodUnit, values: ReadonlyMap<string, string>): string | null {
  const get = (place: string): string => values.get(place) ?? '';
  if (unit === 'number') return labelNumber(Number(get('N')));
  const stated = get('YY');
  const year = stated.length === 4 ? stated : `${Number(stated) < 70 ? '20' : '19'}${stated}`;
  if (unit === 'year') return year;
  if (unit === 'month') return Number(get('MM')) >= 1 && Number(get('MM')) <= 12 ? `${year}-${get('MM')}` : null;
  if (unit === 'day')
    return toDate(`${year}-${get('MM')}-${get('DD')}`) === null ? null : `${year}-${get('MM')}-${get('DD')}`;
  const label = `${year}-W${get('WW')}`;
  const last = lastDayOfWeek(label);
  return last !== null && isoWeekOf(last) === label ? label : null;
}

export function labelPart(base: string, part: number): string {
  return `${base}/${String(part).padStart(PART_DIGITS, '0')}`;
}

/** The label of a period as an operator writes it; null if it is not of this unit. */
export function parsePeriod(unit: PeriodUnit, text: string): string | null {
  switch (unit) {
    case 'number':
      return /^\d{1,9}$/.test(text) ? labelNumber(Number(text)) : null;
    case 'day':
      return toDate(text) === null ? null : text;
    case 'week': {
      const last = /^\d{4}-W\d{2}$/.test(text) ? lastDayOfWeek(text) : null;
      return last !== null && isoWeekOf(last) === text ? text : null;
    }
    case 'month':
      return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : null;
    case 'year':
      return /^\d{4}$/.test(text) ? text : null;
  }
}

/** The last day of a period, as days since 1970; null for a number. */
export function lastDayOf(base: string): number | null {
  if (/^\d{4}$/.test(base)) return toDate(`${base}-12-31`);
  if (/^\d{4}-W/.test(base)) return lastDayOfWeek(base);
  if (/^\d{4}-\d{2}$/.test(base)) return lastDayOfMonth(base);
  return /^\d{4}-\d{2}-\d{2}$/.test(base) ? toDate(base) : null;
}

/** The period of this unit that a day ends; null if it ends none. Not for numbers. */
export function periodEndedBy(unit: PeriodUnit, day: number): string | null {
  const text = dayOf(day);
  const base = { day: text, week: isoWeekOf(day), month: text.slice(0, 7), year: text.slice(0, 4), number: '' }[unit];
  return lastDayOf(base) === day ? base : null;
}

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
export function weekdayOf(day: number): number {
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
function lastDayOfMonth(month: string): number | null {
  for (const last of [31, 30, 29, 28]) {
    const day = toDate(`${month}-${last}`);
    if (day !== null) return day;
  }
  return null;
}
