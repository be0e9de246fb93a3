/**
 * Completes the partial records of a batch before they are written. Each one is merged with the last full statement of
 * its record, from the same load or the database, whichever is newer, and with every partial statement since. This
 * happens under the publish lock, so that stored records do not change in the meantime, and inside the transaction, so
 * that a rolled-back publish starts from the partial statements again. `record/merge.ts` defines merging.
 */
import { OperatorError } from '../../base/errors.ts';
import { recordOf } from '../../database/distributed/by-key.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import { renderContent } from '../../record/content.ts';
import { digestContent, measureContent } from '../../record/digest.ts';
import type { NormalizedRecord } from '../../record/document.ts';
import { isBefore, mergeRecords, parseStatement, type StoredStatement } from '../../record/merge.ts';
import { RecordRejection } from '../../record/normalize.ts';
import { buildRow, type RecordRow } from '../../record/row.ts';
import { joinSupplements, listParts } from '../../record/supplements.ts';
import { heldDocument, heldIn, PACKED_AS_NOTHING, readTexts } from '../documents/read.ts';
import { readSupplements } from './supplements.ts';

/** A staged row by its place (ctid) in the table, which no one else writes, so that no index is needed. */
interface OpenRow {
  place: string;
  jurisdiction_code: string;
  uid: string;
  is_partial: boolean;
}

/** One statement of a record, and what decides its order among the others. */
interface Turn {
  /** The place of its staged row; null for the stored record. */
  place: string | null;
  source_version: string | null;
  is_partial: boolean;
}

/**
 * Completes the rows of a batch that state only a part of their record, and full rows older than a stored part.
 * Resolves to whether there were any.
 */
export async function completePartials(tx: Queryable, stage: Statement, batch: number): Promise<boolean> {
  const open = await tx.query<OpenRow>(
    sql`with listed as materialized (
        select stage.ctid::text as place, stage.jurisdiction_code, stage.uid, stage.is_partial, stage.source_version
        from ${stage} stage
        where stage.batch = ${batch} and not stage.superseded and stage.detail is not null
      )
      select place, jurisdiction_code, uid, is_partial from listed where is_partial
      union all
      select listed.place, listed.jurisdiction_code, listed.uid, false
      from (select place, jurisdiction_code, uid, source_version from listed
          where not is_partial and source_version is not null) as listed
        cross join lateral ${recordOf(sql`record.source_version`, sql`record.is_partial`)} as stored
      where stored.source_version > listed.source_version`,
    { prepare: false },
  );
  // One at a time, because payloads can be large.
  for (const row of open) await completeRow(tx, stage, row);
  return open.length > 0;
}

async function completeRow(tx: Queryable, stage: Statement, row: OpenRow): Promise<void> {
  const stored = await findStored(tx, row);
  const turns = listBasis(orderTurns(await listStaged(tx, stage, row), stored));
  // Nothing else is known about the record, or a newer full statement is stored.
  if (turns.length === 1) return;
  let merged: NormalizedRecord | null = null;
  for (const { place } of turns) {
    const statement = place === null ? stored : await readStaged(tx, stage, place);
    if (statement === null) throw new Error(`a statement of ${row.jurisdiction_code} ${row.uid} is gone`);
    const record = parseStatement(statement);
    merged = merged === null ? record : mergeRecords(merged, record);
  }
  if (merged === null) return;
  // The merged content may name other parts than were joined before.
  const supplements = await readSupplements(tx, listParts(merged));
  const joined = joinSupplements(merged, [...supplements.values()].flat());
  await replaceStaged(tx, stage, row.place, buildMerged(joined, stored));
}

/** `is_held`: the line equals the stored record, so it was staged without content. */
type StagedTurn = Turn & { is_held: boolean };

