/** The calls of the product `analytics`, one method each: dates that offices state and that follow from the law. */
import type { DateRulesPage, DuePage, RecordDates } from '@tmds/contract/dates';
import { ANALYTICS_ROOT } from '@tmds/contract/extras';
import type { CallOptions, ClientConfig } from './config.ts';
import { buildPath, type DueParameters, encodeQuery } from './query.ts';
import { type Call, callService } from './transport.ts';

export class AnalyticsClient {
  readonly #config: ClientConfig;

  constructor(config: ClientConfig) {
    this.#config = { ...config, baseUrl: findAnalyticsUrl(config.baseUrl) };
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

/** The address of a product is the service's with the product's path, such as `/records` or `/analytics`. */
function findAnalyticsUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  const above = url.pathname.replace(/\/[^/]*\/?$/, '');
  return `${url.origin}${above}${ANALYTICS_ROOT}`;
}
