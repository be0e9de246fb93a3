/**
 * Tables on several nodes (docs/design/standbys-and-nodes.md): on a database with the extension Citus, `migrate`
 * distributes records, their earlier versions and their payloads over the nodes by uid, so that everything about one
 * record lies on one node. All other tables stay on the coordinator, except the list of publishes, which every node has
 * a copy of.
 * Invariant: a database is distributed as a whole or not at all.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Database, Queryable, Transaction } from '../driver/db.ts';
import { READING_SESSION_SETTINGS } from '../driver/session-settings.ts';
import { type Statement, sql } from '../driver/sql.ts';

/** Whether the tables of records lie on several nodes. */
export async function isDistributed(db: Pick<Queryable, 'query'>): Promise<boolean> {
  const [clock] = await db.query<{ distributed: boolean }>(
    sql`select announced_stamp is not null as distributed from publish_clock`,
  );
  return clock?.distributed === true;
}

async function hasCitus(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select from pg_extension where extname = 'citus'`)).length > 0;
}

/** The tables that have a part on each node. Works on a database of any schema. */
export async function listSpreadTables(db: Queryable): Promise<ReadonlySet<string>> {
  if (!(await hasCitus(db))) return new Set();
  const spread = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where partmethod = 'h' and relnamespace = (select oid from pg_namespace where nspname = current_schema())`);
  return new Set(spread.map(({ name }) => name));
}

/**
 * Distributes the tables if the database has Citus and is not distributed yet. Resolves to whether it did.
 *
 * @throws OperatorError if there is no node to hold records
 */
export async function distributeTables(db: Database): Promise<boolean> {
  if (!(await hasCitus(db)) || (await isDistributed(db))) return false;
  return await db.transaction(async (tx) => {
    // Other migrating processes wait here, and find the work done.
    await tx.query(sql`lock table publish_clock in exclusive mode`);
    if (await isDistributed(tx)) return false;
    await changeInTurn(tx);
    await distribute(tx);
    return true;
  });
}

/**
 * The same for tables that the transaction has just created by migrations. Call `changeInTurn` first.
 */
export async function distributeNewTables(tx: Transaction): Promise<boolean> {
  if (!(await hasCitus(tx))) return false;
  await distribute(tx);
  return true;
}

/**
 * On Citus: the transaction uses one session per node, as required for a transaction that changes tables and fills
 * them.
 */
export async function changeInTurn(tx: Transaction): Promise<void> {
  if (await hasCitus(tx)) await tx.query(sql`set local citus.multi_shard_modify_mode to 'sequential'`);
}

async function distribute(tx: Transaction): Promise<void> {
  const nodes = await tx.query(sql`select from pg_dist_node where shouldhaveshards and isactive limit 1`);
  if (nodes.length === 0) {
    throw new OperatorError(
      "the database has the extension citus, but no worker: run citus_add_node('HOST', PORT) for each, then try again",
    );
  }
  // Citus refuses triggers on distributed tables.
  await tx.query(sql`drop trigger if exists record_version_kept on record`);
  await tx.query(sql`select create_distributed_table('record', 'uid')`);
  await placeBesideRecords(tx, sql`payload`);
  await placeBesideRecords(tx, sql`record_version`);
  // Every publish writes this table on every node, so it is prepared on all nodes before any node commits.
  await tx.query(sql`select create_reference_table('publish')`);
  // The former rows of the tables were copied, and would stay next to the copy, unseen.
  await tx.query(sql`
    select truncate_local_data_after_distributing_table(name::regclass)
    from unnest(array['record', 'payload', 'record_version', 'publish']) as name`);
  await tx.query(sql`update publish_clock set announced_stamp = last_stamp`);
}

/** Facts about the database for its readers of records. */
interface ReadingOptions {
  readonly settings: Readonly<Record<string, string>>;
  readonly isDistributed: boolean;
}

/** The values decide which of several nodes are asked, so a plan serves only once there. */
export async function findReadingOptions(db: Pick<Queryable, 'query'>): Promise<ReadingOptions> {
  if (!(await isDistributed(db))) return { settings: READING_SESSION_SETTINGS, isDistributed: false };
  return { settings: { ...READING_SESSION_SETTINGS, plan_cache_mode: 'force_custom_plan' }, isDistributed: true };
}

/**
 * @throws OperatorError if the tables of records lie on several nodes, which `what` does not support. Works on a
 *   database without tables too.
 */
export async function refuseDistributed(db: Queryable, what: string): Promise<void> {
  if (!(await listSpreadTables(db)).has('record')) return;
  throw new OperatorError(`${what} does not cover a database of several nodes; see docs/operations.md, Citus`);
}

/** Spreads a table of the same columns `jurisdiction_code` and `uid` like the records. */
export async function placeBesideRecords(db: Queryable, table: Statement): Promise<void> {
  await db.query(sql`select create_distributed_table('${table}', 'uid', colocate_with => 'record')`, {
    prepare: false,
  });
}
