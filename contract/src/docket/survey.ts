/**
 * The first reading of a docket: its encoding and separator, its head, a sample, how many rows it has, and what its
 * cells say about the order of day and month. Nothing is searched for yet.
 */
import { type CsvRow, type Delimiter, guessDelimiter, RowSplitter } from '../csv.ts';
import { type DayEvidence, type DayOrder, judgeOrder, noteDate } from './dates.ts';
import { type Encoding, readMark, Utf8Check } from './encoding.ts';
import { findHeadLine, nameColumns, TOP_ROWS } from './head-row.ts';
import { DOCKET_BYTES_MAX, DOCKET_COLUMNS_MAX, DOCKET_ROWS_MAX } from './limits.ts';

/** How the bytes of a docket become rows. */
export interface DocketForm {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  /** The line of the row that names the columns; 0 if there is none. Rows up to it are no marks. */
  readonly headLine: number;
}

export interface Survey extends DocketForm {
  readonly head: readonly string[];
  /** The rows above the head, and the head. */
  readonly above: readonly CsvRow[];
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
  const top: CsvRow[] = [];
  let begun: Body | null = null;
  for await (const portion of readRows(open, { encoding, delimiter })) {
    for (const row of portion) {
      if (begun !== null) begun.add(row);
      else if (top.push(row) === TOP_ROWS) begun = beginBody(top, given.headLine);
    }
  }
  if (top.length === 0) throw new DocketFault('The file is empty. Its first row has to name the columns.');
  const body = begun ?? beginBody(top, given.headLine);
  if (body.rows === 0) throw new DocketFault('The file has no row below its head.');
  const { headLine, head, above, sample, rows, dates } = body;
  return { encoding, delimiter, headLine, head, above, sample, rows, dates };
}

/** The rows below the head, counted while they are read. */
class Body {
  readonly headLine: number;
  readonly head: readonly string[];
  readonly above: readonly CsvRow[];
  readonly sample: CsvRow[] = [];
  readonly dates: DayEvidence[] = [];
  rows = 0;

  constructor(top: readonly CsvRow[], headLine: number) {
    this.headLine = headLine;
    this.head = checkHead(nameColumns(top, headLine));
    this.above = top.filter(({ line }) => line <= headLine);
  }

  add(row: CsvRow): void {
    this.rows += 1;
    if (this.rows > DOCKET_ROWS_MAX) throw new DocketFault(`The file has more than ${DOCKET_ROWS_MAX} rows. Split it.`);
    if (this.sample.length < SAMPLE_ROWS) this.sample.push(row);
    for (const [column, cell] of row.cells.slice(0, DOCKET_COLUMNS_MAX).entries()) {
      const evidence = this.dates[column] ?? { dmy: 0, mdy: 0, either: 0 };
      this.dates[column] = evidence;
      if (cell.length < 30) noteDate(cell, evidence);
    }
  }
}

function beginBody(top: readonly CsvRow[], given: number | undefined): Body {
  if (given !== undefined && given !== 0 && !top.some(({ line }) => line === given)) {
    throw new DocketFault(`Line ${given} is not one of the first ${TOP_ROWS} rows, so it cannot name the columns.`);
  }
  const body = new Body(top, given ?? findHeadLine(top));
  for (const row of top) if (row.line > body.headLine) body.add(row);
  return body;
}

/** The rows of a docket, the head included, in portions. Throws `DocketFault` or `CsvFault`. */
async function* readRows(
  open: OpenDocket,
  { encoding, delimiter }: Pick<DocketForm, 'encoding' | 'delimiter'>,
): AsyncGenerator<CsvRow[]> {
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
  let window: CsvRow[] = [];
  for await (const rows of readRows(open, form)) {
    for (const row of rows) {
      if (row.line <= form.headLine) continue;
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

function checkHead(names: readonly string[]): readonly string[] {
  if (names.length > DOCKET_COLUMNS_MAX) {
    throw new DocketFault(`The file has more than ${DOCKET_COLUMNS_MAX} columns; is the separator right?`);
  }
  return names;
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
