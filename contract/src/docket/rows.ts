/**
 * Turns the rows of a docket into a register and numbers to search for, or the reason why there is nothing to search
 * for.
 */
import type { CsvRow } from '../csv.ts';
import { listNumberForms, NUMBER_CHARACTERS_MAX, tidyNumber } from '../numbers.ts';
import { hasTooManyMarks, MARKS_FAULT } from '../text.ts';
import type { DayOrder } from './dates.ts';
import { type Mapping, NUMBER_COLUMNS } from './fields.ts';
import { DOCKET_CELL_CHARACTERS_MAX } from './limits.ts';
import { describeUnserved, readRegister, readRegisterOfNumber } from './registers.ts';
import { findSpreadsheetFault } from './spreadsheet.ts';

export type NumberColumn = (typeof NUMBER_COLUMNS)[number];

/** How the rows of a docket are read. */
export interface Reading {
  readonly head: readonly string[];
  readonly mapping: Mapping;
  /** The register of rows without one; null: each row names its own, in a column or before its number. */
  readonly register: string | null;
  /** The order of day and month of each column of dates that needs one; null where it is not known. */
  readonly dayOrders: Readonly<Partial<Record<number, DayOrder | null>>>;
}

/** Length of a faulty cell, in UTF-16 units. */
const SHOWN_MAX = 40;

function quote(cell: string): string {
  return cell.length > SHOWN_MAX ? `“${cell.slice(0, SHOWN_MAX)}…”` : `“${cell}”`;
}

interface RowNumber {
  readonly column: NumberColumn;
  /** What the number is: as it says itself (`rn11210`), else as its column does. */
  readonly kind: NumberColumn;
  /** In the form in which it is sent. */
  readonly text: string;
  /** The compared forms, as written first. */
  readonly forms: readonly string[];
}

export interface DocketRow {
  readonly row: CsvRow;
  /** Upper case. */
  readonly register: string | null;
  readonly numbers: readonly RowNumber[];
  /** Why nothing can be searched for; null if something can. */
  readonly fault: string | null;
}

/** The cell of a column, without blanks around it; empty if the row has none. */
export function cellOf({ cells }: Pick<CsvRow, 'cells'>, column: number | undefined): string {
  return column === undefined ? '' : (cells[column]?.trim() ?? '');
}

/** The register that the numbers of a row name; one that is not served may be letters of the number. */
function findNamed(row: CsvRow, mapping: Mapping, served: ReadonlySet<string>): string | null {
  const named = NUMBER_COLUMNS.map((column) => readRegisterOfNumber(cellOf(row, mapping[column])));
  return named.find((code) => code !== null && served.has(code)) ?? null;
}

/** A cell that takes too long to read (rule I-45); null if there is none. */
function findCellFault({ cells }: CsvRow, head: readonly string[], mapping: Mapping): string | null {
  const nameOf = (column: number): string => quote(head[column] ?? `column ${column + 1}`);
  const long = Object.values(mapping).find((column) => (cells[column]?.length ?? 0) > DOCKET_CELL_CHARACTERS_MAX);
  if (long !== undefined) {
    return `The cell below ${nameOf(long)} has more than ${DOCKET_CELL_CHARACTERS_MAX} characters: shorten it.`;
  }
  const marked = cells.findIndex(hasTooManyMarks);
  return marked < 0 ? null : `The cell below ${nameOf(marked)} ${MARKS_FAULT}.`;
}

/** The letters that the office of the United States writes before its numbers. */
const KINDS: readonly (readonly [letters: RegExp, kind: NumberColumn])[] = [
  [/^rn[\s.:-]*\d/i, 'registration_number'],
  [/^sn[\s.:-]*\d/i, 'application_number'],
];

function readKind(register: string, text: string): NumberColumn | null {
  return register === 'US' ? (KINDS.find(([letters]) => letters.test(text))?.[1] ?? null) : null;
}

/** `served`: the codes of the registers that the service has. */
export function readRow(
  row: CsvRow,
  { head, mapping, register: given }: Reading,
  served: ReadonlySet<string>,
): DocketRow {
  const cellFault = findCellFault(row, head, mapping);
  if (cellFault !== null) return { row, register: null, numbers: [], fault: cellFault };
  const named = cellOf(row, mapping.register);
  const register = named === '' ? (given ?? findNamed(row, mapping, served)) : readRegister(named);
  const refuse = (fault: string): DocketRow => ({ row, register, numbers: [], fault });
  const beyond = row.cells.slice(head.length).find((cell) => cell.trim() !== '');
  if (beyond !== undefined) {
    const counts = `The row has ${row.cells.length} cells and the head ${head.length}`;
    return refuse(`${counts}: a cell with the separator in it needs quotes. ${quote(beyond.trim())} is too much.`);
  }
  if (register === null) {
    return refuse(named === '' ? 'The row names no register.' : `No register is called ${quote(named)}.`);
  }
  if (!served.has(register)) return refuse(describeUnserved(register, named, served));
  const written = NUMBER_COLUMNS.map((column) => ({ column, text: tidyNumber(cellOf(row, mapping[column])) }));
  const numbers = written
    .filter(({ text }) => text !== '')
    .map(({ column, text }) => ({
      column,
      kind: readKind(register, text) ?? column,
      text,
      forms: listNumberForms(register, text),
    }));
  const spoilt = numbers.flatMap(({ column }) => findSpreadsheetFault(cellOf(row, mapping[column])) ?? []);
  const known = numbers.filter(
    ({ column, forms }) => forms.length > 0 && findSpreadsheetFault(cellOf(row, mapping[column])) === null,
  );
  if (known.length > 0) return { row, register, numbers: known, fault: null };
  if (numbers.length === 0) return refuse('The row has no number.');
  if (spoilt[0] !== undefined) return refuse(spoilt[0]);
  return refuse(
    `${quote(numbers[0]!.text)} is not a number: it has no digit, or more than ${NUMBER_CHARACTERS_MAX} characters.`,
  );
}
