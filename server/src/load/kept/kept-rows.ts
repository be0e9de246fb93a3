/**
 * A joined-table format's access to the rows that are kept between deliveries. The format adds the rows of this
 * delivery, settles them once all have been read, and then reads the groups that they touch, each with all of its rows,
 * old and new.
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
