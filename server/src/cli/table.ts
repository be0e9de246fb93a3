/** Tables for a terminal: columns as wide as their longest cell, numbers aligned right. */

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number | null;
}

/** Shows null as a dash. `ifNone`: the sentence that stands for a table without rows. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], ifNone?: string): string {
  if (rows.length === 0 && ifNone !== undefined) return ifNone;
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const texts = [columns.map(({ title }) => title), ...cells.map((line) => line.map((value) => String(value ?? '-')))];
  const widths = columns.map((_, position) => Math.max(...texts.map((line) => line[position]!.length)));
  const isNumeric = columns.map((_, position) => cells.every((line) => typeof line[position] !== 'string'));
  return texts
    .map((line) => line.map((text, at) => (isNumeric[at] ? text.padStart(widths[at]!) : text.padEnd(widths[at]!))))
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
}
