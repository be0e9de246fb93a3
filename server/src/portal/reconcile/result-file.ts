/** The rows of a compared docket as files: the customer's columns, then ours. One part is in memory at a time. */
import { DOCKET_FIELDS } from '@tmds/contract/docket/fields';
import { type DescribedFinding, encodeFinding, encodeHead, OUTPUT_FORMATS } from '@tmds/contract/docket/output';
import type { Queryable } from '../../database/driver/db.ts';
import { findPart } from '../../store/accounts/dockets.ts';
import { registerName } from '../frame/registers.ts';
import { EXCEL_TYPE, type SheetCell, writeExcel } from '../spreadsheet/excel.ts';
import { isShown, joinMarks, type ResultRow, type Show } from './results.ts';
import { type Docket, unpackFindings, unpackRows } from './stored-docket.ts';
import { describeResult, describeSince, STATE_TITLES, sayDetails } from './wording.ts';

export const FILE_FORMATS = ['xlsx', ...OUTPUT_FORMATS] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

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

interface OwnColumn {
  readonly head: string;
  readonly width: number;
  readonly cell: (row: ResultRow, linkRecord: FileOrder['linkRecord']) => SheetCell;
}

const OWN_COLUMNS: readonly OwnColumn[] = [
  { head: 'Result', width: 18, cell: ({ finding }) => describeResult(finding.result) },
  { head: 'Details', width: 60, cell: ({ finding }) => sayDetails(finding).join('\n') },
  {
    head: 'Since last time',
    width: 24,
    cell: ({ finding }) => (finding.memory?.since == null ? null : describeSince(finding.memory.since)),
  },
  { head: 'Work', width: 10, cell: ({ mark }) => (mark?.state == null ? null : STATE_TITLES[mark.state][0]) },
  { head: 'Note', width: 36, cell: ({ mark }) => mark?.note ?? null },
  {
    head: 'Register searched',
    width: 18,
    cell: ({ finding: { jurisdiction_code: code } }) => (code === null ? null : registerName(code)),
  },
  {
    head: 'Record',
    width: 14,
    cell: ({ finding: { jurisdiction_code: code, uid } }, linkRecord) =>
      code === null || uid === null ? null : { text: 'Open record', href: linkRecord(code, uid) },
  },
  {
    head: 'Record changed',
    width: 14,
    cell: ({ finding: { updated_at: at } }) => (at === null ? null : { day: at.slice(0, 10) }),
  },
];

function writeSheet(database: Queryable, docket: Docket, { show, linkRecord }: FileOrder): AsyncIterable<Uint8Array> {
  const head = docket.reading?.head ?? [];
  const fields = Object.keys(docket.reading?.mapping ?? {}) as (keyof typeof DOCKET_FIELDS)[];
  const compared = fields.filter((field) => !NOT_COMPARED.includes(field)) as (keyof DescribedFinding['registers'])[];
  const columns = [
    ...head.map((name, at) => ({ head: name || `Column ${at + 1}`, width: 18 })),
    ...OWN_COLUMNS,
    ...compared.map((field) => ({ head: `${DOCKET_FIELDS[field]} in the register`, width: 24 })),
  ];
  async function* rows(): AsyncGenerator<readonly SheetCell[]> {
    for await (const part of readParts(database, docket, show)) {
      for (const { cells, row } of part) {
        yield [
          ...head.map((_name, at) => cells[at] ?? ''),
          ...OWN_COLUMNS.map(({ cell }) => cell(row, linkRecord)),
          ...compared.map((field) => row.finding.registers?.[field] ?? null),
        ];
      }
    }
  }
  return writeExcel({ name: 'Docket', columns, rows: rows() });
}

/** Fields by which a row is found or recognized. */
const NOT_COMPARED: readonly string[] = ['register', 'number', 'reference'];
