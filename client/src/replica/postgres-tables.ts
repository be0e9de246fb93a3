/**
 * The tables of a replica in PostgreSQL: records and position and, once it has caught up, indexes and a row for each
 * owner and class of a record, which every save updates.
 */
import {
  CLASSES_TABLE,
  COLUMNS,
  type Column,
  type ColumnKind,
  IDENTITY,
  INDEXED_DATES,
  OWNERS_TABLE,
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
    delivered bigint not null
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
  update ${STATE_TABLE} set cursor = $1, complete_to = $2, delivered = $3
  where cursor is not distinct from $4 and delivered = $5`;

const LIST_TABLES = [
  { table: OWNERS_TABLE, element: 'owner_name', list: 'owner_names', type: 'text' },
  { table: CLASSES_TABLE, element: 'nice_class', list: 'nice_classes', type: 'integer' },
] as const;

type ListTable = (typeof LIST_TABLES)[number];

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

function createListTable(list: ListTable): string {
  const { table, element, type } = list;
  return `
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

/** To run once, in one transaction. */
export const INDEX = `
  ${INDEXED_DATES.map(
    (date) => `create index if not exists ${TABLE}_${date} on ${TABLE} (${date}) where ${date} is not null;`,
  ).join('\n  ')}
  create index if not exists ${TABLE}_updated_at on ${TABLE} (updated_at);
  ${LIST_TABLES.map(createListTable).join('')}
  analyze ${TABLE};`;

/** A column as the API writes it. */
export function selectAsDelivered({ name, kind }: Column): string {
  if (kind === 'date') return `to_char(${name}, 'YYYY-MM-DD') as ${name}`;
  if (kind === 'instant') return `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${name}`;
  return name;
}
