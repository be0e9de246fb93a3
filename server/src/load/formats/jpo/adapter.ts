/**
 * The weekly set of tables of the Japanese office. A mark is joined from its rows, so the rows of a delivery are kept
 * and joined to those kept before, and every mark that a new row touches is derived again.
 */
import { OperatorError } from '../../../base/errors.ts';
import type { CountedRows, RowGroup } from '../../kept/kept-rows.ts';
import type { ReadContext, SetFormat } from '../format.ts';
import { deriveItems } from './derive.ts';
import { CHAINED_PART, ROOT_PART } from './parts.ts';
import { isTableFile, readTable } from './reader.ts';

const REGISTER = 'JP';

export const jpoFormat: SetFormat = {
  name: 'jpo',
  title: 'JPO weekly set of tables (Japan), TSV',
  register: REGISTER,
  accepts: isTableFile,
  readsFiles: false,
  rootPart: ROOT_PART,
  chainedPart: CHAINED_PART,
  ordersRows: true,
  // biome-ignore lint/correctness/useYield: a table alone holds no records
  async *read(entry) {
    throw new OperatorError(`${entry.name} is one table of a set: the tables of a set are read together`);
  },
  readRows: readTable,
  async *deriveRecords(kept, context) {
    const waiting = openWaiting();
    const settled = await kept.settle();
    for (const rows of settled.waiting) waiting.note(rows);
    for (const { source_table, rows, example } of settled.superseded) {
      context.noteIssue?.({ code: 'superseded_row', path: source_table, value: example }, rows);
    }
    for await (const group of kept.groups()) {
      let described = false;
      for (const item of deriveItems(group, REGISTER)) {
        described = true;
        yield item;
      }
      if (!described) noteUndescribed(waiting, group);
    }
    waiting.tell(context);
  },
};

interface Waiting {
  note(rows: CountedRows): void;
  tell(context: ReadContext): void;
}

/** One issue for each table, with one example. */
function openWaiting(): Waiting {
  const byTable = new Map<string, CountedRows>();
  return {
    note({ source_table, rows, example }) {
      const known = byTable.get(source_table);
      byTable.set(source_table, { source_table, rows: rows + (known?.rows ?? 0), example: known?.example ?? example });
    },
    tell(context) {
      for (const { source_table, rows, example } of byTable.values()) {
        context.noteIssue?.({ code: 'waiting_row', path: source_table, value: example }, rows);
      }
    },
  };
}

/** Rows of an application that has no row describing it. */
function noteUndescribed(waiting: Waiting, { root, rows }: RowGroup): void {
  for (const { table, part } of rows) if (part === root) waiting.note({ source_table: table, rows: 1, example: root });
}
