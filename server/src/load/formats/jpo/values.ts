/** Reads the cells of a row and records which were read; the rest goes into the payload. */
import type { Issue } from '../../../record/document.ts';
import type { GroupRow } from '../../kept/kept-rows.ts';
import type { IssueCode } from '../issues.ts';
import { joinWords } from '../payload.ts';
import { compactDate } from '../reading.ts';
import { isIgnored } from './columns.ts';
import type { TableName } from './tables.ts';

export interface Row {
  readonly table: string;
  readonly part: string;
  readonly removed: boolean;
  readonly cells: Readonly<Record<string, string>>;
  readonly read: Set<string>;
}

/** The rows of one group, by table. Issues go to the records derived from them. */
export interface Rows {
  readonly root: string;
  readonly byTable: ReadonlyMap<string, readonly Row[]>;
  readonly issues: Issue[];
}

export function openRows(root: string, rows: readonly GroupRow[]): Rows {
  const byTable = new Map<string, Row[]>();
  for (const row of rows) {
    const opened = { ...row, read: new Set<string>() };
    const known = byTable.get(row.table);
    if (known === undefined) byTable.set(row.table, [opened]);
    else known.push(opened);
  }
  return { root, byTable, issues: [] };
}

/** The rows of a table that the office has not removed. */
export function listRows(rows: Rows, table: TableName): readonly Row[] {
  return rows.byTable.get(table)?.filter(({ removed }) => !removed) ?? [];
}

/**
 * The row that describes a mark as a whole. Rows in force come before removed ones, rows of the whole right before rows
 * of a part of it. A removed row still describes the mark.
 */
export function findDescribing(rows: Rows, table: TableName): Row | undefined {
  const all = rows.byTable.get(table) ?? [];
  const living = all.filter(({ removed }) => !removed);
  const candidates = living.length > 0 ? living : all;
  return candidates.find(({ cells }) => BLANK.test(cells.split_num ?? '')) ?? candidates[0];
}

const BLANK = /^[0\s]*$/;

/** A cell's text; null where the table says nothing: blank, or zeros in place of a number, a date or a flag. */
export function cell(row: Row | undefined, column: string): string | null {
  if (row === undefined) return null;
  row.read.add(column);
  const text = row.cells[column]?.trim() ?? '';
  return BLANK.test(text) ? null : text;
}

export function isSet(row: Row | undefined, column: string): boolean {
  return cell(row, column) === '1';
}

/** The stated ones of some cells as one text, each after its column, as in `group_t_flg 1`; null for none. */
export function nameCells(...cells: readonly (readonly [Row | undefined, string])[]): string | null {
  return joinWords(
    cells.flatMap(([row, column]) => {
      const text = cell(row, column);
      return text === null ? [] : [`${column} ${text}`];
    }),
  );
}

/** A date of the record. Anything but a calendar date is null and raises an issue. */
export function dateCell(rows: Rows, row: Row | undefined, column: string): string | null {
  const text = cell(row, column);
  if (text === null || row === undefined) return null;
  const date = compactDate(text.slice(0, 8));
  if (date === null) raiseIssue(rows, 'impossible_date', row, column, text);
  return date;
}

/** A date of the payload; text that is not a date is kept unchanged. */
export function statedDateCell(row: Row, column: string): string | null {
  const text = cell(row, column);
  return text === null ? null : (compactDate(text) ?? text);
}

const ISSUE_VALUE_MAX = 200;

export function raiseIssue(rows: Rows, code: IssueCode, row: Pick<Row, 'table'>, column: string, value: string): void {
  rows.issues.push({ code, path: `${row.table}.${column}`, value: value.slice(0, ISSUE_VALUE_MAX).toWellFormed() });
}

/** The stated values that nothing has read, by column; null when there are none. */
export function restOf(row: Row): Record<string, string> | null {
  const rest: Record<string, string> = {};
  for (const column of Object.keys(row.cells)) {
    if (row.read.has(column) || isIgnored(column)) continue;
    const text = cell(row, column);
    if (text !== null) rest[column] = text;
  }
  return Object.keys(rest).length === 0 ? null : rest;
}

/** The first stated date. Later ones are not read, so they stay in the payload. */
export function firstDate(rows: Rows, ...cells: readonly (readonly [Row | undefined, string])[]): string | null {
  for (const [row, column] of cells) {
    const date = dateCell(rows, row, column);
    if (date !== null) return date;
  }
  return null;
}
