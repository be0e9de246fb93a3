/**
 * The days on which an office takes nothing in, as far as they follow from a published rule. Only days are here on
 * which no branch of the office is open: a day that is left out makes a computed date earlier, never later, and the
 * earlier date is the safe one. Holidays of a lunar calendar are left out for the same reason.
 */
import type { DateText } from '@tmds/contract/record';
import { addTerm, dayNumber, easterSunday, formatDate, fromDayNumber, weekday } from './calendar.ts';

/** A yearly closing day. `since` and `until` are years, both included. */
type Holiday = (
  | { readonly month: number; readonly day: number }
  /** Days after Easter Sunday. */
  | { readonly easter: number }
  /** The nth such weekday of a month; -1 is the last. 0 is Sunday. */
  | { readonly month: number; readonly weekday: number; readonly nth: number }
  /** The first such weekday on or after a day. */
  | { readonly month: number; readonly onOrAfter: number; readonly weekday: number }
) & { readonly since?: number; readonly until?: number; readonly every?: { years: number; from: number } };

/**
 * Which working day is closed for a holiday of a weekend: the next one that is free; the same after Sundays alone; or
 * Friday for a Saturday and Monday for a Sunday.
 */
type Substitute = 'next' | 'after-sunday' | 'nearest';

interface Calendar {
  readonly holidays: readonly Holiday[];
  readonly substitute?: Substitute;
  readonly single?: readonly DateText[];
  readonly source: string;
}

const [SUNDAY, MONDAY, THURSDAY, FRIDAY, SATURDAY] = [0, 1, 4, 5, 6];
const fixed = (month: number, day: number, since?: number): Holiday =>
  since === undefined ? { month, day } : { month, day, since };
/** Days of one month. */
const days = (month: number, ...list: readonly number[]): Holiday[] => list.map((day) => ({ month, day }));
const [NEW_YEAR, LABOUR_DAY, CHRISTMAS, SECOND_CHRISTMAS] = [fixed(1, 1), fixed(5, 1), fixed(12, 25), fixed(12, 26)];
const [GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY] = [
  { easter: -2 },
  { easter: 1 },
  { easter: 39 },
  { easter: 50 },
];

/** Some of the days that offices in Europe share. */
const EASTER = [GOOD_FRIDAY, EASTER_MONDAY];
const CHRISTMAS_DAYS = [CHRISTMAS, SECOND_CHRISTMAS];
const WEEKDAYS_AFTER_EASTER = [ASCENSION, WHIT_MONDAY];

