/**
 * Publishing: rows of a load become records, in short transactions that run one at a time in the whole database, so
 * that stamps are committed in their order (docs/design/loads.md). It decides what counts as a change; it computes
 * nothing about content. Invariants: stamps only rise; a record with equal content is not touched; counts of registers
 * and of the load commit together with the rows they count. Rows are written in the order of the change feed, so that
 * reading the feed finds neighbours on the same page.
 */
import { OperatorError } from '../../base/errors.ts';
import type { PayloadPlace } from '../../base/payload-places.ts';
import { setOnNodes } from '../distributed/settings.ts';
import { hasDocument, heldIn } from '../documents/held.ts';
import type { Database, Queryable, Transaction } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { identifier, joinSql, type Statement, sql } from '../driver/sql.ts';
import { announceCommitted, announcePublish } from './announce.ts';
import { COPIED_COLUMNS, framed, IDENTITY_COLUMNS, PAYLOAD_COPY_COLUMNS, RECORD_COPY_COLUMNS } from './copy-rows.ts';
import { feedTime, secondsAgo } from './feed-clock.ts';
import { countWaiting, joinBatch } from './joins.ts';
import { completePartials } from './partials.ts';
import { deletePayloads, placePayloads, writePayloads } from './payloads.ts';
import { lockPublishing } from './publish-lock.ts';
import { type RecordBatch, type Stamp, stampTexts } from './record-batch.ts';
import { keepVersions, REPLACES, raiseSources } from './replaced.ts';
import { isStageWhole, shipBatch, stageTable } from './stage.ts';
import { holdsSupplements } from './supplements.ts';
import { addDigests, digestOf, subtractDigests, type WrittenSet } from './verification.ts';

/** Longest time from stamp to commit; far below the horizon of the change feed (5 minutes). */
export const PUBLISH_DEADLINE_MS = 30_000;

export type PublishStep = 'begun' | 'locked' | 'stamped' | 'written' | 'counted' | 'committed';

export interface PublishOptions {
  deadlineMs?: number;
  /** All registers of the load. While they hold only what this load has published, none of its rows is stored yet. */
  registers?: readonly string[];
  /** The rows of a batch that is not staged; published only if none of them can be stored already. */
  rows?: RecordBatch | undefined;
  /** Where the payloads of staged rows are to be held; default: as text. */
  payloads?: PayloadPlace;
  /** Called after each step; tests delay, fail or kill there. */
  onStep?: (step: PublishStep) => Promise<void>;
}

export interface PublishedBatch {
  /** False if the batch had been published before, and nothing was done. */
  published: boolean;
  newCount: number;
  changedCount: number;
  /** Records that name a party or another part that nothing has stated yet. */
  waitingCount: number;
}

/** The transaction missed its deadline and was rolled back. The batch can be published again. */
export class PublishTooLate extends Error {}

/** These registers hold records or supplements, so the rows of this load have to be staged, compared and joined. */
export class PublishNeedsStage extends Error {}

/**
 * Publishes a batch of a load exactly once: a batch up to `load.published_batch` is skipped. Batches of one load are
 * published in order. Throws `PublishTooLate`, `PublishNeedsStage` if `rows` have to be staged and compared after all,
 * and `OperatorError` if the staging table was lost.
 */
export async function publishBatch(
  db: Pick<Database, 'transaction' | 'query' | 'objects'>,
  loadId: string,
  batch: number,
  options: PublishOptions = {},
): Promise<PublishedBatch> {
  const { onStep: step = async () => {}, deadlineMs = PUBLISH_DEADLINE_MS, registers = null, rows } = options;
  const { payloads: place = 'database' } = options;
  if (rows === undefined) await placePayloads({ db, on: db, stage: stageTable(loadId), batch, place });
  const result = await db.transaction(async (tx) => {
    await step('begun');
    await lockPublishing(tx);
    await step('locked');
    await announceCommitted(tx);
    const [load] = await tx.query<{ published_batch: number; is_first: boolean; joins: boolean }>(sql`
      select published_batch, ${registers}::text[] is not null and new_count = (
        select coalesce(sum(record_count), 0) from register where jurisdiction_code = any(${registers}::text[])
      ) as is_first, ${registers}::text[] is null or ${holdsSupplements(registers ?? [])} as joins
      from load where load_id = ${loadId} for update`);
    if (load === undefined) throw new Error(`no such load: ${loadId}`);
    if (load.published_batch >= batch)
      return { published: false, isAnnounced: true, newCount: 0, changedCount: 0, waitingCount: 0 };
    if (rows !== undefined && (!load.is_first || load.joins)) {
      throw new PublishNeedsStage(`load ${loadId} is not the first, or has to be joined`);
    }
    if (rows === undefined && !(await isStageWhole(tx, loadId))) {
      throw new OperatorError('the database crashed and lost the staging table of this load; run the load again');
    }
    const stamp = await stampPublish(tx, deadlineMs);
    await step('stamped');
    const { counts, waiting } = await (rows === undefined
      ? writeBatch(tx, { loadId, batch, isFirst: load.is_first, joins: load.joins, place, beside: db }, stamp)
      : copyBatch(tx, rows, stamp));
    await step('written');
    const total = await countBatch(tx, { loadId, batch, stamp: stamp.stamp }, counts);
    await step('counted');
    await checkDeadline(tx, stamp, deadlineMs);
    return { published: true, isAnnounced: !stamp.is_distributed, ...total, waitingCount: waiting };
  });
  await step('committed');
  const { isAnnounced, ...published } = result;
  if (!isAnnounced) await announcePublish(db);
  return published;
}

