/**
 * Tables for a terminal: columns as wide as their widest cell, numbers aligned right. Width is what a terminal shows: a
 * Chinese, Japanese or Korean character takes two columns.
 */
import widthOf from 'string-width';

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
