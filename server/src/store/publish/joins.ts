/**
 * Joins the records of a batch with their supplements before they are written, under the publish lock. The supplements
 * kept by then count, so a record and its supplements may be loaded in any order and at the same time. A rejoin row
 * names a stored record whose supplements changed: it is written only if its content becomes different, and never
 * creates a record. `record/supplements.ts` defines the result.
 */
import { OperatorError } from '../../base/errors.ts';
import { recordOf } from '../../database/distributed/by-key.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import { renderContent } from '../../record/content.ts';
import { digestContent, measureContent } from '../../record/digest.ts';
import type { NormalizedRecord } from '../../record/document.ts';
import { parseStatement, type StoredStatement } from '../../record/merge.ts';
import { RecordRejection } from '../../record/normalize.ts';
import { buildRow, type RecordRow } from '../../record/row.ts';
import { joinSupplements, listParts, markPart, separateSupplements } from '../../record/supplements.ts';
import { documentBytes, heldDocument, heldIn, PACKED_AS_NOTHING, readTexts } from '../documents/read.ts';
import { holdsRegistrations, isSupplemented, readSupplements } from './supplements.ts';

/** Records joined at once, at most; their texts are all held. */
const JOINED_ROWS_MAX = 200;
const JOINED_BYTES_MAX = 4 * 1024 * 1024;

const STAGED = heldIn('stage', 'payload');
const STORED = heldIn('payload');

const UNPREPARED = { prepare: false } as const;

/** A rejoin row states only which record to join. */
const IS_REJOIN = sql`(stage.kind = 'rejoin')`;

const NAMED_PARTS = sql`unnest(string_to_array(stage.named_parts, chr(31))) as named (part)`;

const REGISTRATION_PART = sql`stage.jurisdiction_code || ' registration '
  || ((stage.detail || '}')::json ->> 'registration_number')`;

/**
 * Joins the rows of a batch. Resolves to whether any was changed; rows to which supplements add nothing stay unchanged.
 */
export async function joinBatch(tx: Queryable, stage: Statement, batch: number): Promise<boolean> {
  const open = await tx.query<{ place: string; bytes: number }>(
    sql`with stated as materialized (
        select stage.ctid::text as place, octet_length(stage.detail) + coalesce(${documentBytes(STAGED)}, 0) as bytes
        from ${stage} stage
        where stage.batch = ${batch} and not stage.superseded and stage.detail is not null and (
          ${isSupplemented(sql`stage.jurisdiction_code || ' mark ' || stage.uid`)}
          or (${holdsRegistrations(sql`stage.jurisdiction_code`)} and ${isSupplemented(REGISTRATION_PART)})
          or exists (select from ${NAMED_PARTS} where ${isSupplemented(sql`named.part`)}))
      ), listed as materialized (
        select stage.ctid::text as place, stage.jurisdiction_code, stage.uid from ${stage} stage
        where stage.batch = ${batch} and not stage.superseded and ${IS_REJOIN} and stage.detail is null
      )
      select place, bytes from stated
      union all
      select listed.place, stored.bytes
      from listed cross join lateral ${recordOf(
        sql`octet_length(record.detail) + coalesce((select ${documentBytes(STORED)} from payload
          where payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid), 0) as bytes`,
        sql`true`,
      )} as stored`,
    UNPREPARED,
  );
  let changed = false;
  for (const places of cutPlaces(open)) changed = (await joinRows(tx, stage, places)) || changed;
  return changed;
}

/** Records of a batch that name a part for which no supplement is held. */
export async function countWaiting(tx: Queryable, stage: Statement, batch: number): Promise<number> {
  const [counted] = await tx.query<{ waiting: number }>(
    sql`select count(*)::int4 as waiting from ${stage} stage
      where stage.batch = ${batch} and not stage.superseded and stage.detail is not null
        and stage.named_parts is not null
        and exists (select from ${NAMED_PARTS} where not ${isSupplemented(sql`named.part`)})`,
    UNPREPARED,
  );
  return counted?.waiting ?? 0;
}

function* cutPlaces(open: readonly { place: string; bytes: number }[]): Generator<string[]> {
  let places: string[] = [];
  let total = 0;
  for (const { place, bytes } of open) {
    if (places.length > 0 && (places.length === JOINED_ROWS_MAX || total + bytes > JOINED_BYTES_MAX)) {
      yield places;
      places = [];
      total = 0;
    }
    places.push(place);
    total += bytes;
  }
  if (places.length > 0) yield places;
}

/** Digests are those of the statement, or of the stored record for a rejoin row; hexadecimal. */
type OpenRow = StoredStatement & {
  place: string;
  is_rejoin: boolean;
  content_digest: string;
  source_digest: string | null;
};

