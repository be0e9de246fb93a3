/** Takes in a docket that was sent: its first reading, and its rows in parts into the database. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CsvFault, type CsvRow } from '@tmds/contract/csv';
import { DOCKET_CELL_CHARACTERS_MAX, DOCKET_COLUMNS_MAX, WINDOW_ROWS } from '@tmds/contract/docket/limits';
import {
  DocketFault,
  type DocketForm,
  type OpenDocket,
  readWindows,
  type Survey,
  surveyDocket,
} from '@tmds/contract/docket/survey';
import { countDockets, insertDocket, insertDocketPart } from '../../store/accounts/dockets.ts';
import type { MemberCall, Redirect, Upload } from '../frame/call.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import type { PortalServices } from '../services.ts';
import { findKind, readExcel, type SheetRead } from '../spreadsheet/read-excel.ts';
import { type KeptSurvey, packRows } from './stored-docket.ts';

/** Dockets that a customer may have at a time. */
const DOCKETS_MAX = 20;
/** Characters of a cell that the sample shows. */
const SAMPLE_CHARACTERS_MAX = 200;
const SAMPLE_ROWS = 5;
const PORTION_BYTES = 1 << 16;

export async function receiveDocket(call: MemberCall, { database }: PortalServices): Promise<Redirect | Fault> {
  const { upload, user } = call;
  if (upload === null) return { fault: 'Choose a file. It has to have a head and at least one row.' };
  const file = await openUpload(upload, call.form.get('sheet')?.trim() || null);
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
  /** Null for a file of text. */
  readonly sheet: SheetRead | null;
}

/** `wanted`: the name of a sheet, if the person gave one. */
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
