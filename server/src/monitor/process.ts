/** Figures of this process: its index, its connections, its meter. Read from memory, on demand. */
import type { MeterState } from '../access/meter.ts';
import type { Database } from '../database/driver/db.ts';
import type { ReaderFigures } from '../database/readers/readers.ts';
import { IS_PRIMARY } from '../database/readers/server-state.ts';
import type { LiveIndex } from '../follow/live-index.ts';
import { ALARMS, type OpenAlarms } from '../upkeep/health/alarms.ts';
import type { Figure, LabelledValue } from './figures.ts';

export type WatchedIndex = Pick<LiveIndex, 'stamp' | 'status' | 'restedSeconds'>;

export const INDEX_FIGURES: readonly Figure<WatchedIndex>[] = [
  {
    name: 'tmds_index_ready',
    help: '1 if searches are answered, 0 while the index is built or has failed',
    list: ({ status, stamp }) => [[{}, status.state === 'ready' && stamp > 0 ? 1 : 0]],
  },
  { name: 'tmds_index_records', help: 'Records in the index', list: ({ status }) => [[{}, status.records]] },
  { name: 'tmds_index_segments', help: 'Segments of the index', list: ({ status }) => [[{}, status.segments]] },
  {
    name: 'tmds_index_bytes',
    help: 'Memory of the index, by its parts',
    labelNames: ['part'],
    list: ({ status }) => Object.entries(status.bytes).map(([part, bytes]) => [{ part }, bytes]),
  },
  {
    name: 'tmds_index_differing_registers',
    help: 'Registers that differed from the database when the two were last compared',
    list: ({ status }) => [[{}, status.compared?.differences.length ?? null]],
  },
  {
    name: 'tmds_search_rested_seconds_total',
    help: 'Time in which search threads of crowding customers made way for the calls of others',
    list: ({ restedSeconds }) => [[{}, restedSeconds]],
  },
];

/** By the name of the pool. */
export type WatchedPools = Readonly<Record<string, Pick<Database, 'poolState'>>>;

function listPools(pools: WatchedPools, read: (state: ReturnType<Database['poolState']>) => number): LabelledValue[] {
  return Object.entries(pools).map(([pool, database]) => [{ pool }, read(database.poolState())]);
}

export const POOL_FIGURES: readonly Figure<WatchedPools>[] = [
  {
    name: 'tmds_pool_connections',
    help: 'Connections to the database: lent to a statement, or idle',
    labelNames: ['pool', 'state'],
    list: (pools) =>
      Object.entries(pools).flatMap(([pool, database]) => {
        const { lent, idle } = database.poolState();
        return [[{ pool, state: 'lent' }, lent] as const, [{ pool, state: 'idle' }, idle] as const];
      }),
  },
  {
    name: 'tmds_pool_connections_max',
    help: 'Most connections that a pool opens',
    labelNames: ['pool'],
    list: (pools) => listPools(pools, ({ max }) => max),
  },
  {
    name: 'tmds_pool_waiting',
    help: 'Statements that wait for a connection',
    labelNames: ['pool'],
    list: (pools) => listPools(pools, ({ waiting }) => waiting),
  },
];

export const ALARM_FIGURES: readonly Figure<OpenAlarms>[] = [
  {
    name: 'tmds_alarm',
    help: '1 while this process reports an alarm in its log, 0 otherwise',
    labelNames: ['alarm'],
    list: (open) => ALARMS.map((alarm) => [{ alarm }, open.has(alarm) ? 1 : 0]),
  },
];

/** What is known about the files of this process; null if unknown, or if there are none. */
export interface FilesState {
  readonly freeBytes: number | null;
  readonly snapshotAgeSeconds: number | null;
}

export const FILES_FIGURES: readonly Figure<FilesState>[] = [
  {
    name: 'tmds_disk_free_bytes',
    help: 'Room on the disk of the data folder',
    list: ({ freeBytes }) => [[{}, freeBytes]],
  },
  {
    name: 'tmds_snapshot_age_seconds',
    help: 'Age of the newest snapshot for replicas, if there is one',
    list: ({ snapshotAgeSeconds }) => [[{}, snapshotAgeSeconds]],
  },
];

export const READER_FIGURES: readonly Figure<ReaderFigures>[] = [
  {
    name: 'tmds_reads_total',
    help: 'Statements that read records, by the server that answered them',
    labelNames: ['server'],
    list: ({ standbys, primaryReads }) => [
      [{ server: 'primary' }, primaryReads],
      ...standbys.map(({ place, reads }) => [{ server: place }, reads] as const),
    ],
  },
  {
    name: 'tmds_standby_in_use',
    help: '1 if this process reads records from a standby, 0 if it has left it',
    labelNames: ['standby'],
    // Not of one that has become the primary: nothing is wrong with it.
    list: ({ standbys }) =>
      standbys
        .filter(({ fault }) => fault !== IS_PRIMARY)
        .map(({ place, fault }) => [{ standby: place }, fault === null ? 1 : 0]),
  },
  {
    name: 'tmds_standby_lag_seconds',
    help: 'How long a standby has lacked what was published, as far as this process has seen',
    labelNames: ['standby'],
    list: ({ standbys }) => standbys.map(({ place, lagSeconds }) => [{ standby: place }, lagSeconds]),
  },
];

/** What a process that sends to webhooks has done since it started. */
export interface SendingState {
  readonly attempts: Readonly<Record<string, number>>;
  readonly sending: number;
}

export const WEBHOOK_FIGURES: readonly Figure<SendingState>[] = [
  {
    name: 'tmds_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks, by how they ended',
    labelNames: ['outcome'],
    list: ({ attempts }) => Object.entries(attempts).map(([outcome, count]) => [{ outcome }, count]),
  },
  { name: 'tmds_webhook_sending', help: 'Attempts that wait for an answer', list: ({ sending }) => [[{}, sending]] },
];

export const METER_FIGURES: readonly Figure<MeterState>[] = [
  {
    name: 'tmds_metering_waiting_calls',
    help: 'Calls that wait for their verdict',
    list: ({ waitingCalls }) => [[{}, waitingCalls]],
  },
  {
    name: 'tmds_metering_owed_units',
    help: 'Units of failed calls that are yet to be returned',
    list: ({ owedUnits }) => [[{}, owedUnits]],
  },
  {
    name: 'tmds_metering_taken_units_total',
    help: 'Units stored for calls of this process',
    list: ({ takenUnits }) => [[{}, takenUnits]],
  },
  {
    name: 'tmds_metering_returned_units_total',
    help: 'Units of failed calls that were returned',
    list: ({ returnedUnits }) => [[{}, returnedUnits]],
  },
];
