/**
 * Deltas: which are made with a snapshot, and from where each begins; and the files of one, the records that changed
 * after an earlier snapshot or delta, up to the snapshot that is being made. It is made in the same reading, so it ends
 * at the cursors of that snapshot (docs/design/snapshots.md). The deltas of a period are a chain without a gap: each
 * begins where the one before it ended, and is due when a day, a week or a month of the calendar (UTC) has begun since.
 * Invariant: the files of a register add up to what the publishes in between have left.
 */

import type { Instant } from '@tmds/contract/record';
import {
  DELTA_PERIODS,
  type Delta,
  type DeltaPeriod,
  type DeltaRegister,
  MANIFEST_FORM,
  type Snapshot,
} from '@tmds/contract/snapshots';
import { DAY_MS } from '../../base/clock.ts';
import type { Transaction } from '../../database/driver/db.ts';
import type { PublishedRegister } from '../publish/publishes.ts';
import { openWorkspace, type Shelved } from './folder.ts';
import { deltaId } from './manifest.ts';
import { listPublished, type ReadingState, readRegister } from './read-records.ts';
import { type PartOptions, RegisterWriter } from './register-writer.ts';

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

export interface DeltaOptions extends PartOptions {
  readonly folder: string;
  /** The snapshot of the same reading. */
  readonly snapshot: Snapshot;
  readonly state: ReadingState;
}

const NOTHING = '0'.repeat(16);

export async function writeDelta(tx: Transaction, { period, from }: DeltaPlan, options: DeltaOptions): Promise<Delta> {
  const { folder, snapshot, state } = options;
  const changed = await listPublished(tx, from.as_of, state.horizon);
  const id = deltaId(snapshot.made_at, period);
  const workspace = await openWorkspace(folder, id);
  try {
    const registers: DeltaRegister[] = [];
    for (const { jurisdiction_code: code, cursor } of snapshot.registers) {
      const published = changed.find((each) => each.jurisdiction_code === code);
      const files =
        published === undefined ? [] : await writeChanged(tx, workspace.path, published, from.as_of, options);
      const { record_count, digest } = published ?? { record_count: 0, digest: NOTHING };
      const from_cursor = from.registers.get(code) ?? null;
      registers.push({ jurisdiction_code: code, record_count, digest, from_cursor, cursor, files });
    }
    const { form: _form, as_of, registers: _registers, id: _id, made_at, cursor, ...shared } = snapshot;
    const delta: Delta = {
      ...{ id, form: MANIFEST_FORM, period, made_at, from_as_of: from.as_of, as_of },
      ...{ ...shared, from_cursor: from.cursor, cursor: cursor!, registers },
    };
    await workspace.finish({ ...delta, database_id: state.databaseId, lineage: state.lineage });
    return delta;
  } catch (error) {
    await workspace.abandon();
    throw error;
  }
}

async function writeChanged(
  tx: Transaction,
  path: string,
  published: PublishedRegister,
  after: string,
  options: DeltaOptions,
): Promise<DeltaRegister['files']> {
  const { jurisdiction_code: register } = published;
  const { payloads, state } = options;
  const writer = new RegisterWriter(path, register, options);
  try {
    await readRegister(tx, { register, after, horizon: state.horizon, payloads }, async (portions) => {
      for await (const portion of portions) await writer.add(portion);
    });
    return (await writer.end(published)).files;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}
