/**
 * Counts the records of a set by the year of their application date. Many records are counted by walking the order by
 * that date, few by looking each one up in it. Records without the date are in no year.
 */
import { dayAt, NO_DAY } from './dates.ts';
import type { SearchTools } from './matchers.ts';
import { CHUNK_SIZE, CHUNK_WORDS, hasBit, listBits } from './postings.ts';
import type { Segment } from './segment.ts';

/** Looking up a record in the order costs about as much as this many steps of a walk. */
const LOOKUP_STEPS = 64;

export interface RecordSet {
  /** A bit for each ordinal. */
  readonly words: Uint32Array;
  /** The records of each chunk. */
  readonly counts: Uint32Array;
  readonly size: number;
}

/** Adds to the counts of `years`, which are named like `2024`. */
export function addYears(segment: Segment, set: RecordSet, years: Map<string, number>, tools: SearchTools): void {
  const add = (day: number, count: number): void => {
    const year = String(Math.floor(day / 10_000)).padStart(4, '0');
    if (count > 0) years.set(year, (years.get(year) ?? 0) + count);
  };
  if (set.size * LOOKUP_STEPS < segment.records) lookUpRecords(segment, set, add, tools);
  else walkDays(segment, set, add, tools);
}

type Add = (day: number, count: number) => void;

function walkDays({ orders }: Segment, { words }: RecordSet, add: Add, { interruption }: SearchTools): void {
  const { days, starts, sorted } = orders.application_date;
  for (let at = 0; at < days.length; at += 1) {
    interruption.check();
    const end = starts[at + 2]!;
    let count = 0;
    for (let place = starts[at + 1]!; place < end; place += 1) if (hasBit(words, 0, sorted[place]!)) count += 1;
    add(days[at]!, count);
  }
}

function lookUpRecords(segment: Segment, { words, counts }: RecordSet, add: Add, tools: SearchTools): void {
  const order = segment.orders.application_date;
  const { list } = tools.scratch;
  for (let chunk = 0; chunk < segment.chunks; chunk += 1) {
    if (counts[chunk] === 0) continue;
    tools.interruption.check();
    const size = listBits(words, chunk * CHUNK_WORDS, list);
    for (let at = 0; at < size; at += 1) {
      const day = dayAt(order, order.places[chunk * CHUNK_SIZE + list[at]!]!);
      if (day !== NO_DAY) add(day, 1);
    }
  }
}
