/** Where a record, its versions and its history are in the portal. */
import type { Instant } from '@tmds/contract/record';

/** A record, and the fields of the address that every link about it keeps. */
export interface RecordPlace {
  readonly register: string;
  readonly uid: string;
  readonly kept: readonly (readonly [name: string, value: string])[];
}

/**
 * Fields that links keep, and how many characters of each: who pays, where the reader came from, and what keeps an
 * answer from costing another unit. A page has dozens of links, and a longer value is none that this portal wrote.
 */
const KEPT: readonly (readonly [name: string, charactersMax: number])[] = [
  ['key', 64],
  ['from', 4_000],
  ['asked', 64],
];

/** `keyId`: null keeps the key that the address names. */
export function placeOf(
  { register, uid }: Pick<RecordPlace, 'register' | 'uid'>,
  query: URLSearchParams,
  keyId: string | null,
): RecordPlace {
  const kept = KEPT.flatMap(([name, charactersMax]) => {
    const value = name === 'key' ? (keyId ?? query.get(name)) : query.get(name);
    return value === null || value === '' || value.length > charactersMax ? [] : [[name, value] as const];
  });
  return { register, uid, kept };
}

/** `version`: null = the current record. */
export function versionPath(
  place: RecordPlace,
  version: Instant | null,
  fields: Readonly<Record<string, string>> = {},
): string {
  const named = version === null ? [] : [['version', version] as const];
  return pathOf('records', place, [...named, ...Object.entries(fields)]);
}

/** The current record, with no more in the address. */
export function pathOfRecord(register: string, uid: string): string {
  return versionPath({ register, uid, kept: [] }, null);
}

export function historyPath(place: RecordPlace, fields: readonly (readonly [string, string])[] = []): string {
  return pathOf('history', place, fields);
}

function pathOf(
  page: 'records' | 'history',
  { register, uid, kept }: RecordPlace,
  fields: readonly (readonly [string, string])[],
): string {
  const query = new URLSearchParams([...kept, ...fields] as [string, string][]).toString();
  const path = `/portal/explorer/${page}/${encodeURIComponent(register)}/${encodeURIComponent(uid)}`;
  return query === '' ? path : `${path}?${query}`;
}
