/**
 * The digest of a source record as it stood in its file: an element, a line, or the rows of joined tables in their
 * order. Equal digests say that the source states what it stated before, so that content which differs all the same
 * was read otherwise (docs/design/history.md).
 */
import { hash } from 'node:crypto';

export const SOURCE_DIGITS = 16;

/** 16 hexadecimal digits, the first 8 bytes of the SHA-256; text counts as UTF-8. */
export function digestSource(source: string | Buffer): string {
  return hash('sha256', source, 'hex').slice(0, SOURCE_DIGITS);
}
