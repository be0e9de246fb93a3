/**
 * The walk over an export: pages of a search in one stream. A page counts once its position has arrived, so after any
 * end of a stream the walk continues without loss or repetition. Every wait is bounded: at most `maxRetries` attempts in
 * a row without a page, and `timeoutMs` between two pieces.
 */
import { ERRORS } from '@tmds/contract/errors';
import { type ExportField, type ExportPosition, isExportPosition } from '@tmds/contract/export';
import type { TrademarkDetail } from '@tmds/contract/record';
import { decodeCoverage, type SearchCoverage } from '@tmds/contract/search-coverage';
import { type CallOptions, type ClientConfig, checkInteger, type FetchAnswer, RETRIES_MAX } from './config.ts';
import { type Bounded, readPieces, streamOnce } from './download.ts';
import { TrademarkApiError, TrademarkConnectionError, TrademarkProtocolError } from './errors.ts';
import { encodeQuery } from './query.ts';
import { planRetry } from './retry.ts';

export type { ExportField };

/** A record with the fields that were chosen. */
export type ExportedRecord<Field extends ExportField> = Pick<TrademarkDetail, Field>;

export interface ExportPage<Field extends ExportField> {
  readonly items: readonly ExportedRecord<Field>[];
  /** Continues the export after this page; null after the last one. */
  readonly next_cursor: string | null;
}

/** How an export ended. */
export interface ExportEnd {
  readonly items: number;
}

/** A line that is neither whole nor ended after this many characters is not the service's. */
const LINE_CHARACTERS_MAX = 50_000_000;

/** A walk over an export, by record or by page. It can be used once. */
export class ExportWalk<Field extends ExportField = ExportField> {
  /** The position after the last page that was consumed completely; null before it, and after the end. */
  cursor: string | null;
  /** How complete the registers are; null before the first page, and if the service does not say. */
  coverage: SearchCoverage | null = null;
  readonly #config: ClientConfig;
  readonly #parameters: Readonly<Record<string, unknown>>;
  readonly #options: CallOptions;

  constructor(
    config: ClientConfig,
    {
      cursor = null,
      ...parameters
    }: Readonly<Record<string, unknown>> & { readonly cursor?: string | null | undefined },
    options: CallOptions,
  ) {
    this.#config = config;
    this.cursor = cursor;
    this.#parameters = { ...parameters, format: 'ndjson' };
    this.#options = options;
  }

  /** Whole pages; `cursor` advances when you request the next one. Returns how the export ended. */
  async *pages(): AsyncGenerator<ExportPage<Field>, ExportEnd, void> {
    const { signal } = this.#options;
    const maxRetries = checkInteger('maxRetries', this.#options.maxRetries ?? this.#config.maxRetries, 0, RETRIES_MAX);
    let items = 0;
    for (let failures = 0; ; ) {
      signal?.throwIfAborted();
      try {
        for await (const page of this.#stream(failures + 1)) {
          failures = 0;
          items += page.items.length;
          yield page;
          this.cursor = page.next_cursor;
          if (page.next_cursor === null) return { items };
        }
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        failures += 1;
        const waitMs = planRetry(error, failures, maxRetries, this.#config.random());
        if (waitMs === null) throw error;
        await this.#config.clock.sleep(waitMs, signal);
      }
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ExportedRecord<Field>, ExportEnd, void> {
    const pages = this.pages();
    let step = await pages.next();
    for (; !step.done; step = await pages.next()) yield* step.value.items;
    return step.value;
  }

  /** Collects every record. */
  async toArray(): Promise<ExportedRecord<Field>[]> {
    const records: ExportedRecord<Field>[] = [];
    for await (const record of this) records.push(record);
    return records;
  }

  #stream(number: number): AsyncGenerator<ExportPage<Field>, void, void> {
    const target = `/v1/export${encodeQuery({ ...this.#parameters, cursor: this.cursor })}`;
    const call = { target, number, headers: { accept: 'application/x-ndjson' } };
    return streamOnce(this.#config, call, this.#options, (answer, bounded) => this.#read(answer, bounded));
  }

  /** The pages of one stream. It may end after any of them. */
  async *#read(answer: FetchAnswer, bounded: Bounded): AsyncGenerator<ExportPage<Field>, void, void> {
    this.coverage = decodeCoverage(answer.headers.get('coverage'));
    const requestId = answer.headers.get('x-request-id');
    let items: ExportedRecord<Field>[] = [];
    let isPositioned = false;
    for await (const line of readLines(answer, bounded)) {
      const value = parseLine(line, requestId);
      isPositioned = isExportPosition(value);
      if (!isExportPosition(value)) {
        items.push(value as ExportedRecord<Field>);
        continue;
      }
      if (value.error !== undefined) throw readError(value.error, requestId);
      const isStill = value.next_cursor !== null && (value.next_cursor === this.cursor || items.length === 0);
      if (isStill) throw new TrademarkProtocolError('a page did not advance the cursor', requestId);
      yield { items, next_cursor: value.next_cursor };
      items = [];
    }
    if (!isPositioned) throw new TrademarkConnectionError('the export was cut short', requestId);
  }
}

function parseLine(line: string, requestId: string | null): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Below.
  }
  throw new TrademarkConnectionError('the export was cut short or is not NDJSON', requestId);
}

function readError(error: NonNullable<ExportPosition['error']>, requestId: string | null): TrademarkApiError {
  const { code, message, param = null, retry_after: seconds } = error;
  return new TrademarkApiError({
    // The status of a page that failed: the stream itself was answered with success.
    status: Object.hasOwn(ERRORS, code) ? ERRORS[code].status : 200,
    code,
    message,
    param,
    detail: [],
    requestId,
    headers: {},
    coverage: null,
    retryAfterMs: seconds === undefined ? null : seconds * 1000,
  });
}

/** Lines without their ends; a last one that is not ended is left out. */
async function* readLines(answer: FetchAnswer, bounded: Bounded): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of readPieces(answer, bounded)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop()!;
    if (rest.length > LINE_CHARACTERS_MAX) throw new TrademarkProtocolError('a line of an export has no end', null);
    yield* lines;
  }
}
