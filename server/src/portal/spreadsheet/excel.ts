/**
 * A table as a file for people: its rows under heads, in Excel or in CSV, written as they come. A sheet for Excel is
 * written row by row: a bold head that stays in view, a filter on every column, dates as dates, links as links, and no
 * formula. Holds no more than a row at a time, and the addresses of the links. Its archive is written while its entries
 * are, one after the other (`yazl`); a reader that leaves early ends the entry that is being written.
 */

import { Readable } from 'node:stream';
import { encodeRow } from '@tmds/contract/csv';
import { ZipFile } from 'yazl';
import { DAY_MS } from '../../base/clock.ts';
import type { Download } from '../frame/call.ts';

export interface FileColumn<Row> extends SheetColumn {
  readonly cell: (row: Row) => SheetCell;
}

/** Writes a column of a table whose cells follow from a row and from what all rows share, such as an address. */
export const columnsOf =
  <Row, Shared = unknown>() =>
  (head: string, width: number, cell: (row: Row, shared: Shared) => SheetCell) => ({ head, width, cell });

export type SharedColumn<Row, Shared> = ReturnType<ReturnType<typeof columnsOf<Row, Shared>>>;

export function shareWith<Row, Shared>(columns: readonly SharedColumn<Row, Shared>[], shared: Shared) {
  return columns.map(({ cell, ...column }): FileColumn<Row> => ({ ...column, cell: (row) => cell(row, shared) }));
}

interface TableFile<Row> {
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

export const EXCEL_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

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

/** Null for a form that is not known. `file`: its name without the extension. */
export function buildTableFile<Row>(form: string, file: string, table: TableFile<Row>): Download | null {
  if (!Object.hasOwn(FILE_FORMS, form)) return null;
  const { extension, type, write }: FileForm = FILE_FORMS[form as keyof typeof FILE_FORMS];
  return { download: `${file}.${extension}`, type, chunks: write(table) };
}

export function dayCell(date: string | null): SheetCell {
  return date === null ? null : { day: date.slice(0, 10) };
}

interface DayCell {
  readonly day: string;
}

interface LinkCell {
  readonly text: string;
  readonly href: string;
}

export type SheetCell = string | number | DayCell | LinkCell | null;

interface SheetColumn {
  readonly head: string;
  readonly width: number;
}

interface Sheet {
  /** At most 31 characters, none of `[]:*?/\`. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncIterable<readonly SheetCell[]>;
}

/** What Excel keeps of a text (specification of Excel, "total number of characters that a cell can contain"). */
const CELL_CHARACTERS_MAX = 32_767;
const CUT = ' … (cut: Excel holds no more in a cell)';
/** Links of a sheet (specification of Excel); further ones are texts. */
const LINKS_MAX = 65_000;
const LINK_CHARACTERS_MAX = 2_000;
/** Excel counts days from 1900, and wrongly until March; what is older stays text. */
const FIRST_DAY = '1900-03-01';
const DAY_ZERO = Date.UTC(1899, 11, 30);
/** Rows that are encoded before they are passed on. */
const ROWS_AT_ONCE = 100;

/** Positions in `cellXfs` below. */
const STYLES = { head: 1, day: 2, link: 3 } as const;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

function writeExcel(sheet: Sheet): AsyncGenerator<Buffer> {
  const links: { readonly at: string; readonly href: string }[] = [];
  function* linkParts(): Generator<string> {
    yield `${XML}<Relationships xmlns="${PACKAGE}/relationships">`;
    for (const [at, { href }] of links.entries()) {
      yield `<Relationship Id="rId${at + 1}" Type="${OFFICE}/relationships/hyperlink" Target="${escapeXml(href)}" TargetMode="External"/>`;
    }
    yield '</Relationships>';
  }
  return writeZip([
    { name: 'xl/worksheets/sheet1.xml', chunks: encodeSheet(sheet, links) },
    { name: 'xl/worksheets/_rels/sheet1.xml.rels', chunks: linkParts() },
    { name: 'xl/styles.xml', chunks: [STYLE_SHEET] },
    { name: 'xl/workbook.xml', chunks: [encodeBook(sheet.name)] },
    { name: 'xl/_rels/workbook.xml.rels', chunks: [BOOK_PARTS] },
    { name: '_rels/.rels', chunks: [ROOT_PARTS] },
    { name: '[Content_Types].xml', chunks: [TYPES] },
  ]);
}

async function* encodeSheet(
  { columns, rows }: Sheet,
  links: { readonly at: string; readonly href: string }[],
): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  yield encodeSheetRow(
    1,
    columns.map(({ head }, column) => encodeText(`${letters(column)}1`, head, STYLES.head)),
  );
  let row = 1;
  let held = '';
  for await (const cells of rows) {
    row += 1;
    held += encodeSheetRow(
      row,
      cells.map((cell, column) => encodeCell(`${letters(column)}${row}`, cell, links)),
    );
    if (row % ROWS_AT_ONCE !== 0) continue;
    yield held;
    held = '';
  }
  yield `${held}</sheetData><autoFilter ref="A1:${letters(columns.length - 1)}${row}"/>`;
  if (links.length > 0) {
    yield '<hyperlinks>';
    for (const [at, link] of links.entries()) yield `<hyperlink ref="${link.at}" r:id="rId${at + 1}"/>`;
    yield '</hyperlinks>';
  }
  yield '</worksheet>';
}

function encodeSheetRow(row: number, cells: readonly string[]): string {
  return `<row r="${row}">${cells.join('')}</row>`;
}

function encodeCell(at: string, cell: SheetCell, links: { at: string; href: string }[]): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return encodeText(at, cell, null);
  if ('day' in cell) {
    if (cell.day < FIRST_DAY) return encodeText(at, cell.day, null);
    const days = (Date.parse(`${cell.day}T00:00:00Z`) - DAY_ZERO) / DAY_MS;
    return Number.isInteger(days)
      ? `<c r="${at}" s="${STYLES.day}"><v>${days}</v></c>`
      : encodeText(at, cell.day, null);
  }
  if (links.length >= LINKS_MAX || cell.href.length > LINK_CHARACTERS_MAX) return encodeText(at, cell.href, null);
  links.push({ at, href: cell.href });
  return encodeText(at, cell.text, STYLES.link);
}

