/** What an operator sees of a service at a glance: its index, database, connections and disk. It judges nothing. */
import type { Queryable } from '../database/driver/db.ts';
import { type DiskSpace, readDiskSpace } from '../database/embedded/disk-space.ts';
import { type DutyHolder, listHolders } from '../store/duties/duties.ts';
import { type DatabaseFigures, readFigures } from '../upkeep/health/figures.ts';
import type { WatchedIndex, WatchedPools } from './process.ts';

export interface ServiceHealth {
  readonly version: string;
  readonly database: DatabaseFigures;
  /** Null where this process has none. */
  readonly index: IndexHealth | null;
  /** By name. */
  readonly pools: Readonly<Record<string, { lent: number; idle: number; max: number; waiting: number }>>;
  /** The disk of the data folder; null if unknown. */
  readonly disk: (DiskSpace & { readonly folder: string }) | null;
  /** Which process does each duty that only one may do. */
  readonly duties: readonly DutyHolder[];
}

export interface IndexHealth {
  readonly state: WatchedIndex['status']['state'];
  readonly fault: string | null;
  readonly records: number;
  /** Bytes of memory by part, and together. */
  readonly bytes: Readonly<Record<string, number>>;
  readonly totalBytes: number;
  /** How far it is behind the last publish; null until it is ready. */
  readonly behindSeconds: number | null;
  /** When it was last found equal to the database; null if it never was compared, or differed. */
  readonly equalAt: string | null;
}

export interface HealthSources {
  readonly version: string;
  readonly database: Queryable;
  /** How far the change feed stays behind the current time. */
  readonly horizonSeconds: number;
  readonly index: WatchedIndex | null;
  readonly pools: WatchedPools;
  /** The data folder; null if the process knows of none. */
  readonly folder: string | null;
}

export async function readHealth(sources: HealthSources): Promise<ServiceHealth> {
  const { version, database, horizonSeconds, index, pools, folder } = sources;
  // Before the database, so that a publish in between counts as not yet followed.
  const stamp = index?.stamp ?? 0;
  const figures = await readFigures(database, horizonSeconds);
  const space = folder === null ? null : await readDiskSpace(folder);
  return {
    version,
    database: figures,
    index: index === null ? null : readIndex(index, stamp, figures.last_stamp_seconds),
    pools: Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, pool.poolState()])),
    disk: space === null || folder === null ? null : { ...space, folder },
    duties: await listHolders(database),
  };
}

function readIndex({ status }: WatchedIndex, stamp: number, lastStampSeconds: number): IndexHealth {
  const isEqual = status.compared !== null && status.compared.differences.length === 0;
  return {
    state: status.state,
    fault: status.fault,
    records: status.records,
    bytes: status.bytes,
    totalBytes: Object.values(status.bytes).reduce((sum, bytes) => sum + bytes, 0),
    behindSeconds: stamp === 0 ? null : Math.max(0, lastStampSeconds - stamp / 1e6),
    equalAt: isEqual ? (status.compared?.at ?? null) : null,
  };
}

/** For a process without its own index, folder or settings. */
export function watchDatabaseOnly(
  database: Queryable,
  horizonSeconds: number,
  version: string,
): { readHealth: () => Promise<ServiceHealth>; examine: () => Promise<readonly never[]> } {
  const sources = { version, database, horizonSeconds, index: null, pools: {}, folder: null };
  return { readHealth: () => readHealth(sources), examine: async () => [] };
}