async function joinRows(tx: Queryable, stage: Statement, places: readonly string[]): Promise<boolean> {
  const rows = await tx.query<OpenRow>(
    sql`with listed as materialized (
        select stage.ctid::text as place, stage.jurisdiction_code, stage.uid from ${stage} stage
        where stage.ctid = any(${places}::tid[]) and stage.detail is null
      ), known as (
        select stage.ctid::text as place, ${IS_REJOIN} as is_rejoin, stage.source_version, stage.is_partial,
          stage.named_parts, stage.mark_variants, stage.detail || '}' as detail,
          ${heldDocument(STAGED)} as payload,
          stage.content_digest, stage.source_digest
        from ${stage} stage where stage.ctid = any(${places}::tid[]) and stage.detail is not null
        union all
        select listed.place, true, stored.source_version, stored.is_partial, stored.named_parts, stored.mark_variants,
          stored.detail, stored.document, stored.content_digest, stored.source_digest
        from listed cross join lateral ${recordOf(
          sql`record.source_version, record.is_partial, record.named_parts, record.mark_variants, record.detail,
            (select ${heldDocument(STORED)} from payload where payload.jurisdiction_code = record.jurisdiction_code
              and payload.uid = record.uid) as document, record.content_digest, record.source_digest`,
          sql`true`,
        )} as stored
      )
      select place, is_rejoin, source_version, is_partial, named_parts, mark_variants, detail, payload,
        encode(content_digest, 'hex') as content_digest, encode(source_digest, 'hex') as source_digest
      from known`,
    UNPREPARED,
  );
  const payloads = await readTexts(
    tx,
    rows.map(({ payload }) => payload),
  );
  const statements = rows.map((row, position) => ({
    row,
    record: parseStatement({ ...row, payload: payloads[position]! }),
  }));
  const parts = new Set(statements.flatMap(({ record }) => listParts(record)));
  const supplements = await readSupplements(tx, [...parts]);
  const joined: (RecordRow & { place: string })[] = [];
  for (const { row, record } of statements) {
    const known = listParts(record).flatMap((part) => supplements.get(part) ?? []);
    const built = buildJoined(row, record, joinSupplements(record, known));
    if (built !== null) joined.push({ ...built, place: row.place });
  }
  if (joined.length > 0) await replaceRows(tx, stage, joined);
  return joined.length > 0;
}

/**
 * Null if the join changes nothing. The digest of the record without supplements takes the place of a source line's
 * digest. What a load reads is compared with either digest, and equals this one as long as the source states the same.
 */
function buildJoined(row: OpenRow, record: NormalizedRecord, joined: NormalizedRecord): RecordRow | null {
  try {
    const detail = renderContent(joined);
    const { digest } = measureContent(joined, detail);
    // Not the digest stored with it, which may come from another spelling of the same content.
    if (digest === digestContent(record)) return null;
    const alone = row.is_rejoin ? digestContent(separateSupplements(record)) : row.content_digest;
    return buildRow(joined, detail, digest, alone, row.source_digest);
  } catch (error) {
    if (!(error instanceof RecordRejection)) throw error;
    const message = `${markPart(record)} cannot hold what other files state of it: ${error.message}`;
    throw new OperatorError(message, { cause: error });
  }
}

async function replaceRows(
  tx: Queryable,
  stage: Statement,
  rows: readonly (RecordRow & { place: string })[],
): Promise<void> {
  const column = (name: keyof RecordRow | 'place') => rows.map((row) => row[name]);
  await tx.query(
    sql`update ${stage} stage set content_digest = decode(joined.content_digest, 'hex'),
        line_digest = decode(joined.line_digest, 'hex'), source_version = joined.source_version,
        mark_variants = joined.mark_variants, is_partial = joined.is_partial, named_parts = joined.named_parts,
        source_digest = decode(joined.source_digest, 'hex'), detail = joined.detail, payload = joined.payload,
        ${PACKED_AS_NOTHING}
      from unnest(${column('place')}::tid[], ${column('content_digest')}::text[], ${column('line_digest')}::text[],
        ${column('source_version')}::text[], ${column('mark_variants')}::text[], ${column('is_partial')}::bool[],
        ${column('named_parts')}::text[], ${column('source_digest')}::text[], ${column('detail')}::text[], ${column('payload')}::text[])
        as joined (place, content_digest, line_digest, source_version, mark_variants, is_partial, named_parts,
          source_digest, detail, payload)
      where stage.ctid = joined.place`,
    UNPREPARED,
  );
}
