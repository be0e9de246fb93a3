/**
 * What a migration does to concurrent readers and writers, asked of PostgreSQL at the end of each of its transactions:
 * which locks that stop others it took, and whether it read or wrote a large table under them.
 */
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';

/** Tables that always stay small: a scan of a hundred thousand rows under a lock takes a fraction of a second. */
const SMALL: readonly string[] = [
  'access_key',
  'agreement',
  'clock_repair',
  'customer',
  'invitation',
  'key_product',
  'key_secret',
  'load',
  'migration',
  'migration_step',
  'portal_attempt',
  'portal_form',
  'portal_key',
  'portal_reveal',
  'portal_session',
  'portal_signing',
  'portal_user',
  'publish_clock',
  'register',
  'register_load',
];

/** Rows of a large table that one transaction may change: their writers wait until it has ended. */
const CHANGED_ROWS_MAX = 2_500;

/** Locks that stop writers, or everybody. */
const STRONG = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

interface Used {
  readonly table: string;
  readonly scans: number;
  readonly changed: number;
}

/** The counters of this session; they may still hold what earlier transactions did. */
async function readUse(db: Queryable): Promise<Map<string, Used>> {
  const rows = await db.query<Used>(sql`
    select relname::text as "table", seq_scan::int as scans, (n_tup_upd + n_tup_del + n_tup_ins)::int as changed
    from pg_stat_xact_all_tables
    where schemaname = current_schema() and relname <> all (${SMALL}::text[])`);
  return new Map(rows.map((row) => [row.table, row]));
}

async function listFilled(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and reltuples > 0`);
  return new Set(rows.map(({ name }) => name));
}

async function listLocked(db: Queryable): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; mode: string }>(sql`
    select relname::text as name, max(mode) as mode from pg_locks join pg_class c on c.oid = relation
    where pid = pg_backend_pid() and granted and mode = any (${STRONG}::text[]) group by 1`);
  return new Map(rows.map(({ name, mode }) => [name, mode]));
}

/** The same database. What a transaction on it does that would stop others for long is added to `findings`. */
export function watchLocks(db: Database, findings: string[]): Database {
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const [filled, before] = [await listFilled(tx), await readUse(tx)];
        const result = await work(tx);
        const [after, locked] = [await readUse(tx), await listLocked(tx)];
        for (const { table, scans, changed } of after.values()) {
          if (!filled.has(table)) continue;
          const mode = locked.get(table);
          const { scans: scansBefore = 0, changed: changedBefore = 0 } = before.get(table) ?? {};
          if (mode !== undefined && scans > scansBefore) {
            findings.push(`${table} is read through while ${mode} stops others`);
          }
          if (changed - changedBefore > CHANGED_ROWS_MAX) {
            findings.push(`more than ${CHANGED_ROWS_MAX} rows of ${table} are changed in one transaction`);
          }
        }
        return result;
      }, options),
  };
}
