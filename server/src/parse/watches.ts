/**
 * Turns the bodies and declared texts of calls about watches into requests. It does not know whether a search is too
 * broad; the plan does. Every refusal names the member of the body and says what it takes.
 */

import { LIKENESS_MARK_MAX } from '@tmds/contract/likeness';
import { URL_BYTES_MAX } from '@tmds/contract/limits';
import { SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { Instant } from '@tmds/contract/record';
import {
  HITS_PAGE_DEFAULT,
  WATCH_ID_FORM,
  WATCH_ITEMS_MAX,
  WATCH_KINDS,
  WATCH_NAME_MAX,
  WATCH_OWNER_MAX,
  WATCH_REFERENCE_MAX,
  WATCHES_PAGE_DEFAULT,
} from '@tmds/contract/watches';
import { apiError } from '../base/errors.ts';
import { joinAliases, splitAliases } from '../record/aliases.ts';
import { type BodyForm, parseBody, parseText, refuse } from './body.ts';
import {
  CURSORS,
  type CursorBinding,
  decodeCursor,
  decodePosition,
  encodeCursor,
  encodePosition,
  type StampedPosition,
} from './cursor.ts';
import { parseWatchedSimilar, type WatchedSimilar } from './likeness.ts';
import type { DeclaredValues } from './query.ts';
import { parseSearchText, type SearchRequest } from './search.ts';
import { parseInstant, parseName, parseRegister } from './values.ts';

export interface WatchedIdentity {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** What a watch watches. Lists are sorted and free of repeats; owners are in compared form. */
export type WatchRequest = { readonly name: string; readonly reference: string | null } & (
  | { readonly kind: 'search'; readonly search: SearchRequest }
  | { readonly kind: 'records'; readonly records: readonly WatchedIdentity[] }
  | { readonly kind: 'owners'; readonly owners: readonly string[] }
  | { readonly kind: 'similar'; readonly similar: WatchedSimilar }
);

/** Longest uid, in bytes of UTF-8. */
const UID_BYTES_MAX = 1_000;
const OWNER_BYTES_MAX = 2_000;
/**
 * A list of records is three deep. Twice the size of a full list, so that a list that is a little too long gets its
 * specific error.
 */
const SHAPE_MAX = { depth: 3, parts: 6 * WATCH_ITEMS_MAX };
const WATCH_BODY: BodyForm = {
  of: 'A watch',
  members: ['name', 'reference', 'search', 'records', 'owners', 'similar'],
  shape: SHAPE_MAX,
  advice: 'name and search, records or owners',
  bounds: `, and at most ${WATCH_ITEMS_MAX} records or owners`,
};
const SIMILAR_MEMBERS = ['mark', 'strategies', 'classes', 'search'] as const;

/** @throws ApiError `not_found`: nothing has an id of another form. */
export function parseWatchId(text: string): string {
  if (WATCH_ID_FORM.test(text)) return text;
  const form = 'up to 64 letters, digits, dots, underscores or hyphens, beginning with a letter or digit';
  throw apiError('invalid_parameter', `The id of a watch is ${form}.`, { param: 'watch' });
}

/**
 * @param type the Content-Type of the request; undefined = none.
 * @throws ApiError `invalid_parameter`, `unknown_parameter`; for a search, the errors of the search itself.
 */
export function parseWatchBody(body: Buffer, type: string | undefined): WatchRequest {
  const members = parseBody(body, type, WATCH_BODY);
  const name = parseText('name', members.name, WATCH_NAME_MAX).trim();
  if (name === '') throw refuse('name', 'is blank; name what is watched.');
  const named = { name, reference: parseReference(members.reference) };
  const given = WATCH_KINDS.filter((member) => members[member] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    throw refuse(
      given[1] ?? 'search',
      'is wrong here: a watch takes exactly one of search, records, owners and similar.',
    );
  }
  switch (kind) {
    case 'search':
      return { ...named, kind, search: parseWatchedSearch(members.search) };
    case 'records':
      return { ...named, kind, records: parseRecords(members.records) };
    case 'owners':
      return { ...named, kind, owners: parseOwners(members.owners) };
    case 'similar':
      return { ...named, kind, similar: parseSimilarMember(members.similar) };
  }
}

/** Answers have null for no reference, so it may be sent back. */
function parseReference(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const reference = parseText('reference', value, WATCH_REFERENCE_MAX).trim();
  if (reference === '') throw refuse('reference', 'is blank; leave it out or give it a value.');
  return reference;
}

/**
 * Bounded like a search in an address. Parameters that shape a page of the search are checked, but are not part of the
 * watch.
 */
function parseWatchedSearch(value: unknown): SearchRequest {
  const text = parseText('search', value, URL_BYTES_MAX);
  if (Buffer.byteLength(text) > URL_BYTES_MAX) throw refuse('search', `takes at most ${URL_BYTES_MAX} bytes.`);
  return parseSearchText(text.replace(/^\?/, ''));
}

/** Read as the query string of a search for likeness, so that both take and refuse the same. */
function parseSimilarMember(value: unknown): WatchedSimilar {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('similar', 'takes an object with mark and, if needed, strategies, classes and search.');
  }
  const members = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(members).find((name) => !(SIMILAR_MEMBERS as readonly string[]).includes(name));
  if (unknown !== undefined) throw refuse('similar', `takes ${SIMILAR_MEMBERS.join(', ')}, and nothing else.`);
  const pairs = new URLSearchParams({ mark: parseText('mark', members.mark, LIKENESS_MARK_MAX) });
  for (const name of ['strategies', 'classes'] as const) {
    if (members[name] !== undefined) pairs.set(name, parseList(name, members[name]).map(String).join(','));
  }
  const search = members.search === undefined ? '' : parseText('search', members.search, URL_BYTES_MAX);
  if (Buffer.byteLength(search) > URL_BYTES_MAX) throw refuse('search', `takes at most ${URL_BYTES_MAX} bytes.`);
  const filters = search.replace(/^\?/, '');
  // A search has none of these parameters; without this check one of them would be read twice.
  if (filters !== '') parseSearchText(filters);
  return parseWatchedSimilar(filters === '' ? pairs.toString() : `${pairs.toString()}&${withoutControls(filters)}`);
}

/** What shapes a page of a search is not part of a watch. */
function withoutControls(search: string): string {
  const pairs = search.split('&').filter((pair) => {
    const [name = ''] = pair.split('=');
    return !Object.hasOwn(SEARCH_CONTROLS, decodeURIComponent(name.replaceAll('+', ' ')));
  });
  return pairs.join('&');
}

function parseRecords(value: unknown): WatchedIdentity[] {
  const identities = new Map<string, WatchedIdentity>();
  for (const [index, entry] of parseList('records', value).entries()) {
    const param = `records[${index}]`;
    if (typeof entry !== 'object' || entry === null) {
      throw refuse(param, 'takes an object with jurisdiction_code and uid.');
    }
    const { jurisdiction_code: code, uid, ...others } = entry as Readonly<Record<string, unknown>>;
    if (Object.keys(others).length > 0) throw refuse(param, 'takes jurisdiction_code and uid, and nothing else.');
    const identity = {
      jurisdiction_code: parseRegister(parseText(`${param}.jurisdiction_code`, code, UID_BYTES_MAX)),
      uid: parseText(`${param}.uid`, uid, UID_BYTES_MAX),
    };
    if (identity.jurisdiction_code === '' || identity.uid === '')
      throw refuse(param, 'names no record; give it a jurisdiction_code and a uid.');
    if (Buffer.byteLength(identity.uid) > UID_BYTES_MAX)
      throw refuse(`${param}.uid`, `is longer than any uid, which has at most ${UID_BYTES_MAX} bytes.`);
    identities.set(`${identity.jurisdiction_code}\0${identity.uid}`, identity);
  }
  return sortByBytes([...identities.keys()]).map((key) => identities.get(key)!);
}

function parseOwners(value: unknown): string[] {
  const owners = parseList('owners', value).map((entry, index) => {
    const param = `owners[${index}]`;
    const name = joinAliases(splitAliases(parseName(param, parseText(param, entry, WATCH_OWNER_MAX))));
    if (Buffer.byteLength(name) > OWNER_BYTES_MAX) throw refuse(param, `takes at most ${OWNER_BYTES_MAX} bytes.`);
    return name;
  });
  return sortByBytes([...new Set(owners)]);
}

function parseList(param: string, value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw refuse(param, 'takes a list with at least one entry.');
  if (value.length > WATCH_ITEMS_MAX) {
    throw refuse(param, `takes at most ${WATCH_ITEMS_MAX} entries, not ${value.length}; divide them between watches.`);
  }
  return value;
}

/** As the database sorts. */
function sortByBytes(texts: readonly string[]): string[] {
  const sorted = texts.map((text) => Buffer.from(text)).sort(Buffer.compare);
  return sorted.map((bytes) => bytes.toString());
}

export interface WatchesRequest {
  /** The id after which the page begins; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** @throws ApiError `cursor_invalid`, `cursor_query_mismatch`. */
export function parseWatches(values: DeclaredValues<'watches'>): WatchesRequest {
  const after = values.cursor === undefined ? null : decodeCursor(CURSORS.watches(), values.cursor).uid;
  return { after, limit: Number(values.limit ?? WATCHES_PAGE_DEFAULT) };
}

/** The cursor of the watch at which a page ends. */
export function encodeWatchCursor(id: string): string {
  return encodeCursor(CURSORS.watches(), { value: null, jurisdiction_code: '-', uid: id });
}

export interface HitsRequest {
  readonly id: string;
  /** The page begins after it. */
  readonly after: StampedPosition;
  readonly limit: number;
  readonly binding: CursorBinding;
}

/** @throws ApiError `invalid_parameter`, `cursor_invalid`, `cursor_query_mismatch`. */
export function parseHits(values: DeclaredValues<'watch_hits'>, pathId: string): HitsRequest {
  const id = parseWatchId(pathId);
  const since = parseInstant('since', values.since ?? '');
  const binding = CURSORS.hits({ watch: id, since });
  const start: StampedPosition = { updated_at: since, jurisdiction_code: '', uid: '' };
  const after = decodePosition(binding, values.cursor, null) ?? start;
  // A forged cursor before `since` is ignored.
  const from = after.updated_at < since ? start : after;
  return { id, after: from, limit: Number(values.limit ?? HITS_PAGE_DEFAULT), binding };
}

export interface DiagnosisRequest {
  readonly id: string;
  readonly record: WatchedIdentity;
}

/** @throws ApiError `invalid_parameter`. */
export function parseDiagnosis(values: DeclaredValues<'watch_diagnosis'>, pathId: string): DiagnosisRequest {
  const jurisdiction_code = parseRegister((values.jurisdiction_code ?? '').trim());
  return { id: parseWatchId(pathId), record: { jurisdiction_code, uid: values.uid ?? '' } };
}

/** In byte order, after every code of a register. */
const AFTER_ALL = '~';

/** The cursor in a nudge, after every hit of a stamp: where later hits are read from, with that stamp as `since`. */
export function encodeHitsAfter(watch: string, stamp: Instant): string {
  const position = { updated_at: stamp, jurisdiction_code: AFTER_ALL, uid: AFTER_ALL };
  return encodePosition({ binding: CURSORS.hits({ watch, since: stamp }) }, position);
}
