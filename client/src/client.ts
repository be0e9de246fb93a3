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
import { type Answer, callService } from './transport.ts';

export interface SearchAllOptions extends CallOptions {
  /** Records after which the walk ends: 1 or more, default 10,000. */
  itemsMax?: number | undefined;
}

/** How a walk of `searchAll` ended. */
export interface SearchWalk {
  readonly items: number;
  /** Where to go on, as `cursor` of the same search; null when every match was seen. */
  readonly next_cursor: string | null;
}

export const SEARCH_ALL_ITEMS_DEFAULT = 10_000;

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
  search(parameters: SearchParameters, options: CallOptions = {}): Promise<Answer<SearchPage>> {
    const { jurisdiction_code, ...query } = parameters;
    return this.#call(buildPath(jurisdiction_code, 'trademarks'), query, options);
  }

  /**
   * Every record of a search, page by page as they are consumed, `itemsMax` at most. One unit a page; `limit` is the
   * page size, the largest unless given. Returns how the walk ended.
   */
  async *searchAll(
    parameters: SearchParameters,
    options: SearchAllOptions = {},
  ): AsyncGenerator<TrademarkDetail, SearchWalk, void> {
    const { itemsMax: asked, ...callOptions } = options;
    const itemsMax = checkInteger('itemsMax', asked ?? SEARCH_ALL_ITEMS_DEFAULT, 1, Number.MAX_SAFE_INTEGER);
    const pageMax = parameters.expand === 'payload' ? SEARCH_PAGE_EXPANDED_MAX : SEARCH_PAGE_MAX;
    const limitMax = parameters.limit ?? pageMax;
    let cursor = parameters.cursor;
    let items = 0;
    while (items < itemsMax) {
      const limit = Math.min(limitMax, itemsMax - items);
      const page = await this.search({ ...parameters, cursor, limit }, callOptions);
      for (const item of page.items.slice(0, itemsMax - items)) {
        items += 1;
        yield item;
      }
      if (page.next_cursor === null) return { items, next_cursor: null };
      if (page.next_cursor === cursor || page.items.length === 0) {
        throw new TrademarkProtocolError('a page did not move the cursor on', page.meta.requestId);
      }
      cursor = page.next_cursor;
    }
    return { items, next_cursor: cursor ?? null };
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
  ): Promise<Answer<TrademarkDetail>> {
    return this.#call(buildPath(jurisdictionCode, 'trademarks', uid), parameters, options);
  }

  /**
   * One page of the change feed: GET /v1/changes, or /v1/{jurisdiction_code}/changes. One unit. Save `next_cursor` in
   * the same transaction as the items and send it back with the same `since`; an empty page has none: keep yours and
   * ask again later. `meta.changeHorizon` says up to which instant you then are complete.
   */
  changes(parameters: ChangesParameters, options: CallOptions = {}): Promise<Answer<ChangesPage>> {
    const { jurisdiction_code, ...query } = parameters;
    return this.#call(buildPath(jurisdiction_code, 'changes'), query, options);
  }

  /** The registers served, with record counts: GET /v1/jurisdictions. One unit. */
  jurisdictions(options: CallOptions = {}): Promise<Answer<JurisdictionsPage>> {
    return this.#call(buildPath(undefined, 'jurisdictions'), {}, options);
  }

  /** This key's consumption in the current month, this call included: GET /v1/usage. One unit. */
  usage(options: CallOptions = {}): Promise<Answer<UsageReport>> {
    return this.#call(buildPath(undefined, 'usage'), {}, options);
  }

  /**
   * Count and digest of every register's records at a feed position: GET /v1/digests. One unit.
   *
   * @param asOf an instant the feed was complete up to (`meta.changeHorizon` of an empty page)
   * @throws TrademarkApiError `not_found` when the service offers no digests, `unavailable` while a large load runs
   */
  digests(asOf: string, options: CallOptions = {}): Promise<Answer<DigestsPage>> {
    return this.#call(buildPath(undefined, 'digests'), { as_of: asOf }, options);
  }

  /** The same by bucket of one register: GET /v1/{jurisdiction_code}/digests. One unit. */
  registerDigests(
    jurisdictionCode: string,
    asOf: string,
    options: CallOptions = {},
  ): Promise<Answer<RegisterDigestsPage>> {
    return this.#call(buildPath(jurisdictionCode, 'digests'), { as_of: asOf }, options);
  }

  /** The same by record of one bucket, a page: GET /v1/{jurisdiction_code}/digests/{bucket}. One unit. */
  bucketDigests(
    jurisdictionCode: string,
    bucket: number,
    asOf: string,
    cursor?: string,
    options: CallOptions = {},
  ): Promise<Answer<BucketDigestsPage>> {
    return this.#call(buildPath(jurisdictionCode, 'digests', String(bucket)), { as_of: asOf, cursor }, options);
  }

  #call<Body extends object>(path: string, query: object, options: CallOptions): Promise<Answer<Body>> {
    return callService<Body>(this.#config, path + encodeQuery({ ...query }), options);
  }
}
