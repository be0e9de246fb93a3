/** Decides which scheme the number of a class belongs to: the Nice classification or the office's own classes. */
import { parseNiceClass } from './codes.ts';
import type { ClassEntry, ClassScheme } from './payload.ts';

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