function encodeText(at: string, text: string, style: number | null): string {
  const short = text.length <= CELL_CHARACTERS_MAX ? text : text.slice(0, CELL_CHARACTERS_MAX - CUT.length) + CUT;
  const styled = style === null ? '' : ` s="${style}"`;
  return `<c r="${at}"${styled} t="inlineStr"><is><t xml:space="preserve">${escapeXml(escapeCoded(short))}</t></is></c>`;
}

/** `_x0041_` in a cell means the character of that number, so a text that has it is written with its first `_` coded. */
function escapeCoded(text: string): string {
  return text.includes('_x') ? text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_') : text;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no control characters but three, and no half of a pair. */
function escapeXml(text: string): string {
  return [...text.matchAll(/[&<>"]|[^&<>"]+/g)]
    .map(([part]) => ENTITIES[part] ?? part)
    .join('')
    .toWellFormed()
    .replace(NOT_XML, '\ufffd');
}

const NOT_XML = /(?![\t\n\r])\p{Cc}(?<![\u007f-\u009f])|[\ufffe\uffff]/gu;

/** `A`, … `Z`, `AA`: the column of this position, from 0. */
function letters(column: number): string {
  const before = Math.floor(column / 26) - 1;
  return (before < 0 ? '' : letters(before)) + String.fromCharCode(65 + (column % 26));
}

function encodeBook(name: string): string {
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets><sheet name="${escapeXml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

const STYLE_SHEET = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="d\\ mmm\\ yyyy"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`;

const BOOK_PARTS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/relationships/styles" Target="styles.xml"/></Relationships>`;

const ROOT_PARTS = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`;

interface ZipEntry {
  readonly name: string;
  readonly chunks: AsyncIterable<string> | Iterable<string>;
}

/** An archive does not say when it was made. */
const OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

async function* writeZip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  const written = archive.outputStream as Readable;
  const fail = (error: Error): void => void written.destroy(error);
  archive.on('error', fail);
  const opened: Readable[] = [];
  for (const { name, chunks } of entries) {
    archive.addReadStreamLazy(name, OPTIONS, (give) => {
      const entry = Readable.from(chunks).on('error', fail);
      opened.push(entry);
      give(null, entry);
    });
  }
  archive.end();
  try {
    for await (const piece of written) yield piece as Buffer;
  } finally {
    for (const entry of opened) entry.destroy();
  }
}
