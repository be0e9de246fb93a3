/**
 * Staging tables: one unlogged table per load, filled by COPY, read by publishes, dropped at the end. It decides which
 * of several versions of a record in a load counts; `copy-rows.ts` knows how a row is encoded. A running load holds an
 * advisory lock; a staging table without one was left behind by a killed process and can be dropped.
 */

import { isDistributed, placeBesideRecords } from '../../database/distributed/distribution.ts';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { identifier, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import { PACKED_COLUMNS } from '../documents/read.ts';
import { framed, STAGED_COLUMNS } from './copy-rows.ts';
import type { IssueExample } from './findings.ts';
import { dropRowStage } from './source-rows.ts';

const SHIPPED_LIST = joinSql([...STAGED_COLUMNS, ...PACKED_COLUMNS].map(identifier), ', ');
const COLUMN_LIST = joinSql(STAGED_COLUMNS.map(identifier), ', ');

/** The staging table of a load, `stage_` and the load's id without hyphens. */
export function stageTable(loadId: string): Statement {
  return identifier(`stage_${loadId.replaceAll('-', '')}`);
}

/** Records that a delivery of a whole register does not state (`absent.ts`). */
export function absentTable(loadId: string): Statement {
  return identifier(`stage_${loadId.replaceAll('-', '')}_absent`);
}

/** On several nodes: the batch that is being published, next to the records that it replaces. */
function batchTable(loadId: string): Statement {
  return identifier(`stage_${loadId.replaceAll('-', '')}_batch`);
}

/**
 * A crash of the database silently empties unlogged tables. The table therefore begins with a row of a batch that is
 * never published: if that row is gone, so are the others.
 */
export async function createStage(db: Queryable, loadId: string): Promise<void> {
  const stage = stageTable(loadId);
  await db.query(sql`create unlogged table ${stage} (like staged_record including all)`, { prepare: false });
  await db.query(
    sql`insert into ${stage} (batch, seq, superseded, jurisdiction_code, uid, content_digest, line_digest)
      values (${FIRST_ROW_BATCH}, -1, true, '', '', '', '')`,
    { prepare: false },
  );
  if (!(await isDistributed(db))) return;
  await db.query(sql`create table ${batchTable(loadId)} (like staged_record including all)`, { prepare: false });
  await placeBesideRecords(db, batchTable(loadId));
}

/** Brings the counting rows of a batch to the nodes of their records. Resolves to the table that holds them there. */
export async function shipBatch(tx: Transaction, loadId: string, batch: number): Promise<Statement> {
  const table = batchTable(loadId);
  await tx.query(sql`truncate ${table}`, { prepare: false });
  await tx.query(
    sql`insert into ${table} (${SHIPPED_LIST})
      select ${SHIPPED_LIST} from ${stageTable(loadId)} where batch = ${batch} and not superseded`,
    { prepare: false },
  );
  return table;
}

const FIRST_ROW_BATCH = 0;

/** False once the database has crashed since `createStage`. */
export function holdsFirstRow(stage: Statement): Statement {
  return sql`exists (select from ${stage} where batch = ${FIRST_ROW_BATCH})`;
}

/** Drops everything that a load has staged. */
export async function dropStage(db: Queryable, loadId: string): Promise<void> {
  await db.query(sql`drop table if exists ${stageTable(loadId)}, ${absentTable(loadId)}, ${batchTable(loadId)}`, {
    prepare: false,
  });
  await dropRowStage(db, loadId);
}

/** Copies rows of a `RowWriter` into the staging table of a load. Resolves to their number. */
export async function stageRows(
  db: Pick<Database, 'copyIn'>,
  loadId: string,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<number> {
  return await db.copyIn(sql`copy ${stageTable(loadId)} (${COLUMN_LIST}) from stdin (format binary)`, framed(chunks));
}

/**
 * Ends staging. Of several versions of a record, the one with the highest `source_version` counts; among equal ones,
 * the last. The others are marked superseded. Resolves to their number. `mayRepeat`: a record may have several;
 * `hasPartials`: publishes will look up all versions of a record.
 */
export async function settleStage(
  tx: Transaction,
  loadId: string,
  { mayRepeat = true, hasPartials = false }: { mayRepeat?: boolean; hasPartials?: boolean } = {},
): Promise<number> {
  const stage = stageTable(loadId);
  const superseded = mayRepeat ? await markSuperseded(tx, stage) : 0;
  await tx.query(sql`create index on ${stage} (batch)`, { prepare: false });
  if (hasPartials) await tx.query(sql`create index on ${stage} (jurisdiction_code, uid)`, { prepare: false });
  await tx.query(sql`analyze ${stage} (batch, superseded, jurisdiction_code, uid)`, { prepare: false });
  return superseded;
}

/** A few of the records that had a version superseded, as places of an issue. */
export async function listSuperseded(db: Queryable, loadId: string, limitMax: number): Promise<IssueExample[]> {
  return await db.query<IssueExample>(
    sql`select jurisdiction_code, uid, null as position from ${stageTable(loadId)}
      where superseded and seq >= 0 limit ${limitMax}`,
    { prepare: false },
  );
}

async function markSuperseded(tx: Transaction, stage: Statement): Promise<number> {
  const unprepared = { prepare: false };
  // This scan is worth a second core, although the planner overrates the cost of passing rows between workers.
  await tx.query(
    sql`select set_config('work_mem', '128MB', true), set_config('parallel_tuple_cost', '0', true),
      set_config('parallel_setup_cost', '0', true)`,
    unprepared,
  );
  // A record to be joined again is no version of it.
  const states = sql`kind <> 'rejoin'`;
  const repeated = sql`select jurisdiction_code, uid from ${stage} where ${states}
    group by jurisdiction_code, uid having count(*) > 1`;
  const some = await tx.query(sql`${repeated} limit 1`, unprepared);
  if (some.length === 0) return 0;
  const [marked] = await tx.query<{ superseded: number }>(
    sql`with repeated as (${repeated}), ranked as (
        select stage.seq, row_number() over (
          partition by stage.jurisdiction_code, stage.uid
          order by stage.source_version desc nulls last, stage.seq desc) as rank
        from ${stage} stage join repeated using (jurisdiction_code, uid) where ${states}
      ), marked as (
        update ${stage} stage set superseded = true from ranked
        where ranked.rank > 1 and stage.seq = ranked.seq returning 1
      ) select count(*)::int4 as superseded from marked`,
    unprepared,
  );
  return marked?.superseded ?? 0;
}
