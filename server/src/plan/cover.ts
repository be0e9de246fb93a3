/**
 * How an interval of dates is told to the term index: as the few decades, years, months or days whose terms together
 * hold every date of the interval, and perhaps a few more. The dates themselves are always compared afterwards.
 */
import type { FilterDate } from '@tmds/contract/enums';
import type { DateText } from '@tmds/contract/record';
import { isRegisterDate } from '../record/dates.ts';
import { CODED_YEAR_MAX, CODED_YEAR_MIN, type DateGrain, dateTerm } from '../record/terms.ts';

/**
 * Most terms of one cover, except that decades may be a few more. Each term is one more list for the index to merge, so
 * a coarser grain is taken instead; every interval fits into decades.
 */
const COVER_TERMS_MAX = 28;

/** Bounds are inclusive, null = open. */
export function coverDates(field: FilterDate, from: DateText | null, to: DateText | null): number[] {
  const first = from === null ? FIRST_CODED : clampFirst(from);
  const last = to === null ? LAST_CODED : clampLast(to);
  const starts = GRAINS_FINE_TO_COARSE.map((grain) => [grain, listStarts(grain, first, last)] as const);
  const [grain, dates] = starts.find(([, listed]) => listed.length <= COVER_TERMS_MAX) ?? starts.at(-1)!;
  return dates.map((date) => dateTerm(field, grain, date));
}

const GRAINS_FINE_TO_COARSE: readonly DateGrain[] = ['day', 'month', 'year', 'decade'];
const FIRST_CODED = `${CODED_YEAR_MIN}-01-01`;
const LAST_CODED = `${CODED_YEAR_MAX}-12-31`;

/** The first and the last coded year also hold all that lies beyond them, on any day, so they are taken whole. */
function clampFirst(date: DateText): DateText {
  if (date < FIRST_CODED) return FIRST_CODED;
  return Number(date.slice(0, 4)) >= CODED_YEAR_MAX ? `${CODED_YEAR_MAX}-01-01` : date;
}

function clampLast(date: DateText): DateText {
  if (date > LAST_CODED) return LAST_CODED;
  return Number(date.slice(0, 4)) <= CODED_YEAR_MIN ? `${CODED_YEAR_MIN}-12-31` : date;
}

/** One date in each period that has a day from `first` to `last`; stops just beyond `COVER_TERMS_MAX`. */
function listStarts(grain: DateGrain, first: DateText, last: DateText): DateText[] {
  const dates: DateText[] = [];
  let [year = 0, month = 0, day = 0] = first.split('-').map(Number);
  if (grain === 'decade') year -= year % 10;
  if (grain === 'decade' || grain === 'year') month = 1;
  if (grain !== 'day') day = 1;
  for (let date = formatDate(year, month, day); date <= last; date = formatDate(year, month, day)) {
    dates.push(date);
    if (dates.length > COVER_TERMS_MAX) break;
    if (grain === 'decade') year += 10;
    else if (grain === 'year') year += 1;
    else if (grain === 'month') month += 1;
    else day += 1;
    if (grain === 'day' && !isRegisterDate(formatDate(year, month, day))) [month, day] = [month + 1, 1];
    if (month > 12) [year, month] = [year + 1, 1];
  }
  return dates;
}

function formatDate(year: number, month: number, day: number): DateText {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
