/**
 * A replica in a PostgreSQL database: table `trademarks` in the connection's schema, dates as date, instants as
 * timestamptz, lists as arrays. Rows and position share a transaction; a page is one statement, parsed by the server.
 */
import { COLUMNS, type Column, type ColumnKind, IDENTITY, STATE_TABLE, TABLE } from './columns.ts';
import {
  buildMovedError,
  checkScope,
  FORM,
  ReplicaError,
  type ReplicaSink,
  readState,
  type StateRow,
  type StoredRecord,
  type StoredReplica,
} from './sink.ts';

/** The part of the `pg` package used here. */
interface PostgresClient {
  connect(): Promise<unknown>;
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

interface PostgresDriver {
  Client: new (options: { connectionString: string; application_name: string }) => PostgresClient;
}

const DRIVER = 'pg';
const FETCH_ROWS = 2_000;

const TYPES = {
  text: 'text',
  date: 'date',
  instant: 'timestamptz',
  integers: 'integer[]',
  texts: 'text[]',
} as const satisfies Record<ColumnKind, string>;

const NAMES = [...COLUMNS.map(({ name }) => name), 'payload'];

function declareColumn({ name, kind, nullable }: Column): string {
  return `${name} ${TYPES[kind]}${nullable ? '' : ' not null'}`;
}

const CREATE = `
  create table if not exists ${TABLE} (
    ${COLUMNS.map(declareColumn).join(',\n    ')},
    payload jsonb,
    primary key (${IDENTITY.join(', ')})
  );
  create table if not exists ${STATE_TABLE} (
    singleton boolean primary key default true check (singleton),
    form integer not null,
    since text not null,
    jurisdiction_code text,
    expand text,
    cursor text,
    complete_to text,
    delivered bigint not null
  );`;

const UPSERT = `
  insert into ${TABLE} (${NAMES.join(', ')})
  select ${NAMES.join(', ')} from json_populate_recordset(null::${TABLE}, $1::json)
  on conflict (${IDENTITY.join(', ')}) do update set
    ${NAMES.slice(IDENTITY.length)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

const MOVE = `
  update ${STATE_TABLE} set cursor = $1, complete_to = $2, delivered = $3
  where cursor is not distinct from $4 and delivered = $5`;

/** A column as the wire writes it. */
function selectAsDelivered({ name, kind }: Column): string {
  if (kind === 'date') return `to_char(${name}, 'YYYY-MM-DD') as ${name}`;
  if (kind === 'instant') return `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${name}`;
  return name;
}

/**
 * @param url postgres://…; a schema other than the default by `?options=-c%20search_path%3Dname`
 * @throws ReplicaError when the package `pg` is not installed
 */
export async function openPostgresSink(url: string): Promise<ReplicaSink> {
  const { Client } = await loadDriver();
  const client = new Client({ connectionString: url, application_name: 'tmds-replica' });
  // Without a listener a connection lost while idle would end the process; the next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  const label = `postgres:${new URL(url).host}${new URL(url).pathname}`;

  async function inTransaction(work: () => Promise<void>): Promise<void> {
    await client.query('begin');
    try {
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  async function findState(): Promise<StoredReplica> {
    const { rows } = await client.query(
      `select form, since, jurisdiction_code, expand, cursor, complete_to, delivered::float8 as delivered
        from ${STATE_TABLE}`,
    );
    return readState(label, rows[0] as unknown as StateRow);
  }

  return {
    label,
    async find() {
      const { rows } = await client.query('select to_regclass($1) is not null as made', [STATE_TABLE]);
      return rows[0]?.made === true ? await findState() : null;
    },
    async open(scope) {
      await inTransaction(async () => {
        await client.query(`select pg_advisory_xact_lock(hashtext('${STATE_TABLE}'))`);
        await client.query(CREATE);
        await client.query(
          `insert into ${STATE_TABLE} (form, since, jurisdiction_code, expand, delivered)
            values ($1, $2, $3, $4, 0) on conflict do nothing`,
          [FORM, scope.since, scope.jurisdiction_code, scope.expand],
        );
      });
      const stored = await findState();
      checkScope(label, stored.scope, scope);
      return stored.position;
    },
    async save(items, from, to) {
      await inTransaction(async () => {
        const values = [to.cursor, to.complete_to, to.delivered, from.cursor, from.delivered];
        if ((await client.query(MOVE, values)).rowCount !== 1) throw buildMovedError(label);
        if (items.length > 0) await client.query(UPSERT, [JSON.stringify(items)]);
      });
    },
    async countRecords() {
      const { rows } = await client.query(`select count(*)::float8 as records from ${TABLE}`);
      return rows[0]?.records as number;
    },
    async *listRecords() {
      await client.query('begin isolation level repeatable read read only');
      try {
        await client.query(
          `declare replica_records no scroll cursor for
            select ${COLUMNS.map(selectAsDelivered).join(', ')} from ${TABLE}`,
        );
        for (;;) {
          const { rows } = await client.query(`fetch ${FETCH_ROWS} from replica_records`);
          if (rows.length === 0) break;
          yield* rows as unknown as StoredRecord[];
        }
      } finally {
        await client.query('rollback');
      }
    },
    async close() {
      await client.end();
    },
  };
}

async function loadDriver(): Promise<PostgresDriver> {
  try {
    const loaded = (await import(DRIVER)) as PostgresDriver & { default?: PostgresDriver };
    return loaded.default ?? loaded;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ReplicaError(`PostgreSQL needs a driver: run "npm install ${DRIVER}"`);
  }
}
