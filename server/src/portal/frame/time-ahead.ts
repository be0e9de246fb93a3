/** How long it is until a date, as people say it. */
import { formatCount } from './pieces.ts';

const DAY_MS = 86_400_000;

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

function countNoun(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** From here on, the days are not counted one by one. */
const DAYS_COUNTED_MAX = 60;

/** `in 12 days`, `in 5 months`, `in 3 years 4 months`: whole months, as people count. `today` is before `date`. */
export function formatAhead(today: string, date: string): string {
  const days = daysBetween(today, date);
  if (days <= DAYS_COUNTED_MAX) return `in ${countNoun(days, 'day')}`;
  const [fromYear, fromMonth, fromDay] = today.split('-').map(Number) as [number, number, number];
  const [toYear, toMonth, toDay] = date.split('-').map(Number) as [number, number, number];
  const whole = (toYear - fromYear) * 12 + toMonth - fromMonth - (toDay < fromDay ? 1 : 0);
  const [years, months] = [Math.floor(whole / 12), whole % 12];
  const parts = [years === 0 ? null : countNoun(years, 'year'), months === 0 ? null : countNoun(months, 'month')];
  return `in ${parts.filter((part) => part !== null).join(' ')}`;
}
