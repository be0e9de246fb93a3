/** A table as a file for people: its rows under heads, in Excel or in CSV, written as they come. */
import { encodeRow } from '@tmds/contract/csv';
import { EXCEL_TYPE, type SheetCell, type SheetColumn, writeExcel } from './excel.ts';

export interface FileColumn<Row> extends SheetColumn {
  readonly cell: (row: Row) => SheetCell;
}

export interface TableFile<Row> {
  /** The name of the sheet. */
  readonly name: string;
  readonly columns: readonly FileColumn<Row>[];
  /** Rows in portions; a sentence, such as why the file ends early, is a row of one cell. */
  readonly portions: AsyncIterable<readonly Row[] | string>;
}

interface FileForm {
  readonly title: string;
  readonly extension: string;
  readonly type: string;
  /** Holds no more than a portion at a time. */
  readonly write: <Row>(table: TableFile<Row>) => AsyncIterable<string | Uint8Array>;
}

async function* listCells<Row>({ columns, portions }: TableFile<Row>): AsyncGenerator<(readonly SheetCell[])[]> {
  for await (const rows of portions) {
    yield typeof rows === 'string' ? [[rows]] : rows.map((row) => columns.map(({ cell }) => cell(row)));
  }
}

async function* flatten(portions: AsyncIterable<(readonly SheetCell[])[]>): AsyncGenerator<readonly SheetCell[]> {
  for await (const rows of portions) yield* rows;
}

async function* writeCsv<Row>(table: TableFile<Row>): AsyncGenerator<string> {
  // The mark at the beginning shows spreadsheets that the text is UTF-8.
  yield `\uFEFF${encodeRow(table.columns.map(({ head }) => head))}`;
  for await (const rows of listCells(table)) yield rows.map((cells) => encodeRow(cells.map(plainCell))).join('');
}

/** In CSV a day is its text and a link its address. */
function plainCell(cell: SheetCell): string | number | null {
  if (cell === null || typeof cell !== 'object') return cell;
  return 'day' in cell ? cell.day : cell.href;
}

/** The first is the one that people use most. */
export const FILE_FORMS = {
  excel: {
    title: 'Excel',
    extension: 'xlsx',
    type: EXCEL_TYPE,
    write: (table) => writeExcel({ ...table, rows: flatten(listCells(table)) }),
  },
  csv: { title: 'CSV', extension: 'csv', type: 'text/csv; charset=utf-8', write: writeCsv },
} as const satisfies Readonly<Record<string, FileForm>>;

/** Undefined for a name that is not known. */
export function findFileForm(name: string): FileForm | undefined {
  return Object.hasOwn(FILE_FORMS, name) ? FILE_FORMS[name as keyof typeof FILE_FORMS] : undefined;
}
