/**
 * Reads one table of a weekly set into rows to keep. A table is tab-separated UTF-8 with its columns in the first line;
 * nothing is quoted. Unknown columns are reported, malformed rows are rejected, and a table without its key columns is
 * refused.
 */
import { isUtf8 } from 'node:buffer';
import { decodeHTML } from 'entities';
import { OperatorError } from '../../../base/errors.ts';
import type { SourceRow } from '../../kept/kept-rows.ts';
import type { SourceEntry } from '../../sources/entry.ts';
import type { ReadContext, RejectItem, SetItem } from '../format.ts';
import type { IssueCode } from '../issues.ts';
import { type Line, listLines, readBlocks } from '../lines.ts';
import { findLastDay } from '../name-day.ts';
import { isDropped } from './columns.ts';
import { joinOf, MIXED_TABLES, RIGHT_COLUMNS, TRADEMARK } from './parts.ts';
import { isTableName, TABLES, type TableColumns, type TableName } from './tables.ts';

/** `upd_t_sample.tsv`: current rows; `del_t_sample.tsv`: keys of deleted rows. */
const TABLE_FILE = /(?:^|\/)(upd|del)_([a-z0-9_]+)\.tsv$/i;
const BYTE_ORDER_MARK = '\ufeff';

export function isTableFile(entryName: string): boolean {
  return TABLE_FILE.test(entryName);
}

/** The last day that the path of a table names; null if it names none. The table's own name has no day. */
function findDay(entryName: string): string | null {
  return findLastDay(entryName.slice(0, entryName.lastIndexOf('/') + 1));
}

interface TableFile {
  entryName: string;
  table: TableName;
  known: TableColumns;
  removes: boolean;
  columns: readonly string[];
  /** The day of the set; null if nothing states it. */
  day: string | null;
}

/** The rows and rejects of one file: one list for each run of lines. */
export async function* readTable(entry: SourceEntry, context: ReadContext): AsyncGenerator<SetItem[]> {
  const [, operation, name] = TABLE_FILE.exec(entry.name) ?? [];
  if (operation === undefined || name === undefined) {
    throw new OperatorError(`${entry.name} is not a table of a weekly set: those are named upd_….tsv or del_….tsv`);
  }
  const table = name.toLowerCase();
  if (!isTableName(table)) {
    context.noteContent?.();
    noteIssue(context, 'unknown_table', table, entry.name);
    for await (const _ of entry.stream);
    return;
  }
  const file: Omit<TableFile, 'columns'> = {
    entryName: entry.name,
    table,
    known: TABLES.get(table) as TableColumns,
    removes: operation.toLowerCase() === 'del',
    day: findDay(entry.placedAs ?? entry.name),
  };
  let columns: readonly string[] | null = null;
  let rows = 0;
  for await (const block of readBlocks(entry.stream as AsyncIterable<Buffer>)) {
    const items: SetItem[] = [];
    for (const line of listLines(block)) {
      if (columns === null) columns = readColumns(line, file, context);
      else if (line.bytes.length > 0) {
        rows += 1;
        const item = readLine(line, { ...file, columns });
        // The table holds all rights; it is read although no row of a mark may come of it.
        if (item === null) context.noteContent?.();
        else items.push(item);
      }
    }
    yield items;
  }
  if (columns === null) throw new OperatorError(`${entry.name} is empty: a table has its columns in the first line`);
  if (rows === 0) context.noteNoRecords?.();
}

function readColumns(line: Line, file: Omit<TableFile, 'columns'>, context: ReadContext): readonly string[] {
  const columns = line.bytes
    .toString('utf8')
    .replace(BYTE_ORDER_MARK, '')
    .split('\t')
    .map((column) => column.trim());
  const missing = file.known.key.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    const reason = `is not the table ${file.table}: it has no column ${missing.join(', ')}`;
    throw new OperatorError(`${file.entryName} ${reason}`);
  }
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated !== undefined) throw new OperatorError(`${file.entryName} has the column ${repeated} twice`);
  for (const column of columns) {
    if (!file.known.all.has(column)) noteIssue(context, 'unknown_element', `${file.table}.${column}`, '');
  }
  for (const column of file.known.all) {
    if (!columns.includes(column)) noteIssue(context, 'missing_column', `${file.table}.${column}`, '');
  }
  return columns;
}

function noteIssue(context: ReadContext, code: IssueCode, path: string, value: string): void {
  context.noteIssue?.({ code, path, value }, 1);
}

/** Null for a row of another right in a table that holds all of them. */
function readLine(line: Line, file: TableFile): SetItem | null {
  const position = `${file.entryName}, line ${line.number}`;
  const reject = (reason: string): RejectItem => ({ kind: 'reject', raw: Buffer.from(line.bytes), reason, position });
  if (line.cut) return reject(`the line is longer than ${line.bytes.length} bytes; the rest of it is not kept`);
  if (!isUtf8(line.bytes)) return reject('the line is not valid UTF-8');
  const values = line.bytes.toString('utf8').split('\t');
  if (values.length !== file.columns.length) {
    return reject(`the row has ${values.length} columns, the table ${file.columns.length}`);
  }
  const cells = readCells(file, values);
  for (const column of RIGHT_COLUMNS) {
    const right = cells[column];
    if (right === undefined || right === TRADEMARK) continue;
    if (MIXED_TABLES.has(file.table)) return null;
    return { ...reject(`the row is of another right: ${column} is ${right}, not 4`), isForeign: true };
  }
  const removed = file.removes || (cells.add_del_id ?? cells.processing_type) === '1';
  const { part, link } = joinOf(file.table);
  const own = part(cells);
  if (own === null && !removed) return reject('the row does not say what it belongs to');
  const key = file.known.key.map((column) => cells[column] ?? '').join('\t');
  const row: SourceRow = {
    table: file.table,
    key: key === '' ? JSON.stringify(cells) : key,
    part: own,
    link: link?.(cells) ?? null,
    removed,
    version: file.day,
    body: JSON.stringify(cells),
  };
  return { kind: 'row', row };
}

/** The stated values by column, without blanks, unknown columns and pictures. */
function readCells(file: TableFile, values: readonly string[]): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [index, column] of file.columns.entries()) {
    const text = values[index]?.trim() ?? '';
    if (text !== '' && file.known.all.has(column) && !isDropped(column))
      cells[column] = file.table.includes('gvrnmnt') || file.table.startsWith('intl_') ? decode(text) : keepable(text);
  }
  return cells;
}

const ENTITY = /&(?:[a-z]+|#\d+|#x[\da-f]+);/i;

/** Tables of international registrations write letters as entities, some of them escaped twice. */
function decode(text: string): string {
  const once = ENTITY.test(text) ? decodeHTML(text) : text;
  return keepable(ENTITY.test(once) ? decodeHTML(once) : once);
}

/** PostgreSQL cannot store NUL in a text. */
function keepable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
