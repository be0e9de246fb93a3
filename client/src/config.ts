/**
 * The client's settings: options, then the environment, which only this file reads. An invalid setting throws a
 * `TypeError` before any call, without repeating the key.
 */
import { type Clock, systemClock } from './clock.ts';

/** The part of `fetch` that the client uses; the global `fetch` matches it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export interface FetchInit {
  method: 'GET' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  /** JSON; only with PUT. */
  body?: string;
  signal: AbortSignal;
  redirect: 'manual';
}

export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** The bytes of the answer as they arrive; only downloads of files need it. */
  readonly body?: FetchBody | null | undefined;
}

/** The part of a `ReadableStream` that the client uses. */
export interface FetchBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

export interface ClientOptions {
  /** Default: the environment variable `TMDS_API_KEY`. */
  apiKey?: string | undefined;
  /** The address of the service with the product's path, such as `https://host/records`. Default: `TMDS_BASE_URL`. */
  baseUrl?: string | undefined;
  /**
   * The address of the product `analytics`, such as `https://host/analytics`. Default: `analytics` in place of the last
   * part of the path of `baseUrl`.
   */
  analyticsUrl?: string | undefined;
  /** How long one attempt may take, including the body, in milliseconds: 1 to 600,000, default 30,000. */
  timeoutMs?: number | undefined;
  /** Retries after a failure that may be temporary: 0 to 20, default 3. */
  maxRetries?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Sent with every call; they cannot replace the key. */
  defaultHeaders?: Readonly<Record<string, string>> | undefined;
  /** Called before each attempt; it may add headers to `request.headers`. */
  onRequest?: ((request: RequestInfo) => void) | undefined;
  /** Called after each attempt. */
  onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** For tests, like `random`. */
  clock?: Clock | undefined;
  random?: (() => number) | undefined;
}

/** One attempt, without the key. */
export interface RequestInfo {
  readonly url: string;
  /** 1 or more. */
  readonly attempt: number;
  readonly headers: Record<string, string>;
}

/** How an attempt ended. */
export interface ResponseInfo {
  readonly url: string;
  readonly attempt: number;
  readonly durationMs: number;
  /** Null without a complete answer. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** Null when the answer was a success. */
  readonly error: unknown;
}

export interface CallOptions {
  /** Aborts the call and its waits; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface ClientConfig {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly analyticsUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: Fetch;
  readonly defaultHeaders: Readonly<Record<string, string>>;
  readonly onRequest: ((request: RequestInfo) => void) | undefined;
  readonly onResponse: ((response: ResponseInfo) => void) | undefined;
  readonly clock: Clock;
  readonly random: () => number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_DEFAULT_MS = 30_000;
export const TIMEOUT_MAX_MS = 600_000;
const RETRIES_DEFAULT = 3;
export const RETRIES_MAX = 20;
/** Between processes on one machine, compression takes longer than sending the bytes. */
const UNCOMPRESSED = { 'accept-encoding': 'identity' };

/** @throws TypeError naming the first setting that is missing or invalid */
export function readClientConfig(options: ClientOptions, environment: Environment = findEnvironment()): ClientConfig {
  const apiKey = checkKey(options.apiKey ?? environment.TMDS_API_KEY);
  const baseUrl = checkBaseUrl(options.baseUrl ?? environment.TMDS_BASE_URL);
  const { analyticsUrl } = options;
  return {
    apiKey,
    baseUrl,
    analyticsUrl: analyticsUrl === undefined ? nextToProduct(baseUrl) : checkBaseUrl(analyticsUrl),
    timeoutMs: checkInteger('timeoutMs', options.timeoutMs ?? TIMEOUT_DEFAULT_MS, 1, TIMEOUT_MAX_MS),
    maxRetries: checkInteger('maxRetries', options.maxRetries ?? RETRIES_DEFAULT, 0, RETRIES_MAX),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    defaultHeaders: { ...(isNode() && isLocalHost(baseUrl) ? UNCOMPRESSED : {}), ...options.defaultHeaders },
    onRequest: options.onRequest,
    onResponse: options.onResponse,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** Browsers and some edge runtimes have no `process`. */
function findEnvironment(): Environment {
  return (globalThis as { process?: { env?: Environment } }).process?.env ?? {};
}

/** True in Node.js and compatible runtimes; browsers do not let a program set its user agent or encoding. */
export function isNode(): boolean {
  return (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;
}

export function checkInteger(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${name} must be an integer from ${min} to ${max}`);
}

function checkKey(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw new TypeError('no API key: pass apiKey, or set the environment variable TMDS_API_KEY');
  }
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('the API key has invalid characters; is it complete, and without quotes?');
  return key;
}

function checkBaseUrl(address: string | undefined): string {
  const hint = "the service's address with the product's path, such as https://host/records";
  if (address === undefined || address === '') {
    throw new TypeError(`no base address: pass baseUrl, or set TMDS_BASE_URL: ${hint}`);
  }
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl must be ${hint}`);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new TypeError(`baseUrl must not have a query, a fragment or credentials: ${hint}`);
  }
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

function nextToProduct(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/[^/]*$/, '')}/analytics`;
}

function isLocalHost(baseUrl: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname);
}
