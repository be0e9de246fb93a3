/**
 * Finds the row of a docket that names its columns. Lists of marks often begin with a title, a date or a blank line.
 * Some have no such row at all, which is said and never guessed away.
 */
import type { CsvRow } from '../csv.ts';
import { readHead } from './heads.ts';
import { DOCKET_COLUMNS_MAX } from './limits.ts';

/** The row that names the columns is one of these first rows of a file. */
export const TOP_ROWS = 20;

/** A cell of a list and not the name of a column: a number as offices write them, or a date. */
const IS_DATA = /^(?=(?:\D*\d){4})[\d\p{L}\s./,:()#-]{4,}$/u;

/** The line of the row that names the columns; 0 if none of the first rows does. */
export function findHeadLine(top: readonly CsvRow[]): number {
  const scored = top.map((row) => {
    // A file with more columns is refused; a wrong separator makes tens of thousands.
    const cells = row.cells.slice(0, DOCKET_COLUMNS_MAX);
    return { line: row.line, isData: cells.some(isData), score: scoreRow(cells) };
  });
  const most = Math.max(0, ...scored.filter(({ isData }) => !isData).map(({ score }) => score));
  const named = scored.find(({ isData, score }) => !isData && score === most);
  if (named !== undefined && most > 0 && (most > 1 || named.line === top[0]?.line)) return named.line;
  // No word is recognized. A first row without data may still have the names of the columns, in another language.
  const [first] = scored;
  return first === undefined || first.isData ? 0 : first.line;
}

function isData(cell: string): boolean {
  return IS_DATA.test(cell.trim());
}

/** How many fields the cells name. */
function scoreRow(cells: readonly string[]): number {
  return new Set(cells.map(readHead).filter((field) => field !== null)).size;
}

/** The names of the columns: the cells of a row, or their positions for a file without such a row. */
export function nameColumns(top: readonly CsvRow[], headLine: number): readonly string[] {
  const named = top.find(({ line }) => line === headLine);
  if (named !== undefined) return named.cells.map((cell) => cell.trim());
  const columns = Math.max(0, ...top.map(({ cells }) => cells.length));
  return Array.from({ length: columns }, (_, at) => `Column ${at + 1}`);
}
