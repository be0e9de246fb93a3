/**
 * Decides which deltas are made with a snapshot, and from where each begins. Pure. A delta begins where the one of its
 * period before it ended, so that the deltas of a period are a chain without a gap. It is due when a day, a week or a
 * month of the calendar (UTC) has begun since.
 */
import type { Instant } from '@tmds/contract/record';
import { DELTA_PERIODS, type Delta, type DeltaPeriod, type Snapshot } from '@tmds/contract/snapshots';
import type { Shelved } from './folder.ts';

/** A place in the feeds up to which a copy may be complete. */
export interface DeltaStart {
  readonly as_of: Instant;
  /** Of the feed of all registers. */
  readonly cursor: string;
  /** Of the feed of each register that had records. */
  readonly registers: ReadonlyMap<string, string>;
}

export interface DeltaPlan {
  readonly period: DeltaPeriod;
  readonly from: DeltaStart;
}

export type IsDue = (period: DeltaPeriod, from: Instant, to: Instant) => boolean;

const DAY_MS = 86_400_000;
/** From 1970-01-01, a Thursday, back to its Monday. */
const TO_MONDAY_DAYS = 3;

const COUNTS: Readonly<Record<DeltaPeriod, (ms: number) => number>> = {
  day: (ms) => Math.floor(ms / DAY_MS),
  week: (ms) => Math.floor((ms / DAY_MS + TO_MONDAY_DAYS) / 7),
  month: (ms) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth(),
};

/** Whether a day, a week (from Monday) or a month of the calendar has begun between two instants. */
export function isDueByCalendar(period: DeltaPeriod, from: Instant, to: Instant): boolean {
  const count = COUNTS[period];
  return count(Date.parse(to)) > count(Date.parse(from));
}

/**
 * The first delta of a period begins at the oldest place that is known. Places of records with another text, or without
 * the payloads that the snapshot has, are none.
 */
export function planDeltas(
  snapshot: Snapshot,
  { snapshots, deltas }: Shelved,
  isDue: IsDue = isDueByCalendar,
): DeltaPlan[] {
  const isAlike = (each: Snapshot | Delta): boolean =>
    each.payloads === snapshot.payloads && each.digest_form === snapshot.digest_form && each.id !== snapshot.id;
  const alike = deltas.filter(isAlike);
  const places = [
    ...snapshots.filter(isAlike).flatMap((each) => startAt(each, each.cursor) ?? []),
    ...alike.map(beginningOf),
  ].sort((one, other) => (one.as_of < other.as_of ? -1 : 1));
  return DELTA_PERIODS.flatMap((period) => {
    const last = alike.filter((delta) => delta.period === period).at(-1);
    const from = last === undefined ? places[0] : startAt(last, last.cursor);
    if (from == null || from.as_of >= snapshot.as_of) return [];
    return isDue(period, from.as_of, snapshot.as_of) ? [{ period, from }] : [];
  });
}

/** The end of a snapshot or delta; null if it does not have every register. */
function startAt({ as_of, registers }: Snapshot | Delta, cursor: string | null): DeltaStart | null {
  if (cursor === null) return null;
  return { as_of, cursor, registers: new Map(registers.map((each) => [each.jurisdiction_code, each.cursor])) };
}

function beginningOf({ from_as_of, from_cursor, registers }: Delta): DeltaStart {
  const known = registers.flatMap(({ jurisdiction_code: code, from_cursor: cursor }) =>
    cursor === null ? [] : [[code, cursor] as const],
  );
  return { as_of: from_as_of, cursor: from_cursor, registers: new Map(known) };
}