/** By register code. Saturdays and Sundays close every office. */
export const CALENDARS = {
  US: {
    holidays: [
      NEW_YEAR,
      { month: 1, weekday: MONDAY, nth: 3, since: 1986 },
      { month: 1, day: 20, every: { years: 4, from: 1957 } },
      { month: 2, weekday: MONDAY, nth: 3, since: 1971 },
      { month: 5, weekday: MONDAY, nth: -1, since: 1971 },
      fixed(6, 19, 2021),
      fixed(7, 4),
      { month: 9, weekday: MONDAY, nth: 1 },
      { month: 10, weekday: MONDAY, nth: 2, since: 1971 },
      fixed(11, 11, 1978),
      { month: 11, weekday: THURSDAY, nth: 4 },
      CHRISTMAS,
    ],
    substitute: 'nearest',
    source: '5 U.S.C. 6103; 37 CFR 2.2(d)',
  },
  EM: {
    holidays: [
      NEW_YEAR,
      ...EASTER,
      LABOUR_DAY,
      ...WEEKDAYS_AFTER_EASTER,
      fixed(8, 15),
      fixed(11, 1),
      ...CHRISTMAS_DAYS,
    ],
    source:
      'yearly decisions of the Executive Director under Article 69(2) of Regulation (EU) 2018/625; the days they share',
  },
  GB: {
    holidays: [
      NEW_YEAR,
      GOOD_FRIDAY,
      EASTER_MONDAY,
      { month: 5, weekday: MONDAY, nth: 1, since: 1978, until: 2019 },
      { month: 5, weekday: MONDAY, nth: 1, since: 2021 },
      { month: 5, weekday: MONDAY, nth: -1, since: 1971, until: 2001 },
      { month: 5, weekday: MONDAY, nth: -1, since: 2003, until: 2011 },
      { month: 5, weekday: MONDAY, nth: -1, since: 2013, until: 2021 },
      { month: 5, weekday: MONDAY, nth: -1, since: 2023 },
      { month: 8, weekday: MONDAY, nth: -1, since: 1971 },
      CHRISTMAS,
      SECOND_CHRISTMAS,
    ],
    substitute: 'next',
    single: [
      '2002-06-03',
      '2002-06-04',
      '2011-04-29',
      '2012-06-04',
      '2012-06-05',
      '2020-05-08',
      '2022-06-02',
      '2022-06-03',
      '2022-09-19',
      '2023-05-08',
    ],
    source: 'Banking and Financial Dealings Act 1971, schedule 1, and proclamations under it',
  },
  DE: {
    holidays: [NEW_YEAR, ...EASTER, LABOUR_DAY, ...WEEKDAYS_AFTER_EASTER, fixed(10, 3, 1990), ...CHRISTMAS_DAYS],
    source: 'section 193 of the Civil Code (BGB); holidays of all states',
  },
  FR: {
    holidays: [
      NEW_YEAR,
      EASTER_MONDAY,
      LABOUR_DAY,
      fixed(5, 8, 1982),
      ...WEEKDAYS_AFTER_EASTER,
      ...days(7, 14),
      ...days(8, 15),
      ...days(11, 1, 11),
      CHRISTMAS,
    ],
    source: 'article L3133-1 of the Labour Code',
  },
  CH: {
    holidays: [NEW_YEAR, fixed(1, 2), ...EASTER, ...WEEKDAYS_AFTER_EASTER, fixed(8, 1, 1994), ...CHRISTMAS_DAYS],
    source: 'article 20(3) of the Administrative Procedure Act (VwVG); holidays of Bern',
  },
  CA: {
    holidays: [
      NEW_YEAR,
      GOOD_FRIDAY,
      EASTER_MONDAY,
      { month: 5, onOrAfter: 18, weekday: MONDAY },
      fixed(7, 1),
      { month: 8, weekday: MONDAY, nth: 1 },
      { month: 9, weekday: MONDAY, nth: 1 },
      fixed(9, 30, 2021),
      { month: 10, weekday: MONDAY, nth: 2 },
      fixed(11, 11),
      CHRISTMAS,
      SECOND_CHRISTMAS,
    ],
    source: 'section 66 of the Trademarks Act; section 14 of the Trademarks Regulations',
  },
  AU: {
    holidays: [NEW_YEAR, fixed(1, 26, 1994), ...EASTER, fixed(4, 25), ...CHRISTMAS_DAYS],
    source: 'section 36 of the Acts Interpretation Act 1901; public holidays of all states',
  },
  JP: {
    holidays: [
      ...days(12, 29, 30, 31),
      ...days(1, 1, 2, 3),
      ...days(2, 11),
      ...days(4, 29),
      ...days(5, 3, 4, 5),
      ...days(11, 3, 23),
    ],
    source: 'Act on Holidays of Administrative Organs; Act on National Holidays, holidays of a fixed day',
  },
  KR: {
    holidays: [NEW_YEAR, fixed(3, 1), LABOUR_DAY, fixed(5, 5), fixed(6, 6), fixed(8, 15), fixed(10, 3), CHRISTMAS],
    source: 'article 18 of the Trademark Act with article 14 of the Patent Act; holidays of a fixed day',
  },
  TW: {
    holidays: [NEW_YEAR, fixed(2, 28), fixed(10, 10)],
    source: 'article 48 of the Administrative Procedure Act; holidays of a fixed day',
  },
  BR: {
    holidays: [
      NEW_YEAR,
      GOOD_FRIDAY,
      ...days(4, 21),
      LABOUR_DAY,
      ...days(9, 7),
      ...days(10, 12),
      ...days(11, 2, 15),
      CHRISTMAS,
    ],
    source: 'articles 221 and 222 of Law 9.279/1996; national holidays',
  },
  SE: {
    holidays: [
      NEW_YEAR,
      fixed(1, 6),
      GOOD_FRIDAY,
      EASTER_MONDAY,
      LABOUR_DAY,
      ASCENSION,
      fixed(6, 6, 2005),
      { month: 6, onOrAfter: 19, weekday: FRIDAY },
      fixed(12, 24),
      CHRISTMAS,
      SECOND_CHRISTMAS,
      fixed(12, 31),
    ],
    source: 'Act (1930:173) on the computation of statutory time',
  },
  NO: {
    holidays: [
      NEW_YEAR,
      { easter: -3 },
      ...EASTER,
      LABOUR_DAY,
      fixed(5, 17),
      ...WEEKDAYS_AFTER_EASTER,
      ...CHRISTMAS_DAYS,
    ],
    source: 'section 149 of the Courts Act; public holidays',
  },
  SG: {
    holidays: [NEW_YEAR, GOOD_FRIDAY, LABOUR_DAY, fixed(8, 9), CHRISTMAS],
    substitute: 'after-sunday',
    source: 'Holidays Act 1998; holidays of a fixed day, with the Monday after a Sunday',
  },
  WO: {
    holidays: [NEW_YEAR, ...EASTER, ...WEEKDAYS_AFTER_EASTER, CHRISTMAS],
    source: 'rule 4(4) of the Madrid Regulations; days on which the International Bureau is closed every year',
  },
} as const satisfies Record<string, Calendar>;

