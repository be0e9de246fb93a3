/**
 * Reads one table of a weekly set into rows to keep. A table is tab-separated UTF-8 with its columns in the first line;
 * nothing is quoted. Unknown columns are reported, malformed rows are rejected, and a table without its key columns is
 * refused.
 */
import { decodeHTML } from 'entities';
import { OperatorError } from '../../../base/errors.ts';
import type { SourceRow } from '../../kept/kept.ts';
import type { SourceEntry } from '../../sources/files.ts';
import { findLastDay } from '../dates.ts';
import type { ReadContext, RejectItem, SetItem } from '../format.ts';
import { type Line, listLines, readBlocks } from '../lines.ts';
import { checkColumns, findWrongLength, keepable, refuseEmptyTable, type TableColumns } from '../tables.ts';
import { isDropped, joinOf, MIXED_TABLES, RIGHT_COLUMNS, TRADEMARK } from './rows.ts';
import { isTableName, TABLES, type TableName } from './tables.ts';

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
  /** Columns whose cells are kept. */
  kept: ReadonlySet<string>;
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
    context.noteIssue?.({ code: 'unknown_table', path: table, value: entry.name }, 1);
    for await (const _ of entry.stream);
    return;
  }
  const known = TABLES.get(table) as TableColumns;
  const file: Omit<TableFile, 'columns'> = {
    entryName: entry.name,
    table,
    known,
    kept: new Set(known.all.filter((column) => !isDropped(column))),
    removes: operation.toLowerCase() === 'del',
    day: findDay(entry.placedAs ?? entry.name),
  };
  let columns: readonly string[] | null = null;
  let rows = 0;
  for await (const block of readBlocks(entry.stream as AsyncIterable<Buffer>)) {
    const items: SetItem[] = [];
    for (const line of listLines(block)) {
      if (columns === null) {
        columns = splitColumns(line);
        checkColumns(columns, file, context);
      } else if (line.bytes.length > 0) {
        rows += 1;
        const item = readLine(line, { ...file, columns });
        // The table holds all rights; it is read although no row of a mark may come of it.
        if (item === null) context.noteContent?.();
        else items.push(item);
      }
    }
    yield items;
  }
  if (columns === null) throw refuseEmptyTable(entry.name);
  if (rows === 0) context.noteNoRecords?.();
}

/** The columns of a table, from its first line. */
function splitColumns(line: Line): readonly string[] {
  const text = line.bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
  return text.split('\t').map((column) => column.trim());
}

/** Null for a row of another right in a table that holds all of them. */
function readLine(line: Line, file: TableFile): SetItem | null {
  const position = `${file.entryName}, line ${line.number}`;
  const reject = (reason: string): RejectItem => ({ kind: 'reject', raw: Buffer.from(line.bytes), reason, position });
  if (line.cut) return reject(`the line is longer than ${line.bytes.length} bytes; the rest of it is not kept`);
  if (!line.isUtf8) return reject('the line is not valid UTF-8');
  const values = line.bytes.toString('utf8').split('\t');
  const wrong = findWrongLength(values.length, file.columns.length);
  if (wrong !== null) return reject(wrong);
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
  const key = file.known.required.map((column) => cells[column] ?? '').join('\t');
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
function readCells({ table, kept, columns }: TableFile, values: readonly string[]): Record<string, string> {
  const toText = table.includes('gvrnmnt') || table.startsWith('intl_') ? decode : keepable;
  const cells: Record<string, string> = {};
  for (const [index, column] of columns.entries()) {
    const text = values[index]?.trim() ?? '';
    if (text !== '' && kept.has(column)) cells[column] = toText(text);
  }
  return cells;
}

const ENTITY = /&(?:[a-z]+|#\d+|#x[\da-f]+);/i;

/** Tables of international registrations write letters as entities, some of them escaped twice. */
function decode(text: string): string {
  const once = ENTITY.test(text) ? decodeHTML(text) : text;
  return keepable(ENTITY.test(once) ? decodeHTML(once) : once);
}
