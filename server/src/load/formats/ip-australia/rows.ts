/** The rows of one mark, and which of their cells have been read; the rest goes into the document. */

import { isRegisterDate } from '../../../record/dates.ts';
import type { Issue } from '../../../record/document.ts';
import type { RowGroup } from '../../kept/kept-rows.ts';
import type { IssueCode } from '../issues.ts';
import { DAY_CELL, LOAD_CELL } from './parts.ts';
import type { TableName } from './tables.ts';

export interface Row {
  readonly table: string;
  readonly cells: Readonly<Record<string, string>>;
  readonly read: Set<string>;
}

export interface MarkRows {
  readonly all: readonly Row[];
  readonly issues: Issue[];
  /** The day of the set. */
  readonly day: string | null;
}

/** The rows that this load has brought, in one order whatever the order of the tables. */
export function openRows({ rows }: RowGroup, loadId: string): MarkRows {
  const current = rows.filter(({ cells }) => cells[LOAD_CELL] === loadId);
  const all = current
    .map(({ table, cells: { [LOAD_CELL]: _, [DAY_CELL]: __, ...cells } }) => ({ table, cells, read: new Set(KEYS) }))
    .map((row) => ({ row, order: JSON.stringify(row.cells) }))
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .map(({ row }) => row);
  const day = current.find(({ table }) => table === 'application')?.cells[DAY_CELL] ?? null;
  return { all, issues: [], day };
}

/** What the set states about the mark. */
export function writeRows({ all }: MarkRows): string {
  return JSON.stringify(all.map(({ table, cells }) => ({ table, ...cells })));
}

/** The columns by which rows join. */
const KEYS = ['ip_right_type', 'application_number'];

export function listRows(rows: MarkRows, table: TableName): Row[] {
  return rows.all.filter((row) => row.table === table);
}

/** Null where the table says nothing. */
export function cell(row: Row, column: string): string | null {
  row.read.add(column);
  return row.cells[column] ?? null;
}

/** A date may have the time of midnight after it. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[ T]00:00:00(?:\.0+)?Z?)?$/;

function parseDate(text: string): string | null {
  const date = DATE.exec(text)?.[1];
  return date !== undefined && isRegisterDate(date) ? date : null;
}

/** A date of the record. Anything but a calendar date is null and raises an issue. */
export function dateCell(rows: MarkRows, row: Row, column: string): string | null {
  const text = cell(row, column);
  const date = text === null ? null : parseDate(text);
  if (text !== null && date === null) raiseIssue(rows, 'impossible_date', row, column, text);
  return date;
}

/** A date of the document; text that is not a date is kept unchanged. */
export function statedDate(row: Row, column: string): string | null {
  const text = cell(row, column);
  return text === null ? null : (parseDate(text) ?? text);
}

/** Null for anything but true or false, which raises an issue. */
export function flagCell(rows: MarkRows, row: Row, column: string): boolean | null {
  const text = cell(row, column) ?? '';
  const word = text.toLowerCase();
  if (word === 'true' || word === '1' || word === 't') return true;
  if (word === 'false' || word === '0' || word === 'f') return false;
  raiseIssue(rows, 'unmapped_indicator', row, column, text);
  return null;
}

const ISSUE_VALUE_MAX = 200;

export function raiseIssue(rows: MarkRows, code: IssueCode, row: Row, column: string, value: string): void {
  rows.issues.push({ code, path: `${row.table}.${column}`, value: value.slice(0, ISSUE_VALUE_MAX).toWellFormed() });
}

/** The stated values that nothing has read, by column; null when there are none. */
export function restOf(row: Row): Record<string, string> | null {
  const rest = Object.entries(row.cells).filter(([column]) => !row.read.has(column));
  for (const [column] of rest) row.read.add(column);
  return rest.length === 0 ? null : Object.fromEntries(rest);
}