/** The lines of this load that state the record, oldest first; for a full one, only the line itself. */
async function listStaged(tx: Queryable, stage: Statement, row: OpenRow): Promise<StagedTurn[]> {
  const which = row.is_partial
    ? sql`jurisdiction_code = ${row.jurisdiction_code} and uid = ${row.uid} and kind <> 'rejoin'`
    : sql`ctid = ${row.place}::tid`;
  return await tx.query<StagedTurn>(
    sql`select ctid::text as place, source_version, is_partial, detail is null as is_held from ${stage} where ${which}
      order by source_version nulls first, seq`,
    { prepare: false },
  );
}

/** Puts the stored record before every line that is not older than it. */
function orderTurns(staged: readonly StagedTurn[], stored: Stored | null): Turn[] {
  const turns = staged.map(({ is_held, ...turn }) => (is_held ? { ...turn, place: null } : turn));
  if (stored === null) return turns;
  const { source_version, is_partial } = stored;
  const isOlder = (turn: Turn): boolean =>
    source_version !== null && turn.source_version !== null && isBefore(turn.source_version, source_version);
  turns.splice(turns.findLastIndex(isOlder) + 1, 0, { place: null, source_version, is_partial });
  return turns;
}

/** The last full statement, if any, and everything after it. */
function listBasis(turns: readonly Turn[]): readonly Turn[] {
  return turns.slice(
    Math.max(
      turns.findLastIndex((turn) => !turn.is_partial),
      0,
    ),
  );
}

type Stored = StoredStatement & { content_digest: string };

async function findStored(tx: Queryable, { jurisdiction_code, uid }: OpenRow): Promise<Stored | null> {
  const [row] = await tx.query<Stored>(sql`
    select record.source_version, record.is_partial, record.mark_variants, record.named_parts, record.detail,
      ${heldDocument(heldIn('payload'))} as payload,
      encode(record.content_digest, 'hex') as content_digest
    from record left join payload using (jurisdiction_code, uid)
    where jurisdiction_code = ${jurisdiction_code} and uid = ${uid}`);
  return row === undefined ? null : await openPayload(tx, row);
}

async function openPayload<Row extends StoredStatement>(tx: Queryable, row: Row): Promise<Row> {
  const [payload] = await readTexts(tx, [row.payload]);
  return { ...row, payload: payload! };
}

async function readStaged(tx: Queryable, stage: Statement, place: string): Promise<StoredStatement | null> {
  const [row] = await tx.query<StoredStatement>(
    sql`select source_version, is_partial, mark_variants, named_parts, detail || '}' as detail,
        ${heldDocument(heldIn('stage', 'payload'))} as payload
      from ${stage} stage where ctid = ${place}::tid`,
    { prepare: false },
  );
  return row === undefined ? null : await openPayload(tx, row);
}

/** A merge that equals the stored record keeps its digest, which may come from another spelling of the content. */
function buildMerged(merged: NormalizedRecord, stored: Stored | null): RecordRow {
  try {
    const detail = renderContent(merged);
    const { digest } = measureContent(merged, detail);
    const isStored = stored !== null && digestContent(parseStatement(stored)) === digest;
    return buildRow(merged, detail, isStored ? stored.content_digest : digest);
  } catch (error) {
    if (!(error instanceof RecordRejection)) throw error;
    const { jurisdiction_code, uid } = merged;
    const message = `${jurisdiction_code} ${uid} cannot hold what this load adds to it: ${error.message}`;
    throw new OperatorError(message, { cause: error });
  }
}

async function replaceStaged(tx: Queryable, stage: Statement, place: string, row: RecordRow): Promise<void> {
  await tx.query(
    sql`update ${stage} set content_digest = decode(${row.content_digest}, 'hex'), line_digest = '',
        source_version = ${row.source_version}, mark_variants = ${row.mark_variants}, is_partial = ${row.is_partial},
        named_parts = ${row.named_parts}, detail = ${row.detail}, payload = ${row.payload},
        ${PACKED_AS_NOTHING}
      where ctid = ${place}::tid`,
    { prepare: false },
  );
}
