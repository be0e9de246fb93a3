/** The identity of a mark of the Taiwanese register; both of the office's formats describe the same applications. */
import { type Reading, readText } from '../reading.ts';
import { UnreadableRecord } from '../xml-records.ts';

export const OFFICE = 'TW';

/** Throws `UnreadableRecord` when the application number is missing or malformed. */
export function readNumber(reading: Reading, path: string): string {
  const number = readText(reading, reading.root, path);
  if (number === null) throw new UnreadableRecord(`${reading.root.name} has no ${path}`);
  if (!/^[0-9A-Za-z]{1,13}$/.test(number)) {
    throw new UnreadableRecord(`${path} must be letters and digits, not ${JSON.stringify(number.slice(0, 100))}`);
  }
  return number;
}

export function buildUid(number: string): string {
  return `${OFFICE}50${number.padStart(13, '0')}`;
}
