/**
 * The digest of a source line: a record that bears it was read from this very line, by these very rules, and without
 * an issue; reading the line again can say nothing else. It knows no content.
 */
import { hash } from 'node:crypto';

/** Of a record that was read from no line, or from one that raised an issue: it has to be raised again. */
export const NO_LINE = '';

const DIGITS = 32;

/** 32 hexadecimal digits: the first 28 of SHA-256 of the line without its end, and those that name the rules. */
export function digestLine(reading: string, line: Buffer): string {
  return hash('sha256', line, 'hex').slice(0, DIGITS - reading.length) + reading;
}
