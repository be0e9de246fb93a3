/**
 * The table of numbers of a replica in PostgreSQL. Each save updates it in its own transaction, once it exists. It is
 * made in transactions of a few thousand records each, under another name until it is complete; saves of other
 * processes update it meanwhile, so that a record which changes while it is made has its present numbers.
 */
import { NUMBERS_BATCH_RECORDS, NUMBERS_TABLE, NUMBERS_UNFINISHED, STATE_TABLE, TABLE } from './columns.ts';
import { listNumberRows, NUMBERED_COLUMNS, type NumberedRecord, NumbersComparison } from './numbers.ts';
import type { PostgresClient } from './postgres-driver.ts';
import type { DerivedTable, RecordIdentity } from './sink.ts';

const COLUMNS = NUMBERED_COLUMNS.map((name) => `record.${name}`).join(', ');

const CREATE = `
  drop table if exists ${NUMBERS_TABLE}, ${NUMBERS_UNFINISHED};
  create table ${NUMBERS_UNFINISHED} (
    number text not null,
    kind text not null,
    jurisdiction_code text not null,
    uid text not null,
    primary key (number, kind, jurisdiction_code, uid)
  );
  create index ${NUMBERS_TABLE}_record on ${NUMBERS_UNFINISHED} (jurisdiction_code, uid);`;

const FINISH = `
  alter table ${NUMBERS_UNFINISHED} rename to ${NUMBERS_TABLE};
  analyze ${NUMBERS_TABLE};`;

/** A lock of the connection: one process at a time makes the table. */
const MAKING = `hashtext('${NUMBERS_TABLE}')`;

const FETCH_ROWS = 2_000;

export type Transact = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The table under its present name; null if there is none. */
async function findTable(client: PostgresClient): Promise<string | null> {
  const { rows } = await client.query(
    'select to_regclass($1) is not null as whole, to_regclass($2) is not null as part',
    [NUMBERS_TABLE, NUMBERS_UNFINISHED],
  );
  if (rows[0]?.whole === true) return NUMBERS_TABLE;
  return rows[0]?.part === true ? NUMBERS_UNFINISHED : null;
}

/**
 * Replaces the rows of these records. Needs the transaction that wrote the records: its lock on their table makes
 * `makeNumbers` wait, so a table that is not seen here will be made from records that are committed.
 *
 * @param records those of `named` that exist
 */
export async function updateNumbers(
  client: PostgresClient,
  named: readonly RecordIdentity[],
  records: readonly NumberedRecord[],
): Promise<void> {
  if (named.length === 0) return;
  const table = await findTable(client);
  if (table === null) return;
  await client.query(
    `delete from ${table} using unnest($1::text[], $2::text[]) as named (code, uid)
      where ${table}.jurisdiction_code = named.code and ${table}.uid = named.uid`,
    [named.map((record) => record.jurisdiction_code), named.map((record) => record.uid)],
  );
  await insertNumbers(client, table, records);
}

async function insertNumbers(client: PostgresClient, table: string, records: readonly NumberedRecord[]): Promise<void> {
  const rows = records.flatMap(listNumberRows);
  if (rows.length === 0) return;
  await client.query(
    `insert into ${table} (number, kind, jurisdiction_code, uid)
      select number, kind, code, uid
      from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as filed (number, kind, code, uid)
      on conflict do nothing`,
    [
      rows.map(({ number }) => number),
      rows.map(({ kind }) => kind),
      rows.map(({ jurisdiction_code }) => jurisdiction_code),
      rows.map(({ uid }) => uid),
    ],
  );
}

/** Makes the table if it is missing or incomplete. */
export async function makeMissingNumbers(client: PostgresClient, transact: Transact): Promise<void> {
  if ((await findTable(client)) !== NUMBERS_TABLE) await makeNumbers(client, transact);
}

/** Makes the table from the records. Leaves it to another process that is making it. */
export async function makeNumbers(client: PostgresClient, transact: Transact): Promise<void> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${MAKING}) as taken`);
  if (rows[0]?.taken !== true) return;
  try {
    await transact(async () => {
      await client.query(`select pg_advisory_xact_lock(hashtext('${STATE_TABLE}'))`);
      await client.query(`lock table ${TABLE} in share mode`);
      await client.query(CREATE);
    });
    let last: RecordIdentity | null = { jurisdiction_code: '', uid: '' };
    while (last !== null) {
      const after: RecordIdentity = last;
      last = await transact(() => fileBatch(client, after));
    }
    await transact(() => client.query(FINISH));
  } finally {
    await client.query(`select pg_advisory_unlock(${MAKING})`).catch(() => undefined);
  }
}

/** Resolves to the last record of the batch; null at the end. */
async function fileBatch(client: PostgresClient, after: RecordIdentity): Promise<RecordIdentity | null> {
  // Nobody changes a record between its reading and the writing of its numbers.
  await client.query(`lock table ${TABLE} in share mode`);
  const { rows } = await client.query(
    `select ${COLUMNS} from ${TABLE} as record where (jurisdiction_code, uid) > ($1, $2)
      order by jurisdiction_code, uid limit ${NUMBERS_BATCH_RECORDS}`,
    [after.jurisdiction_code, after.uid],
  );
  const records = rows as unknown as NumberedRecord[];
  await insertNumbers(client, NUMBERS_UNFINISHED, records);
  return records.length < NUMBERS_BATCH_RECORDS ? null : records.at(-1)!;
}

/** Null while there is no complete table. Needs a transaction. */
export async function compareNumbers(client: PostgresClient): Promise<DerivedTable | null> {
  if ((await findTable(client)) !== NUMBERS_TABLE) return null;
  await client.query(`
    declare replica_numbers no scroll cursor for
    select ${COLUMNS}, coalesce(filed.rows, '[]'::json) as held
    from ${TABLE} as record left join (
      select jurisdiction_code, uid, json_agg(json_build_array(kind, number)) as rows
      from ${NUMBERS_TABLE} group by jurisdiction_code, uid
    ) as filed on filed.jurisdiction_code = record.jurisdiction_code and filed.uid = record.uid`);
  const comparison = new NumbersComparison();
  try {
    for (;;) {
      const { rows } = await client.query(`fetch ${FETCH_ROWS} from replica_numbers`);
      if (rows.length === 0) break;
      for (const { held, ...record } of rows) {
        comparison.add(record as unknown as NumberedRecord, held as [string, string][]);
      }
    }
  } finally {
    await client.query('close replica_numbers').catch(() => undefined);
  }
  const { rows } = await client.query(`select count(*)::float8 as total from ${NUMBERS_TABLE}`);
  return comparison.end(rows[0]?.total as number);
}
