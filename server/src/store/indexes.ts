/**
 * The indexes of the record table that a first load does without and builds afterwards: building each in one go costs a
 * fraction of keeping it up row by row. The table below is what the migrations create. Invariant: an index may be
 * missing only while a living load holds the index lock; whatever a killed one left missing, the next start of any
 * command puts back (`ensureIndexes`).
 */
import type { Database, Queryable, Transaction } from './db.ts';
import { LOCK_SPACE } from './migrate.ts';
import { holdPublishing, lockPublishing } from './publish.ts';
import { identifier, type Statement, sql } from './sql.ts';

/** What a walk along an order rules records out by, without fetching them. */
const SIGNATURES = sql`include (first_signature, second_signature)`;

/** Every index of `record` but its primary key, by name. A test compares it with the migrated schema. */
export const REBUILDABLE_INDEXES = {
  record_change: sql`on record (updated_at, jurisdiction_code, uid) ${SIGNATURES}`,
  record_register_change: sql`on record (jurisdiction_code, updated_at, uid) ${SIGNATURES}`,
  record_application_date: sql`on record (application_date, jurisdiction_code, uid) ${SIGNATURES}`,
  record_registration_date: sql`on record (registration_date, jurisdiction_code, uid) ${SIGNATURES}`,
  record_register_application_date: sql`on record (jurisdiction_code, application_date, uid) ${SIGNATURES}`,
  record_register_registration_date: sql`on record (jurisdiction_code, registration_date, uid) ${SIGNATURES}`,
  record_search: sql`on record using gin (
    terms, mark_names gin_trgm_ops, owner_names gin_trgm_ops, representative_names gin_trgm_ops)
    with (gin_pending_list_limit = 512)`,
} as const satisfies Record<string, Statement>;

type IndexName = keyof typeof REBUILDABLE_INDEXES;
const INDEX_NAMES = Object.keys(REBUILDABLE_INDEXES) as IndexName[];
const SEARCH_INDEX: IndexName = 'record_search';

/** The advisory lock, within `LOCK_SPACE`, of the one process that may drop and build indexes. */
const INDEX_LOCK = 11;

/** From this many staged rows on, building the indexes afterwards pays. */
export const REBUILD_ROWS_MIN = 30_000;
/** With more records than this already served, their searches count for more than the time of a load. */
export const REBUILD_STORED_MAX = 50_000;

/** Told what share of building the indexes is done, from 0 to 1. */
export type BuildWatch = (share: number) => void;

/** Longest wait for searches to let go of the table; a busy table keeps its indexes. */
const DROP_WAIT_MS = 3_000;
const TREE_BUILD_MEMORY = '512MB';
/** Shared by two processes; with 512 MB they miss their caches more often and take a twentieth longer. */
const SEARCH_BUILD_MEMORY = '128MB';

/**
 * Runs `publish`, told whether without the indexes: when so many rows are staged and so few records stored that this
 * pays, and with them otherwise. The indexes are complete once it resolves; if `publish` rejects they are built all
 * the same.
 */
export async function publishBesideIndexes(
  db: Database,
  stagedRows: number,
  publish: (isBare: boolean) => Promise<void>,
  options: { rowsMin?: number | undefined; onBuild?: BuildWatch } = {},
): Promise<void> {
  if (stagedRows < (options.rowsMin ?? REBUILD_ROWS_MIN) || (await countStored(db)) > REBUILD_STORED_MAX)
    return await publish(false);
  const left = await withIndexLock(db, async () => {
    if (await dropIndexes(db)) {
      try {
        await publish(true);
        await settleTable(db);
      } finally {
        await buildMissing(db, BUILD_LANES, options.onBuild);
      }
      return true;
    }
    return false;
  });
  if (left !== true) await publish(false);
}

/** Puts back whatever a killed load left missing; resolves to the names. Leaves a living load's work alone. */
export async function ensureIndexes(db: Database): Promise<string[]> {
  if ((await listMissing(db)).length === 0) return [];
  return (await withIndexLock(db, () => buildMissing(db, 1))) ?? [];
}

