/**
 * Digests a raw source record: an element, a line, or the rows of joined tables in their order. Equal digests mean that
 * the source states the same as before, so a difference of content comes from reading it differently
 * (docs/design/history.md).
 */
import { hash } from 'node:crypto';

export const SOURCE_DIGITS = 16;

/** 16 hexadecimal digits, the first 8 bytes of the SHA-256; text counts as UTF-8. */
export function digestSource(source: string | Buffer): string {
  return hash('sha256', source, 'hex').slice(0, SOURCE_DIGITS);
}
