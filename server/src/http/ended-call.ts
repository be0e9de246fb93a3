/** A call whose delivery has ended, described once for everyone who observes it: log, call log, traces, metrics. */
import type { Product } from '@tmds/contract/enums';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/authenticate.ts';
import type { ApiError } from '../base/errors.ts';
import type { HttpConfig } from './call.ts';
import type { DeliveryEnd } from './delivery.ts';
import { isUnitKept } from './send.ts';
import type { Timing } from './timing.ts';

export interface EndedCall {
  readonly requestId: string;
  readonly method: string;
  /** Path and query as requested. */
  readonly target: string;
  /** The path of the route, with its parameters; undefined for a path that does not exist. */
  readonly route: string | undefined;
  /** The name of a declared endpoint, or one of the few names for all other paths. */
  readonly endpoint: string;
  readonly isProbe: boolean;
  readonly product: Product;
  /** Null without a known key. */
  readonly caller: Caller | null;
  readonly refusal: ApiError | null;
  /** The code of the refusal. */
  readonly code: string | null;
  /** Null if no answer was begun. */
  readonly status: number | null;
  readonly units: number;
  readonly end: DeliveryEnd;
  readonly sentBytes: number;
  /** Why the answer broke off, if its source failed. */
  readonly failure: unknown;
  /** On the monotonic clock; it ends now. */
  readonly startedMs: number;
  readonly durationMs: number;
  /** Milliseconds by stage; null if it passed none. */
  readonly stages: Timing['durationsMs'] | null;
  /** Each run of a stage, if traces are kept. */
  readonly runs: NonNullable<Timing['runs']>;
  /** The W3C header `traceparent` of the caller, as it came. */
  readonly parent: string | undefined;
}

export type CallObserver = (call: EndedCall) => void;

export function describeEnd(
  request: FastifyRequest,
  reply: FastifyReply,
  { analyticsPrefix }: Pick<HttpConfig, 'analyticsPrefix'>,
): EndedCall {
  const { caller, delivery, refusal, timing, routeOptions } = request;
  const target = request.raw.url ?? '';
  const end = delivery.end!;
  const { traceparent } = request.headers;
  return {
    requestId: request.id,
    method: request.method,
    target,
    route: routeOptions.url,
    endpoint: nameEndpoint(request),
    isProbe: routeOptions.config.isProbe === true,
    product: target.split(/[/?]/, 2)[1] === analyticsPrefix ? 'analytics' : 'records',
    caller,
    refusal,
    code: refusal?.code ?? null,
    status: end === 'whole' || delivery.hasBegun ? reply.statusCode : null,
    units: isUnitKept(delivery) ? request.units : 0,
    end,
    sentBytes: delivery.sentBytes,
    failure: delivery.failure,
    startedMs: delivery.startedMs,
    durationMs: delivery.clock.monotonicMs() - delivery.startedMs,
    stages: timing?.durationsMs ?? null,
    runs: timing?.runs ?? [],
    parent: typeof traceparent === 'string' ? traceparent : undefined,
  };
}

function nameEndpoint({ routeOptions: { url, config } }: FastifyRequest): string {
  if (config.endpoint !== undefined) return config.endpoint;
  if (url === undefined) return 'unknown';
  return url.startsWith('/portal') ? 'portal' : 'reference';
}
