/**
 * What the columns of a docket hold: guessed from the words of their heads and from their cells, or given. The guess is
 * shown before anything is spent.
 */
import { listNumberForms } from '../numbers.ts';
import { type DocketField, type Mapping, NUMBER_COLUMNS } from './fields.ts';
import { readHead } from './heads.ts';
import { readRegister, readRegisterOfNumber } from './registers.ts';

/** Share of a column's cells that must have the same form. */
const ALIKE = 0.8;

/** Guesses what each column holds. `rows`: the first rows below the head. */
export function guessMapping(head: readonly string[], rows: readonly (readonly string[])[]): Mapping {
  const mapping: Partial<Record<DocketField, number>> = {};
  const taken = new Set<number>();
  const take = (field: DocketField, column: number): void => {
    if (column < 0 || mapping[field] !== undefined) return;
    mapping[field] = column;
    taken.add(column);
  };
  for (const [column, text] of head.entries()) {
    const field = readHead(text);
    if (field !== null) take(field, column);
  }
  const findAlike = (isOne: (cell: string) => boolean): number =>
    head.findIndex((_name, column) => {
      const cells = rows.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
      return !taken.has(column) && cells.length > 0 && cells.filter(isOne).length >= cells.length * ALIKE;
    });
  if (mapping.register === undefined)
    take(
      'register',
      findAlike((cell) => readRegister(cell) !== null),
    );
  if (NUMBER_COLUMNS.every((field) => mapping[field] === undefined)) {
    take(
      'number',
      findAlike((cell) => LOOKS_NUMBERED.test(cell) && listNumberForms('', cell).length > 0),
    );
  }
  return mapping;
}

/** At least five digits, and no date. */
const LOOKS_NUMBERED = /^(?!\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$)(?=(?:\D*\d){5})/;

/**
 * A sentence saying what a comparison lacks; null if nothing. `register`: the one given for rows that name none.
 * `rows`: the first rows.
 */
export function findMappingFault(
  mapping: Mapping,
  register: string | null,
  rows: readonly (readonly string[])[],
): string | null {
  if (NUMBER_COLUMNS.every((field) => mapping[field] === undefined)) {
    return 'No column holds a number: say which one holds the application number, the registration number, or either.';
  }
  if (mapping.register === undefined && register === null && !numbersNameRegister(mapping, rows)) {
    return 'No column holds the register: say which one does, or which register all rows are of.';
  }
  return null;
}

/** Whether the numbers name their register, as in `EM 018229854`. */
function numbersNameRegister(mapping: Mapping, rows: readonly (readonly string[])[]): boolean {
  const numbers = rows.map((row) =>
    NUMBER_COLUMNS.map((field) => row[mapping[field] ?? -1] ?? '').filter((cell) => cell.trim() !== ''),
  );
  const numbered = numbers.filter((cells) => cells.length > 0);
  const naming = numbered.filter((cells) => cells.some((cell) => readRegisterOfNumber(cell) !== null));
  return naming.length > 0 && naming.length >= numbered.length * ALIKE;
}