export type CalendarCode = keyof typeof CALENDARS;

/** The day itself, or the first working day after it. */
export function rollForward(date: DateText, code: CalendarCode): DateText {
  let day = date;
  while (isClosed(day, code)) day = addTerm(day, { days: 1 });
  return day;
}

export function isClosed(date: DateText, code: CalendarCode): boolean {
  const day = weekday(date);
  if (day === SUNDAY || day === SATURDAY) return true;
  return closingDays(code, Number(date.slice(0, 4))).has(date);
}

const known = new Map<string, ReadonlySet<DateText>>();

/** Kept by office and year: at most some 16 offices and the years of stored dates. */
function closingDays(code: CalendarCode, year: number): ReadonlySet<DateText> {
  const key = `${code}${year}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const days = listClosingDays(CALENDARS[code], year);
  known.set(key, days);
  return days;
}

function listClosingDays({ holidays, substitute, single = [] }: Calendar, year: number): ReadonlySet<DateText> {
  // 1 January of the next year may be observed on 31 December.
  const years = substitute === 'nearest' ? [year, year + 1] : [year];
  const days = years.flatMap((of) => holidays.filter((day) => appliesIn(day, of)).map((day) => dayOf(day, of)));
  const closed = new Set([...days, ...single]);
  if (substitute !== undefined) {
    for (const day of days) if (isSubstituted(day, substitute)) closed.add(substituteDay(day, substitute, closed));
  }
  return closed;
}

function appliesIn({ since = 0, until = 9999, every }: Holiday, year: number): boolean {
  return year >= since && year <= until && (every === undefined || (year - every.from) % every.years === 0);
}

function dayOf(holiday: Holiday, year: number): DateText {
  if ('easter' in holiday) return addTerm(easterSunday(year), { days: holiday.easter });
  if ('day' in holiday) return formatDate(year, holiday.month, holiday.day);
  if ('onOrAfter' in holiday) return nextWeekday(formatDate(year, holiday.month, holiday.onOrAfter), holiday.weekday);
  if (holiday.nth > 0) {
    return addTerm(nextWeekday(formatDate(year, holiday.month, 1), holiday.weekday), { days: 7 * (holiday.nth - 1) });
  }
  const afterMonth = addTerm(formatDate(year, holiday.month, 1), { months: 1 });
  return addTerm(nextWeekday(afterMonth, holiday.weekday), { days: -7 });
}

function nextWeekday(from: DateText, wanted: number): DateText {
  return fromDayNumber(dayNumber(from) + ((wanted - weekday(from) + 7) % 7));
}

function isSubstituted(day: DateText, substitute: Substitute): boolean {
  return weekday(day) === SUNDAY || (weekday(day) === SATURDAY && substitute !== 'after-sunday');
}

function substituteDay(day: DateText, substitute: Substitute, closed: ReadonlySet<DateText>): DateText {
  if (substitute === 'nearest' && weekday(day) === SATURDAY) return addTerm(day, { days: -1 });
  let free = addTerm(day, { days: 1 });
  while (weekday(free) === SUNDAY || closed.has(free)) free = addTerm(free, { days: 1 });
  return free;
}
