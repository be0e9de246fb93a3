/**
 * Reads one table of a set into rows to keep. The tables hold all rights; rows of other rights than trade marks are
 * skipped. Unknown columns are reported, malformed rows are rejected, and a file without the columns of its table is
 * refused.
 */
import { hash } from 'node:crypto';
import { CsvFault, type CsvRow, RowSplitter } from '@tmds/contract/csv';
import { OperatorError } from '../../../base/errors.ts';
import type { SourceRow } from '../../kept/kept.ts';
import type { SourceEntry } from '../../sources/files.ts';
import { decodeUtf8, UNDECODABLE } from '../../xml/text.ts';
import { findLastDay } from '../dates.ts';
import { buildIssue, type ReadContext, type SetItem } from '../format.ts';
import { checkColumns, findWrongLength, keepable, refuseEmptyTable, type TableColumns } from '../tables.ts';
import { DAY_CELL, findTable, LOAD_CELL, markPart, SET_PART, TABLES, type TableName } from './tables.ts';

const TRADE_MARK = 'trade_mark';
const OTHER_RIGHTS: ReadonlySet<string> = new Set(['patent', 'design', 'pbr']);

/** The number of a mark, which becomes the end of its uid. */
const NUMBER = /^[0-9A-Z]{1,13}$/i;

interface TableFile {
  entryName: string;
  table: TableName;
  known: TableColumns;
  columns: readonly string[];
  load: string;
  /** The day of the set; null if no name states one. */
  day: string | null;
}

export async function* readTable(entry: SourceEntry, context: ReadContext): AsyncGenerator<SetItem[]> {
  const table = findTable(entry.name);
  if (table === null) {
    throw new OperatorError(
      `${entry.name} is not a table of a set: those are named application.csv, party_activity.csv …`,
    );
  }
  const { loadId: load = '' } = context;
  const given = {
    entryName: entry.name,
    table,
    known: TABLES.get(table) as TableColumns,
    load,
    day: findLastDay(entry.placedAs ?? entry.name, DAY),
  };
  if (given.day !== null) context.notePeriod?.(given.day);
  let columns: readonly string[] | null = null;
  let rows = 0;
  for await (const read of splitRows(entry)) {
    const items: SetItem[] = [];
    for (const row of read) {
      if (columns === null) {
        columns = row.cells.map((column) => column.trim().toLowerCase());
        checkColumns(columns, given, context);
      } else {
        rows += 1;
        const item = readRow(row, { ...given, columns }, context);
        // The table holds all rights; it is read although no row of a mark may come of it.
        if (item === null) context.noteContent?.();
        else items.push(item);
      }
    }
    yield items;
  }
  if (columns === null) throw refuseEmptyTable(entry.name);
  if (rows === 0) context.noteNoRecords?.();
  else if (load !== '') yield [{ kind: 'row', row: row('set', table, SET_PART, { [LOAD_CELL]: load, table }) }];
}

async function* splitRows(entry: SourceEntry): AsyncGenerator<readonly CsvRow[]> {
  const splitter = new RowSplitter(',');
  try {
    for await (const text of decodeUtf8(entry)) yield splitter.push(text);
    yield splitter.end();
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw new OperatorError(`${entry.name}, ${error.message}`, { cause: error });
  }
}

/** Null for a row of another right. */
function readRow({ line, cells }: CsvRow, file: TableFile, context: ReadContext): SetItem | null {
  const position = `${file.entryName}, line ${line}`;
  const reject = (reason: string): SetItem => ({ kind: 'reject', raw: writeRow(cells), reason, position });
  const wrong = findWrongLength(cells.length, file.columns.length);
  if (wrong !== null) return reject(wrong);
  if (cells.some((cell) => cell.includes(UNDECODABLE))) return reject('the row is not valid UTF-8');
  const stated = readCells(file, cells);
  const right = (stated.ip_right_type ?? '').toLowerCase();
  if (OTHER_RIGHTS.has(right)) return null;
  if (right !== TRADE_MARK) {
    const issue = buildIssue('unmapped_indicator', `${file.table}.ip_right_type`, stated.ip_right_type ?? '');
    context.noteIssue?.(issue, 1);
    return reject(`the row does not say that it is of a trade mark: ip_right_type is ${JSON.stringify(right)}`);
  }
  const number = stated.application_number ?? '';
  if (!NUMBER.test(number)) {
    return reject(`an application number has up to 13 digits and letters, not ${JSON.stringify(number.slice(0, 100))}`);
  }
  return { kind: 'row', row: buildRow(file, number, stated) };
}

/** The stated values by column, in the order of the dictionary, without blanks and unknown columns. */
function readCells({ known, columns }: TableFile, cells: readonly string[]): Record<string, string> {
  const stated: Record<string, string> = {};
  for (const column of known.all) {
    const text = keepable(cells[columns.indexOf(column)]?.trim() ?? '');
    if (text !== '') stated[column] = text;
  }
  return stated;
}

/** The rows have no key of the office but the number in `application`: equal rows of a table are one row. */
function buildRow({ table, load, day }: TableFile, number: string, cells: Record<string, string>): SourceRow {
  const key = table === 'application' ? number : `${number}\t${hash('sha256', JSON.stringify(cells))}`;
  const body = { [LOAD_CELL]: load, ...(day === null ? {} : { [DAY_CELL]: day }), ...cells };
  return row(table, key, markPart(number), body);
}

function row(table: string, key: string, part: string, body: Readonly<Record<string, string>>): SourceRow {
  return { table, key, part, link: null, removed: false, version: null, body: JSON.stringify(body) };
}

const writeRow = (cells: readonly string[]): string =>
  cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');

/** As in `2026-07-20/iprapid.zip`, of the archive, of the file or of a folder of it. */
const DAY = /(?<!\d)(?<year>\d{4})(?<sign>[-_]?)(?<month>\d{2})\k<sign>(?<day>\d{2})(?!\d)/g;