async function stampPublish(tx: Transaction, deadlineMs: number): Promise<Stamp> {
  await setOnNodes(tx, {
    statement_timeout: String(deadlineMs),
    idle_in_transaction_session_timeout: String(deadlineMs),
    // The planner cannot know how many staged rows are new. A look-up by key is always fine for each of a few thousand.
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
  });
  const [stamp] = await tx.query<Stamp>(sql`update publish_clock
    set last_stamp = greatest(${feedTime(sql`clock_timestamp()`)}, last_stamp + interval '1 microsecond')
    returning last_stamp as stamp, ${instantText(sql`last_stamp`)} as instant,
      ((extract(epoch from last_stamp) - extract(epoch from timestamptz '2000-01-01 00:00:00+00')) * 1000000)::int8
        as micros, announced_stamp is not null as is_distributed`);
  if (stamp === undefined) throw new Error('the publish clock is missing');
  return stamp;
}

async function checkDeadline(tx: Transaction, { stamp }: Stamp, deadlineMs: number): Promise<void> {
  const [age] = await tx.query<{ late: boolean }>(sql`
    select ${stamp}::timestamptz < ${feedTime(secondsAgo(deadlineMs / 1000))} as late`);
  if (age?.late !== false) throw new PublishTooLate(`a publish took longer than ${deadlineMs} ms and was rolled back`);
}

const WRITTEN_COLUMNS = [...IDENTITY_COLUMNS, ...COPIED_COLUMNS, 'first_seen_at', 'updated_at', 'detail'];
const WRITTEN_LIST = joinSql(WRITTEN_COLUMNS.map(identifier), ', ');
const STAGED_LIST = joinSql(
  COPIED_COLUMNS.map((column) => sql`stage.${identifier(column)}`),
  ', ',
);
const OVERWRITES = joinSql(
  [...COPIED_COLUMNS, 'updated_at', 'detail'].map(
    (column) => sql`${identifier(column)} = excluded.${identifier(column)}`,
  ),
  ', ',
);

interface RegisterCounts extends WrittenSet {
  new_count: number;
  changed_count: number;
}

interface StagedBatch {
  loadId: string;
  batch: number;
  /** None of its rows is stored yet. */
  isFirst: boolean;
  /** Supplements of its registers may be held. */
  joins: boolean;
  place: PayloadPlace;
  /** Another connection, which reads the staged rows while the transaction writes. */
  beside: Pick<Queryable, 'query' | 'objects'>;
}

interface ReadyBatch extends StagedBatch {
  /** The table that holds its rows next to the records, on the same nodes. */
  stage: Statement;
}

interface WrittenBatch {
  counts: RegisterCounts[];
  waiting: number;
}

interface Written {
  counts: RegisterCounts[];
  /** Whether any of the staged rows has a payload. */
  payloads: boolean;
}

