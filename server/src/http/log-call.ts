/**
 * Writes the line of a call to the log when its answer has ended, and collects what journal and metrics share with it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Journal } from '../access/journal.ts';
import type { Clock } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { type HttpConfig, SERVED_PRODUCT } from './call.ts';
import type { Delivery, DeliveryEnd } from './delivery.ts';
import { isUnitKept } from './send.ts';

/** Undefined if nothing was sent. */
export function statusOf({ delivery }: FastifyRequest, reply: FastifyReply): number | undefined {
  return delivery.end === 'whole' || delivery.hasBegun ? reply.statusCode : undefined;
}

/** In milliseconds, to a tenth. */
function durationOf({ clock, startedMs }: Delivery): number {
  return Math.round((clock.monotonicMs() - startedMs) * 10) / 10;
}

/** What is recorded when a call has ended. */
export type CallLog = (request: FastifyRequest, reply: FastifyReply, end: DeliveryEnd) => void;

/** How often calls refused for the last logged reason are logged as a count. */
const COUNTED_EVERY_MS = 60_000;

export function buildCallLog(log: Log, clock: Clock): CallLog {
  const noteRefused = countRefused(log, clock);
  return (request, reply, end) => {
    if (end === 'whole' && request.refusal?.code === 'unavailable') noteRefused(request.refusal);
    logCall(log, request, reply, end);
  };
}

/** An outage refuses every call for one reason: the reason is logged once, and then how many calls it has cost. */
function countRefused(log: Log, clock: Clock): (refusal: ApiError) => void {
  let told = { reason: '', atMs: Number.NEGATIVE_INFINITY };
  let calls = 0;
  return ({ cause, message }) => {
    const reason = cause instanceof Error ? cause.message : message;
    const atMs = clock.monotonicMs();
    calls += 1;
    if (reason === told.reason && atMs - told.atMs < COUNTED_EVERY_MS) return;
    log.warn({ reason, calls }, 'calls are refused');
    told = { reason, atMs };
    calls = 0;
  };
}

function logCall(log: Log, request: FastifyRequest, reply: FastifyReply, end: DeliveryEnd): void {
  const { refusal, delivery } = request;
  if (refusal === null && end !== 'failed' && !log.isLevelEnabled('info')) return;
  // Probes come every few seconds; the faults that they find are logged where they arise.
  if (request.routeOptions.config.isProbe === true) return;
  const line = {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status: statusOf(request, reply),
    duration_ms: durationOf(delivery),
    key_id: request.caller?.keyId,
    code: refusal?.code,
    param: refusal?.param,
  };
  if (end !== 'whole') logBroken(log, { ...line, sent_bytes: delivery.sentBytes }, end, delivery.failure);
  else if (refusal?.code === 'internal_error') log.error({ ...line, err: refusal.cause }, 'call failed');
  else log.info(line, refusal === null ? 'call served' : 'call refused');
}

/** A call whose answer was not delivered completely; without a `status`, nothing was sent. */
function logBroken(log: Log, line: object, end: Exclude<DeliveryEnd, 'whole'>, failure: unknown): void {
  if (end === 'failed') log.error({ ...line, err: failure }, 'call failed: the rest of its answer could not be read');
  else if (end === 'too slow') log.info(line, 'call aborted: the client read its answer too slowly');
  else log.info(line, 'call aborted: the client closed its connection');
}

/** Only calls with a known key belong to a customer. */
export function noteCall(journal: Journal, request: FastifyRequest, reply: FastifyReply, config: HttpConfig): void {
  const { id, raw, caller, refusal, delivery } = request;
  const keyId = caller?.keyId ?? refusal?.keyId;
  if (keyId === undefined) return;
  const target = raw.url ?? '';
  const product = target.split(/[/?]/, 2)[1] === config.analyticsPrefix ? 'analytics' : SERVED_PRODUCT;
  journal.note({
    keyId,
    product,
    requestId: id,
    target,
    status: statusOf(request, reply) ?? null,
    units: isUnitKept(delivery) ? request.units : 0,
    durationMs: durationOf(delivery),
    refusal,
  });
}
