/** What observes a call when its answer has ended: the call log of its customer, the log, traces and metrics. */
import type { Journal } from '../access/journal.ts';
import type { Clock } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import { buildFlatLog, type Log } from '../base/log.ts';
import type { CallObserver, EndedCall } from './call.ts';

interface Observed {
  readonly journal: Journal;
  readonly log: Log;
  readonly clock: Clock;
  readonly traces: { noteCall(call: EndedCall): void } | null;
  readonly metrics: { noteCall(call: EndedCall): void } | null;
}

export function listObservers({ journal, log, clock, traces, metrics }: Observed): CallObserver[] {
  return [
    // Only calls with a known key belong to a customer.
    (call) => {
      const keyId = call.caller?.keyId ?? call.refusal?.keyId;
      if (keyId !== undefined) journal.note(keyId, call);
    },
    buildCallLog(log, clock),
    // Probes come every few seconds and carry no information.
    ...(traces === null ? [] : [(call: EndedCall) => (call.isProbe ? undefined : traces.noteCall(call))]),
    ...(metrics === null ? [] : [metrics.noteCall]),
  ];
}

/** How often calls refused for the last logged reason are logged as a count. */
const COUNTED_EVERY_MS = 60_000;

function buildCallLog(log: Log, clock: Clock): CallObserver {
  const noteRefused = countRefused(log, clock);
  const flatLog = buildFlatLog(log);
  return (call) => {
    if (call.end === 'whole' && call.refusal?.code === 'unavailable') noteRefused(call.refusal);
    logCall(log, flatLog, call);
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

function logCall(log: Log, flatLog: Log, call: EndedCall): void {
  const { refusal, end } = call;
  if (refusal === null && end !== 'failed' && !log.isLevelEnabled('info')) return;
  // Probes come every few seconds; the faults that they find are logged where they arise.
  if (call.isProbe) return;
  const line = {
    request_id: call.requestId,
    method: call.method,
    route: call.route,
    status: call.status ?? undefined,
    duration_ms: Math.round(call.durationMs * 10) / 10,
    key_id: call.caller?.keyId,
    code: refusal?.code,
    param: refusal?.param,
  };
  if (end !== 'whole') logBroken(log, { ...line, sent_bytes: call.sentBytes }, call);
  else if (refusal?.code === 'internal_error') log.error({ ...line, err: refusal.cause }, 'call failed');
  else flatLog.info(line, refusal === null ? 'call served' : 'call refused');
}

/** A call whose answer was not delivered completely; without a `status`, nothing was sent. */
function logBroken(log: Log, line: object, { end, failure }: EndedCall): void {
  if (end === 'failed') log.error({ ...line, err: failure }, 'call failed: the rest of its answer could not be read');
  else if (end === 'too slow') log.info(line, 'call aborted: the client read its answer too slowly');
  else log.info(line, 'call aborted: the client closed its connection');
}
