/**
 * Figures of the database, read when metrics are asked for and kept for some seconds. They are the same for every
 * process on one database. Invariants: a request for metrics waits a second at most, however slow the database is;
 * figures that could not be read are left out, and a separate figure says so.
 */
import type { Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import type { DatabaseFigures } from '../upkeep/health/figures.ts';
import { exposeFigures, type Figure } from './figures.ts';
import type { WatchedIndex } from './process.ts';

const OUTCOMES = ['new', 'changed', 'unchanged', 'rejected'] as const;
const STATES = ['staging', 'publishing', 'finished', 'failed', 'interrupted'] as const;

interface Reading extends DatabaseFigures {
  /** How far the index was behind the last stamp when that was read; null while the index is not ready. */
  readonly indexLagSeconds: number | null;
}

const DATABASE_FIGURES: readonly Figure<Reading>[] = [
  {
    name: 'tmds_index_lag_seconds',
    help: 'How far the index of this process is behind the last publish',
    list: ({ indexLagSeconds }) => [[{}, indexLagSeconds]],
  },
  {
    name: 'tmds_feed_horizon_timestamp_seconds',
    help: 'Up to where the change feed delivers',
    list: ({ horizon_seconds }) => [[{}, horizon_seconds]],
  },
  {
    name: 'tmds_feed_last_stamp_timestamp_seconds',
    help: 'The stamp of the last publish',
    list: ({ last_stamp_seconds }) => [[{}, last_stamp_seconds]],
  },
  {
    name: 'tmds_register_records',
    help: 'Records of a register',
    labelNames: ['register'],
    list: ({ registers }) => registers.map(({ code, records }) => [{ register: code }, records]),
  },
  {
    name: 'tmds_register_current_through_timestamp_seconds',
    help: 'Up to when the data of a register are complete, where its source says so',
    labelNames: ['register'],
    list: ({ registers }) => registers.map((each) => [{ register: each.code }, each.current_through_seconds]),
  },
  {
    name: 'tmds_loads',
    help: 'Loads, by the state they are in',
    labelNames: ['state'],
    list: ({ loads }) => STATES.map((state) => [{ state }, loads.find((total) => total.state === state)?.loads ?? 0]),
  },
  {
    name: 'tmds_load_finished_timestamp_seconds',
    help: 'When the last load that finished did so',
    list: ({ loads }) => [[{}, loads.find(({ state }) => state === 'finished')?.finished_seconds ?? null]],
  },
  {
    name: 'tmds_load_records_total',
    help: 'Records that loads have read, by what became of them',
    labelNames: ['outcome'],
    list: ({ loads }) =>
      OUTCOMES.map((outcome) => [{ outcome }, loads.reduce((sum, total) => sum + total[outcome], 0)]),
  },
  {
    name: 'tmds_load_issues_total',
    help: 'Source values that loads could not map',
    list: ({ loads }) => [[{}, loads.reduce((sum, { issues }) => sum + issues, 0)]],
  },
  {
    name: 'tmds_source_succeeded_timestamp_seconds',
    help: 'When a declared source was last checked without a failure',
    labelNames: ['source'],
    list: ({ sources }) => sources.map((each) => [{ source: each.source }, each.succeeded_seconds]),
  },
  {
    name: 'tmds_source_due_timestamp_seconds',
    help: 'When the next file of a declared source is overdue, where it has a rhythm',
    labelNames: ['source'],
    list: ({ sources }) => sources.map((each) => [{ source: each.source }, each.due_seconds]),
  },
  {
    name: 'tmds_source_overdue',
    help: '1 if the next file of a declared source is overdue',
    labelNames: ['source'],
    list: ({ sources }) => sources.map((each) => [{ source: each.source }, each.overdue ? 1 : 0]),
  },
  {
    name: 'tmds_source_stopped',
    help: '1 if nothing more of a source is loaded because a file of its register failed',
    labelNames: ['source'],
    list: ({ sources }) => sources.map((each) => [{ source: each.source }, each.stopped ? 1 : 0]),
  },
  {
    name: 'tmds_source_gaps',
    help: 'Missing files of a declared source, before the newest one present',
    labelNames: ['source'],
    list: ({ sources }) => sources.map((each) => [{ source: each.source }, each.gaps]),
  },
  {
    name: 'tmds_watch_unmatched_seconds',
    help: 'Age of the oldest publish that has not been matched against watches to its end',
    list: ({ unmatched_seconds }) => [[{}, unmatched_seconds]],
  },
  {
    name: 'tmds_webhooks',
    help: 'Webhooks: live, switched off by their customers, switched off because of their receivers',
    labelNames: ['state'],
    list: ({ webhooks }) => (['live', 'off', 'failed'] as const).map((state) => [{ state }, webhooks[state]]),
  },
  {
    name: 'tmds_webhook_deliveries_waiting',
    help: 'Deliveries of live webhooks that have not been taken yet',
    list: ({ webhooks }) => [[{}, webhooks.waiting]],
  },
  {
    name: 'tmds_webhook_waiting_seconds',
    help: 'Age of the oldest of them',
    list: ({ webhooks }) => [[{}, webhooks.waiting_seconds]],
  },
  {
    name: 'tmds_backup_age_seconds',
    help: 'Age of the last backup by tmds backup, or of the database if there is none',
    list: ({ backup_age_seconds }) => [[{}, backup_age_seconds]],
  },
  { name: 'tmds_database_bytes', help: 'Size of the database on its disk', list: ({ bytes }) => [[{}, bytes]] },
  {
    name: 'tmds_database_xid_age',
    help: 'Transactions since the oldest one that vacuum has yet to freeze',
    list: ({ xid_age }) => [[{}, xid_age]],
  },
  {
    name: 'tmds_database_transaction_seconds',
    help: 'Age of the oldest open transaction',
    list: ({ transaction_seconds }) => [[{}, transaction_seconds]],
  },
  {
    name: 'tmds_table_bytes',
    help: 'Size of a table with its indexes',
    labelNames: ['table'],
    list: ({ tables }) => tables.map(({ name, bytes }) => [{ table: name }, bytes]),
  },
  {
    name: 'tmds_table_rows',
    help: 'Rows of a table as PostgreSQL estimates them; vacuum removes the dead ones',
    labelNames: ['table', 'state'],
    list: ({ tables }) =>
      tables.flatMap(({ name, live_rows, dead_rows }) => [
        [{ table: name, state: 'live' }, live_rows] as const,
        [{ table: name, state: 'dead' }, dead_rows] as const,
      ]),
  },
  {
    name: 'tmds_table_vacuumed_timestamp_seconds',
    help: 'When a table was last vacuumed',
    labelNames: ['table'],
    list: ({ tables }) => tables.map(({ name, vacuumed_seconds }) => [{ table: name }, vacuumed_seconds]),
  },
];

export interface DatabaseWatchOptions {
  readonly registry: Registry;
  readonly read: () => Promise<DatabaseFigures>;
  readonly index: WatchedIndex;
  readonly clock: Clock;
}

/** Figures of this age are read again. */
const KEPT_MS = 10_000;
const WAIT_MS = 1_000;

/** Exposes the figures. The result brings them up to date, as far as that can be done in time; it never rejects. */
export function watchDatabase({ registry, read, index, clock }: DatabaseWatchOptions): () => Promise<void> {
  let figures: Reading | null = null;
  let readMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let reading: Promise<void> | null = null;
  exposeFigures(registry, DATABASE_FIGURES, () => figures);
  const own: readonly Figure<unknown>[] = [
    {
      name: 'tmds_database_read',
      help: '1 if the figures of the database are at hand, 0 if they could not be read in time',
      list: () => [[{}, figures === null ? 0 : 1]],
    },
    {
      name: 'tmds_database_read_failures_total',
      help: 'How often the figures of the database could not be read',
      list: () => [[{}, failures]],
    },
  ];
  exposeFigures(registry, own, () => own);

  const readOnce = async (): Promise<void> => {
    try {
      const found = await read();
      const lagSeconds = found.last_stamp_seconds - index.stamp / 1_000_000;
      figures = { ...found, indexLagSeconds: index.stamp === 0 ? null : Math.max(0, lagSeconds) };
    } catch {
      // Why the database does not answer is logged by the check of liveness.
      figures = null;
      failures += 1;
    }
    readMs = clock.monotonicMs();
    reading = null;
  };
  return async () => {
    if (reading === null && clock.monotonicMs() - readMs < KEPT_MS) return;
    reading ??= readOnce();
    const patience = new AbortController();
    const late = clock.sleep(WAIT_MS, patience.signal).then(
      () => {
        // The figures at hand are too old to be reported.
        if (reading !== null) figures = null;
      },
      () => undefined,
    );
    await Promise.race([reading, late]);
    patience.abort();
  };
}
