/**
 * Reads dates as dockets write them. No single cell shows whether `03/04/2026` is in March or in April, so that is
 * decided for the whole column, or asked for.
 */
import { normalForm } from '../text.ts';
import { foldWords } from './words.ts';

/** `dmy`: the day comes first. */
export const DAY_ORDERS = ['dmy', 'mdy'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** What the cells of a column say about the order of day and month. */
export interface DayEvidence {
  /** Cells that are not a date unless the day, or the month, comes first. */
  dmy: number;
  mdy: number;
  /** Cells that are a date either way, but a different one. */
  either: number;
}

const YEAR_FIRST = /^(?<year>\d{4})([-/.]?)(?<month>\d{2})\2(?<day>\d{2})(?=$|[T\s])/;
const YEAR_LAST = /^(?<one>\d{1,2})([-/.\s])\s?(?<other>\d{1,2})\2\s?(?<year>\d{4})(?=$|\s)/;
const DAY_NAME = /^(?<day>\d{1,2}) (?:de )?(?<name>\p{L}+)(?: de)? (?<year>\d{4})$/u;
const NAME_DAY = /^(?<name>\p{L}+) (?<day>\d{1,2})(?:st|nd|rd|th)? (?<year>\d{4})$/u;
const CJK = /^(?<year>\d{4})[年년]\s*(?<month>\d{1,2})[月월]\s*(?<day>\d{1,2})[日일]?$/u;

/** The date `YYYY-MM-DD`; null if the text is not a date, or needs an order that is not given. */
export function readDate(text: string, order: DayOrder | null): string | null {
  const trimmed = normalForm(text, 'NFKC').trim();
  const parts = YEAR_FIRST.exec(trimmed)?.groups ?? CJK.exec(trimmed)?.groups;
  if (parts !== undefined) return writeDate(parts.year, parts.month, parts.day);
  const last = YEAR_LAST.exec(trimmed);
  if (last !== null) {
    const { one = '', other = '', year = '' } = last.groups ?? {};
    // Full stops stand between numbers where the day comes first.
    const known = last[2] === '.' || one === other ? 'dmy' : (orderOf(one, other) ?? order);
    if (known === null) return null;
    return known === 'dmy' ? writeDate(year, other, one) : writeDate(year, one, other);
  }
  const words = foldWords(trimmed);
  const named = (DAY_NAME.exec(words) ?? NAME_DAY.exec(words))?.groups;
  const month = named === undefined ? undefined : findMonth(named.name ?? '');
  return month === undefined ? null : writeDate(named!.year, String(month), named!.day);
}

/** Adds what a cell says about its column. */
export function noteDate(text: string, evidence: DayEvidence): void {
  const last = YEAR_LAST.exec(normalForm(text, 'NFKC').trim());
  if (last === null || last[2] === '.') return;
  const { one = '', other = '' } = last.groups ?? {};
  if (Number(one) === Number(other)) return;
  const order = orderOf(one, other);
  if (order !== null) evidence[order] += 1;
  else if (Number(one) <= 12 && Number(other) <= 12) evidence.either += 1;
}

/** The order of a column; null if its cells do not show it, or contradict each other. */
export function judgeOrder({ dmy, mdy }: DayEvidence): DayOrder | null {
  if (dmy > 0 === mdy > 0) return null;
  return dmy > 0 ? 'dmy' : 'mdy';
}

/** Which number is the day, when only one can be a month. */
function orderOf(one: string, other: string): DayOrder | null {
  if (Number(one) > 12 && Number(other) <= 12) return 'dmy';
  return Number(other) > 12 && Number(one) <= 12 ? 'mdy' : null;
}

function writeDate(year = '', month = '', day = ''): string | null {
  const date = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  // A day that its month does not have is moved into the next one.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? null : date;
}

const MONTH_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
let months: ReadonlyMap<string, number> | null = null;

function findMonth(name: string): number | undefined {
  months ??= listMonths();
  return months.get(name);
}

function listMonths(): ReadonlyMap<string, number> {
  const named = new Map<string, number>();
  for (const language of MONTH_LANGUAGES) {
    for (const width of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        named.set(foldWords(format.format(Date.UTC(2026, month - 1, 1))), month);
      }
    }
  }
  return named;
}
