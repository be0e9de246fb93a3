/**
 * The calls of the Record API, one method each. Results have the fields of the API (snake_case, dates and instants as
 * text), so the service's documentation describes them too.
 */

import type { CoverageReport } from '@tmds/contract/coverage';
import type { WatchDiagnosis } from '@tmds/contract/diagnosis';
import type { BucketDigestsPage, DigestsPage, RegisterDigestsPage } from '@tmds/contract/digests';
import type { HistoryPage } from '@tmds/contract/history';
import {
  HISTORY_PAGE_MAX,
  RECORD_HISTORY_PAGE_MAX,
  SEARCH_PAGE_EXPANDED_MAX,
  SEARCH_PAGE_MAX,
} from '@tmds/contract/limits';
import { tidyNumber } from '@tmds/contract/numbers';
import type { ChangesPage, JurisdictionsPage, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import type { DeltasPage, SnapshotsPage } from '@tmds/contract/snapshots';
import type { Health, UsageReport } from '@tmds/contract/usage';
import {
  HITS_PAGE_MAX,
  type WatchDetail,
  type WatchesPage,
  type WatchHitItem,
  type WatchHitsPage,
  type WatchInput,
  type WatchSummary,
} from '@tmds/contract/watches';
import { AnalyticsClient } from './analytics.ts';
import { type MatchedCount, SEARCH_ALL_ITEMS_DEFAULT, type SearchAllOptions } from './calls.ts';
import { type CallOptions, type ClientConfig, type ClientOptions, checkInteger, readClientConfig } from './config.ts';
import { type DownloadOptions, downloadFile } from './download.ts';
import { TrademarkProtocolError } from './errors.ts';
import { ManyClient } from './many.ts';
import {
  buildPath,
  type ChangesParameters,
  type DeltasParameters,
  type DiagnosisParameters,
  encodeQuery,
  type GetParameters,
  type HistoryParameters,
  type HitsParameters,
  type NumbersParameters,
  type RecordHistoryParameters,
  type SearchParameters,
  type WatchesParameters,
} from './query.ts';
import { type Call, callService, type Sent } from './transport.ts';
import { ChangesWalk, HistoryWalk, SearchWalk } from './walks.ts';
import { WebhooksClient } from './webhooks.ts';

export class TrademarkClient {
  /** The calls of the product `analytics`. */
  readonly analytics: AnalyticsClient;
  /** Many records in one call, of several registers. */
  readonly many: ManyClient;
  /** Where the service sends messages. */
  readonly webhooks: WebhooksClient;
  readonly #config: ClientConfig;

  /** @throws TypeError when a setting is missing or invalid */
  constructor(options: ClientOptions = {}) {
    this.#config = readClientConfig(options);
    this.analytics = new AnalyticsClient(this.#config);
    this.many = new ManyClient(this.#config);
    this.webhooks = new WebhooksClient(this.#config);
  }

  /** The address of the service. */
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
   * The records of a search, at most `itemsMax`; each page is fetched when it is needed. One unit a page; `limit` is
   * the page size, by default the maximum. `pages()` iterates over whole pages, `toArray()` collects the records. With
   * `count: 'capped'`, the walk has a `matchedCount` after the first page.
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

  /** Counts the records that a search matches, up to 10,000. One unit. */
  async count(parameters: SearchParameters, options: CallOptions = {}): Promise<MatchedCount> {
    const page = await this.search({ ...parameters, cursor: null, limit: 1, count: 'capped' }, options);
    const { matched_count, matched_count_capped } = page;
    if (matched_count === undefined || matched_count_capped === undefined) {
      throw new TrademarkProtocolError('a page requested with count=capped has no count', page.meta.requestId);
    }
    return { matched_count, matched_count_capped };
  }

  /**
   * Many records of a register by their numbers, one page: GET /v1/{jurisdiction_code}/numbers. One unit. Numbers may
   * be written in any usual form; commas in them are left out. Up to 500 of them, and about 16 KB as sent.
   *
   * @throws TrademarkApiError `not_found` when there is no such register, `invalid_parameter` for a text without digits
   */
  findNumbers(parameters: NumbersParameters, options: CallOptions = {}): Call<SearchPage> {
    const { jurisdiction_code, numbers, ...query } = parameters;
    const listed = typeof numbers === 'string' ? numbers : numbers.map(tidyNumber);
    return this.#call(buildPath(jurisdiction_code, 'numbers'), { numbers: listed, ...query }, options);
  }

  /**
   * One record by its identity: GET /v1/{jurisdiction_code}/trademarks/{uid}. One unit, even for `not_found`.
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
   * the same transaction as the items and send it back with the same `since`. An empty page has no cursor: keep yours
   * and try again later. You are then complete up to `meta.changeHorizon`.
   */
  changes(parameters: ChangesParameters, options: CallOptions = {}): Call<ChangesPage> {
    const { jurisdiction_code, ...query } = parameters;
    return this.#call(buildPath(jurisdiction_code, 'changes'), query, options);
  }

  /**
   * Every change up to the end of the feed; each page is fetched when it is needed. The walk's `cursor` is the position
   * after the last page that you consumed completely: save it with the records. One unit a page.
   */
  changesAll(parameters: ChangesParameters, options: CallOptions = {}): ChangesWalk {
    const fetchPage = (cursor: string | null) => this.changes({ ...parameters, cursor }, options);
    return new ChangesWalk(fetchPage, parameters.cursor ?? null);
  }

  /**
   * One page of the events of all records: GET /v1/history, or /v1/{jurisdiction_code}/history. One unit. With filters,
   * a page may be empty and still have a cursor: continue from there. Only a page without one means that nothing is
   * left.
   */
  history(parameters: HistoryParameters, options: CallOptions = {}): Call<HistoryPage> {
    const { jurisdiction_code, ...query } = parameters;
    return this.#call(buildPath(jurisdiction_code, 'history'), query, options);
  }

  /** Every event up to the end of the history, as `changesAll` walks the change feed. One unit a page. */
  historyAll(parameters: HistoryParameters, options: CallOptions = {}): HistoryWalk {
    const page = { limit: HISTORY_PAGE_MAX, ...parameters };
    const fetchPage = (cursor: string | null) => this.history({ ...page, cursor }, options);
    return new HistoryWalk(fetchPage, parameters.cursor ?? null);
  }

  /** One page of a record's events, newest first: GET /v1/{jurisdiction_code}/trademarks/{uid}/history. One unit. */
  recordHistory(
    jurisdictionCode: string,
    uid: string,
    parameters: RecordHistoryParameters = {},
    options: CallOptions = {},
  ): Call<HistoryPage> {
    return this.#call(buildPath(jurisdictionCode, 'trademarks', uid, 'history'), parameters, options);
  }

  /** Every event of a record, newest first; each page is fetched when it is needed. One unit a page. */
  recordHistoryAll(
    jurisdictionCode: string,
    uid: string,
    parameters: RecordHistoryParameters = {},
    options: CallOptions = {},
  ): HistoryWalk {
    const page = { limit: RECORD_HISTORY_PAGE_MAX, ...parameters };
    const fetchPage = (cursor: string | null) =>
      this.recordHistory(jurisdictionCode, uid, { ...page, cursor }, options);
    return new HistoryWalk(fetchPage, parameters.cursor ?? null);
  }

  /** A record as it was: GET /v1/{jurisdiction_code}/trademarks/{uid}/history/{version}, its stamp. One unit. */
  recordVersion(
    jurisdictionCode: string,
    uid: string,
    version: string,
    parameters: GetParameters = {},
    options: CallOptions = {},
  ): Call<TrademarkDetail> {
    return this.#call(buildPath(jurisdictionCode, 'trademarks', uid, 'history', version), parameters, options);
  }

  /** One page of your watches, in the order of their ids: GET /v1/watches. One unit. */
  watches(parameters: WatchesParameters = {}, options: CallOptions = {}): Call<WatchesPage> {
    return this.#call(buildPath(undefined, 'watches'), parameters, options);
  }

  /** A watch with all that it lists, and how many records match now: GET /v1/watches/{watch}. One unit. */
  watch(id: string, options: CallOptions = {}): Call<WatchDetail> {
    return this.#call(buildPath(undefined, 'watches', id), {}, options);
  }

  /**
   * Creates a watch, changes it, or makes it live again: PUT /v1/watches/{watch}. One unit. Sending the same again
   * changes nothing, so it is retried like any call.
   *
   * @param id yours to choose: up to 64 letters, digits, dots, underscores and hyphens
   * @throws TrademarkApiError `invalid_parameter`, or the error that a search with these filters would get
   */
  putWatch(id: string, watch: WatchInput, options: CallOptions = {}): Call<WatchSummary> {
    const sent = { method: 'PUT', body: JSON.stringify(watch) } as const;
    return this.#call(buildPath(undefined, 'watches', id), {}, options, sent);
  }

  /** Ends a watch; its hits stay: DELETE /v1/watches/{watch}. One unit. Ending it again changes nothing. */
  deleteWatch(id: string, options: CallOptions = {}): Call<WatchSummary> {
    return this.#call(buildPath(undefined, 'watches', id), {}, options, { method: 'DELETE' });
  }

  /**
   * One page of a watch's hits: GET /v1/watches/{watch}/hits. One unit. Save `next_cursor` as for `changes`. An empty
   * page has no cursor: keep yours and try again later. You are then complete up to `meta.changeHorizon`.
   */
  hits(id: string, parameters: HitsParameters, options: CallOptions = {}): Call<WatchHitsPage> {
    return this.#call(buildPath(undefined, 'watches', id, 'hits'), parameters, options);
  }

  /**
   * Every hit up to the end; each page is fetched when it is needed. As for `changesAll`, the walk's `cursor` is the
   * position after the last page that you consumed completely. One unit a page.
   */
  hitsAll(id: string, parameters: HitsParameters, options: CallOptions = {}): HistoryWalk<WatchHitItem> {
    const limit = parameters.limit ?? HITS_PAGE_MAX;
    const fetchPage = (cursor: string | null) => this.hits(id, { ...parameters, limit, cursor }, options);
    return new HistoryWalk(fetchPage, parameters.cursor ?? null);
  }

  /**
   * Why a record did or did not hit a watch: GET /v1/watches/{watch}/diagnosis. One unit. It says for each thing that
   * the watch asks for whether the record satisfies it and since when, and which of its latest changes hit.
   */
  diagnose(id: string, record: DiagnosisParameters, options: CallOptions = {}): Call<WatchDiagnosis> {
    return this.#call(buildPath(undefined, 'watches', id, 'diagnosis'), record, options);
  }

  /** The registers and their record counts: GET /v1/jurisdictions. One unit. */
  jurisdictions(options: CallOptions = {}): Call<JurisdictionsPage> {
    return this.#call(buildPath(undefined, 'jurisdictions'), {}, options);
  }

  /**
   * What can be concluded when a register reports no change: GET /v1/jurisdictions/{jurisdiction_code}/coverage. One
   * unit, even for `not_found`.
   *
   * @throws TrademarkApiError `not_found` when there is no such register
   */
  coverage(jurisdictionCode: string, options: CallOptions = {}): Call<CoverageReport> {
    return this.#call(buildPath(undefined, 'jurisdictions', jurisdictionCode, 'coverage'), {}, options);
  }

  /** The usage of this key in the current month, including this call: GET /v1/usage. One unit. */
  usage(options: CallOptions = {}): Call<UsageReport> {
    return this.#call(buildPath(undefined, 'usage'), {}, options);
  }

  /**
   * Count and digest of every register's records at a feed position: GET /v1/digests. One unit.
   *
   * @param asOf an instant up to which the feed was complete (`meta.changeHorizon` of an empty page)
   * @throws TrademarkApiError `not_found` when the service offers no digests, `unavailable` while a large load runs
   */
  digests(asOf: string, options: CallOptions = {}): Call<DigestsPage> {
    return this.#call(buildPath(undefined, 'digests'), { as_of: asOf }, options);
  }

  /** Count and digest of each bucket of a register: GET /v1/{jurisdiction_code}/digests. One unit. */
  registerDigests(jurisdictionCode: string, asOf: string, options: CallOptions = {}): Call<RegisterDigestsPage> {
    return this.#call(buildPath(jurisdictionCode, 'digests'), { as_of: asOf }, options);
  }

  /** The digests of the records of a bucket, one page: GET /v1/{jurisdiction_code}/digests/{bucket}. One unit. */
  bucketDigests(
    jurisdictionCode: string,
    bucket: number,
    asOf: string,
    cursor?: string | null,
    options: CallOptions = {},
  ): Call<BucketDigestsPage> {
    return this.#call(buildPath(jurisdictionCode, 'digests', String(bucket)), { as_of: asOf, cursor }, options);
  }

  /** The snapshots of the registers as files, the newest first, or none: GET /v1/snapshots. One unit. */
  snapshots(options: CallOptions = {}): Call<SnapshotsPage> {
    return this.#call(buildPath(undefined, 'snapshots'), {}, options);
  }

  /**
   * What changed between snapshots, as files, in the order in which they are applied: GET /v1/snapshots/deltas. One
   * unit.
   */
  deltas(parameters: DeltasParameters = {}, options: CallOptions = {}): Call<DeltasPage> {
    return this.#call(buildPath(undefined, 'snapshots', 'deltas'), { ...parameters }, options);
  }

  /**
   * The bytes of a file of a snapshot or delta as they arrive: GET /v1/snapshots/{snapshot_id}/{file}. A broken
   * download continues where it stopped. One unit for each attempt. Compare the SHA-256 with the manifest's.
   *
   * @throws TrademarkApiError `not_found` when the snapshot has been replaced by a newer one
   */
  snapshotFile(
    snapshotId: string,
    name: string,
    options: DownloadOptions = {},
  ): AsyncGenerator<Uint8Array, void, void> {
    return downloadFile(this.#config, buildPath(undefined, 'snapshots', snapshotId, name), options);
  }

  /** Whether the service can answer: GET /v1/health. Free, with a single attempt unless you pass `maxRetries`. */
  health(options: CallOptions = {}): Call<Health> {
    return this.#call(buildPath(undefined, 'health'), {}, { maxRetries: 0, ...options });
  }

  /**
   * GET of any path below `baseUrl`, such as `/v1/trademarks`, for endpoints that have no method here yet.
   *
   * @throws TypeError when the path does not start with a single `/`, or has a query or fragment
   */
  request<Body extends object = Record<string, unknown>>(
    path: string,
    query: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Call<Body> {
    const segments = path.split('/');
    if (!/^\/[^/]/.test(path) || /[?#\\\s]/.test(path) || segments.includes('..') || segments.includes('.')) {
      throw new TypeError('path must start with a single / and have no query, fragment or dot segment');
    }
    return this.#call(path, query, options);
  }

  #call<Body extends object>(path: string, query: object, options: CallOptions, sent?: Sent): Call<Body> {
    return callService<Body>(this.#config, path + encodeQuery({ ...query }), options, sent);
  }
}
