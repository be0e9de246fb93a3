/** Codes that many offices share, read from the forms in which they write them. */
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { writeViennaCode } from '../../record/terms.ts';

/** `9`, `09` and `009` are one class. Null for anything that is not a Nice class. */
export function parseNiceClass(text: string): number | null {
  const niceClass = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return niceClass >= NICE_CLASS_MIN && niceClass <= NICE_CLASS_MAX ? niceClass : null;
}

/** `18.1.9`, `18.01.09` and `180109` are one code; null for anything else. */
export function parseViennaCode(text: string): string | null {
  const compact = /^(\d{2})(\d{2})(\d{2})$/.exec(text);
  const segments = compact === null ? text.split('.') : compact.slice(1);
  if (segments.length > 3 || !segments.every((segment) => /^\d{1,2}$/.test(segment))) return null;
  return writeViennaCode(segments.map(Number));
}

/** Removes duplicates. Null for an empty list, because lists of a record are never empty. */
export function listOrNull<Value>(values: readonly Value[]): Value[] | null {
  return values.length === 0 ? null : [...new Set(values)];
}
