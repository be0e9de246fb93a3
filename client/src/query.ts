/**
 * The parameters of a call and their encoding. The types derive from the contract's tables, so a parameter that the
 * service does not define does not compile. Only the service validates values.
 */
import type { ExportField } from '@tmds/contract/export';
import { tidyNumber } from '@tmds/contract/numbers';
import type {
  ChangesControls,
  DueControls,
  ExportControls,
  HistoryControls,
  RecordHistoryControls,
  SearchControls,
  SearchFilters,
  SimilarControls,
} from './parameters.ts';

/**
 * A search. `jurisdiction_code` uses the register's own endpoint (then leave out `jurisdiction`); without it the search
 * is global.
 */
export interface SearchParameters extends SearchFilters, SearchControls {
  /** The register to search, through its own endpoint. */
  jurisdiction_code?: string | undefined;
}

/** A search for marks whose names are alike, among the records that satisfy the filters. */
export interface SimilarParameters extends SearchFilters, SimilarControls {
  /** The text of the mark. */
  mark: string;
}

/** A page of the change feed: of one register with `jurisdiction_code`, otherwise of all. */
export interface ChangesParameters extends ChangesControls {
  /** The feed has records whose content changed at or after this instant. */
  since: string;
  /** The register to read; default: all of them. */
  jurisdiction_code?: string | undefined;
}

/** A page of the history: of one register with `jurisdiction_code`, otherwise of all. */
export interface HistoryParameters extends SearchFilters, HistoryControls {
  /** The history has versions published at or after this instant. */
  since: string;
  /** The register to read, through its own endpoint; then leave out `jurisdiction`. */
  jurisdiction_code?: string | undefined;
}

/** A page of the history of one record. */
export type RecordHistoryParameters = RecordHistoryControls;

export interface DeltasParameters {
  /** The instant up to which your copy is complete: only deltas that end later. */
  as_of?: string | undefined;
}

/** What is due between two days, both included, for the records that the filters match. */
export interface DueParameters extends SearchFilters, DueControls {
  /** The first day. */
  from: string;
  /** The last day, at most 366 days with the first. */
  to: string;
}

/** Numbers of one register, as a list or separated by commas. */
export interface NumbersParameters {
  jurisdiction_code: string;
  numbers: string | readonly string[];
  /** 1 to 500, which is the default. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

/** A number in its register; as a text, `US:97123456`. */
export type RegisterNumber = string | { readonly jurisdiction_code: string; readonly number: string };

/** Numbers of several registers. */
export interface NumbersOfRegistersParameters {
  numbers: readonly RegisterNumber[];
  /** 1 to 500, which is the default. */
  limit?: number | undefined;
  cursor?: string | null | undefined;
}

/**
 * A record by its register and uid; as a text, `US:US500000097123456`, in which a comma of the uid is `%2C` and a blank
 * at its end `%20`.
 */
export type RecordIdentity = string | { readonly jurisdiction_code: string; readonly uid: string };

/** A whole search as a stream. */
export interface ExportParameters<Field extends ExportField = ExportField> extends SearchFilters, ExportControls {
  /** The fields of each record. Left out: all. */
  fields?: readonly Field[] | undefined;
}

/** Each element as the service takes it: commas only separate, so those within a number are left out. */
export function writeNumbers(numbers: readonly RegisterNumber[]): string[] {
  return numbers.map((each) =>
    typeof each === 'string' ? tidyNumber(each) : `${each.jurisdiction_code}:${tidyNumber(each.number)}`,
  );
}

/** A comma in a uid would separate two records, and blanks at the ends of a list's elements do not count. */
export function writeIdentities(identities: readonly RecordIdentity[]): string[] {
  return identities.map((each) =>
    typeof each === 'string'
      ? each
      : `${each.jurisdiction_code}:${each.uid.replaceAll(/[%,\s]/gu, (character) => encodeURIComponent(character))}`,
  );
}

export interface GetParameters {
  expand?: 'payload' | undefined;
}

/** A page of watches. */
export interface WatchesParameters {
  /** The previous page's next_cursor, verbatim. */
  cursor?: string | null | undefined;
  /** Page size, 1 to 500; default 100. */
  limit?: number | undefined;
}

/** The record whose hits are diagnosed. */
export interface DiagnosisParameters {
  jurisdiction_code: string;
  uid: string;
}

/** A page of webhooks. */
export interface WebhooksParameters {
  /** The previous page's next_cursor, verbatim. */
  cursor?: string | null | undefined;
  /** Page size, 1 to 100; default 100. */
  limit?: number | undefined;
}

/** A page of the messages to a webhook. */
export interface WebhookDeliveriesParameters {
  /** The previous page's next_cursor, verbatim. */
  cursor?: string | null | undefined;
  /** Page size, 1 to 500; default 100. */
  limit?: number | undefined;
}

/** A page of the hits of a watch. */
export interface HitsParameters extends WatchesParameters {
  /** Hits with stamps at or after this instant. */
  since: string;
}

/** `/v1/trademarks` or `/v1/US/trademarks`: the path of a resource, global or of one register. */
export function buildPath(jurisdictionCode: string | undefined, ...segments: string[]): string {
  const all = jurisdictionCode === undefined ? segments : [jurisdictionCode, ...segments];
  return `/v1/${all.map(encodeSegment).join('/')}`;
}

function encodeSegment(segment: string): string {
  if (segment === '') throw new TypeError('a register code or uid must not be empty');
  if (segment === '.' || segment === '..') {
    throw new TypeError(`"${segment}" cannot be sent as a path segment, because URL rules remove it`);
  }
  return encodeURIComponent(segment);
}

/**
 * `?a=1&b=2,3`, or an empty text. Leaves out `undefined`, and a `cursor` that is null, as on the last page; any other
 * null is a mistake of the caller. Lists are joined by commas.
 */
export function encodeQuery(parameters: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || (value === null && name === 'cursor')) continue;
    pairs.push(`${encodeURIComponent(name)}=${encodeValue(name, writeValue(name, value))}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Long lists, whose separators stay as they are: encoded, they would take three bytes each of a bounded address. */
const LONG_LISTS: ReadonlySet<string> = new Set(['numbers', 'identities']);

function encodeValue(name: string, text: string): string {
  const encoded = encodeURIComponent(text);
  return LONG_LISTS.has(name) ? encoded.replaceAll('%2C', ',').replaceAll('%3A', ':') : encoded;
}

function writeValue(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((element) => writeValue(name, element)).join(',');
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new TypeError(`${name} must be a text, a number or a list of them; leave it out if you do not need it`);
}
