/**
 * The table of numbers of a replica in SQLite. Each save updates it in its own transaction, once it exists. It is made
 * in transactions of a few thousand records each, under another name until it is complete.
 */
import { NUMBERS_BATCH_RECORDS, NUMBERS_TABLE, NUMBERS_UNFINISHED, TABLE } from './columns.ts';
import { listNumberRows, NUMBERED_COLUMNS, type NumberedRecord, NumbersComparison } from './numbers.ts';
import type { DerivedTable, RecordIdentity } from './sink.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';

const COLUMNS = NUMBERED_COLUMNS.map((name) => `record.${name}`).join(', ');

const CREATE = `
  drop table if exists ${NUMBERS_TABLE};
  drop table if exists ${NUMBERS_UNFINISHED};
  create table ${NUMBERS_UNFINISHED} (
    number text not null,
    kind text not null,
    jurisdiction_code text not null,
    uid text not null,
    primary key (number, kind, jurisdiction_code, uid)
  ) without rowid;
  create index ${NUMBERS_TABLE}_record on ${NUMBERS_UNFINISHED} (jurisdiction_code, uid);`;

/** Runs work in a transaction. */
export type Transact = <Result>(work: (db: SqliteDatabase) => Result) => Promise<Result>;

/** The table under its present name; null if there is none. */
function findTable(db: SqliteDatabase): string | null {
  const find = db.prepare(`select name from sqlite_schema where type = 'table' and name in (?, ?) order by name`);
  const [found] = find.all(NUMBERS_TABLE, NUMBERS_UNFINISHED) as { name: string }[];
  return found?.name ?? null;
}

/** Writes the rows of records, which replace those that it had. */
export interface NumbersWriter {
  put(record: NumberedRecord): void;
  remove(identity: RecordIdentity): void;
}

/** Null while there is no table. For use within one transaction. */
export function openNumbers(db: SqliteDatabase): NumbersWriter | null {
  const table = findTable(db);
  if (table === null) return null;
  const drop = db.prepare(`delete from ${table} where jurisdiction_code = ? and uid = ?`);
  const insert = db.prepare(`insert into ${table} (number, kind, jurisdiction_code, uid) values (?, ?, ?, ?)`);
  const remove = ({ jurisdiction_code, uid }: RecordIdentity): void => {
    drop.run(jurisdiction_code, uid);
  };
  return {
    remove,
    put: (record) => {
      remove(record);
      for (const { number, kind, jurisdiction_code, uid } of listNumberRows(record)) {
        insert.run(number, kind, jurisdiction_code, uid);
      }
    },
  };
}

/** Makes the table if it is missing or incomplete. */
export async function makeMissingNumbers(transact: Transact): Promise<void> {
  if ((await transact(findTable)) !== NUMBERS_TABLE) await makeNumbers(transact);
}

/** Makes the table from the records. */
export async function makeNumbers(transact: Transact): Promise<void> {
  await transact((db) => db.exec(CREATE));
  let last: RecordIdentity | null = { jurisdiction_code: '', uid: '' };
  while (last !== null) {
    const after: RecordIdentity = last;
    last = await transact((db) => fileBatch(db, after));
  }
  await transact((db) => db.exec(`alter table ${NUMBERS_UNFINISHED} rename to ${NUMBERS_TABLE}`));
}

/** The last record of the batch; null at the end. */
function fileBatch(db: SqliteDatabase, after: RecordIdentity): RecordIdentity | null {
  const rows = db
    .prepare(`select ${COLUMNS} from ${TABLE} as record where (jurisdiction_code, uid) > (?, ?)
      order by jurisdiction_code, uid limit ${NUMBERS_BATCH_RECORDS}`)
    .all(after.jurisdiction_code, after.uid)
    .map(readNumbered);
  const numbers = openNumbers(db);
  for (const record of rows) numbers?.put(record);
  return rows.length < NUMBERS_BATCH_RECORDS ? null : rows.at(-1)!;
}

/** Null while there is no complete table. */
export function compareNumbers(db: SqliteDatabase): DerivedTable | null {
  if (findTable(db) !== NUMBERS_TABLE) return null;
  const comparison = new NumbersComparison();
  const records = db.prepare(`
    select ${COLUMNS}, (select json_group_array(json_array(kind, number)) from ${NUMBERS_TABLE} as filed
      where filed.jurisdiction_code = record.jurisdiction_code and filed.uid = record.uid) as held
    from ${TABLE} as record`);
  for (const row of records.iterate()) {
    comparison.add(readNumbered(row), JSON.parse((row as { held: string }).held));
  }
  const [count] = db.prepare(`select count(*) as total from ${NUMBERS_TABLE}`).all() as { total: number }[];
  return comparison.end(count!.total);
}

/** A damaged list has no numbers; its record differs from the service. */
function readNumbered(row: unknown): NumberedRecord {
  const record = row as Record<keyof NumberedRecord, string | null>;
  let numbers: unknown = null;
  try {
    numbers = JSON.parse(record.international_registration_numbers ?? 'null');
  } catch {}
  return { ...record, international_registration_numbers: Array.isArray(numbers) ? numbers : null } as NumberedRecord;
}
