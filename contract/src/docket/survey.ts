/**
 * The first reading of a docket: its encoding and separator, its head, a sample, how many rows it has, and what its
 * cells say about the order of day and month. Nothing is searched for yet.
 */
import { type CsvRow, type Delimiter, guessDelimiter, RowSplitter } from '../csv.ts';
import { type DayEvidence, type DayOrder, judgeOrder, noteDate } from './dates.ts';
import { type Encoding, readMark, Utf8Check } from './encoding.ts';
import { DOCKET_BYTES_MAX, DOCKET_COLUMNS_MAX, DOCKET_ROWS_MAX } from './limits.ts';

/** How the bytes of a docket become rows. */
export interface DocketForm {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
}

export interface Survey extends DocketForm {
  readonly head: readonly string[];
  /** The first rows below the head. */
  readonly sample: readonly CsvRow[];
  readonly rows: number;
  /** By column. */
  readonly dates: readonly DayEvidence[];
}

/** The docket cannot be read; the message says what to change. */
export class DocketFault extends Error {}

/** Reads the file from its beginning, each time it is called. */
export type OpenDocket = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const SAMPLE_ROWS = 20;
/** Characters by which the separator is guessed. */
const HEAD_CHARACTERS = 20_000;

/** Throws `DocketFault` or `CsvFault`. `given`: what is known and must not be guessed. */
export async function surveyDocket(open: OpenDocket, given: Partial<DocketForm> = {}): Promise<Survey> {
  const encoding = given.encoding ?? (await findEncoding(open));
  const delimiter = given.delimiter ?? guessDelimiter(await readBeginning(open, encoding));
  let head: readonly string[] | null = null;
  const sample: CsvRow[] = [];
  let dates: DayEvidence[] = [];
  let rows = 0;
  for await (const portion of readRows(open, { encoding, delimiter })) {
    for (const row of portion) {
      if (head === null) {
        head = checkHead(row.cells);
        dates = head.map(() => ({ dmy: 0, mdy: 0, either: 0 }));
        continue;
      }
      rows += 1;
      if (rows > DOCKET_ROWS_MAX) throw new DocketFault(`The file has more than ${DOCKET_ROWS_MAX} rows. Split it.`);
      if (sample.length < SAMPLE_ROWS) sample.push(row);
      row.cells.forEach((cell, column) => {
        const evidence = dates[column];
        if (evidence !== undefined && cell.length < 30) noteDate(cell, evidence);
      });
    }
  }
  if (head === null) throw new DocketFault('The file is empty. Its first row has to name the columns.');
  if (rows === 0) throw new DocketFault('The file has no row below its head.');
  return { encoding, delimiter, head, sample, rows, dates };
}

/** The rows of a docket, the head included, in portions. Throws `DocketFault` or `CsvFault`. */
async function* readRows(open: OpenDocket, { encoding, delimiter }: DocketForm): AsyncGenerator<CsvRow[]> {
  const decoder = new TextDecoder(encoding);
  const splitter = new RowSplitter(delimiter);
  for await (const bytes of open()) {
    const rows = splitter.push(decoder.decode(bytes, { stream: true }));
    if (rows.length > 0) yield rows;
  }
  yield [...splitter.push(decoder.decode()), ...splitter.end()];
}

/** The rows below the head in windows of this many. */
export async function* readWindows(open: OpenDocket, form: DocketForm, size: number): AsyncGenerator<CsvRow[]> {
  let isHead = true;
  let window: CsvRow[] = [];
  for await (const rows of readRows(open, form)) {
    for (const row of rows) {
      if (isHead) {
        isHead = false;
        continue;
      }
      window.push(row);
      if (window.length < size) continue;
      yield window;
      window = [];
    }
  }
  if (window.length > 0) yield window;
}

async function findEncoding(open: OpenDocket): Promise<Encoding> {
  const check = new Utf8Check();
  let bytes = 0;
  let marked: Encoding | null = null;
  for await (const portion of open()) {
    if (bytes === 0) marked = readMark(portion);
    bytes += portion.length;
    if (bytes > DOCKET_BYTES_MAX) {
      throw new DocketFault(`The file is larger than ${DOCKET_BYTES_MAX / 1024 / 1024} MB. Split it.`);
    }
    check.push(portion);
  }
  check.end();
  return marked ?? (check.isValid ? 'utf-8' : 'windows-1252');
}

async function readBeginning(open: OpenDocket, encoding: Encoding): Promise<string> {
  const decoder = new TextDecoder(encoding);
  let text = '';
  for await (const bytes of open()) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length >= HEAD_CHARACTERS) break;
  }
  return text.slice(0, HEAD_CHARACTERS);
}

function checkHead(cells: readonly string[]): readonly string[] {
  if (cells.length > DOCKET_COLUMNS_MAX) {
    throw new DocketFault(`The file has more than ${DOCKET_COLUMNS_MAX} columns; is the separator right?`);
  }
  return cells.map((cell) => cell.trim());
}

/** The order of day and month of each column; `given` decides where the cells do not show it. */
export function judgeDayOrders(
  dates: readonly DayEvidence[],
  given: DayOrder | null,
): Readonly<Record<number, DayOrder | null>> {
  return Object.fromEntries(dates.map((evidence, column) => [column, judgeOrder(evidence) ?? given]));
}

/** Columns among these whose dates could be read either way. */
export function listUndecided(dates: readonly DayEvidence[], columns: readonly number[]): number[] {
  return columns.filter((column) => {
    const evidence = dates[column];
    return evidence !== undefined && evidence.either > 0 && judgeOrder(evidence) === null;
  });
}