async function writeBatch(tx: Transaction, staging: StagedBatch, at: Stamp): Promise<WrittenBatch> {
  const local = stageTable(staging.loadId);
  const isCompleted = await completePartials(tx, local, staging.batch);
  const isJoined = staging.joins && (await joinBatch(tx, local, staging.batch));
  if (isCompleted || isJoined) {
    await placePayloads({ ...staging, db: staging.beside, on: tx, stage: local, areWhole: true });
  }
  const waiting = await countWaiting(tx, local, staging.batch);
  const stage = at.is_distributed ? await shipBatch(tx, staging.loadId, staging.batch) : local;
  // Completed and joined rows are visible only to this transaction, so another connection cannot count them.
  const isFirst = staging.isFirst && !isCompleted && !isJoined;
  const { counts, payloads } = isFirst
    ? await insertRecords(tx, { ...staging, stage }, at)
    : await replaceRecords(tx, { ...staging, stage }, at);
  if (counts.length > 0) await addDigests(tx, at.stamp, counts);
  if (!payloads || counts.length === 0) return { counts, waiting };
  const published = isFirst ? sql`true` : hasStamp(at);
  await writePayloads(tx, stage, staging.batch, published);
  return { counts, waiting };
}

const RECORD_LIST = joinSql(RECORD_COPY_COLUMNS.map(identifier), ', ');
const PAYLOAD_LIST = joinSql(PAYLOAD_COPY_COLUMNS.map(identifier), ', ');

/** Rows that were never staged. A third of the work of an insert: PostgreSQL fills whole pages at a time. */
async function copyBatch(tx: Transaction, batch: RecordBatch, at: Stamp): Promise<WrittenBatch> {
  const copied = await tx.copyIn(
    sql`copy record (${RECORD_LIST}) from stdin (format binary)`,
    framed(batch.encodeRecords(at)),
  );
  const written = batch.listWritten();
  if (written.reduce((sum, { record_count }) => sum + record_count, 0) !== copied) {
    throw new Error('a batch lost rows while it was published');
  }
  await addDigests(tx, at.stamp, written);
  const payloads = batch.encodePayloads();
  if (payloads.length > 0) {
    await tx.copyIn(sql`copy payload (${PAYLOAD_LIST}) from stdin (format binary)`, framed([payloads]));
  }
  const counts = written.map((set) => ({ ...set, new_count: set.record_count, changed_count: 0 }));
  // No supplement is held for any part, or the batch would have been staged.
  return { counts, waiting: batch.naming };
}

/** Some of these records may be stored. Also deletes the payloads that they no longer have. */
async function replaceRecords(tx: Transaction, staging: ReadyBatch, at: Stamp): Promise<Written> {
  const { stage, batch } = staging;
  const unprepared = { prepare: false };
  const [staged] = await tx.query<{ payloads: boolean; sources: boolean; removals: boolean }>(
    sql`select count(*) filter (where ${STAGED_PAYLOAD}) > 0 as payloads, count(coalesce(source_version, source_digest::text)) > 0 as sources,
        count(detail) > count(*) filter (where ${STAGED_PAYLOAD}) as removals
      from ${stage} stage where batch = ${batch} and not superseded`,
    unprepared,
  );
  if (staged?.sources) await raiseSources(tx, stage, batch);
  await keepVersions(tx, stage, batch, at);
  await subtractDigests(
    tx,
    sql`select record.jurisdiction_code, record.updated_at, record.detail
        from ${stage} stage join record
          on record.jurisdiction_code = stage.jurisdiction_code and record.uid = stage.uid
        where stage.batch = ${batch} and not stage.superseded and stage.detail is not null and ${REPLACES}`,
  );
  const counts = await upsertRecords(tx, staging, at);
  if (staged?.removals && counts.some((count) => count.changed_count > 0)) {
    await deletePayloads(tx, stage, batch, hasStamp(at));
  }
  return { counts, payloads: staged?.payloads === true };
}

/**
 * The staged row was published under this stamp. It is a look-up by key for each row, because the planner cannot know
 * how many records have a stamp it has never seen: given a join, it compared each with every staged row (30 s for
 * 5,000).
 */
function hasStamp({ stamp }: Stamp): Statement {
  return sql`(select record.updated_at from record where record.jurisdiction_code = stage.jurisdiction_code
            and record.uid = stage.uid) = ${stamp}::timestamptz`;
}

const STAGED_PAYLOAD = hasDocument(heldIn('stage', 'payload'));

const COUNT_BY_REGISTER = sql`
  select jurisdiction_code, count(*) filter (where is_new)::int4 as new_count,
    count(*) filter (where not is_new)::int4 as changed_count, count(*)::int4 as record_count,
    bit_xor(digest) as digest
  from written group by jurisdiction_code order by jurisdiction_code`;

/**
 * None of these records is stored: half the work of an upsert. If that were wrong, the primary key would fail. Since
 * every staged row is written, another connection can count them at the same time.
 */
