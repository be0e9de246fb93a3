/**
 * How an interval of dates is told to the term index: as sets of decades, years, months or cycledays, of each of which
 * every date of the interval has one, and perhaps a few other dates too. The dates themselves are always compared
 * afterwards, so a cover only saves work.
 */
import type { FilterDate, Order } from '@tmds/contract/enums';
import type { DateText } from '@tmds/contract/record';
import { isRegisterDate } from '../record/dates.ts';
import { CODED_YEAR_MAX, CODED_YEAR_MIN, dateTerm } from '../record/terms.ts';
import type { Conditions, Interval } from './filters.ts';

/** A longer interval is covered by its months alone: the lists of so many cycledays cost more than they save. */
const CYCLEDAYS_MAX = 16;
/** A longer interval is covered by its years and decades. */
const MONTHS_MAX = 24;
/**
 * The years in which registers are dense. An interval with more of them holds so much of a register that merging the
 * lists of its years costs more than comparing the dates of whatever the other filters find.
 */
const DENSE_YEARS: readonly [first: number, last: number] = [1990, 2035];
const DENSE_YEARS_MAX = 20;
/** With more, the interval holds nearly everything. */
const BROAD_YEARS_MAX = 30;

/**
 * What a cover is worth. `selective`: it saves more than it costs beside whatever else is asked for. `broad`: only where
 * the rest finds so much that fetching it would cost more than merging long lists. `useless`: it holds nearly all.
 */
export function weighCover(from: DateText | null, to: DateText | null): 'selective' | 'broad' | 'useless' {
  const first = from === null ? CODED_YEAR_MIN : codedYear(from);
  const last = to === null ? CODED_YEAR_MAX : codedYear(to);
  const denseYears = Math.min(last, DENSE_YEARS[1]) - Math.max(first, DENSE_YEARS[0]) + 1;
  if (denseYears <= DENSE_YEARS_MAX) return 'selective';
  return denseYears <= BROAD_YEARS_MAX ? 'broad' : 'useless';
}

/** Whether every gathering asks for an interval: few records match a pinned query, so the index needs no help. */
export function isCovered({ column, from, to }: Interval, { allOf, anyOf, texts, pinned }: Conditions): boolean {
  if (column === 'updated_at') return false;
  // Without other terms it needs any help.
  if (allOf.length === 0 && anyOf.length === 0 && texts.length === 0) return true;
  return pinned.length === 0 && weighCover(from, to) === 'selective';
}

/** Whether its cover is of months; else of years. */
export function isCoveredByMonths({ from, to }: Pick<Interval, 'from' | 'to'>): boolean {
  return from !== null && to !== null && listMonths(from, to) !== null;
}

/** Sets of terms; a date of the interval has a term of each. Bounds are inclusive, null = open. */
export function coverDates(field: FilterDate, from: DateText | null, to: DateText | null): number[][] {
  const first = from === null ? CODED_YEAR_MIN : codedYear(from);
  const last = to === null ? CODED_YEAR_MAX : codedYear(to);
  if (from !== null && to !== null && first > CODED_YEAR_MIN && last < CODED_YEAR_MAX) {
    const months = listMonths(from, to);
    if (months !== null) {
      const cover = [months.map((month) => dateTerm(field, 'month', month))];
      const days = listDays(from, to);
      if (days !== null) cover.push(days.map((day) => dateTerm(field, 'cycleday', day)));
      return cover;
    }
  }
  return [listYearTerms(field, first, last)];
}

/**
 * As `coverDates`, but of the years in which the interval begins and ends no more than its months: where dates go
 * together, many matches of the other conditions stand just beyond its bounds.
 */
export function coverClosely(field: FilterDate, from: DateText | null, to: DateText | null): number[][] {
  if (isCoveredByMonths({ from, to })) return coverDates(field, from, to);
  const months: DateText[] = [];
  let first = from === null ? CODED_YEAR_MIN : codedYear(from);
  let last = to === null ? CODED_YEAR_MAX : codedYear(to);
  if (from !== null && isWithinCoded(first) && from.slice(5) !== '01-01') {
    months.push(...listMonths(from, `${first}-12-31`)!);
    first += 1;
  }
  if (to !== null && isWithinCoded(last) && to.slice(5) !== '12-31') {
    months.push(...listMonths(`${last}-01-01`, to)!);
    last -= 1;
  }
  return [[...listYearTerms(field, first, last), ...months.map((month) => dateTerm(field, 'month', month))]];
}

