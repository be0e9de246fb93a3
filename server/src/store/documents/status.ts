/** Where documents are held, their number, and the space that they take. */
import type { PayloadPlace } from '../../base/payload-places.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { identifier, sql } from '../../database/driver/sql.ts';
import { documentBytes, heldIn } from './held.ts';
import { DOCUMENT_TABLES, type DocumentTable, heldPlace } from './tables.ts';

export interface HeldCounts {
  /** Whose documents are counted: those of current records, or of replaced versions. */
  readonly of: 'records' | 'versions';
  readonly place: PayloadPlace;
  readonly documents: number;
  /** Their size as served. */
  readonly bytes: number;
  /** The size of their columns in the database; an object is in its store. */
  readonly stored_bytes: number;
}

export interface DocumentStatus {
  readonly held: readonly HeldCounts[];
  readonly dictionaries: { readonly dictionaries: number; readonly bytes: number };
}

const NAMES: Readonly<Record<DocumentTable, HeldCounts['of']>> = { payload: 'records', record_version: 'versions' };

/** Reads every row, but no document. */
export async function countDocuments(db: Queryable): Promise<DocumentStatus> {
  const held: HeldCounts[] = [];
  for (const table of DOCUMENT_TABLES) {
    const columns = heldIn(table);
    const rows = await db.query<Omit<HeldCounts, 'of'>>(sql`
      select place, count(*)::float8 as documents, sum(bytes)::float8 as bytes, sum(stored)::float8 as stored_bytes
      from (select ${heldPlace(table)} as place, ${documentBytes(columns)} as bytes,
          coalesce(pg_column_size(${columns.text}), 0) + coalesce(pg_column_size(${columns.packed}), 0) as stored
        from ${identifier(table)}) as each
      where place is not null group by place order by place`);
    held.push(...rows.map((row) => ({ of: NAMES[table], ...row })));
  }
  const [dictionaries] = await db.query<DocumentStatus['dictionaries']>(sql`
    select count(*)::float8 as dictionaries, coalesce(sum(octet_length(content)), 0)::float8 as bytes
    from payload_dictionary`);
  return { held, dictionaries: dictionaries! };
}
