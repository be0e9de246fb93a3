/**
 * What spreadsheets make of numbers. A cell that is no longer a number as an office writes it is answered with the
 * reason and the remedy, never guessed back.
 */

/** `1.8200011E+07`, with the comma of other languages. */
const ROUNDED = /^\d(?:[.,]\d+)?E\+\d{1,3}$/i;

const MONTHS = 'jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]';
/** `Jan-20`, `1. Jan 20`, which `1/2020` becomes. */
const MONTH = new RegExp(`^(?:\\d{1,2}[-. ]{1,2})?(?:${MONTHS})[a-zä]{0,7}\\.?[- ]\\d{2}(?:\\d{2})?$`, 'i');

const REMEDY = 'Format the column as text before you enter or import the numbers.';

/** Why the cell cannot be the number that was entered; null if it may be. */
export function findSpreadsheetFault(text: string): string | null {
  const cell = text.trim();
  if (ROUNDED.test(cell)) {
    return `“${cell}” is a number that the spreadsheet has rounded: the digits are lost. ${REMEDY}`;
  }
  if (MONTH.test(cell)) return `“${cell}” is a date that the spreadsheet has made of the number. ${REMEDY}`;
  return null;
}