async function insertRecords(tx: Transaction, staging: ReadyBatch, at: Stamp): Promise<Written> {
  const { start, end } = stampTexts(at);
  const detail = sql`stage.detail || ${`${start}${at.instant}${end}`}`;
  const rowsOf = (stage: Statement): Statement => sql`${stage} stage
        where stage.batch = ${staging.batch} and not stage.superseded and stage.detail is not null`;
  const [inserting, counting] = await Promise.allSettled([
    tx.query<{ written: number }>(
      sql`with written as (
        insert into record (${WRITTEN_LIST})
        select stage.jurisdiction_code, stage.uid, ${STAGED_LIST}, ${at.stamp}::timestamptz, ${at.stamp}::timestamptz,
          ${detail}
        from ${rowsOf(staging.stage)}
        order by stage.jurisdiction_code, stage.uid
        returning 1
      ) select count(*)::int4 as written from written`,
      { prepare: false },
    ),
    staging.beside.query<RegisterCounts & { payloads: boolean }>(
      sql`select jurisdiction_code, count(*)::int4 as new_count, 0 as changed_count, count(*)::int4 as record_count,
          bit_xor(${digestOf(detail)}) as digest, count(*) filter (where ${STAGED_PAYLOAD}) > 0 as payloads
        from ${rowsOf(stageTable(staging.loadId))} group by jurisdiction_code order by jurisdiction_code`,
      { prepare: false },
    ),
  ]);
  if (inserting.status === 'rejected') throw inserting.reason;
  if (counting.status === 'rejected') throw counting.reason;
  const counted = counting.value.reduce((sum, { record_count }) => sum + record_count, 0);
  if (counted !== inserting.value[0]?.written) throw new Error('a staged batch changed while it was published');
  return { counts: counting.value, payloads: counting.value.some(({ payloads }) => payloads) };
}

async function upsertRecords(tx: Transaction, staging: ReadyBatch, at: Stamp): Promise<RegisterCounts[]> {
  const { start, end } = stampTexts(at);
  return await tx.query<RegisterCounts>(
    sql`with written as (
        insert into record (${WRITTEN_LIST})
        select stage.jurisdiction_code, stage.uid, ${STAGED_LIST},
          coalesce(record.first_seen_at, ${at.stamp}::timestamptz), ${at.stamp}::timestamptz,
          stage.detail || case when record.uid is null then ${`${start}${at.instant}${end}`}
            else ${start} || ${instantText(sql`record.first_seen_at`)} || ${end} end
        from ${staging.stage} stage left join record
          on record.jurisdiction_code = stage.jurisdiction_code and record.uid = stage.uid
        where stage.batch = ${staging.batch} and not stage.superseded and stage.detail is not null
          and (record.uid is null or (${REPLACES}))
        order by stage.jurisdiction_code, stage.uid
        on conflict (jurisdiction_code, uid) do update set ${OVERWRITES}
        returning jurisdiction_code, first_seen_at = updated_at as is_new,
          ${digestOf(sql`detail`)} as digest
      ) ${COUNT_BY_REGISTER}`,
    { prepare: false },
  );
}

async function countBatch(
  tx: Transaction,
  { loadId, batch, stamp }: { loadId: string; batch: number; stamp: string },
  counts: readonly RegisterCounts[],
): Promise<{ newCount: number; changedCount: number }> {
  const newCount = counts.reduce((sum, count) => sum + count.new_count, 0);
  const changedCount = counts.reduce((sum, count) => sum + count.changed_count, 0);
  await tx.query(sql`
    insert into register (jurisdiction_code, record_count, last_load_id)
    select code, new_count, ${loadId}::uuid
    from unnest(${counts.map((count) => count.jurisdiction_code)}::text[],
      ${counts.map((count) => count.new_count)}::int4[]) as counted (code, new_count)
    on conflict (jurisdiction_code) do update
      set record_count = register.record_count + excluded.record_count, last_load_id = excluded.last_load_id`);
  // A separate statement, as it goes to every node: a combined one could use another session, which would wait for this
  // one.
  if (newCount + changedCount > 0) {
    await tx.query(sql`insert into publish (stamp, load_id) values (${stamp}::timestamptz, ${loadId}::uuid)`);
  }
  await tx.query(sql`
    update load set published_batch = ${batch}, new_count = new_count + ${newCount},
      changed_count = changed_count + ${changedCount} where load_id = ${loadId}`);
  return { newCount, changedCount };
}
