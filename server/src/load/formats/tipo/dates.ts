/** The two notations of dates that the Taiwanese office uses. */
import { isRegisterDate } from '../../../record/dates.ts';

/** Year 1 of the Republic of China is 1912. */
const ROC_YEAR_OFFSET = 1911;

/** `109.12.15` of the Republic's calendar is 2020-12-15. */
export function rocDate(text: string): string | null {
  const match = /^(\d{1,3})\.(\d{1,2})\.(\d{1,2})$/.exec(text);
  return match === null ? null : calendarDate(Number(match[1]) + ROC_YEAR_OFFSET, match[2] ?? '', match[3] ?? '');
}

/** `1951/02/27`, or `2022/3/27`. */
export function slashedDate(text: string): string | null {
  const match = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(text);
  return match === null ? null : calendarDate(Number(match[1]), match[2] ?? '', match[3] ?? '');
}

function calendarDate(year: number, month: string, day: string): string | null {
  const date = `${String(year).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isRegisterDate(date) ? date : null;
}
