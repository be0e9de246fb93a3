/**
 * The metrics of a server process. Calls are counted as they end; everything else is read on demand. It knows neither
 * HTTP nor SQL. Invariant: names and labels are promised to dashboards and alerts; `ops/` uses them all,
 * docs/operations.md lists them.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { MeterState } from '../access/meter.ts';
import type { Clock } from '../base/clock.ts';
import { readDiskSpace } from '../database/embedded/disk-space.ts';
import type { ReaderFigures } from '../database/readers/readers.ts';
import { findNewestSnapshotMs } from '../store/snapshots/folder.ts';
import type { OpenAlarms } from '../upkeep/health/alarms.ts';
import type { DatabaseFigures } from '../upkeep/health/figures.ts';
import { buildCallCounters, type EndedCall } from './calls.ts';
import { watchDatabase } from './database.ts';
import { exposeFigures } from './figures.ts';
import { renderOpenMetrics } from './open-metrics.ts';
import {
  ALARM_FIGURES,
  FILES_FIGURES,
  type FilesState,
  INDEX_FIGURES,
  METER_FIGURES,
  POOL_FIGURES,
  READER_FIGURES,
  type SendingState,
  type WatchedIndex,
  type WatchedPools,
  WEBHOOK_FIGURES,
} from './process.ts';

export interface MetricsOptions {
  readonly version: string;
  readonly index: WatchedIndex;
  readonly pools: WatchedPools;
  readonly readReaders: () => ReaderFigures;
  readonly readDatabase: () => Promise<DatabaseFigures>;
  readonly clock: Clock;
  /** Those that are open in this process. */
  readonly alarms: OpenAlarms;
  readonly dataDir: string;
  readonly snapshotsFolder: string;
}

/** `text` is the older one, version 0.0.4 of the text format of Prometheus. */
type MetricsForm = 'text' | 'openmetrics';

export interface Metrics {
  noteCall(call: EndedCall): void;
  /** Called once, when there is a meter. */
  watchMeter(read: () => MeterState): void;
  /** Called once, when this process can send to webhooks. */
  watchWebhooks(read: () => SendingState): void;
  /** All of them. Answers within about a second, whatever the database does. */
  read(form: MetricsForm): Promise<{ readonly text: string; readonly type: string }>;
}

/** Gauges, although their names end like those of counters; what they count is reported by kind. */
const SUMS_NAMED_AS_COUNTERS = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

async function readFiles({ dataDir, snapshotsFolder, clock }: MetricsOptions): Promise<FilesState> {
  const madeMs = await findNewestSnapshotMs(snapshotsFolder);
  return {
    freeBytes: (await readDiskSpace(dataDir))?.freeBytes ?? null,
    snapshotAgeSeconds: madeMs === null ? null : Math.max(0, clock.nowMs() - madeMs) / 1000,
  };
}

export function buildMetrics(options: MetricsOptions): Metrics {
  const { version, index, pools } = options;
  const registry = new Registry();
  const noteCall = buildCallCounters(registry);
  exposeFigures(registry, INDEX_FIGURES, () => index);
  exposeFigures(registry, POOL_FIGURES, () => pools);
  exposeFigures(registry, READER_FIGURES, options.readReaders);
  exposeFigures(registry, ALARM_FIGURES, () => options.alarms);
  let files: FilesState = { freeBytes: null, snapshotAgeSeconds: null };
  exposeFigures(registry, FILES_FIGURES, () => files);
  const refresh = watchDatabase({ registry, read: options.readDatabase, index, clock: options.clock });
  new Gauge({
    name: 'tmds_build_info',
    help: 'Always 1; the version of the running program',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  // Processor time, memory, event loop, garbage collection, open files.
  collectDefaultMetrics({ register: registry });
  for (const name of SUMS_NAMED_AS_COUNTERS) registry.removeSingleMetric(name);
  return {
    noteCall,
    watchMeter: (read) => exposeFigures(registry, METER_FIGURES, read),
    watchWebhooks: (read) => exposeFigures(registry, WEBHOOK_FIGURES, read),
    read: async (form) => {
      [files] = await Promise.all([readFiles(options), refresh()]);
      const text = await registry.metrics();
      return form === 'text'
        ? { text, type: Registry.PROMETHEUS_CONTENT_TYPE }
        : { text: renderOpenMetrics(text), type: Registry.OPENMETRICS_CONTENT_TYPE };
    },
  };
}
