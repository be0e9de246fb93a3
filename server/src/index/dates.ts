/**
 * The dates of a segment. Each field numbers its distinct days, so that any calendar date takes two bytes. The two
 * dates that searches can sort by are kept as an order (the record at each place, and the place of each record), the
 * others as a column that is also sorted within each chunk.
 */
import { FILTER_DATES, type FilterDate } from '@tmds/contract/enums';
import type { DateText } from '@tmds/contract/record';
import { readDigits } from '../record/dates.ts';
import { Growing, lowerBound, shareCopy, shareZeros } from './arrays.ts';
import { CHUNK_SIZE, countChunks } from './postings.ts';

/** The dates that searches can sort by. */
export const ORDER_DATES = ['application_date', 'registration_date'] as const satisfies readonly FilterDate[];
export type OrderDate = (typeof ORDER_DATES)[number];
export type ColumnDate = Exclude<FilterDate, OrderDate>;
export const COLUMN_DATES = FILTER_DATES.filter((field) => !isOrderDate(field)) as readonly ColumnDate[];

export function isOrderDate(field: string): field is OrderDate {
  return (ORDER_DATES as readonly string[]).includes(field);
}

/** Day numbers: 0 = no date, otherwise 1 + the position of the day among the distinct days of the field. */
export type DayNumbers = Uint16Array | Uint32Array;

export interface OrderSections {
  /** The distinct days as `dayOf` returns them, ascending. */
  readonly days: Int32Array;
  /** The records of day number `i` are at places [starts[i], starts[i + 1]); those without a date come first. */
  readonly starts: Uint32Array;
  /** The ordinals, sorted by day, register and uid. */
  readonly sorted: Uint32Array;
  /** The place of each ordinal in `sorted`. */
  readonly places: Uint32Array;
}

export interface ColumnSections {
  readonly days: Int32Array;
  /** The day number of each record. */
  readonly numbers: DayNumbers;
  /** The members of each chunk, sorted by day number. */
  readonly sorted: Uint16Array;
}

/** A date as one integer such as 20260131; they compare as the dates do. */
export function dayOf(date: DateText): number {
  return readDigits(date, 0, 4) * 10_000 + readDigits(date, 5, 7) * 100 + readDigits(date, 8, 10);
}

export function dateOf(day: number): DateText {
  const digits = String(day).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** Represents a missing date. */
export const NO_DAY = 0;

/** The day numbers [from, to) of the dates from `from` to `to`, both inclusive; null = open. */
export function findDayNumbers(
  days: Int32Array,
  from: DateText | null,
  to: DateText | null,
): { from: number; to: number } {
  return {
    from: 1 + (from === null ? 0 : lowerBound(days, dayOf(from))),
    to: 1 + (to === null ? days.length : lowerBound(days, dayOf(to) + 1)),
  };
}

/** The places [from, to) of the records dated from `from` to `to`, both inclusive; null = open. */
export function findPlaces(
  { days, starts }: OrderSections,
  from: DateText | null,
  to: DateText | null,
): { from: number; to: number } {
  const numbers = findDayNumbers(days, from, to);
  return { from: starts[numbers.from]!, to: starts[Math.max(numbers.from, numbers.to)]! };
}

/** Collects the dates of one field. Days are numbered as they appear, and in ascending order by `finish`. */
export class DaysBuilder {
  private readonly asMet = new Growing(Uint32Array);
  private readonly numberOf = new Map<number, number>();

  add(date: DateText | null): void {
    if (date === null) {
      this.asMet.push(0);
      return;
    }
    const day = dayOf(date);
    let number = this.numberOf.get(day);
    if (number === undefined) {
      number = this.numberOf.size + 1;
      this.numberOf.set(day, number);
    }
    this.asMet.push(number);
  }

  /** The distinct days and the day number of each record. */
  finish(): { days: Int32Array; numbers: DayNumbers } {
    const days = shareCopy(Int32Array, Int32Array.from(this.numberOf.keys()).sort());
    const renumbered = new Uint32Array(days.length + 1);
    for (let index = 0; index < days.length; index += 1) renumbered[this.numberOf.get(days[index]!)!] = index + 1;
    const numbers = numberArray(days.length, this.asMet.length);
    for (let at = 0; at < numbers.length; at += 1) numbers[at] = renumbered[this.asMet.array[at]!]!;
    return { days, numbers };
  }
}

/** An array for day numbers, of 2 bytes each if there are few enough days. */
export function numberArray(days: number, length: number): DayNumbers {
  return days < 0xffff ? shareZeros(Uint16Array, length) : shareZeros(Uint32Array, length);
}

/** `byKey`: all ordinals, sorted by register and uid. */
export function buildOrder(days: Int32Array, numbers: DayNumbers, byKey: Uint32Array): OrderSections {
  const starts = shareZeros(Uint32Array, days.length + 2);
  for (let ordinal = 0; ordinal < numbers.length; ordinal += 1) starts[numbers[ordinal]! + 1]! += 1;
  for (let number = 0; number <= days.length; number += 1) starts[number + 1]! += starts[number]!;
  const next = Uint32Array.from(starts);
  const sorted = shareZeros(Uint32Array, numbers.length);
  const places = shareZeros(Uint32Array, numbers.length);
  for (let at = 0; at < byKey.length; at += 1) {
    const ordinal = byKey[at]!;
    const place = next[numbers[ordinal]!]!++;
    sorted[place] = ordinal;
    places[ordinal] = place;
  }
  return { days, starts, sorted, places };
}

export function buildColumn(days: Int32Array, numbers: DayNumbers): ColumnSections {
  const sorted = shareZeros(Uint16Array, numbers.length);
  const next = new Uint32Array(days.length + 2);
  for (let chunk = 0; chunk < countChunks(numbers.length); chunk += 1) {
    const from = chunk * CHUNK_SIZE;
    const to = Math.min(numbers.length, from + CHUNK_SIZE);
    next.fill(0);
    for (let ordinal = from; ordinal < to; ordinal += 1) next[numbers[ordinal]! + 1]! += 1;
    for (let number = 0; number <= days.length; number += 1) next[number + 1]! += next[number]!;
    for (let ordinal = from; ordinal < to; ordinal += 1) sorted[from + next[numbers[ordinal]!]!++] = ordinal - from;
  }
  return { days, numbers, sorted };
}

/** The day of the record at a place of an order; `NO_DAY` if it has no date. */
export function dayAt({ days, starts }: OrderSections, place: number): number {
  const number = lowerBound(starts, place + 1) - 1;
  return number === 0 ? NO_DAY : days[number - 1]!;
}
