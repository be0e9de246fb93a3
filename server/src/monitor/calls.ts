/**
 * Counts calls: by endpoint and status, how long they took, and where the time went. Every call of the API passes here,
 * so it does as little as it can; the stages are added up in plain numbers until metrics are read. Invariant: labels
 * come from declared tables, never from what a caller sent.
 */
import { Counter, Histogram, type Registry } from 'prom-client';
import { exposeFigures } from './figures.ts';

export interface EndedCall {
  /** The name of a declared endpoint, or one of the few names for all other paths. */
  readonly endpoint: string;
  /** Null if no answer was begun. */
  readonly status: number | null;
  /** A code of the error table; null if the call was served. */
  readonly code: string | null;
  /** How its delivery ended; `whole` if all of the answer was sent. */
  readonly end: string;
  readonly durationMs: number;
  /** Milliseconds by stage; null if it passed none. */
  readonly stages: ReadonlyMap<string, number> | null;
}

/** In seconds. A look-up takes about one millisecond, a search some ten, a page of the feed up to seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function buildCallCounters(registry: Registry): (call: EndedCall) => void {
  const registers = [registry];
  const calls = new Counter({
    name: 'tmds_calls_total',
    help: 'Calls that have ended, by endpoint and status; status none: the caller left before an answer',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'tmds_call_duration_seconds',
    help: 'From the arrival of a call to the end of its answer',
    labelNames: ['endpoint'],
    buckets: BUCKETS,
    registers,
  });
  const refusals = new Counter({
    name: 'tmds_calls_refused_total',
    help: 'Calls that were refused, by error code',
    labelNames: ['code'],
    registers,
  });
  const unfinished = new Counter({
    name: 'tmds_calls_unfinished_total',
    help: 'Calls whose answer did not arrive whole, by how their delivery ended',
    labelNames: ['end'],
    registers,
  });
  const stageMs = new Map<string, Map<string, number>>();
  exposeFigures(
    registry,
    [
      {
        name: 'tmds_call_stage_seconds_total',
        help: 'Time that calls spent in each stage; stages may overlap',
        labelNames: ['endpoint', 'stage'],
        list: () =>
          [...stageMs].flatMap(([endpoint, stages]) =>
            [...stages].map(([stage, ms]) => [{ endpoint, stage }, ms / 1000] as const),
          ),
      },
    ],
    () => stageMs,
  );
  return ({ endpoint, status, code, end, durationMs, stages }) => {
    calls.inc({ endpoint, status: status ?? 'none' });
    durations.observe({ endpoint }, durationMs / 1000);
    if (code !== null) refusals.inc({ code });
    if (end !== 'whole') unfinished.inc({ end });
    if (stages === null) return;
    const sums = stageMs.get(endpoint) ?? new Map<string, number>();
    stageMs.set(endpoint, sums);
    for (const [stage, ms] of stages) sums.set(stage, (sums.get(stage) ?? 0) + ms);
  };
}
