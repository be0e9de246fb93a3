/** The calls about webhooks, which are those of the portal, one method each. */
import type {
  WebhookDeliveriesPage,
  WebhookDelivery,
  WebhookInfo,
  WebhookInput,
  WebhookSecretInput,
  WebhooksPage,
  WebhookWithSecret,
} from '@tmds/contract/webhooks';
import type { CallOptions, ClientConfig } from './config.ts';
import { buildPath, encodeQuery, type WebhookDeliveriesParameters, type WebhooksParameters } from './query.ts';
import { type Call, callService, type Sent } from './transport.ts';

export class WebhooksClient {
  readonly #config: ClientConfig;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  /** One page, in the order of the ids: GET /v1/webhooks. One unit. */
  list(parameters: WebhooksParameters = {}, options: CallOptions = {}): Call<WebhooksPage> {
    return this.#call([], options, undefined, parameters);
  }

  /** Without its secret: GET /v1/webhooks/{webhook}. One unit. */
  get(id: string, options: CallOptions = {}): Call<WebhookInfo> {
    return this.#call([id], options);
  }

  /**
   * Adds a webhook, changes it, or switches it on or off: PUT /v1/webhooks/{webhook}. One unit. `secret` is in the
   * answer that adds it, and never shown again. If it is null although the webhook is new, because an earlier answer
   * was lost, call `renewSecret`.
   *
   * @param id yours to choose: up to 64 letters, digits, dots, underscores and hyphens
   * @throws TrademarkApiError `invalid_parameter`, also when the address is not of the public internet
   */
  put(id: string, webhook: WebhookInput, options: CallOptions = {}): Call<WebhookWithSecret> {
    return this.#call([id], options, { method: 'PUT', body: JSON.stringify(webhook) });
  }

  /**
   * With what waits for it: DELETE /v1/webhooks/{webhook}. One unit.
   *
   * @throws TrademarkApiError `not_found` when it is gone
   */
  delete(id: string, options: CallOptions = {}): Call<WebhookInfo> {
    return this.#call([id], options, { method: 'DELETE' });
  }

  /** Its messages, newest first, with how each ended: GET /v1/webhooks/{webhook}/deliveries. One unit a page. */
  deliveries(
    id: string,
    parameters: WebhookDeliveriesParameters = {},
    options: CallOptions = {},
  ): Call<WebhookDeliveriesPage> {
    return this.#call([id, 'deliveries'], options, undefined, parameters);
  }

  /**
   * Makes a new secret, which this answer alone shows: PUT /v1/webhooks/{webhook}/secret. One unit. With
   * `grace_seconds`, the secret that your receiver has signs too for that long, also if the call is retried.
   */
  renewSecret(id: string, renewal: WebhookSecretInput = {}, options: CallOptions = {}): Call<WebhookWithSecret> {
    return this.#call([id, 'secret'], options, { method: 'PUT', body: JSON.stringify(renewal) });
  }

  /**
   * Has a test event sent: PUT /v1/webhooks/{webhook}/test. One unit. `deliveries` shows how it ended.
   *
   * @throws TrademarkApiError `rate_limited` after five in ten minutes
   */
  test(id: string, options: CallOptions = {}): Call<WebhookDelivery> {
    return this.#call([id, 'test'], options, { method: 'PUT' });
  }

  #call<Body extends object>(
    segments: readonly string[],
    options: CallOptions,
    sent?: Sent,
    query: WebhooksParameters = {},
  ): Call<Body> {
    const target = buildPath(undefined, 'webhooks', ...segments) + encodeQuery({ ...query });
    return callService<Body>(this.#config, target, options, sent);
  }
}
