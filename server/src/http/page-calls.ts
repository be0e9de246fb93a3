/**
 * The calls that this process makes for its callers: the same endpoints, run by the same runner with one of the
 * customer's keys, so they are judged, metered, logged and refused like any other.
 *
 * - For pages of the portal. Nothing that arrives over a connection can make such a call. Since keys are stored as
 *   digests only, a page names a key by its id; it has checked that its person may use the key.
 * - For the tools of language models, with the key of the request that asks for a tool.
 */
import { ANALYTICS_ROOT } from '@tmds/contract/extras';
import { splitQuery } from '../parse/query.ts';
import type { Breadth } from '../parse/search.ts';
import { type Answer, JSON_TYPE, renderRateHeaders, selectAnswer } from '../render/answer.ts';
import { findEndpoint } from '../render/description/endpoints.ts';
import { describeFailure } from '../render/failure.ts';
import { Call, type Traffic } from './call.ts';
import type { CallInput, PathValues } from './endpoint.ts';
import { type EndpointRequest, runEndpoint } from './judge.ts';
import { ENDPOINTS_SERVED, listRoutes, noSuchPath, type RouteServices, readQuery } from './routes.ts';
import { buildRequestId, checkLength } from './wire.ts';

/** How a page asks. */
export interface PageCallOptions {
  /** `page`: a person asks, who may search more broadly than a program. Default: `call`. */
  readonly breadth?: Breadth;
  /** `if-none-match`, `range` and `if-range`, in lower case. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the API answers. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null without a body, and for one that is not JSON. */
  readonly body: unknown;
  /** Length of the body. */
  readonly bytes: number;
  /** Why the call was refused; null if it was served. */
  readonly refusal: Call['refusal'];
}

/** `keyId`: null = without a key. `target`: `/v1/…` with its query. */
export type CallFromPage = (keyId: string | null, target: string, options?: PageCallOptions) => Promise<PageAnswer>;

/** Parses a body, with every number exactly as it is stated. */
type ParseBody = (text: string) => unknown;

function openCall(target: string, { config }: RouteServices, traffic: Traffic): Call {
  const placed = placeTarget(target, config);
  return new Call({ requestId: buildRequestId(), method: 'GET', target: placed, parent: undefined }, traffic);
}

export function buildPageCalls(services: RouteServices, traffic: Traffic, parse: ParseBody): CallFromPage {
  return async (keyId, target, { breadth = 'call', headers = {} } = {}) => {
    const call = openCall(target, services, traffic);
    const identify = () => services.authenticator.identifyKey(keyId);
    const answer = await answerTarget(call, services, { identify, target, breadth });
    const { 'if-none-match': ifNoneMatch, range, 'if-range': ifRange } = headers;
    return await deliver(call, selectAnswer(answer, { ifNoneMatch, range, ifRange }), parse);
  };
}

/** `identify`: who asks, by the key of a request. `target`: `/v1/…` or `/analytics/v1/…` with its query. */
export type CallWithKey = (
  identify: EndpointRequest['identify'],
  target: string,
  signal: AbortSignal,
) => Promise<KeyAnswer>;

export interface KeyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export function buildKeyCalls(services: RouteServices, traffic: Traffic): CallWithKey {
  return async (identify, target, signal) => {
    const call = openCall(target, services, traffic);
    // As when a connection is closed: the query ends, and the unit is returned.
    const leave = (): void => call.finish('abandoned');
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      const answer = await answerTarget(call, services, { identify, target, breadth: 'call' });
      const { status, headers, body } = await deliver(call, answer, (text) => text);
      return { status, headers, text: typeof body === 'string' ? body : JSON.stringify(body) };
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}

/** Below the prefix of the records, unless it begins with that of the other product. */
function placeTarget(target: string, { recordPrefix, analyticsPrefix }: RouteServices['config']): string {
  return target.startsWith(`${ANALYTICS_ROOT}/`)
    ? target.replace(ANALYTICS_ROOT, `/${analyticsPrefix}`)
    : `/${recordPrefix}${target}`;
}

interface Asked {
  readonly identify: EndpointRequest['identify'];
  readonly target: string;
  readonly breadth: Breadth;
}

async function answerTarget(
  call: Call,
  services: RouteServices,
  { identify, target, breadth }: Asked,
): Promise<Answer> {
  const tooLong = checkLength(call.target);
  if (tooLong !== null) return call.refuse(tooLong);
  const mark = target.indexOf('?');
  const found = findEndpoint(mark < 0 ? target : target.slice(0, mark));
  if (found === null) return call.refuse(noSuchPath());
  const { name } = found.endpoint;
  call.endpoint = name;
  call.route = listRoutes(name, services.config).at(-1);
  const input: CallInput = {
    pairs: splitQuery(readQuery(target)),
    path: readPath(found.texts),
    body: Buffer.alloc(0),
    bodyType: undefined,
    breadth,
  };
  const request = {
    endpoint: ENDPOINTS_SERVED[name],
    identify,
    readInput: () => input,
    withBody: null,
  };
  return await runEndpoint(request, services, call);
}

function readPath({ jurisdiction_code, snapshot_id, ...texts }: Readonly<Record<string, string>>): PathValues {
  const raw = Object.entries({ ...texts, register: jurisdiction_code, snapshot: snapshot_id });
  const named = raw.flatMap(([name, text]) => (text === undefined ? [] : [[name, decodeURIComponent(text)]]));
  return Object.fromEntries(named) as PathValues;
}

/** Reads the whole answer, which ends the call. Rejects if its source fails on the way. */
async function deliver(call: Call, answer: Answer, parse: ParseBody): Promise<PageAnswer> {
  const { status } = answer;
  const { refusal } = call;
  const headers: Record<string, string> = {
    'x-request-id': call.requestId,
    'server-timing': call.timing.render(),
    ...(call.rate === null ? {} : renderRateHeaders(call.product, call.rate)),
    ...call.coverage,
    ...answer.headers,
  };
  // A file is not read: a page shows neither its bytes nor what is in them.
  const isJson = headers['content-type'] === JSON_TYPE && answer.body !== null;
  try {
    const text = isJson ? await readText(answer) : null;
    const bytes = text === null ? Number(answer.headers['content-length'] ?? 0) : text.length;
    call.status = status;
    call.hasBegun = true;
    call.sentBytes = bytes;
    call.finish('whole');
    const body = text === null ? null : refusal === null ? parse(text.toString()) : describeFailure(refusal);
    return { status, headers, body, bytes, refusal };
  } catch (error) {
    call.failure = error;
    await call.returnUnit();
    call.finish('failed');
    throw error;
  }
}

async function readText({ body }: Answer): Promise<Buffer> {
  if (body === null || typeof body === 'string') return Buffer.from(body ?? '');
  if (Buffer.isBuffer(body)) return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
