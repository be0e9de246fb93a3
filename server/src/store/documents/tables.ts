/** The tables whose rows hold documents, walked by key. */
import type { PayloadPlace } from '../../base/payload-places.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { identifier, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import { documentBytes, documentDigest, hasDocument, heldDocument, heldIn } from './read.ts';

export const DOCUMENT_TABLES = ['payload', 'record_version'] as const;
export type DocumentTable = (typeof DOCUMENT_TABLES)[number];

const KEYS: Readonly<Record<DocumentTable, readonly string[]>> = {
  payload: ['jurisdiction_code', 'uid'],
  record_version: ['jurisdiction_code', 'uid', 'updated_at'],
};

/** The place where a row of the table holds its document (`PayloadPlace`); null if it has none. */
export function heldPlace(table: DocumentTable): Statement {
  const { text, packed, digest } = heldIn(table);
  return sql`case when ${text} is not null then 'database' when ${packed} is not null then 'compressed'
    when ${digest} is not null then 's3' end`;
}

/** The key of a row, as texts. */
export type RowKey = readonly string[];

export interface HeldRow {
  readonly key: RowKey;
  readonly register: string;
  /** As `readDocuments` opens it. */
  readonly held: string;
  /** SHA-256 of the document, hexadecimal. */
  readonly digest: string;
}

const BEFORE_ALL: Readonly<Record<DocumentTable, RowKey>> = {
  payload: ['', ''],
  record_version: ['', '', '-infinity'],
};

/** Bounds of one page, unless a single document is larger. */
const PAGE_ROWS_MAX = 500;
const PAGE_BYTES_MAX = 8 * 1024 * 1024;

interface WalkOptions {
  /** Rows that hold their document in any of these places. */
  readonly places: readonly PayloadPlace[];
  /** Only rows of this register. */
  readonly register?: string;
  readonly pageRowsMax?: number;
}

/**
 * The rows in the order of their keys, a few megabytes at a time. Rows that change during the walk may or may not
 * appear.
 */
export async function* walkDocuments(
  db: Queryable,
  table: DocumentTable,
  { places, register, pageRowsMax = PAGE_ROWS_MAX }: WalkOptions,
): AsyncGenerator<readonly HeldRow[]> {
  const columns = joinSql(KEYS[table].map(identifier), ', ');
  const held = heldIn(table);
  const wanted = register === undefined ? sql`true` : sql`jurisdiction_code = ${register}`;
  for (let after = BEFORE_ALL[table]; ; ) {
    const listed = await db.query<{ key: string[]; bytes: number }>(sql`
      select array[${keyTexts(table)}] as key, ${documentBytes(held)} as bytes from ${identifier(table)}
      where (${columns}) > ${keyValues(table, after)} and ${wanted}
        and ${heldPlace(table)} = any(${[...places]}::text[])
      order by ${columns} limit ${pageRowsMax}::int`);
    if (listed.length === 0) return;
    for (let from = 0; from < listed.length; ) {
      let to = from;
      for (let bytes = 0; to < listed.length && (to === from || bytes < PAGE_BYTES_MAX); to += 1) {
        bytes += listed[to]!.bytes;
      }
      yield await readRows(
        db,
        table,
        listed.slice(from, to).map(({ key }) => key),
      );
      from = to;
    }
    after = listed.at(-1)!.key;
  }
}

async function readRows(db: Queryable, table: DocumentTable, keys: readonly RowKey[]): Promise<HeldRow[]> {
  const held = heldIn(table);
  return await db.query<HeldRow>(sql`
    select array[${keyTexts(table)}] as key, ${identifier(table)}.jurisdiction_code as register,
      ${heldDocument(held)} as held, encode(${documentDigest(held)}, 'hex') as digest
    from ${namedKeys(table, keys)} join ${identifier(table)} on ${isNamed(table)}
    where ${onNodesOfKeys(table, keys)} and ${hasDocument(held)}`);
}

function keyTexts(table: DocumentTable): Statement {
  return joinSql(
    KEYS[table].map((column) => sql`${identifier(table)}.${identifier(column)}::text`),
    ', ',
  );
}

function keyValues(table: DocumentTable, key: RowKey): Statement {
  const values = KEYS[table].map((column, at) => sql`${key[at]}::${typeOf(column)}`);
  return sql`(${joinSql(values, ', ')})`;
}

/** A column of values, one for each key. */
export interface NamedColumn {
  readonly name: string;
  /** As PostgreSQL names it. */
  readonly type: Statement;
  readonly values: readonly unknown[];
}

/** The keys as rows `named`, with further columns. */
export function namedKeys(
  table: DocumentTable,
  keys: readonly RowKey[],
  further: readonly NamedColumn[] = [],
): Statement {
  const ofKeys = KEYS[table].map((name, at) => ({ name, type: typeOf(name), values: keys.map((key) => key[at]) }));
  const columns = [...ofKeys, ...further];
  const lists = columns.map(({ type, values }) => sql`${values}::${type}[]`);
  const names = columns.map(({ name }) => identifier(name));
  return sql`unnest(${joinSql(lists, ', ')}) as named (${joinSql(names, ', ')})`;
}

/** A condition in addition to `isNamed`: which nodes can hold any of the rows. */
export function onNodesOfKeys(table: DocumentTable, keys: readonly RowKey[]): Statement {
  return sql`${identifier(table)}.uid = any(${[...new Set(keys.map((key) => uidOf(key)))]}::text[])`;
}

export function uidOf([, uid]: RowKey): string {
  return uid!;
}

/** True if a row of the table is the named one. */
export function isNamed(table: DocumentTable): Statement {
  const same = KEYS[table].map(
    (column) => sql`${identifier(table)}.${identifier(column)} = named.${identifier(column)}`,
  );
  return joinSql(same, ' and ');
}

function typeOf(column: string): Statement {
  return column === 'updated_at' ? sql`timestamptz` : sql`text`;
}
