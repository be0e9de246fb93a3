/**
 * A replica in a PostgreSQL database: table `trademarks` in the connection's schema, with dates as date, instants as
 * timestamptz and lists as arrays. Records and position are saved in one transaction; a page is one statement, which
 * the server parses. Connects when necessary, also after the connection was lost.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { LIST_TABLES, type ListTable, NUMBERS_TABLE, STATE_TABLE, TABLE } from './columns.ts';
import { connectPostgres, explainPostgres, loadPostgres, type PostgresClient } from './postgres-driver.ts';
import { compareNumbers, makeMissingNumbers, makeNumbers, updateNumbers } from './postgres-numbers.ts';
import { findPayloads, listRows, renderList } from './postgres-rows.ts';
import {
  CREATE,
  compareList,
  deriveList,
  INDEX,
  INDEX_NAMES,
  LIST_UPDATES,
  listParts,
  MOVE,
  UPSERT,
} from './postgres-tables.ts';
import {
  buildForeignError,
  buildMovedError,
  checkScope,
  type DerivedTable,
  FORM,
  type RecordIdentity,
  type Repair,
  ReplicaError,
  type ReplicaScope,
  type ReplicaSink,
  type ReplicaSnapshot,
  readState,
  type StateRow,
  type StoredReplica,
} from './sink.ts';
import { START } from './states.ts';

/**
 * @param url postgres://…; `?options=-c%20search_path%3Dname` selects another schema than the default. Without a
 *   password, PGPASSWORD or the file named by PGPASSFILE is used.
 * @throws ReplicaError when the package `pg` is not installed
 */
