/** The calls of the product `analytics`, one method each: names that are alike, and dates. */
import type { DateRulesPage, DuePage, RecordDates } from '@tmds/contract/dates';
import type { SimilarPage } from '@tmds/contract/likeness';
import type { CallOptions, ClientConfig } from './config.ts';
import { buildPath, type DueParameters, encodeQuery, type SimilarParameters } from './query.ts';
import { type Call, callService } from './transport.ts';

export class AnalyticsClient {
  readonly #config: ClientConfig;

  constructor(config: ClientConfig) {
    this.#config = { ...config, baseUrl: config.analyticsUrl };
  }

  /**
   * Marks whose names are alike, with what makes them so. One unit of the product.
   *
   * @throws TrademarkApiError `product_not_enabled`, `query_timeout`, …
   */
  similar(parameters: SimilarParameters, options: CallOptions = {}): Call<SimilarPage> {
    return callService(this.#config, buildPath(undefined, 'similar') + encodeQuery({ ...parameters }), options);
  }

  /**
   * The dates of one record: what its office states, what follows from the law, and whether they agree. One unit of the
   * product.
   *
   * @throws TrademarkApiError `not_found`, `product_not_enabled`
   */
  dates(jurisdictionCode: string, uid: string, options: CallOptions = {}): Call<RecordDates> {
    return callService(this.#config, buildPath(jurisdictionCode, 'trademarks', uid, 'dates'), options);
  }

  /**
   * What is due between two days for the records that the filters match, one page. One unit of the product.
   *
   * @throws TrademarkApiError `query_too_broad` when the filters match more than 2,000 records, `product_not_enabled`
   */
  dueDates(parameters: DueParameters, options: CallOptions = {}): Call<DuePage> {
    return callService(this.#config, buildPath(undefined, 'dates') + encodeQuery({ ...parameters }), options);
  }

  /** The rules from which dates follow. One unit of the product. */
  rules(options: CallOptions = {}): Call<DateRulesPage> {
    return callService(this.#config, buildPath(undefined, 'rules'), options);
  }
}
