/**
 * Traces by the SDK of OpenTelemetry (docs/design/dependencies.md). Loaded only when there is somewhere to send them.
 * Spans are created when a call has ended, from existing measurements, so nothing hooks into the work itself.
 * Invariant: memory is bounded; spans that a collector does not accept in time are dropped, which is reported once.
 */
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { LoadTrace, TracedCall, Traces, TracesOptions } from './traced.ts';

/** A span is about one kilobyte. */
const QUEUE_SPANS_MAX = 4_096;
const BATCH_SPANS_MAX = 512;
const SEND_EVERY_MS = 2_000;
const SEND_TIMEOUT_MS = 5_000;

export function startTracing({ endpoint, share, version, clock, log }: TracesOptions): Traces {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  const exporter = reportFailures(new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS }), log);
  const kept = new TraceIdRatioBasedSampler(share);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tmds', 'service.version': version }),
    // A caller may ask that its trace be left out, but not that more than the share be kept.
    sampler: new ParentBasedSampler({ root: kept, remoteParentSampled: kept }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: QUEUE_SPANS_MAX,
        maxExportBatchSize: BATCH_SPANS_MAX,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('tmds', version);
  return {
    noteCall: (call) => noteCall(tracer, clock, call),
    startLoad: (format) => startLoad(tracer, clock, format),
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function noteCall(tracer: Tracer, clock: Clock, call: TracedCall): void {
  const { endpoint, method, status, code, end, requestId, runs } = call;
  // Measured on the monotonic clock, reported on the wall clock.
  const offsetMs = clock.nowMs() - clock.monotonicMs();
  const attributes = {
    'http.request.method': method,
    'tmds.endpoint': endpoint,
    'tmds.request_id': requestId,
    'tmds.delivery': end,
    ...(status === null ? {} : { 'http.response.status_code': status }),
    ...(code === null ? {} : { 'error.type': code }),
  };
  const startTime = call.startedMs + offsetMs;
  const span = tracer.startSpan(endpoint, { kind: SpanKind.SERVER, startTime, attributes }, readParent(call.parent));
  if (!span.isRecording()) return;
  const inside = trace.setSpan(ROOT_CONTEXT, span);
  for (const { stage, startedMs, endedMs } of runs) {
    tracer.startSpan(stage, { startTime: startedMs + offsetMs }, inside).end(endedMs + offsetMs);
  }
  if (status === null || status >= FAILED_STATUS_MIN || end === 'failed') {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(clock.nowMs());
}

/** From here on, a status is a fault of the service. */
const FAILED_STATUS_MIN = 500;

/** A caller may also send `tracestate`; it is free text and is ignored. */
function readParent(header: string | undefined): Context {
  const parent = header === undefined ? null : parseTraceParent(header);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

/** The span that a step of a load begins; null if it only ends the one before. */
const BEGINS: Readonly<Record<string, string | null>> = {
  opened: 'reading',
  staged: 'settling',
  settled: null,
  begun: 'publish',
  committed: null,
  published: 'finishing',
  finished: null,
};

function startLoad(tracer: Tracer, clock: Clock, format: string): LoadTrace {
  const load = tracer.startSpan('load', { startTime: clock.nowMs(), attributes: { 'tmds.format': format } });
  const inside = trace.setSpan(ROOT_CONTEXT, load);
  let open: ReturnType<Tracer['startSpan']> | null = null;
  const enter = (name: string | null): void => {
    const startTime = clock.nowMs();
    open?.end(startTime);
    open = name === null ? null : tracer.startSpan(name, { startTime }, inside);
  };
  return {
    onStep: async (step) => {
      const begun = BEGINS[step];
      if (begun !== undefined) enter(begun);
    },
    end: (outcome) => {
      if (outcome === null) {
        open?.setStatus({ code: SpanStatusCode.ERROR });
        load.setStatus({ code: SpanStatusCode.ERROR });
      } else {
        const { load_id: id, read, new: added, changed, unchanged, rejected } = outcome;
        const counts = { read, new: added, changed, unchanged, rejected };
        load.setAttribute('tmds.load_id', id);
        for (const [name, count] of Object.entries(counts)) load.setAttribute(`tmds.records.${name}`, count);
      }
      enter(null);
      load.end(clock.nowMs());
    },
  };
}

/** Says once that traces are lost, and once that they arrive again. */
function reportFailures(exporter: OTLPTraceExporter, log: Log): SpanExporter {
  let isFailing = false;
  const note = ({ code, error }: ExportResult): void => {
    const failed = code !== ExportResultCode.SUCCESS;
    if (failed === isFailing) return;
    isFailing = failed;
    if (failed) log.warn({ reason: error?.message }, 'traces could not be sent and are dropped');
    else log.info('traces are sent again');
  };
  return {
    export: (spans: ReadableSpan[], done: (result: ExportResult) => void) =>
      exporter.export(spans, (result) => {
        note(result);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