export async function openPostgresSink(url: string): Promise<ReplicaSink> {
  const driver = await loadPostgres();
  const label = `postgres:${new URL(url).host}${new URL(url).pathname}`;
  let writer: PostgresClient | null = null;
  let scope: ReplicaScope | null = null;
  /** Whether the tables of owners and classes exist; null until this connection has looked. */
  let hasLists: boolean | null = null;

  /** Whether the stored state has a lineage, as far as this connection has looked. */
  let hasLineage = false;

  async function closeWriter(): Promise<void> {
    const client = writer;
    writer = null;
    hasLists = null;
    hasLineage = false;
    await client?.end().catch(() => undefined);
  }

  /** Runs `work` on the writing connection. After a failure it is closed, so that the next attempt opens a new one. */
  async function using<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result> {
    try {
      writer ??= await connectPostgres(driver, url);
      return await work(writer);
    } catch (error) {
      await closeWriter();
      throw explainPostgres(label, error);
    }
  }

  /** Explains errors of the database, but not errors of the consumer of the rows. */
  async function* explained<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row, void, void> {
    try {
      yield* rows;
    } catch (error) {
      throw explainPostgres(label, error);
    }
  }

  /** Opens a separate connection that sees one moment; `stored` is null when there is no replica. */
  async function openReader(): Promise<{ client: PostgresClient; stored: StoredReplica | null }> {
    let client: PostgresClient | null = null;
    try {
      client = await connectPostgres(driver, url);
      await client.query('begin isolation level repeatable read read only');
      return { client, stored: await look(client, label) };
    } catch (error) {
      await client?.end().catch(() => undefined);
      throw explainPostgres(label, error);
    }
  }

  async function updateLists(client: PostgresClient, named: readonly RecordIdentity[]): Promise<void> {
    hasLists ??= await areDerived(client);
    if (!hasLists || named.length === 0) return;
    const keys = [named.map((record) => record.jurisdiction_code), named.map((record) => record.uid)];
    for (const statement of LIST_UPDATES) await client.query(statement, keys);
  }

  return {
    label,
    find: () => using((client) => look(client, label)),
    async open(asked) {
      scope = asked;
      const stored = await using((client) => look(client, label));
      if (stored !== null) checkScope(label, stored.scope, asked);
      return stored?.position ?? START;
    },
    async save(items, from, to) {
      await using((client) =>
        inTransaction(client, async () => {
          if (scope === null) throw new ReplicaError(`${label} is not open`);
          if (from.delivered === 0) await create(client, scope);
          if (!hasLineage) await addStateColumn(client, 'lineage');
          hasLineage = true;
          const place = [to.cursor, to.complete_to, to.delivered, from.cursor, from.delivered];
          const values = [...place, to.lineage ?? null];
          if ((await client.query(MOVE, values)).rowCount !== 1) throw buildMovedError(label);
          if (items.length > 0) await client.query(UPSERT, [renderList(items)]);
          await updateLists(client, items);
          await updateNumbers(client, items, items);
        }),
      );
    },
    async index() {
      await using(async (client) => {
        await inTransaction(client, async () => {
          await client.query(`select pg_advisory_xact_lock(hashtext('${STATE_TABLE}'))`);
          const isMissing = !(await areDerived(client));
          if (isMissing || !(await areIndexed(client))) {
            await client.query(`lock table ${TABLE} in share mode`);
            await client.query(INDEX);
          }
          // Saves leave all of them alone while one is missing.
          if (isMissing) for (const list of LIST_TABLES) await client.query(deriveList(list));
          hasLists = null;
        });
        await makeMissingNumbers(client, (work) => inTransaction(client, work));
      });
    },
    async derive(tables) {
      await using(async (client) => {
        await inTransaction(client, async () => {
          await client.query(`select pg_advisory_xact_lock(hashtext('${STATE_TABLE}'))`);
          await client.query(`lock table ${TABLE} in share mode`);
          for (const list of LIST_TABLES) if (tables.includes(list.table)) await client.query(deriveList(list));
        });
        if (tables.includes(NUMBERS_TABLE)) await makeNumbers(client, (work) => inTransaction(client, work));
      });
    },
    async countRecords() {
      return await using(async (client) => {
        const { rows } = await client.query(`select count(*)::float8 as records from ${TABLE}`);
        return rows[0]?.records as number;
      });
    },
    async *listRecords() {
      const { client, stored } = await openReader();
      try {
        if (stored !== null) yield* explained(listRows(client));
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    async read(work) {
      const { client, stored } = await openReader();
      const snapshot: ReplicaSnapshot = {
        stored,
        async *listRecords(code) {
          if (stored !== null) yield* explained(listRows(client, code));
        },
        async findPayloads(identities) {
          return await findPayloads(client, identities).catch((error) => {
            throw explainPostgres(label, error);
          });
        },
        async compareDerived() {
          return await compareDerived(client).catch((error) => {
            throw explainPostgres(label, error);
          });
        },
      };
      try {
        return await work(snapshot);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    async repair(repairs) {
      return await using((client) =>
        inTransaction(client, async () => {
          const applied: Repair[] = [];
          for (const repair of repairs) if (await applyRepair(client, repair)) applied.push(repair);
          await updateLists(client, applied);
          const records = applied.flatMap(({ record }) => (record === null ? [] : [record]));
          await updateNumbers(client, applied, records);
          return applied.length;
        }),
      );
    },
    async noteVerification(outcome) {
      await using((client) =>
        inTransaction(client, async () => {
          await addStateColumn(client, 'verification');
          await client.query(`update ${STATE_TABLE} set verification = $1`, [JSON.stringify(outcome)]);
        }),
      );
    },
    close: closeWriter,
  };
}

async function inTransaction<Result>(client: PostgresClient, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function hasTable(client: PostgresClient, name: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as made', [name]);
  return rows[0]?.made === true;
}

async function isDerived(client: PostgresClient, list: ListTable): Promise<boolean> {
  for (const name of listParts(list)) if (!(await hasTable(client, name))) return false;
  return true;
}

async function areDerived(client: PostgresClient): Promise<boolean> {
  for (const list of LIST_TABLES) if (!(await isDerived(client, list))) return false;
  return true;
}

async function areIndexed(client: PostgresClient): Promise<boolean> {
  for (const name of INDEX_NAMES) if (!(await hasTable(client, name))) return false;
  return true;
}

async function compareDerived(client: PostgresClient): Promise<DerivedTable[]> {
  const compared: DerivedTable[] = [];
  for (const list of LIST_TABLES) {
    if (!(await isDerived(client, list))) continue;
    const { rows } = await client.query(compareList(list));
    compared.push({ table: list.table, ...(rows[0] as unknown as Omit<DerivedTable, 'table'>) });
  }
  const numbers = await compareNumbers(client);
  return numbers === null ? compared : [...compared, numbers];
}

/** Reads the state without changing anything; null when there is no replica. */
async function look(client: PostgresClient, label: string): Promise<StoredReplica | null> {
  if (!(await hasTable(client, STATE_TABLE))) {
    if (await hasTable(client, TABLE)) throw buildForeignError(label, `holds another table named ${TABLE}`);
    return null;
  }
  const { rows } = await client.query(
    // Older replicas lack columns; reading those through JSON gives null.
    `select form, since, jurisdiction_code, expand, to_jsonb(state) ->> 'search' as search,
        to_jsonb(state) ->> 'lineage' as lineage, to_jsonb(state) ->> 'verification' as verification,
        cursor, complete_to, delivered::float8 as delivered
      from ${STATE_TABLE} as state`,
  );
  if (rows[0] === undefined) throw buildForeignError(label, `holds a table ${STATE_TABLE} without a position`);
  return readState(label, rows[0] as unknown as StateRow);
}

/** Takes a lock, because two processes could create the tables at once. */
async function create(client: PostgresClient, scope: ReplicaScope): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('${STATE_TABLE}'))`);
  await client.query(CREATE);
  if ((await client.query(`select from ${STATE_TABLE}`)).rowCount !== 0) return;
  await client.query(
    `insert into ${STATE_TABLE} (form, since, jurisdiction_code, expand, search, delivered)
      values ($1, $2, $3, $4, $5, 0)`,
    [FORM, scope.since, scope.jurisdiction_code, scope.expand, scope.search],
  );
}

/** Adds a column to the state of a replica that is older than it. */
async function addStateColumn(client: PostgresClient, name: 'lineage' | 'verification'): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('${STATE_TABLE}') and attname = $1`,
    [name],
  );
  if (rowCount === 0) await client.query(`alter table ${STATE_TABLE} add column if not exists ${name} text`);
}

/** False when the record is no longer the one that was compared. */
async function applyRepair(client: PostgresClient, repair: Repair): Promise<boolean> {
  const identity = [repair.jurisdiction_code, repair.uid];
  const { rows } = await client.query(
    `select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at
      from ${TABLE} where jurisdiction_code = $1 and uid = $2 for update`,
    identity,
  );
  if (((rows[0]?.updated_at as TrademarkDetail['updated_at'] | undefined) ?? null) !== repair.seen) return false;
  if (repair.record !== null) await client.query(UPSERT, [renderList([repair.record])]);
  else await client.query(`delete from ${TABLE} where jurisdiction_code = $1 and uid = $2`, identity);
  return true;
}
