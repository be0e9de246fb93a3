/**
 * A docket as a file. One that was sent: its first reading, and its rows in parts into the database. One that was
 * compared: the customer's columns, then ours; one part is in memory at a time.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CsvFault, type CsvRow } from '@tmds/contract/csv';
import { DOCKET_FIELDS } from '@tmds/contract/docket/fields';
import { DOCKET_CELL_CHARACTERS_MAX, DOCKET_COLUMNS_MAX, WINDOW_ROWS } from '@tmds/contract/docket/limits';
import { type DescribedFinding, encodeFinding, encodeHead, OUTPUT_FORMATS } from '@tmds/contract/docket/output';
import {
  DocketFault,
  type DocketForm,
  type OpenDocket,
  readWindows,
  type Survey,
  surveyDocket,
} from '@tmds/contract/docket/survey';
import type { Queryable } from '../../database/driver/db.ts';
import { countDockets, findPart, insertDocket, insertDocketPart } from '../../store/accounts/dockets.ts';
import type { MemberCall, Redirect, Upload } from '../frame/call.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import { registerName } from '../frame/registers.ts';
import type { PortalServices } from '../services.ts';
import { columnsOf, dayCell, EXCEL_TYPE, FILE_FORMS, type FileColumn, shareWith } from '../spreadsheet/excel.ts';
import { findKind, readExcel, type SheetRead } from '../spreadsheet/read-excel.ts';
import {
  type Docket,
  isShown,
  joinMarks,
  type KeptSurvey,
  packRows,
  type ResultRow,
  type Show,
  unpackFindings,
  unpackRows,
} from './results.ts';
import { describeResult, describeSince, STATE_TITLES, sayDetails } from './wording.ts';

const DOCKETS_MAX = 20;
const SAMPLE_CHARACTERS_MAX = 200;
const SAMPLE_ROWS = 5;
const PORTION_BYTES = 1 << 16;

/** `wanted`: the name of a sheet, if the person gave one. */
export async function receiveDocket(
  call: MemberCall,
  { database }: PortalServices,
  wanted: string | null,
): Promise<Redirect | Fault> {
  const { upload, user } = call;
  if (upload === null) return { fault: 'Choose a file. It has to have a head and at least one row.' };
  const file = await openUpload(upload, wanted);
  if ('fault' in file) return file;
  const { open, sheet } = file;
  const survey = await readSurvey(open, sheet === null ? {} : SHEET_FORM);
  if ('fault' in survey) return survey;
  return doOnce(call, database, async (tx) => {
    if ((await countDockets(tx, user.customer_id)) >= DOCKETS_MAX) {
      return { fault: `There are ${DOCKETS_MAX} dockets already. Delete one first.` };
    }
    const docketId = randomUUID();
    const kept = { docket_id: docketId, customer_id: user.customer_id, name: nameOf(upload), rows: survey.rows };
    await insertDocket(tx, { ...kept, survey: { ...keep(survey), sheet } });
    let number = 0;
    for await (const rows of readWindows(open, survey, WINDOW_ROWS)) {
      await insertDocketPart(tx, docketId, {
        number,
        rows: rows.length,
        cells: await packRows(sheet === null ? rows : rows.map(breakLines)),
      });
      number += 1;
    }
    return { to: `/portal/reconcile/${docketId}` };
  });
}

/** How the thread that reads Excel writes the rows. */
const SHEET_FORM = { encoding: 'utf-8', delimiter: ',' } as const;

interface OpenedUpload {
  readonly open: OpenDocket;
  readonly sheet: SheetRead | null;
}

async function openUpload({ path }: Upload, wanted: string | null): Promise<OpenedUpload | Fault> {
  const from =
    (file: string): OpenDocket =>
    () =>
      createReadStream(file, { highWaterMark: PORTION_BYTES });
  const kind = await findKind(path);
  if (kind === 'text') return { open: from(path), sheet: null };
  if (kind === 'container') {
    return { fault: 'This is an old Excel file (.xls), or one with a password. Save it as .xlsx without a password.' };
  }
  const target = `${path}.csv`;
  const sheet = await readExcel({ path, target, wanted });
  return 'fault' in sheet ? sheet : { open: from(target), sheet };
}

/** Line breaks inside cells of a sheet come as returns. */
function breakLines({ line, cells }: CsvRow): CsvRow {
  return { line, cells: cells.map((cell) => cell.replaceAll('\r', '\n')) };
}

async function readSurvey(open: OpenDocket, form: Partial<DocketForm>): Promise<Survey | Fault> {
  try {
    const survey = await surveyDocket(open, form);
    // PostgreSQL holds no NUL in text, and no file of text has one.
    const isText = ![survey.head, ...[...survey.above, ...survey.sample].map(({ cells }) => cells)]
      .flat()
      .some((cell) => cell.includes('\0'));
    return isText ? survey : { fault: 'This is not a text file. Save the sheet as CSV.' };
  } catch (error) {
    if (error instanceof CsvFault || error instanceof DocketFault) return { fault: error.message };
    throw error;
  }
}

function cut(cell: string): string {
  return cell.slice(0, DOCKET_CELL_CHARACTERS_MAX).toWellFormed();
}

function nameOf({ name }: Upload): string {
  return name.replaceAll('\0', '').trim() || 'docket.csv';
}

