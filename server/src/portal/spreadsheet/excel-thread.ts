/**
 * The thread that reads one Excel file: it writes the rows of a sheet as CSV and says which sheet that was. It may be
 * ended at any moment, for its time or its memory; nothing but the written file depends on it.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { CsvRow } from '@tmds/contract/csv';
import { findHeadLine, TOP_ROWS } from '@tmds/contract/docket/head-row';
import { DOCKET_BYTES_MAX, DOCKET_ROWS_MAX } from '@tmds/contract/docket/limits';
import { type CellValue, readXlsx, type StreamRow, streamXlsxRows } from 'hucre/xlsx';
import { findArchiveFault } from './archive-bounds.ts';
import type { ExcelOrder, ExcelOutcome } from './read-excel.ts';

/** Sheets whose first rows are read to find the list. */
const TRIED_MAX = 10;
const CELLS_MAX = 5_000_000;
const ROW_MAX = 1_048_575;
const WRITTEN_AT_ONCE = 1 << 16;

class Fault extends Error {}

interface SheetName {
  readonly name: string;
  readonly isHidden: boolean;
}

async function readOrder({ path, target, wanted }: ExcelOrder): Promise<ExcelOutcome> {
  const bytes = readFileSync(path);
  const fault = await findArchiveFault(bytes);
  if (fault !== null) throw new Fault(fault);
  const sheets = await listSheets(bytes);
  const at = await chooseSheet(bytes, sheets, wanted);
  await writeRows(bytes, at, target);
  return { sheet: sheets[at]!.name, others: sheets.filter((_each, place) => place !== at).map(({ name }) => name) };
}

async function listSheets(bytes: Uint8Array): Promise<SheetName[]> {
  const sheets: SheetName[] = [];
  // Asked for each sheet before it is read, and none is.
  const sheetsOf = ({
    name,
    hidden,
    veryHidden,
  }: {
    name: string;
    hidden?: boolean;
    veryHidden?: boolean;
  }): boolean => {
    sheets.push({ name, isHidden: hidden === true || veryHidden === true });
    return false;
  };
  await readXlsx(bytes, { sheets: sheetsOf });
  if (sheets.length === 0) throw new Fault('The file has no sheet.');
  return sheets;
}

/** The wanted sheet; or else the first visible one whose columns have names, or at least rows. */
async function chooseSheet(bytes: Uint8Array, sheets: readonly SheetName[], wanted: string | null): Promise<number> {
  if (wanted !== null) {
    const named = sheets.findIndex(({ name }) => name.trim().toLowerCase() === wanted.toLowerCase());
    if (named >= 0) return named;
    throw new Fault(`The file has no sheet “${wanted}”. Its sheets are: ${sheets.map(({ name }) => name).join(', ')}.`);
  }
  const visible = sheets.flatMap(({ isHidden }, at) => (isHidden ? [] : [at]));
  if (visible.length === 1) return visible[0]!;
  let filled: number | null = null;
  for (const at of visible.slice(0, TRIED_MAX)) {
    const top: CsvRow[] = [];
    for await (const { index, values } of streamXlsxRows(bytes, { sheet: at, maxRows: TOP_ROWS })) {
      const cells = values.map(writeCell);
      if (cells.some((cell) => cell !== '')) top.push({ line: index + 1, cells });
    }
    if (top.length > 1 && findHeadLine(top) > 0) return at;
    if (top.length > 0) filled ??= at;
  }
  return filled ?? visible[0] ?? 0;
}

/** Every row on the line of its number, so that people find it in their sheet. */
async function writeRows(bytes: Uint8Array, sheet: number, target: string): Promise<void> {
  const file = openSync(target, 'wx', 0o600);
  try {
    let held = '';
    let line = 0;
    let written = 0;
    let rows = 0;
    let cells = 0;
    const flush = (): void => {
      written += Buffer.byteLength(held);
      if (written > DOCKET_BYTES_MAX) throw new Fault('The sheet has too much text. Split it, or save it as CSV.');
      writeSync(file, held);
      held = '';
    };
    for await (const row of streamXlsxRows(bytes, { sheet })) {
      checkOrder(row, line);
      cells += row.values.length;
      if (cells > CELLS_MAX) throw new Fault('The sheet has too many cells. Delete empty columns, or save it as CSV.');
      const texts = trimEnd(row.values.map(writeCell));
      if (texts.length === 0) continue;
      rows += 1;
      if (rows > DOCKET_ROWS_MAX + TOP_ROWS) {
        throw new Fault(`The sheet has more than ${DOCKET_ROWS_MAX} rows. Split it.`);
      }
      held += `${'\n'.repeat(row.index - line)}${texts.map(quote).join(',')}\n`;
      line = row.index + 1;
      if (held.length >= WRITTEN_AT_ONCE) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
}

function checkOrder({ index }: StreamRow, line: number): void {
  if (Number.isInteger(index) && index >= line && index <= ROW_MAX) return;
  throw new Fault('The rows of the sheet are out of order. Save it again in Excel, or as CSV.');
}

/** A date is its day, and a number has all its digits. */
function writeCell(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  return String(value).replaceAll('\0', '').trim();
}

function trimEnd(cells: string[]): string[] {
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells.slice(0, last + 1);
}

/** A line break inside a cell becomes a return, which is no end of a line there (`openRows` turns it back). */
function quote(cell: string): string {
  return `"${cell.replace(/\r\n|\n/g, '\r').replaceAll('"', '""')}"`;
}

/** What went wrong, in words for the person who sent the file; an unexpected failure is the file's, too. */
function describe(error: unknown): ExcelOutcome {
  if (error instanceof Fault) return { fault: error.message };
  return { fault: 'This Excel file cannot be read. Open it in Excel and save it again, or save the sheet as CSV.' };
}

parentPort!.postMessage(await readOrder(workerData as ExcelOrder).catch(describe));
