/**
 * Traces of calls and loads, to follow one through several systems. The library is loaded on demand, and not at all
 * without a collector.
 */
import type { TracedLoad, Traces, TracesOptions, WatchedSteps } from './traced.ts';

type Wanted = Omit<TracesOptions, 'endpoint'> & { readonly endpoint: string | null };

/** Null without an endpoint: then nothing is loaded, noted or sent. */
export async function openTraces({ endpoint, ...options }: Wanted): Promise<Traces | null> {
  if (endpoint === null) return null;
  const { startTracing } = await import('./tracing.ts');
  return startTracing({ ...options, endpoint });
}

/** Runs a load and sends its trace, if traces are wanted. */
export async function traceLoad<Report extends TracedLoad>(
  options: Wanted,
  format: string,
  run: (watched: WatchedSteps) => Promise<Report>,
): Promise<Report> {
  const traces = await openTraces(options);
  if (traces === null) return await run({});
  const { onStep, end } = traces.startLoad(format);
  let report: Report | null = null;
  try {
    report = await run({ onStep });
    return report;
  } finally {
    end(report);
    await traces.close();
  }
}
