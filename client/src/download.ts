/**
 * Answers that are read in pieces as they arrive, and downloads of files by them. A broken download continues with a
 * `Range` from where it stopped. Every wait is bounded: at most `maxRetries` attempts in a row without any data, and
 * `timeoutMs` between two pieces.
 */
import type { CallOptions, ClientConfig, FetchAnswer } from './config.ts';
import { checkInteger, RETRIES_MAX, TIMEOUT_MAX_MS } from './config.ts';
import { TrademarkConnectionError, TrademarkProtocolError, TrademarkTimeoutError } from './errors.ts';
import { planRetry } from './retry.ts';
import { buildHeaders, describeFault, endedBy, readFailure } from './transport.ts';

export interface DownloadOptions extends CallOptions {
  /** How many bytes of the file to leave out, because you have them. Default 0. */
  start?: number | undefined;
}

/**
 * @throws TrademarkError, or the reason of `options.signal` when that ended the download
 */
export async function* downloadFile(
  config: ClientConfig,
  target: string,
  options: DownloadOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const maxRetries = checkInteger('maxRetries', options.maxRetries ?? config.maxRetries, 0, RETRIES_MAX);
  let start = checkInteger('start', options.start ?? 0, 0, Number.MAX_SAFE_INTEGER);
  for (let failures = 0; ; ) {
    options.signal?.throwIfAborted();
    try {
      for await (const piece of attempt(config, target, start, failures + 1, options)) {
        start += piece.length;
        failures = 0;
        yield piece;
      }
      return;
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      failures += 1;
      const waitMs = planRetry(error, failures, maxRetries, config.random());
      if (waitMs === null) throw error;
      await config.clock.sleep(waitMs, options.signal);
    }
  }
}

async function* attempt(
  config: ClientConfig,
  target: string,
  start: number,
  number: number,
  options: DownloadOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const range = start > 0 ? { range: `bytes=${start}-` } : {};
  const headers = { accept: '*/*', 'accept-encoding': 'identity', ...range };
  yield* streamOnce(config, { target, number, headers }, options, (answer, bounded) =>
    readBody(answer, start, bounded),
  );
}

/** One attempt of a call whose answer is read as it arrives. */
export interface StreamedCall {
  readonly target: string;
  /** Of the attempt, from 1. */
  readonly number: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Waits for a part of an answer, at most for the time limit of an attempt. */
export type Bounded = <Result>(work: Promise<Result>) => Promise<Result>;

/** @throws TrademarkError, or the reason of `options.signal` when that ended the attempt */
export async function* streamOnce<Part>(
  config: ClientConfig,
  { target, number, headers: own }: StreamedCall,
  options: CallOptions,
  read: (answer: FetchAnswer, bounded: Bounded) => AsyncGenerator<Part, void, void>,
): AsyncGenerator<Part, void, void> {
  const timeoutMs = checkInteger('timeoutMs', options.timeoutMs ?? config.timeoutMs, 1, TIMEOUT_MAX_MS);
  const url = config.baseUrl + target;
  const ending = new AbortController();
  const onAbort = (): void => ending.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const bounded: Bounded = (work) => withinTime(config, timeoutMs, ending, work);
  const startMs = config.clock.monotonicMs();
  let answer: FetchAnswer | null = null;
  const report = (error: unknown): void => {
    const durationMs = config.clock.monotonicMs() - startMs;
    const requestId = answer?.headers.get('x-request-id') ?? null;
    config.onResponse?.({ url, attempt: number, durationMs, status: answer?.status ?? null, requestId, error });
  };
  const headers = { ...buildHeaders(config, options), ...own };
  config.onRequest?.({ url, attempt: number, headers });
  try {
    const init = { method: 'GET', signal: ending.signal, redirect: 'manual' } as const;
    answer = await bounded(config.fetch(url, { ...init, headers: { ...headers, 'x-api-key': config.apiKey } }));
    if (answer.status !== 200 && answer.status !== 206) {
      throw readFailure({ answer, text: await bounded(answer.text()) }, config.clock.nowMs());
    }
    yield* read(answer, bounded);
    report(null);
  } catch (error) {
    const failure = explain(error, ending.signal);
    report(failure);
    throw failure;
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
    ending.abort();
  }
}

/** The bytes from `start` on, whether the service sent them alone or the whole file. */
async function* readBody(answer: FetchAnswer, start: number, bounded: Bounded): AsyncGenerator<Uint8Array, void, void> {
  const requestId = answer.headers.get('x-request-id');
  if (answer.status === 206 && !(answer.headers.get('content-range') ?? '').startsWith(`bytes ${start}-`)) {
    throw new TrademarkProtocolError('a part of a file is not the one that was asked for', requestId);
  }
  const length = answer.headers.get('content-length');
  let missing = length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
  let skipped = answer.status === 206 ? 0 : start;
  for await (const value of readPieces(answer, bounded)) {
    if (missing !== null) missing -= value.length;
    const left = Math.min(skipped, value.length);
    skipped -= left;
    if (left < value.length) yield value.subarray(left);
  }
  if (missing !== null && missing !== 0) throw new TrademarkConnectionError('the file was cut short', requestId);
}

/** The bytes of an answer as they arrive. */
export async function* readPieces(answer: FetchAnswer, bounded: Bounded): AsyncGenerator<Uint8Array, void, void> {
  if (!answer.body) throw new TypeError('fetch must give the body of an answer as a stream, for downloads');
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await bounded(reader.read());
    if (done || value === undefined) return;
    yield value;
  }
}

/** Ends the attempt when `work` takes too long. */
async function withinTime<Result>(
  config: ClientConfig,
  timeoutMs: number,
  ending: AbortController,
  work: Promise<Result>,
): Promise<Result> {
  const settled = new AbortController();
  config.clock.sleep(timeoutMs, settled.signal).then(
    () => ending.abort(new TrademarkTimeoutError(`nothing arrived within ${timeoutMs} ms`, null)),
    () => undefined,
  );
  try {
    return await endedBy(ending.signal, work);
  } finally {
    settled.abort();
  }
}

function explain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof TypeError && error.cause === undefined && error.message.startsWith('fetch must')) return error;
  if (error instanceof Error && 'requestId' in error) return error;
  return new TrademarkConnectionError(`the download broke off: ${describeFault(error)}`, null, { cause: error });
}
