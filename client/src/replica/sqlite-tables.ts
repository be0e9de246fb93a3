/**
 * The tables of a replica in SQLite: records and position and, once it has caught up, indexes and a row for each owner
 * and class of a record, which triggers update.
 */
import { COLUMNS, IDENTITY, INDEXED_COLUMNS, type ListTable, STATE_TABLE, TABLE } from './columns.ts';

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
    delivered integer not null,
    lineage text,
    verification text
  );`;

export const UPSERT = `
  insert into ${TABLE} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
  on conflict (${IDENTITY.join(', ')}) do update set
    ${names
      .slice(IDENTITY.length)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

/** The names of all that `deriveList` makes. */
export function listParts({ table }: ListTable): string[] {
  return [table, `${table}_record`, `${table}_insert`, `${table}_update`, `${table}_delete`];
}

/** The elements of a list; empty for a damaged text. */
function elementsOf(from: string, list: string): string {
  return `json_each(case when json_valid(${from}.${list}) then ${from}.${list} end)`;
}

/** Rebuilds a derived table, even if parts of it exist. Must run in one transaction. */
export function deriveList({ table, element, list, type }: ListTable): string {
  const drop = `delete from ${table} where jurisdiction_code = old.jurisdiction_code and uid = old.uid;`;
  const fill = (from: string): string =>
    `insert or ignore into ${table} (${element}, jurisdiction_code, uid)
      select element.value, ${from}.jurisdiction_code, ${from}.uid
      from ${from === TABLE ? `${TABLE}, ` : ''}${elementsOf(from, list)} as element;`;
  return `
    ${['insert', 'update', 'delete'].map((event) => `drop trigger if exists ${table}_${event};`).join('\n    ')}
    drop table if exists ${table};
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

/** One row, as a `DerivedTable` without its name. */
export function compareList({ table, element, list }: ListTable): string {
  const elements = `${elementsOf('record', list)} as element`;
  const isHeld = `exists (select 1 from ${table} as held where held.${element} = element.value
    and held.jurisdiction_code = record.jurisdiction_code and held.uid = record.uid)`;
  return `
    select rows, missing, (select count(*) from ${table}) - (rows - missing) as extra from (
      select coalesce(sum((select count(distinct element.value) from ${elements})), 0) as rows,
        coalesce(sum((select count(distinct element.value) from ${elements} where not ${isHeld})), 0) as missing
      from ${TABLE} as record
    )`;
}

export const INDEX = `
  ${INDEXED_COLUMNS.map(
    (name) => `create index if not exists ${TABLE}_${name} on ${TABLE} (${name}) where ${name} is not null;`,
  ).join('\n  ')}
  create index if not exists ${TABLE}_updated_at on ${TABLE} (updated_at);`;
