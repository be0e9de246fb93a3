/** Takes in a docket that was sent: its first reading, and its rows in parts into the database. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CsvFault } from '@tmds/contract/csv';
import { WINDOW_ROWS } from '@tmds/contract/docket/limits';
import { DocketFault, type OpenDocket, readWindows, type Survey, surveyDocket } from '@tmds/contract/docket/survey';
import { countDockets, insertDocket, insertDocketPart } from '../../store/accounts/dockets.ts';
import type { MemberCall, Redirect, Upload } from '../frame/call.ts';
import { doOnce, type Fault } from '../frame/once.ts';
import type { PortalServices } from '../services.ts';
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
  const open: OpenDocket = () => createReadStream(upload.path, { highWaterMark: PORTION_BYTES });
  const survey = await readSurvey(open);
  if ('fault' in survey) return survey;
  return doOnce(call, database, async (tx) => {
    if ((await countDockets(tx, user.customer_id)) >= DOCKETS_MAX) {
      return { fault: `There are ${DOCKETS_MAX} dockets already. Delete one first.` };
    }
    const docketId = randomUUID();
    const kept = { docket_id: docketId, customer_id: user.customer_id, name: nameOf(upload), rows: survey.rows };
    await insertDocket(tx, { ...kept, survey: keep(survey) });
    let number = 0;
    for await (const rows of readWindows(open, survey, WINDOW_ROWS)) {
      await insertDocketPart(tx, docketId, { number, rows: rows.length, cells: await packRows(rows) });
      number += 1;
    }
    return { to: `/portal/reconcile/${docketId}` };
  });
}

async function readSurvey(open: OpenDocket): Promise<Survey | Fault> {
  try {
    const survey = await surveyDocket(open);
    // PostgreSQL holds no NUL in text, and no file of text has one.
    const isText = ![survey.head, ...survey.sample.map(({ cells }) => cells)]
      .flat()
      .some((cell) => cell.includes('\0'));
    return isText ? survey : { fault: 'This is no file of text. Save the sheet as CSV.' };
  } catch (error) {
    if (error instanceof CsvFault || error instanceof DocketFault) return { fault: error.message };
    throw error;
  }
}

function nameOf({ name }: Upload): string {
  return name.replaceAll('\0', '').trim() || 'docket.csv';
}

function keep({ head, sample, dates, encoding, delimiter }: Survey): KeptSurvey {
  const short = (cell: string): string => cell.slice(0, SAMPLE_CHARACTERS_MAX);
  const shown = sample.slice(0, SAMPLE_ROWS).map(({ line, cells }) => ({ line, cells: cells.map(short) }));
  return { head: head.map(short), sample: shown, dates, encoding, delimiter };
}