/** The first and the last coded year hold the months of others too. */
function isWithinCoded(year: number): boolean {
  return year > CODED_YEAR_MIN && year < CODED_YEAR_MAX;
}

/** The terms of the decades that lie within the years, and of the years before and after these. */
function listYearTerms(field: FilterDate, first: number, last: number): number[] {
  const terms: number[] = [];
  for (let year = first; year <= last; ) {
    const isDecade = year % 10 === 0 && year + 9 <= last;
    terms.push(dateTerm(field, isDecade ? 'decade' : 'year', `${year}-01-01`));
    year += isDecade ? 10 : 1;
  }
  return terms;
}

/** The first and the last coded year also hold all that lies beyond them, on any day. */
function codedYear(date: DateText): number {
  return Math.min(CODED_YEAR_MAX, Math.max(CODED_YEAR_MIN, Number(date.slice(0, 4))));
}

/** The first day of every month from that of `first` to that of `last`; null when they are more than `MONTHS_MAX`. */
function listMonths(first: DateText, last: DateText): DateText[] | null {
  const months: DateText[] = [];
  let [year = 0, month = 0] = first.split('-').map(Number);
  for (let day = formatDate(year, month, 1); day <= last; day = formatDate(year, month, 1)) {
    if (months.length === MONTHS_MAX) return null;
    months.push(day);
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return months;
}

/** A stretch of an order by date: from a date on, whole months. */
export interface Stretch {
  /** Inclusive; the earlier one first. Null for where the order begins. */
  readonly from: DateText | null;
  readonly to: DateText | null;
  /** The date with which the order goes on, where nothing of it has been passed. */
  readonly next: DateText;
  readonly covers: readonly (readonly number[])[];
}

/** The next so many months of an order that stands at `date`; null where they go beyond the coded years. */
export function stretchFrom(field: FilterDate, date: DateText, order: Order, months: number): Stretch | null {
  const [year = 0, month = 0] = date.split('-').map(Number);
  const yearsMax = Math.ceil(months / 12) + 1;
  const [first, last] = order === 'desc' ? [year - yearsMax, year] : [year, year + yearsMax];
  if (first < CODED_YEAR_MIN || last > CODED_YEAR_MAX) return null;
  return stretchTo(field, date, order, firstOfMonth(year, order === 'desc' ? month - months + 1 : month + months - 1));
}

/**
 * From a date on, or from where the order begins, up to the end of the month in which `last` lies, as the order goes.
 * Covered from another date on, before that one.
 */
export function stretchTo(
  field: FilterDate,
  date: DateText | null,
  order: Order,
  last: DateText,
  coveredFrom: DateText | null = date,
): Stretch {
  const [year = 0, month = 0] = last.split('-').map(Number);
  const from = firstOfMonth(year, month);
  if (order === 'desc') return { from, to: date, next: from, covers: coverClosely(field, from, coveredFrom) };
  const to = lastOfMonth(from);
  return { from: date, to, next: firstOfMonth(year, month + 1), covers: coverClosely(field, coveredFrom, to) };
}

/** Months below 1 and above 12 lie in other years. */
function firstOfMonth(year: number, month: number): DateText {
  const index = year * 12 + month - 1;
  return formatDate(Math.floor(index / 12), (index % 12) + 1, 1);
}

function lastOfMonth(first: DateText): DateText {
  return [31, 30, 29, 28].map((day) => `${first.slice(0, 8)}${day}`).find(isRegisterDate)!;
}

/** Every day from `first` to `last`; null when they are more than `CYCLEDAYS_MAX`. */
function listDays(first: DateText, last: DateText): DateText[] | null {
  const days: DateText[] = [];
  for (let day = first; day <= last; day = nextDay(day)) {
    if (days.length === CYCLEDAYS_MAX) return null;
    days.push(day);
  }
  return days;
}

function nextDay(date: DateText): DateText {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const candidates = [formatDate(year, month, day + 1), formatDate(year, month + 1, 1), formatDate(year + 1, 1, 1)];
  return candidates.find(isRegisterDate)!;
}

function formatDate(year: number, month: number, day: number): DateText {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
