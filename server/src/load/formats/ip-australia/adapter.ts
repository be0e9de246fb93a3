/**
 * The open data of the Australian office: six tables of all its rights, published as a whole each week (IP RAPID), and
 * before that each year (IPGOD). The rows of a set are kept only to join them: a mark is what the rows of this load
 * state. A set without one of the tables states a part of it.
 */
import type { RowGroup } from '../../kept/kept.ts';
import type { ReadContext, RegisterItem, SetFormat } from '../format.ts';
import { noteSuperseded, refuseTable } from '../tables.ts';
import { readTable } from './reader.ts';
import { deriveMark, OFFICE } from './record.ts';
import { CHAINED_PART, findTable, LOAD_CELL, openRows, ROOT_PART, SET_PART, TABLE_NAMES } from './tables.ts';

export const ipAustraliaFormat: SetFormat = {
  name: 'ip-australia',
  title: 'IP Australia set of open tables (IP RAPID, IPGOD), CSV',
  register: OFFICE,
  accepts: (entryName) => findTable(entryName) !== null,
  readsFiles: false,
  rootPart: ROOT_PART,
  chainedPart: CHAINED_PART,
  ordersRows: false,
  read: refuseTable,
  readRows: readTable,
  async *deriveRecords(kept, context) {
    const { superseded } = await kept.settle();
    noteSuperseded(superseded, context);
    let isPartial = true;
    for await (const group of kept.groups()) {
      if (group.root === SET_PART) isPartial = lacksTable(group, context.loadId ?? '');
      else yield* deriveItems(group, isPartial, context);
    }
  },
};

function lacksTable({ rows }: RowGroup, loadId: string): boolean {
  const read = new Set(rows.filter(({ cells }) => cells[LOAD_CELL] === loadId).map(({ cells }) => cells.table));
  return TABLE_NAMES.some((table) => !read.has(table));
}

function* deriveItems(group: RowGroup, isPartial: boolean, context: ReadContext): Generator<RegisterItem> {
  const number = group.root.slice(ROOT_PART.length);
  const opened = openRows(group, context.loadId ?? '');
  const item = deriveMark(opened, { number, register: context.register ?? OFFICE, isPartial });
  if (item !== null) {
    yield { kind: 'record', ...item, position: `application ${number}`, raw: () => JSON.stringify(opened.stated) };
    return;
  }
  for (const [table, rows] of opened.rows.byTable) {
    context.noteIssue?.({ code: 'stranded_detail', path: table, value: number }, rows.length);
  }
}