function keep({ head, sample, above, ...survey }: Survey): Omit<KeptSurvey, 'sheet'> {
  const short = (cell: string): string => cell.slice(0, SAMPLE_CHARACTERS_MAX);
  const shown = sample.slice(0, SAMPLE_ROWS).map(({ line, cells }) => ({ line, cells: cells.map(short) }));
  const { dates, encoding, delimiter, headLine } = survey;
  // Whole, because they become rows if another row is chosen as the head.
  const kept = above.map(({ line, cells }) => ({ line, cells: cells.slice(0, DOCKET_COLUMNS_MAX).map(cut) }));
  return { head: head.map(short), sample: shown, above: kept, dates, encoding, delimiter, headLine };
}

export const FILE_FORMATS = ['xlsx', ...OUTPUT_FORMATS] as const;
type FileFormat = (typeof FILE_FORMATS)[number];

export const FILE_TYPES: Readonly<Record<FileFormat, string>> = {
  xlsx: EXCEL_TYPE,
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

interface FileOrder {
  readonly show: Show | null;
  readonly linkRecord: (register: string, uid: string) => string;
}

interface FileRow {
  readonly cells: readonly string[];
  readonly row: ResultRow;
}

export function writeResults(
  database: Queryable,
  docket: Docket,
  format: FileFormat,
  order: FileOrder,
): AsyncIterable<string | Uint8Array> {
  return format === 'xlsx' ? writeSheet(database, docket, order) : writeText(database, docket, format, order);
}

/** A part that was not compared ends the file: its rows would look as if they had no result. */
async function* readParts(
  database: Queryable,
  { docket_id: docketId, parts }: Docket,
  show: Show | null,
): AsyncGenerator<readonly FileRow[]> {
  for (let number = 0; number < parts; number += 1) {
    const part = await findPart(database, docketId, number);
    if (part?.findings == null) return;
    const rows = await unpackRows(part.cells);
    const joined = await joinMarks(database, docketId, number, await unpackFindings(part.findings), null);
    yield joined.map((row, at) => ({ cells: rows[at]?.cells ?? [], row })).filter(({ row }) => isShown(row, show));
  }
}

async function* writeText(
  database: Queryable,
  docket: Docket,
  format: 'csv' | 'ndjson',
  { show, linkRecord }: FileOrder,
): AsyncGenerator<string> {
  const { reading } = docket;
  if (reading === null) return;
  const context = { head: reading.head, mapping: reading.mapping, linkRecord };
  const head = encodeHead(context, format);
  if (head !== '') yield head;
  for await (const rows of readParts(database, docket, show)) {
    yield rows.map(({ cells, row }) => encodeFinding(describe(row), cells, context, format)).join('');
  }
}

/** Without what is remembered, which is for the pages alone. */
function describe({ finding: { memory: _memory, ...finding } }: ResultRow): DescribedFinding {
  return finding;
}

const column = columnsOf<ResultRow, FileOrder['linkRecord']>();

const OWN_COLUMNS = [
  column('Result', 18, ({ finding }) => describeResult(finding.result)),
  column('Details', 60, ({ finding }) => sayDetails(finding).join('\n')),
  column('Since last time', 24, ({ finding }) =>
    finding.memory?.since == null ? null : describeSince(finding.memory.since),
  ),
  column('Work', 10, ({ mark }) => (mark?.state == null ? null : STATE_TITLES[mark.state][0])),
  column('Note', 36, ({ mark }) => mark?.note ?? null),
  column('Register searched', 18, ({ finding: { jurisdiction_code: code } }) =>
    code === null ? null : registerName(code),
  ),
  column('Record', 14, ({ finding: { jurisdiction_code: code, uid } }, linkRecord) =>
    code === null || uid === null ? null : { text: 'Open record', href: linkRecord(code, uid) },
  ),
  column('Record changed', 14, ({ finding }) => dayCell(finding.updated_at)),
];

function writeSheet(
  database: Queryable,
  docket: Docket,
  { show, linkRecord }: FileOrder,
): AsyncIterable<string | Uint8Array> {
  const head = docket.reading?.head ?? [];
  const fields = Object.keys(docket.reading?.mapping ?? {}) as (keyof typeof DOCKET_FIELDS)[];
  const compared = fields.filter((field) => !NOT_COMPARED.includes(field)) as (keyof DescribedFinding['registers'])[];
  const own = shareWith(OWN_COLUMNS, linkRecord);
  const columns: FileColumn<FileRow>[] = [
    ...head.map((name, at) => ({
      head: name || `Column ${at + 1}`,
      width: 18,
      cell: ({ cells }: FileRow) => cells[at] ?? '',
    })),
    ...own.map(({ cell, ...each }) => ({ ...each, cell: ({ row }: FileRow) => cell(row) })),
    ...compared.map((field) => ({
      head: `${DOCKET_FIELDS[field]} in the register`,
      width: 24,
      cell: ({ row }: FileRow) => row.finding.registers?.[field] ?? null,
    })),
  ];
  return FILE_FORMS.excel.write({ name: 'Docket', columns, portions: readParts(database, docket, show) });
}

/** Fields by which a row is found or recognized. */
const NOT_COMPARED: readonly string[] = ['register', 'number', 'reference'];