/** Null when another process holds the lock. */
async function withIndexLock<T>(db: Database, work: () => Promise<T>): Promise<T | null> {
  return await db.session(async (session) => {
    const key = sql`${LOCK_SPACE}::int, ${INDEX_LOCK}::int`;
    const [lock] = await session.query<{ locked: boolean }>(sql`select pg_try_advisory_lock(${key}) as locked`);
    if (lock?.locked !== true) return null;
    try {
      return await work();
    } finally {
      // Fails only with the connection, and then the lock is gone as well.
      await session.query(sql`select pg_advisory_unlock(${key})`).catch(() => undefined);
    }
  });
}

async function countStored(db: Queryable): Promise<number> {
  const [row] = await db.query<{ stored: number }>(
    sql`select coalesce(sum(record_count), 0)::float8 as stored from register`,
  );
  return row?.stored ?? 0;
}

async function listMissing(db: Queryable): Promise<IndexName[]> {
  const rows = await db.query<{ name: string }>(sql`
    select wanted.name from unnest(${INDEX_NAMES}::text[]) as wanted (name)
    where to_regclass('record') is not null and to_regclass(wanted.name) is null`);
  const missing = new Set(rows.map((row) => row.name));
  return INDEX_NAMES.filter((name) => missing.has(name));
}

/** Resolves to false when the table was too busy, or holds too many records by now. */
async function dropIndexes(db: Database): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      await lockPublishing(tx);
      if ((await countStored(tx)) > REBUILD_STORED_MAX) return false;
      await tx.query(sql`select set_config('lock_timeout', ${String(DROP_WAIT_MS)}, true)`);
      for (const name of INDEX_NAMES) await tx.query(sql`drop index if exists ${identifier(name)}`, { prepare: false });
      return true;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** B-trees built at a time, each by one process: two such need less than two that share the work on one tree. */
const BUILD_LANES = 2;

/** As long as so many B-trees the index of searches takes: what its progress counts. */
const SEARCH_INDEX_TREES = 20;

/** A build under way, as others see it. */
interface Building {
  /** The server process; null before it begins. */
  pid: number | null;
  done: boolean;
}

/**
 * The index of searches first, by every core as long as its rows are gathered. Its end is written by one process: from
 * then on B-trees are built beside it, and after it as many at a time as `lanes` says.
 */
async function buildMissing(db: Database, lanes: number, onBuild?: BuildWatch): Promise<string[]> {
  const missing = await listMissing(db);
  const trees = missing.filter((name) => name !== SEARCH_INDEX);
  const search: Building = { pid: null, done: !missing.includes(SEARCH_INDEX) };
  const total = missing.reduce((sum, name) => sum + weigh(name), 0);
  let done = 0;
  let scanned = 0;
  const report = (): void => onBuild?.((done + (search.done ? 0 : scanned * SEARCH_INDEX_TREES)) / total);
  const build = async (name: IndexName, building?: Building): Promise<void> => {
    try {
      await db.transaction((tx) => buildIndex(tx, name, building));
    } catch (error) {
      trees.length = 0;
      throw error;
    } finally {
      if (building !== undefined) building.done = true;
    }
    done += weigh(name);
    report();
  };
  const buildTrees = async (): Promise<void> => {
    for (let name = trees.shift(); name !== undefined; name = trees.shift()) await build(name);
  };
  const buildSearchFirst = async (): Promise<void> => {
    if (!search.done) await build(SEARCH_INDEX, search);
    await buildTrees();
  };
  const buildBeside = async (): Promise<void> => {
    await waitForCore(db, search);
    await buildTrees();
  };
  report();
  // Where nobody waits to be told, as when a start puts indexes back, it would take a connection for nothing.
  const watching =
    onBuild === undefined
      ? undefined
      : watchScan(db, search, (share) => {
          scanned = share;
          report();
        });
  const built = await Promise.allSettled([
    buildSearchFirst(),
    ...Array.from({ length: lanes - 1 }, () => buildBeside()),
  ]);
  await watching;
  for (const lane of built) if (lane.status === 'rejected') throw lane.reason;
  return missing;
}

