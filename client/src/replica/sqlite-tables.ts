/**
 * The tables of a replica in SQLite: records and position and, once it has caught up, indexes and a row for each owner
 * and class of a record, which triggers update.
 */
import { CLASSES_TABLE, COLUMNS, IDENTITY, INDEXED_DATES, OWNERS_TABLE, STATE_TABLE, TABLE } from './columns.ts';

const names = [...COLUMNS.map(({ name }) => name), 'payload'];

export const CREATE = `
  create table if not exists ${TABLE} (
    ${COLUMNS.map(({ name, nullable }) => `${name} text${nullable ? '' : ' not null'}`).join(',\n    ')},
    payload text,
    primary key (${IDENTITY.join(', ')})
  );
  create table if not exists ${STATE_TABLE} (
    singleton integer primary key check (singleton = 1),
    form integer not null,
    since text not null,
    jurisdiction_code text,
    expand text,
    search text,
    cursor text,
    complete_to text,
    delivered integer not null
  );`;

export const UPSERT = `
  insert into ${TABLE} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
  on conflict (${IDENTITY.join(', ')}) do update set
    ${names
      .slice(IDENTITY.length)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

/** A table with a row for each element of a list of the record. */
interface ListTable {
  readonly table: string;
  readonly element: string;
  readonly list: string;
  readonly type: string;
}

const LIST_TABLES: readonly ListTable[] = [
  { table: OWNERS_TABLE, element: 'owner_name', list: 'owner_names', type: 'text' },
  { table: CLASSES_TABLE, element: 'nice_class', list: 'nice_classes', type: 'integer' },
];

function createListTable({ table, element, list, type }: ListTable): string {
  const drop = `delete from ${table} where jurisdiction_code = old.jurisdiction_code and uid = old.uid;`;
  const fill = (from: string): string =>
    `insert or ignore into ${table} (${element}, jurisdiction_code, uid)
      select element.value, ${from}.jurisdiction_code, ${from}.uid
      from ${from === TABLE ? `${TABLE}, ` : ''}json_each(${from}.${list}) as element;`;
  return `
    create table ${table} (
      ${element} ${type} not null,
      jurisdiction_code text not null,
      uid text not null,
      primary key (${element}, jurisdiction_code, uid)
    ) without rowid;
    ${fill(TABLE)}
    create index ${table}_record on ${table} (jurisdiction_code, uid);
    create trigger ${table}_insert after insert on ${TABLE} when new.${list} is not null begin
      ${fill('new')}
    end;
    create trigger ${table}_update after update of ${list} on ${TABLE} when new.${list} is not old.${list} begin
      ${drop}
      ${fill('new')}
    end;
    create trigger ${table}_delete after delete on ${TABLE} begin
      ${drop}
    end;`;
}

/** To run once, in one transaction. */
export const INDEX = `
  ${INDEXED_DATES.map(
    (date) => `create index if not exists ${TABLE}_${date} on ${TABLE} (${date}) where ${date} is not null;`,
  ).join('\n  ')}
  create index if not exists ${TABLE}_updated_at on ${TABLE} (updated_at);
  ${LIST_TABLES.map(createListTable).join('')}`;
