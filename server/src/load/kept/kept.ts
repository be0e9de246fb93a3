/**
 * A load's access to what is kept between deliveries: the rows of joined tables, and supplements to records. Both are
 * added while a delivery is read, and kept once all of it has been read. Then the format reads the groups that its rows
 * touch, each with all of its rows, old and new, and the stored records that supplements change are joined again.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Database } from '../../database/driver/db.ts';
import {
  createRowStage,
  isRowStageWhole,
  listGroupRows,
  listTouchedRoots,
  type MergedRows,
  mergeSourceRows,
  type PartKinds,
  type SourceRow,
  stageSourceRows,
} from '../../store/publish/source-rows.ts';
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

export type { CountedRows, MergedRows, SourceRow } from '../../store/publish/source-rows.ts';

export interface GroupRow {
  table: string;
  part: string;
  /** The office has removed the row; the cells are its last content. */
  removed: boolean;
  cells: Readonly<Record<string, string>>;
  /** The version of its first statement; null where the table has none. */
  version: string | null;
}

export interface RowGroup {
  root: string;
  rows: GroupRow[];
}

export interface KeptRows {
  add(rows: readonly SourceRow[]): Promise<void>;
  /** Keeps the rows of the delivery, none before. */
  settle(): Promise<MergedRows>;
  groups(): AsyncGenerator<RowGroup>;
}

/** Groups per read. A group has a few dozen rows. */
const GROUPS_AT_ONCE = 200;

export async function openKeptRows(db: Database, loadId: string, kinds: PartKinds): Promise<KeptRows> {
  await createRowStage(db, loadId);
  return {
    add: (rows) => stageSourceRows(db, loadId, rows),
    settle: () => mergeSourceRows(db, loadId, kinds),
    async *groups() {
      for (let after = ''; ; ) {
        const roots = await listTouchedRoots(db, loadId, after, GROUPS_AT_ONCE);
        const last = roots.at(-1);
        if (last === undefined) break;
        yield* splitGroups(await listGroupRows(db, roots, kinds));
        after = last;
      }
      if (!(await isRowStageWhole(db, loadId))) {
        throw new OperatorError('the database crashed while the load was reading from it; load the same files again');
      }
    },
  };
}

function* splitGroups(rows: Awaited<ReturnType<typeof listGroupRows>>): Generator<RowGroup> {
  let group: RowGroup | null = null;
  for (const { root, source_table, part, removed, version, body } of rows) {
    if (group !== null && group.root !== root) yield group;
    if (group === null || group.root !== root) group = { root, rows: [] };
    group.rows.push({ table: source_table, part, removed, version, cells: JSON.parse(body) as Record<string, string> });
  }
  if (group !== null) yield group;
}

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
