/**
 * Which endpoint the address of a record is: the look-up, its history, or a version of it. A uid may contain slashes,
 * so only the end of the path, as it was sent, decides: a literal `/history`, or `/history/` and an instant. Escaped,
 * as in `%2Fhistory`, both are part of a uid (docs/design/history.md).
 */
import type { DeclaredName } from './query.ts';

const RECORDS = '/trademarks/';
const HISTORY = '/history';
const DATES = '/dates';

/** What may follow a uid. In an instant, only colon, plus, comma and blank may be escaped. */
const PATH_END = /\/history(?:\/(?<version>\d{4}-(?:[^/%]|%(?:3[Aa]|2[BbCc]|20))*))?$/;

export type RecordPathEnd = 'history' | 'version' | 'dates';

/** The endpoints with a path that ends after a uid; other endpoints have no such end. */
export const PATH_ENDS: Readonly<Partial<Record<DeclaredName, RecordPathEnd>>> = {
  record_history: 'history',
  record_version: 'version',
  record_dates: 'dates',
};

/** @param path of a request as it was sent, without its query. Null: the address of the record itself. */
export function readPathEnd(path: string): RecordPathEnd | null {
  // This alone decides most addresses.
  if (!path.includes(HISTORY)) return null;
  const found = PATH_END.exec(path);
  if (found === null) return null;
  const uidStart = path.indexOf(RECORDS) + RECORDS.length;
  if (uidStart < RECORDS.length || found.index <= uidStart) return null;
  return found.groups!.version === undefined ? 'history' : 'version';
}

/**
 * Splits the decoded rest of a path after `/trademarks/`, whose end `readPathEnd` has read; `dates` is of the other
 * product, whose paths all end so. The uid is empty if the end is missing.
 */
export function splitPathEnd(rest: string, end: RecordPathEnd | null): { uid: string; version: string } {
  if (end === null) return { uid: rest, version: '' };
  if (end === 'history') return { uid: rest.slice(0, -HISTORY.length), version: '' };
  if (end === 'dates') return { uid: rest.endsWith(DATES) ? rest.slice(0, -DATES.length) : '', version: '' };
  const cut = rest.lastIndexOf('/');
  return { uid: rest.slice(0, cut - HISTORY.length), version: rest.slice(cut + 1) };
}
