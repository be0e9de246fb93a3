/**
 * A load's access to the supplements that are kept between deliveries. The supplements of a delivery are added while it
 * is read and kept once all of it has been read; then the stored records that they change are named, to be joined
 * again.
 */
import type { Database } from '../../database/driver/db.ts';
import { createRowStage, type SourceRow, stageSourceRows } from '../../store/publish/source-rows.ts';
import {
  buildSupplementRow,
  findRejoins,
  listRejoins,
  listWaitingSupplements,
  mergeSupplements,
  type RejoinedRecord,
  type SupplementCounts,
  type SupplementRow,
  settleSupplements,
  type WaitingSupplements,
} from '../../store/publish/supplements.ts';

export type { SupplementCounts, SupplementRow } from '../../store/publish/supplements.ts';

export interface KeptSupplements {
  readonly counts: SupplementCounts;
  add(row: SupplementRow): Promise<void>;
  /** Keeps what was added; nothing is kept before. Resolves to statements whose record is not held. */
  keep(): Promise<WaitingSupplements[]>;
  /** The stored records to join again, once each. */
  listRejoins(): AsyncGenerator<RejoinedRecord>;
  /** Call it once these records have been published. */
  settle(): Promise<void>;
}

/** Supplements per COPY, and records per read. */
const ROWS_AT_ONCE = 500;
const LENGTH_AT_ONCE = 1024 * 1024;

/** Uses the database only if a supplement is added. */
export function openKeptSupplements(db: Database, loadId: string): KeptSupplements {
  const counts: SupplementCounts = { read: 0, new: 0, changed: 0 };
  let rows: SourceRow[] = [];
  let length = 0;
  let staged = 0;
  let isOpen = false;
  let isKept = false;
  const flush = async (): Promise<void> => {
    if (!isOpen) await createRowStage(db, loadId);
    isOpen = true;
    await stageSourceRows(db, loadId, rows);
    staged += rows.length;
    rows = [];
    length = 0;
  };
  return {
    counts,
    async add(row) {
      const built = buildSupplementRow(row);
      rows.push(built);
      length += built.body.length;
      if (rows.length >= ROWS_AT_ONCE || length >= LENGTH_AT_ONCE) await flush();
    },
    async keep() {
      if (rows.length > 0) await flush();
      if (!isOpen) return [];
      Object.assign(counts, await mergeSupplements(db, loadId, staged));
      await findRejoins(db, loadId);
      isKept = true;
      return await listWaitingSupplements(db, loadId);
    },
    async *listRejoins() {
      if (!isKept) return;
      for (let after: RejoinedRecord = { jurisdiction_code: '', uid: '' }; ; ) {
        const records = await listRejoins(db, loadId, after, ROWS_AT_ONCE);
        yield* records;
        const last = records.at(-1);
        if (last === undefined) return;
        after = last;
      }
    },
    async settle() {
      if (isKept) await settleSupplements(db, loadId);
    },
  };
}
