/**
 * The tables of a replica in PostgreSQL: records and position and, once it has caught up, indexes and a row for each
 * owner and class of a record, which every save updates.
 */
import {
  COLUMNS,
  type Column,
  type ColumnKind,
  IDENTITY,
  INDEXED_COLUMNS,
  LIST_TABLES,
  type ListTable,
  STATE_TABLE,
  TABLE,
} from './columns.ts';

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

export const CREATE = `
  create table if not exists ${TABLE} (
    ${COLUMNS.map(declareColumn).join(',\n    ')},
    payload json,
    primary key (${IDENTITY.join(', ')})
  );
  create table if not exists ${STATE_TABLE} (
    singleton boolean primary key default true check (singleton),
    form integer not null,
    since text not null,
    jurisdiction_code text,
    expand text,
    search text,
    cursor text,
    complete_to text,
    delivered bigint not null,
    lineage text,
    verification text
  );`;

/** $1: the records as one JSON list. */
export const UPSERT = `
  insert into ${TABLE} (${NAMES.join(', ')})
  select ${NAMES.join(', ')} from json_populate_recordset(null::${TABLE}, $1::json)
  on conflict (${IDENTITY.join(', ')}) do update set
    ${NAMES.slice(IDENTITY.length)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

export const MOVE = `
  update ${STATE_TABLE} set cursor = $1, complete_to = $2, delivered = $3, lineage = coalesce($6, lineage)
  where cursor is not distinct from $4 and delivered = $5`;

function fill({ table, element, list }: ListTable, from: string): string {
  return `insert into ${table} (${element}, jurisdiction_code, uid)
    select element, record.jurisdiction_code, record.uid
    from ${from} cross join unnest(record.${list}) as element on conflict do nothing`;
}

/** Statements that update the tables of owners and classes for the records named by $1 (codes) and $2 (uids). */
export const LIST_UPDATES: readonly string[] = LIST_TABLES.flatMap((list) => [
  `delete from ${list.table} using unnest($1::text[], $2::text[]) as named (code, uid)
    where ${list.table}.jurisdiction_code = named.code and ${list.table}.uid = named.uid`,
  fill(
    list,
    `unnest($1::text[], $2::text[]) as named (code, uid)
      join ${TABLE} as record on record.jurisdiction_code = named.code and record.uid = named.uid`,
  ),
]);

/** The names of all that `deriveList` makes. */
export function listParts({ table }: ListTable): string[] {
  return [table, `${table}_record`];
}

/** Rebuilds a derived table, even if parts of it exist. Must run in one transaction. */
export function deriveList(list: ListTable): string {
  const { table, element, type } = list;
  return `
    drop table if exists ${table};
    create table ${table} (
      ${element} ${type} not null,
      jurisdiction_code text not null,
      uid text not null,
      primary key (${element}, jurisdiction_code, uid)
    );
    ${fill(list, `${TABLE} as record`)};
    create index ${table}_record on ${table} (jurisdiction_code, uid);
    analyze ${table};`;
}

/** One row, as a `DerivedTable` without its name. */
export function compareList({ table, element, list }: ListTable): string {
  return `
    select rows, missing, (select count(*) from ${table})::float8 - (rows - missing) as extra from (
      select count(*)::float8 as rows, (count(*) filter (where held.uid is null))::float8 as missing
      from (
        select distinct element, record.jurisdiction_code, record.uid
        from ${TABLE} as record cross join unnest(record.${list}) as element
      ) as derived left join ${table} as held on held.${element} = derived.element
        and held.jurisdiction_code = derived.jurisdiction_code and held.uid = derived.uid
    ) as compared`;
}

/** The names of the indexes that `INDEX` makes. */
export const INDEX_NAMES = [...INDEXED_COLUMNS, 'updated_at'].map((name) => `${TABLE}_${name}`);

/** To run once, in one transaction. */
export const INDEX = `
  ${INDEXED_COLUMNS.map(
    (name) => `create index if not exists ${TABLE}_${name} on ${TABLE} (${name}) where ${name} is not null;`,
  ).join('\n  ')}
  create index if not exists ${TABLE}_updated_at on ${TABLE} (updated_at);
  analyze ${TABLE};`;

/** A column as the API writes it. */
export function selectAsDelivered({ name, kind }: Column): string {
  if (kind === 'date') return `to_char(${name}, 'YYYY-MM-DD') as ${name}`;
  if (kind === 'instant') return `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${name}`;
  return name;
}
