/** The calls that take or return many records at once, of several registers. */
import type { IdentitiesPage, NumbersPage } from '@tmds/contract/asked';
import type { CallOptions, ClientConfig } from './config.ts';
import { type ExportField, ExportWalk } from './export.ts';
import {
  buildPath,
  type ExportParameters,
  encodeQuery,
  type NumbersOfRegistersParameters,
  type RecordIdentity,
  writeIdentities,
  writeNumbers,
} from './query.ts';
import { type Call, callService } from './transport.ts';

export class ManyClient {
  readonly #config: ClientConfig;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  /**
   * Many records of several registers by their numbers, one page: GET /v1/numbers. One unit. `asked` has every number
   * with the places of its records in `items`. Up to 500 of them, and about 16 KB as sent.
   *
   * @throws TrademarkApiError `invalid_parameter` for a text without digits or without a register
   */
  findNumbers(parameters: NumbersOfRegistersParameters, options: CallOptions = {}): Call<NumbersPage> {
    const { numbers, ...query } = parameters;
    const listed = encodeQuery({ numbers: writeNumbers(numbers), ...query });
    return callService(this.#config, buildPath(undefined, 'numbers') + listed, options);
  }

  /**
   * Many records of several registers by their identities: GET /v1/identities. One unit. `asked` has every identity
   * with the place of its record in `items`, or null. Up to 500 of them, and about 16 KB as sent.
   */
  findIdentities(identities: readonly RecordIdentity[], options: CallOptions = {}): Call<IdentitiesPage> {
    const listed = encodeQuery({ identities: writeIdentities(identities) });
    return callService(this.#config, buildPath(undefined, 'identities') + listed, options);
  }

  /**
   * Every record of a search in one stream: GET /v1/export. One unit for each 500 records, which are a page. The walk
   * continues on its own after a cut, or when the service ends the stream; its `cursor` is the position after the last
   * page that you consumed completely.
   */
  export<Field extends ExportField = ExportField>(
    parameters: ExportParameters<Field>,
    options: CallOptions = {},
  ): ExportWalk<Field> {
    return new ExportWalk<Field>(this.#config, { ...parameters }, options);
  }
}
