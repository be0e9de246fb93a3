/**
 * The payloads of staged rows, on their way from the staging table to the place where they are to be held. Payloads
 * that are not to be text are packed or brought to the store of objects before their publish begins, so that the
 * publish lock waits for neither. Only records that the publish itself completes or joins have theirs brought there
 * under the lock.
 */
import type { PayloadPlace } from '../../base/payload-places.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { identifier, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import { documentsDiffer, hasDocument, heldIn, PACKED_COLUMNS } from '../documents/read.ts';
import { type WritingDatabase, writeDocuments } from '../documents/write.ts';

const UNPREPARED = { prepare: false } as const;
/** Bytes read and packed together, unless a single document is larger. */
const PORTION_BYTES_MAX = 4 * 1024 * 1024;

const HELD_COLUMNS = ['document', ...PACKED_COLUMNS];
const HELD_LIST = joinSql(HELD_COLUMNS.map(identifier), ', ');
const STAGED_LIST = joinSql(
  ['payload', ...PACKED_COLUMNS].map((column) => sql`stage.${identifier(column)}`),
  ', ',
);
const OVERWRITES = joinSql(
  HELD_COLUMNS.map((column) => sql`${identifier(column)} = excluded.${identifier(column)}`),
  ', ',
);
const STAGED = heldIn('stage', 'payload');

/** `published`: the rows of the batch that this publish wrote. A payload that does not change is not touched. */
export async function writePayloads(
  tx: Queryable,
  stage: Statement,
  batch: number,
  published: Statement,
): Promise<void> {
  await tx.query(
    sql`insert into payload (jurisdiction_code, uid, ${HELD_LIST})
        select stage.jurisdiction_code, stage.uid, ${STAGED_LIST}
        from ${stage} stage left join payload
          on payload.jurisdiction_code = stage.jurisdiction_code and payload.uid = stage.uid
        where stage.batch = ${batch} and not stage.superseded and ${hasDocument(STAGED)} and ${published}
          and ${documentsDiffer(heldIn('payload'), STAGED)}
        on conflict (jurisdiction_code, uid) do update set ${OVERWRITES}`,
    UNPREPARED,
  );
}

/** Deletes the payloads of records that no longer have one. */
export async function deletePayloads(
  tx: Queryable,
  stage: Statement,
  batch: number,
  published: Statement,
): Promise<void> {
  await tx.query(
    sql`delete from payload using ${stage} stage
        where stage.batch = ${batch} and not stage.superseded and stage.detail is not null
          and not ${hasDocument(STAGED)} and ${published}
          and payload.jurisdiction_code = stage.jurisdiction_code and payload.uid = stage.uid`,
    UNPREPARED,
  );
}

interface Placing {
  /** For dictionaries and objects: outside the transaction. */
  readonly db: WritingDatabase;
  /** Reads and writes the staging table. */
  readonly on: Pick<Queryable, 'query'>;
  readonly stage: Statement;
  readonly batch: number;
  readonly place: PayloadPlace;
  /** Whether the rows of the batch have been completed. Until then, rows that state only a part stay unchanged. */
  readonly areWhole?: boolean;
}

/** Brings payloads that are still text to their places. Harmless when repeated. Throws as `writeDocuments`. */
export async function placePayloads({ db, on, stage, batch, place, areWhole = false }: Placing): Promise<void> {
  if (place === 'database') return;
  const rows = await on.query<{ place: string; bytes: number }>(
    sql`select ctid::text as place, octet_length(payload) as bytes from ${stage}
      where batch = ${batch} and not superseded and detail is not null and payload is not null
        and (${areWhole} or not is_partial)`,
    UNPREPARED,
  );
  const portions: { readonly places: string[]; bytes: number }[] = [];
  for (const { place: at, bytes } of rows) {
    const current = portions.at(-1);
    if (current === undefined || current.bytes + bytes > PORTION_BYTES_MAX) portions.push({ places: [at], bytes });
    else {
      current.places.push(at);
      current.bytes += bytes;
    }
  }
  for (const { places } of portions) {
    const staged = await on.query<{ place: string; register: string; payload: string }>(
      sql`select ctid::text as place, jurisdiction_code as register, payload from ${stage}
        where ctid = any(${places}::tid[])`,
      UNPREPARED,
    );
    const documents = staged.map(({ register, payload }) => ({ register, text: Buffer.from(payload) }));
    const written = await writeDocuments(db, place, documents);
    await on.query(
      sql`update ${stage} stage set payload = null, document_packed = written.packed,
          document_digest = written.digest, document_bytes = written.bytes
        from unnest(${staged.map((row) => row.place)}::tid[], ${written.map(({ packed }) => packed)}::bytea[],
          ${written.map(({ digest }) => digest)}::bytea[], ${written.map(({ bytes }) => bytes)}::int4[])
          as written (place, packed, digest, bytes)
        where stage.ctid = written.place`,
      UNPREPARED,
    );
  }
}
