/** What commands print: tables, texts of source files, findings. */
import widthOf from 'string-width';
import type { Finding } from '../monitor/doctor.ts';
import type { IssueExample } from '../store/publish/findings.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number | null;
}

/** Shows null as a dash. `ifNone`: the sentence shown instead of a table without rows. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], ifNone?: string): string {
  if (rows.length === 0 && ifNone !== undefined) return ifNone;
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const texts = [columns.map(({ title }) => title), ...cells.map((line) => line.map((value) => String(value ?? '-')))];
  const widths = columns.map((_, position) => Math.max(...texts.map((line) => widthOf(line[position]!))));
  const isNumeric = columns.map((_, position) => cells.every((line) => typeof line[position] !== 'string'));
  return texts
    .map((line) =>
      line.map((text, at) => {
        const room = ' '.repeat(widths[at]! - widthOf(text));
        return isNumeric[at] ? room + text : text + room;
      }),
    )
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
}

export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, ' ');
}

/** `XA 1 (odd.ndjson, line 1)`: a record, and where its source states it. */
export function describePlace({ jurisdiction_code, uid, position }: IssueExample): string {
  if (uid === null) return position ?? '';
  return position === null ? `${jurisdiction_code} ${uid}` : `${jurisdiction_code} ${uid} (${position})`;
}

export function renderFinding({ subject, seen, remedy, advice }: Finding): string {
  const more = remedy === null ? advice : remedy;
  const verdict = remedy !== null ? 'WRONG' : advice === undefined ? 'ok   ' : 'note ';
  return `${verdict}  ${subject.padEnd(9)}  ${seen}${more === undefined || more === seen ? '' : `; ${more}`}`;
}
