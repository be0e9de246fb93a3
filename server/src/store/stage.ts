/**
 * Staging tables: one unlogged table for each load, filled by COPY, read by publishes, dropped at the end. It decides
 * how a row is written for COPY and which of several versions of one record in a load counts. A load that lives holds
 * an advisory lock; a staging table whose load holds none was left behind by a killed process and may go.
 */
import { FILTER_DATES } from '@tmds/contract/enums';
import type { RecordRow } from '../record/row.ts';
import type { Database, Queryable, Transaction } from './db.ts';
import { identifier, joinSql, type Statement, sql } from './sql.ts';

/** What is staged of a record that already has this very content: enough to supersede an earlier line, no more. */
export interface UnchangedRow {
  jurisdiction_code: string;
  uid: string;
  content_digest: string;
  source_version: string | null;
}

const COLUMNS = [
  'batch',
  'seq',
  'jurisdiction_code',
  'uid',
  ...FILTER_DATES,
  'content_digest',
  'source_version',
  'terms',
  'number_keys',
  'mark_names',
  'owner_names',
  'representative_names',
  'detail',
  'payload',
] as const;

const COLUMN_LIST = joinSql(COLUMNS.map(identifier), ', ');

/** The staging table of a load, `stage_` and the load's id without hyphens. */
export function stageTable(loadId: string): Statement {
  return identifier(`stage_${loadId.replaceAll('-', '')}`);
}

/**
 * A crash of the database empties unlogged tables without a word. The first row of the table, of a batch that is never
 * published, tells a stage that is whole from one that was emptied so.
 */
export async function createStage(db: Queryable, loadId: string): Promise<void> {
  const stage = stageTable(loadId);
  await db.query(sql`create unlogged table ${stage} (like staged_record including all)`, { prepare: false });
  await db.query(
    sql`insert into ${stage} (batch, seq, superseded, jurisdiction_code, uid, content_digest)
      values (${FIRST_ROW_BATCH}, -1, true, '', '', '')`,
    { prepare: false },
  );
}

const FIRST_ROW_BATCH = 0;

/** False once the database has crashed since `createStage`. */
export async function isStageWhole(tx: Queryable, loadId: string): Promise<boolean> {
  const rows = await tx.query(sql`select 1 from ${stageTable(loadId)} where batch = ${FIRST_ROW_BATCH} limit 1`, {
    prepare: false,
  });
  return rows.length === 1;
}

export async function dropStage(db: Queryable, loadId: string): Promise<void> {
  await db.query(sql`drop table if exists ${stageTable(loadId)}`, { prepare: false });
}

/** Copies rows written by `encodeStagedRow` into the staging table of a load; resolves to their number. */
export async function stageRows(
  db: Pick<Database, 'copyIn'>,
  loadId: string,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  return await db.copyIn(sql`copy ${stageTable(loadId)} (${COLUMN_LIST}) from stdin`, chunks);
}

const SPECIAL = /[\\\n\r\t]/;
const SPECIALS = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function encodeText(text: string | null): string {
  if (text === null) return '\\N';
  return SPECIAL.test(text) ? text.replace(SPECIALS, (character) => ESCAPES[character] as string) : text;
}

const NO_DATES = FILTER_DATES.map(() => '\\N').join('\t');

/** One line of COPY text. `batch` counts from 1; `seq` rises along the load. */
export function encodeStagedRow(batch: number, seq: number, row: RecordRow): string {
  let dates = '';
  for (const field of FILTER_DATES) dates += dates === '' ? (row[field] ?? '\\N') : `\t${row[field] ?? '\\N'}`;
  return (
    `${encodeHead(batch, seq, row, dates)}\t{${row.terms.join(',')}}\t${encodeText(row.number_keys)}\t` +
    `${encodeText(row.mark_names)}\t${encodeText(row.owner_names)}\t${encodeText(row.representative_names)}\t` +
    `${encodeText(row.detail)}\t${encodeText(row.payload)}\n`
  );
}

/** The line of a record that has nothing to publish; it only takes part in deciding which version counts. */
export function encodeUnchangedRow(batch: number, seq: number, row: UnchangedRow): string {
  return `${encodeHead(batch, seq, row, NO_DATES)}\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\n`;
}

function encodeHead(batch: number, seq: number, row: UnchangedRow, dates: string): string {
  return (
    `${batch}\t${seq}\t${row.jurisdiction_code}\t${encodeText(row.uid)}\t${dates}\t` +
    `\\\\x${row.content_digest}\t${encodeText(row.source_version)}`
  );
}

/**
 * Which of the given records hold their content already, by position: same digest, and no version to raise.
 * Records without a stored counterpart are not among them.
 */
export async function listUnchanged(db: Queryable, rows: readonly UnchangedRow[]): Promise<ReadonlySet<number>> {
  const found = await db.query<{ position: number }>(sql`
    select staged.position::int4 as position
    from unnest(
      ${rows.map((row) => row.jurisdiction_code)}::text[],
      ${rows.map((row) => row.uid)}::text[],
      ${rows.map((row) => row.content_digest)}::text[],
      ${rows.map((row) => row.source_version)}::text[]
    ) with ordinality as staged (jurisdiction_code, uid, content_digest, source_version, position)
    join record on record.jurisdiction_code = staged.jurisdiction_code and record.uid = staged.uid
    where record.content_digest = decode(staged.content_digest, 'hex')
      and (staged.source_version is null or staged.source_version collate "C" <= record.source_version)`);
  return new Set(found.map((row) => row.position - 1));
}

/**
 * Ends staging: of several versions of one record the highest `source_version` counts, of equal ones the last; the
 * others are marked superseded. Resolves to their number.
 */
export async function settleStage(tx: Transaction, loadId: string): Promise<number> {
  const stage = stageTable(loadId);
  await tx.query(sql`set local work_mem = '128MB'`, { prepare: false });
  const rows = await tx.query<{ superseded: number }>(
    sql`with repeated as (
        select jurisdiction_code, uid from ${stage} group by jurisdiction_code, uid having count(*) > 1
      ), ranked as (
        select stage.seq, row_number() over (
          partition by stage.jurisdiction_code, stage.uid
          order by stage.source_version desc nulls last, stage.seq desc) as rank
        from ${stage} stage join repeated using (jurisdiction_code, uid)
      ), marked as (
        update ${stage} stage set superseded = true from ranked
        where ranked.rank > 1 and stage.seq = ranked.seq returning 1
      ) select count(*)::int4 as superseded from marked`,
    { prepare: false },
  );
  await tx.query(sql`create index on ${stage} (batch)`, { prepare: false });
  await tx.query(sql`analyze ${stage} (batch, superseded, jurisdiction_code, uid)`, { prepare: false });
  return rows[0]?.superseded ?? 0;
}
