/**
 * The calls of the Record API, one method each. Fields stay as they are on the wire (snake_case, dates and instants
 * as text), so the service's documentation is the documentation of the results.
 */
import { SEARCH_PAGE_EXPANDED_MAX, SEARCH_PAGE_MAX } from '@tmds/contract/limits';
import type { ChangesPage, JurisdictionsPage, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import type { UsageReport } from '@tmds/contract/usage';
import { type CallOptions, type ClientConfig, type ClientOptions, checkInteger, readClientConfig } from './config.ts';
import type { BucketDigestsPage, DigestsPage, RegisterDigestsPage } from './digests.ts';
import { TrademarkProtocolError } from './errors.ts';
import { buildPath, type ChangesParameters, encodeQuery, type GetParameters, type SearchParameters } from './query.ts';
import { type Call, callService } from './transport.ts';
import { ChangesWalk, SearchWalk } from './walks.ts';

export interface SearchAllOptions extends CallOptions {
  /** Records after which the walk ends: 1 or more, default 10,000. */
  itemsMax?: number | undefined;
}

const SEARCH_ALL_ITEMS_DEFAULT = 10_000;

/** How many records a search matches, bounded at 10,000. */
export interface MatchedCount {
  readonly matched_count: number;
  /** True when more match. */
  readonly matched_count_capped: boolean;
}

/** The answer of a service that can answer. */
export interface Health {
  readonly status: string;
  readonly version: string;
}

export class TrademarkClient {
  readonly #config: ClientConfig;

  /** @throws TypeError when a setting is missing or wrong */
  constructor(options: ClientOptions = {}) {
    this.#config = readClientConfig(options);
  }

  /** The service's address in use. */
  get baseUrl(): string {
    return this.#config.baseUrl;
  }

  /**
   * One page of a search: GET /v1/trademarks, or /v1/{jurisdiction_code}/trademarks. One unit.
   *
   * @throws TrademarkApiError `missing_filter`, `query_too_broad`, `query_timeout`, `cursor_query_mismatch`, …
   */
  search(parameters: SearchParameters, options: CallOptions = {}): Call<SearchPage> {
    const { jurisdiction_code, ...query } = parameters;
    return this.#call(buildPath(jurisdiction_code, 'trademarks'), query, options);
  }

  /**
   * Every record of a search, page by page as they are consumed, `itemsMax` at most. One unit a page; `limit` is the
   * page size, the largest unless given. `pages()` walks whole pages, `toArray()` collects; with `count: 'capped'` the
   * walk's `matchedCount` tells how many there are once the first page came.
   */
  searchAll(parameters: SearchParameters, options: SearchAllOptions = {}): SearchWalk {
    const { itemsMax: asked, ...callOptions } = options;
    const itemsMax = checkInteger('itemsMax', asked ?? SEARCH_ALL_ITEMS_DEFAULT, 1, Number.MAX_SAFE_INTEGER);
    const pageMax = parameters.expand === 'payload' ? SEARCH_PAGE_EXPANDED_MAX : SEARCH_PAGE_MAX;
    const fetchPage = (cursor: string | null, limit: number) =>
      this.search({ ...parameters, cursor, limit }, callOptions);
    const start = parameters.cursor ?? null;
    return new SearchWalk(fetchPage, { cursor: start, pageMax: parameters.limit ?? pageMax, itemsMax });
  }

  /** Every page of a search, as `searchAll(…).pages()`. */
  pages(parameters: SearchParameters, options: SearchAllOptions = {}): ReturnType<SearchWalk['pages']> {
    return this.searchAll(parameters, options).pages();
  }

  /** How many records a search matches, 10,000 at most. One unit. */
  async count(parameters: SearchParameters, options: CallOptions = {}): Promise<MatchedCount> {
    const page = await this.search({ ...parameters, cursor: null, limit: 1, count: 'capped' }, options);
    const { matched_count, matched_count_capped } = page;
    if (matched_count === undefined || matched_count_capped === undefined) {
      throw new TrademarkProtocolError('a page asked for with count=capped has no count', page.meta.requestId);
    }
    return { matched_count, matched_count_capped };
  }

  /**
   * One record by its identity: GET /v1/{jurisdiction_code}/trademarks/{uid}. One unit, `not_found` included.
   *
   * @throws TrademarkApiError `not_found` when there is no such record or register
   */
  get(
    jurisdictionCode: string,
    uid: string,
    parameters: GetParameters = {},
    options: CallOptions = {},
  ): Call<TrademarkDetail> {
    return this.#call(buildPath(jurisdictionCode, 'trademarks', uid), parameters, options);
  }

  /**
   * One page of the change feed: GET /v1/changes, or /v1/{jurisdiction_code}/changes. One unit. Save `next_cursor` in
   * the same transaction as the items and send it back with the same `since`; an empty page has none: keep yours and
   * ask again later. `meta.changeHorizon` says up to which instant you then are complete.
   */
  changes(parameters: ChangesParameters, options: CallOptions = {}): Call<ChangesPage> {
    const { jurisdiction_code, ...query } = parameters;
    return this.#call(buildPath(jurisdiction_code, 'changes'), query, options);
  }

  /**
   * Every change up to the end of the feed, page by page as they are consumed. The walk's `cursor` is the place after
   * the last page that was consumed whole: keep it with the records. One unit a page.
   */
  changesAll(parameters: ChangesParameters, options: CallOptions = {}): ChangesWalk {
    const fetchPage = (cursor: string | null) => this.changes({ ...parameters, cursor }, options);
    return new ChangesWalk(fetchPage, parameters.cursor ?? null);
  }

  /** The registers served, with record counts: GET /v1/jurisdictions. One unit. */
  jurisdictions(options: CallOptions = {}): Call<JurisdictionsPage> {
    return this.#call(buildPath(undefined, 'jurisdictions'), {}, options);
  }

  /** This key's consumption in the current month, this call included: GET /v1/usage. One unit. */
  usage(options: CallOptions = {}): Call<UsageReport> {
    return this.#call(buildPath(undefined, 'usage'), {}, options);
  }

  /**
   * Count and digest of every register's records at a feed position: GET /v1/digests. One unit.
   *
   * @param asOf an instant the feed was complete up to (`meta.changeHorizon` of an empty page)
   * @throws TrademarkApiError `not_found` when the service offers no digests, `unavailable` while a large load runs
   */
  digests(asOf: string, options: CallOptions = {}): Call<DigestsPage> {
    return this.#call(buildPath(undefined, 'digests'), { as_of: asOf }, options);
  }

  /** The same by bucket of one register: GET /v1/{jurisdiction_code}/digests. One unit. */
  registerDigests(jurisdictionCode: string, asOf: string, options: CallOptions = {}): Call<RegisterDigestsPage> {
    return this.#call(buildPath(jurisdictionCode, 'digests'), { as_of: asOf }, options);
  }

  /** The same by record of one bucket, a page: GET /v1/{jurisdiction_code}/digests/{bucket}. One unit. */
  bucketDigests(
    jurisdictionCode: string,
    bucket: number,
    asOf: string,
    cursor?: string | null,
    options: CallOptions = {},
  ): Call<BucketDigestsPage> {
    return this.#call(buildPath(jurisdictionCode, 'digests', String(bucket)), { as_of: asOf, cursor }, options);
  }

  /** Whether the service can answer: GET /v1/health. No unit, and one attempt unless `maxRetries` says otherwise. */
  health(options: CallOptions = {}): Call<Health> {
    return this.#call(buildPath(undefined, 'health'), {}, { maxRetries: 0, ...options });
  }

  /**
   * GET of any path below `baseUrl`, such as `/v1/trademarks`: for endpoints that this version has no method for.
   *
   * @throws TypeError when the path does not begin with one `/`, or holds a query or a fragment
   */
  request<Body extends object = Record<string, unknown>>(
    path: string,
    query: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Call<Body> {
    const segments = path.split('/');
    if (!/^\/[^/]/.test(path) || /[?#\\\s]/.test(path) || segments.includes('..') || segments.includes('.')) {
      throw new TypeError('path must begin with one /, and hold no query, fragment or dot segment');
    }
    return this.#call(path, query, options);
  }

  #call<Body extends object>(path: string, query: object, options: CallOptions): Call<Body> {
    return callService<Body>(this.#config, path + encodeQuery({ ...query }), options);
  }
}
