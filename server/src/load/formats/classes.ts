/** Codes of classifications that many offices share, and the scheme to which the number of a class belongs. */
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { writeViennaCode } from '../../record/terms.ts';
import { type ClassEntry, type ClassScheme, listOrNull } from './document.ts';
import type { Raiser } from './meanings.ts';

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

/** What offices call a scheme. A primary class may belong to either scheme, so it is not in the table. */
const SCHEMES: Readonly<Record<string, ClassScheme>> = {
  nice: 'nice',
  domestic: 'national',
  national: 'national',
  office: 'national',
};

/** Other classifications by name: a number of theirs is certainly not a Nice class. */
const OTHER_SCHEMES: ReadonlySet<string> = new Set(['locarno', 'vienna']);

/** Whether a number whose scheme is not stated, or has an unknown name, may be a Nice class (rule I-51). */
export function mayBeNice(scheme: string | null): boolean {
  return findScheme(scheme ?? '') === 'unknown' && !OTHER_SCHEMES.has(scheme?.trim().toLowerCase() ?? '');
}

/** The scheme that an office names. Offices that name none use the Nice classification. */
export function findScheme(name: string | null): ClassScheme {
  if (name === null) return 'nice';
  const key = name.trim().toLowerCase();
  return (Object.hasOwn(SCHEMES, key) ? SCHEMES[key] : undefined) ?? 'unknown';
}

/** The scheme of one number: a number from 1 to 45 of a scheme that is not known counts as a Nice class. */
export function findSchemeOf(number: string, name: string | null): ClassScheme {
  const scheme = findScheme(name);
  return scheme === 'unknown' && mayBeNice(name) && parseNiceClass(number) !== null ? 'nice' : scheme;
}

/**
 * For an office that files goods under classes of both schemes: the scheme of a number, judged by the classes that are
 * filed under it, else by all of them.
 */
export function findSchemeAmong(number: string, classes: readonly ClassEntry[]): ClassScheme {
  const filed = classes.filter(({ primary_code }) => primary_code === number);
  for (const among of [filed, classes]) {
    if (among.some(({ international_codes }) => international_codes?.includes(number))) return 'nice';
    if (among.some(({ national_codes }) => national_codes?.includes(number))) return 'national';
    if (among.some(({ unknown_codes }) => unknown_codes?.includes(number))) return 'unknown';
  }
  return 'unknown';
}

/** What offices write in place of a Nice class: collective, certification, not classified. */
const NOT_CLASSED: ReadonlySet<string> = new Set(['A', 'B', '200', '000', '00', '0']);

interface StatedClasses {
  /** The path of the numbers, for issues. */
  path: string;
  texts: readonly string[];
  /** Whether the scheme of a number is not known; it is read as a Nice class then, with an issue. */
  isAssumed?: (text: string) => boolean;
  /** Whether any text that is not a Nice class is an issue, even one that says that nothing is classed. */
  isStrict?: boolean;
}

/** The Nice classes among the texts; any other text raises an issue. */
export function listNiceClasses(source: Raiser, { path, texts, isAssumed, isStrict }: StatedClasses): number[] {
  return texts.flatMap((text) => {
    const niceClass = parseNiceClass(text);
    if (niceClass === null) {
      if (isStrict === true || !NOT_CLASSED.has(text)) source.raise('unmapped_class', path, text);
      return [];
    }
    if (isAssumed?.(text) === true) source.raise('assumed_nice_class', path, text);
    return [niceClass];
  });
}

/** Sorted, without duplicates; null for none. */
export function sortClasses(classes: readonly number[]): number[] | null {
  return listOrNull([...classes].sort((a, b) => a - b));
}

/** Vienna codes as dotted two-digit numbers; any other text raises an issue. Null for none. */
export function readViennaCodes(source: Raiser, path: string, texts: readonly string[]): string[] | null {
  return listOrNull(
    texts.flatMap((text) => {
      const code = parseViennaCode(text);
      if (code === null) source.raise('unmapped_vienna_code', path, text);
      return code ?? [];
    }),
  );
}