function weigh(name: IndexName): number {
  return name === SEARCH_INDEX ? SEARCH_INDEX_TREES : 1;
}

/** Resolves once a build has ended or goes on in one process alone. */
async function waitForCore(db: Queryable, building: Building): Promise<void> {
  for await (const { shared } of watchBuild(db, building)) if (!shared) return;
}

/** Tells what share of the table a build has read, until it ends. Never rejects: nothing depends on it. */
async function watchScan(db: Queryable, building: Building, onScan: (scanned: number) => void): Promise<void> {
  try {
    for await (const { scanned } of watchBuild(db, building)) if (scanned !== null) onScan(scanned);
  } catch {
    // The build itself says what is wrong.
  }
}

/** What is seen of a build from outside. */
interface SeenBuild {
  /** Whether another process shares in it. */
  shared: boolean;
  /** Share of the table that has been read, from 0 to 1; null where that is not known. */
  scanned: number | null;
}

/** A look now and then, until the build ends. */
async function* watchBuild(db: Queryable, building: Building): AsyncGenerator<SeenBuild> {
  while (!building.done) {
    // Another process joins in a moment after the build has begun.
    const { pid } = building;
    const [seen] = await db.query<SeenBuild>(sql`
      select exists (select from pg_stat_activity where leader_pid = ${pid}::int4) as shared,
        (select blocks_done::float8 / nullif(blocks_total, 0) from pg_stat_progress_create_index
          where pid = ${pid}::int4) as scanned
      from (select pg_sleep(${WATCH_SECONDS}::float8)) as waited`);
    if (pid !== null && seen !== undefined && !building.done) yield seen;
  }
}

const WATCH_SECONDS = 0.25;

/** No publish meanwhile, so that none waits for the table with its stamp already taken. */
async function buildIndex(tx: Transaction, name: IndexName, building?: Building): Promise<void> {
  await holdPublishing(tx);
  const memory = name === SEARCH_INDEX ? SEARCH_BUILD_MEMORY : TREE_BUILD_MEMORY;
  await tx.query(sql`select set_config('maintenance_work_mem', ${memory}, true)`);
  if (name !== SEARCH_INDEX) await tx.query(sql`select set_config('max_parallel_maintenance_workers', '0', true)`);
  if (building !== undefined) {
    const [server] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    building.pid = server?.pid ?? null;
  }
  await tx.query(sql`create index if not exists ${identifier(name)} ${REBUILDABLE_INDEXES[name]}`, { prepare: false });
}

/**
 * Marks the pages of a table that was just filled as settled: an index is read without the table only where they are,
 * and the database itself would see to it minutes later. While there are no indexes it is one pass over the pages that
 * are not settled yet.
 */
async function settleTable(db: Pick<Queryable, 'query'>): Promise<void> {
  await db.query(sql`vacuum (truncate off) record`, { prepare: false });
}

/** The statistics that plans go by, and an index without pending entries, after a load that changed much. */
export async function analyzeRecords(db: Queryable): Promise<void> {
  await db.query(sql`select gin_clean_pending_list('record_search')`, { prepare: false });
  await db.query(sql`analyze record`, { prepare: false });
}

/**
 * What can be done for searches beside the last batches of a first load: publishing keeps one core busy. Statistics
 * come from a sample of a tenth, for the whole one takes as long as a tenth of the load; what comes after it makes the
 * database take its own soon. What an index adds to statistics, building it does.
 */
export async function prepareBare(db: Pick<Database, 'query' | 'transaction'>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`alter table record alter column terms set statistics 100`, { prepare: false });
    await tx.query(sql`analyze record`, { prepare: false });
    await tx.query(sql`alter table record alter column terms set statistics 1000`, { prepare: false });
  });
  await settleTable(db);
}
