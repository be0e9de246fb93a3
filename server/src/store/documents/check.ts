/**
 * Where documents are held, the space that they take, and whether they can be read: it tries the store of objects with
 * an object of the check, and opens every packed document.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { NoAnswer } from '../../base/no-answer.ts';
import type { PayloadPlace } from '../../base/payload-places.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { identifier, sql } from '../../database/driver/sql.ts';
import { ObjectStoreAway } from '../../objects/object-store.ts';
import { documentBytes, heldIn, readDocuments } from './read.ts';
import { DOCUMENT_TABLES, type DocumentTable, heldPlace, walkDocuments } from './tables.ts';

const PROBE_BYTES = 1024;

/** What was seen, and what to do; a null remedy: nothing. */
interface Seen {
  readonly seen: string;
  readonly remedy: string | null;
}

/** None if there is no store and no row needs one. */
export async function checkObjects(db: Queryable): Promise<Seen[]> {
  // Somebody waits for this answer.
  const objects = db.objects?.forCall() ?? null;
  if (objects === null) {
    if (!(await namesObjects(db))) return [];
    const seen = 'payloads are in a store of objects, and no setting says which';
    return [{ seen, remedy: 'set TMDS_S3_BUCKET and what goes with it, as for the load that wrote them' }];
  }
  const name = `probe/${randomUUID()}`;
  const bytes = randomBytes(PROBE_BYTES);
  try {
    await objects.put(name, bytes);
    const back = await objects.get(name, PROBE_BYTES);
    await objects.delete([name]);
    if (back?.equals(bytes) === true) return [{ seen: `writes, reads and deletes at ${objects.place}`, remedy: null }];
    return [{ seen: `${objects.place} does not give back what was written`, remedy: 'correct the store of objects' }];
  } catch (error) {
    if (!(error instanceof ObjectStoreAway)) throw error;
    return [{ seen: error.seen, remedy: 'correct TMDS_S3_…, the rights of its key, or the store of objects' }];
  }
}

async function namesObjects(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ some: boolean }>(sql`
    select exists (select 1 from payload where document_digest is not null and document_packed is null)
      or exists (select 1 from record_version where document_digest is not null and document_packed is null) as some`);
  return found!.some;
}

export interface DocumentsChecked {
  readonly documents: number;
  /** Descriptions of documents that cannot be read; a few of them. */
  readonly lost: readonly string[];
}

const LOST_MAX = 5;

/** Opens every document that is not text, and compares it with its digest. Ends early when several are lost. */
export async function checkDocuments(db: Queryable): Promise<DocumentsChecked> {
  let documents = 0;
  const lost: string[] = [];
  for (const table of DOCUMENT_TABLES) {
    for await (const rows of walkDocuments(db, table, { places: ['compressed', 's3'] })) {
      const held = rows.map((row) => Buffer.from(row.held));
      documents += rows.length;
      if ((await findLoss(db, held)) === null) continue;
      for (const [position, text] of held.entries()) {
        const seen = await findLoss(db, [text]);
        if (seen !== null) lost.push(`${rows[position]!.key.join(' ')}: ${seen}`);
        if (lost.length === LOST_MAX) return { documents, lost };
      }
    }
  }
  return { documents, lost };
}

async function findLoss(db: Queryable, held: readonly Buffer[]): Promise<string | null> {
  try {
    await readDocuments(db, held);
    return null;
  } catch (error) {
    if (error instanceof ObjectStoreAway) return error.seen;
    if (error instanceof NoAnswer || !(error instanceof Error)) throw error;
    return error.message;
  }
}

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
