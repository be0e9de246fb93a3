/**
 * The digest of a source line and of the rules it is read by. A stored record that carries it was read from this very
 * line, by these rules, without an issue: reading the line again cannot give anything else.
 */
import { hash } from 'node:crypto';
import { SOURCE_DIGITS } from '../sources/source-digest.ts';

/** For a record not read from a line, or from one that raised an issue, which the next load has to raise again. */
export const NO_LINE = '';

const DIGITS = 32;

/** 32 hexadecimal digits: 28 of the SHA-256 of the line without its ending, then the 4 of `LineFormat.reading`. */
export function digestLine(reading: string, line: Buffer): string {
  return hash('sha256', line, 'hex').slice(0, DIGITS - reading.length) + reading;
}

/** What `digestSource` makes of the same line. */
export function sourceOfLine(lineDigest: string): string {
  return lineDigest.slice(0, SOURCE_DIGITS);
}
