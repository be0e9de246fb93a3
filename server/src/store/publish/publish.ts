/**
 * Publishing: rows of a load become records, in short transactions that run one at a time in the whole database, so
 * that stamps are committed in their order (docs/design/loads.md). It decides what counts as a change; it computes
 * nothing about content. Invariants: stamps only rise; a record with equal content is not touched; counts of registers
 * and of the load commit together with the rows they count. Rows are written in the order of the change feed, so that
 * reading the feed finds neighbours on the same page.
 */
import { OperatorError } from '../../base/errors.ts';
import type { PayloadPlace } from '../../base/payload-places.ts';
import { setOnNodes } from '../../database/distributed/settings.ts';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { identifier, instantText, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import { hasDocument, heldIn } from '../documents/read.ts';
import type { WritingDatabase } from '../documents/write.ts';
import { announceCommitted, announcePublish } from './announce.ts';
import { COPIED_COLUMNS, IDENTITY_COLUMNS } from './copy-rows.ts';
import { feedTime, lockPublishing, type Stamp, secondsAgo, stampTexts } from './feed-clock.ts';
import { countWaiting, joinBatch } from './joins.ts';
import { completePartials } from './partials.ts';
import { deletePayloads, placePayloads, writePayloads } from './payloads.ts';
import { keepVersions, REPLACES, raiseSources } from './replaced.ts';
import { holdsFirstRow, shipBatch, stageTable } from './stage.ts';
import { holdsSupplements } from './supplements.ts';
import { addDigests, digestOf, subtractDigests, type WrittenSet } from './verification.ts';

/** Longest time from stamp to commit; far below the horizon of the change feed (5 minutes). */
export const PUBLISH_DEADLINE_MS = 30_000;

export type PublishStep = 'begun' | 'locked' | 'stamped' | 'written' | 'counted' | 'committed';

export interface PublishOptions {
  deadlineMs?: number;
  /** All registers of the load; without supplements of any of them there is nothing to join. Default: unknown. */
  registers?: readonly string[];
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

/**
 * Publishes a staged batch of a load exactly once: a batch up to `load.published_batch` is skipped. Batches of one load
 * are published in order. Throws `PublishTooLate`, and `OperatorError` if the staging table was lost.
 */
export async function publishBatch(
  db: Pick<Database, 'transaction' | 'query' | 'objects'>,
  loadId: string,
  batch: number,
  options: PublishOptions = {},
): Promise<PublishedBatch> {
  const { onStep: step = async () => {}, deadlineMs = PUBLISH_DEADLINE_MS, registers = null } = options;
  const { payloads: place = 'database' } = options;
  await placePayloads({ db, on: db, stage: stageTable(loadId), batch, place });
  const result = await db.transaction(async (tx) => {
    await step('begun');
    await lockPublishing(tx);
    await step('locked');
    await announceCommitted(tx);
    const [load] = await tx.query<{ published_batch: number; joins: boolean }>(sql`
      select published_batch, ${registers}::text[] is null or ${holdsSupplements(registers ?? [])} as joins
      from load where load_id = ${loadId} for update`);
    if (load === undefined) throw new Error(`no such load: ${loadId}`);
    if (load.published_batch >= batch)
      return { published: false, isAnnounced: true, newCount: 0, changedCount: 0, waitingCount: 0 };
    const stamp = await stampPublish(tx, deadlineMs);
    await step('stamped');
    const { counts, waiting } = await writeBatch(tx, { loadId, batch, joins: load.joins, place, outside: db }, stamp);
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
      announced_stamp is not null as is_distributed`);
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
const TAKEN_LIST = joinSql(
  [...IDENTITY_COLUMNS, ...COPIED_COLUMNS, 'detail'].map((column) => sql`stage.${identifier(column)}`),
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
  /** Supplements of its registers may be held. */
  joins: boolean;
  place: PayloadPlace;
  /** For documents that are packed or brought to the store of objects: outside the transaction. */
  outside: WritingDatabase;
}

/** What a batch may need, without a look at the records that are stored. */
interface BatchFacts {
  /** False once the database has crashed since the rows were staged: none of them is left. */
  is_whole: boolean;
  /** Rows that state a record. */
  rows: number;
  /** Whether any of them is partial or states a version, so that stored statements may complete it. */
  may_complete: boolean;
  names_parts: boolean;
  /** Whether any states where its record comes from: a version, or the digest of its source. */
  states_source: boolean;
  has_payload: boolean;
  lacks_payload: boolean;
}

async function writeBatch(
  tx: Transaction,
  staging: StagedBatch,
  at: Stamp,
): Promise<{ counts: RegisterCounts[]; waiting: number }> {
  const { loadId, batch } = staging;
  const local = stageTable(loadId);
  const staged = await findFacts(tx, local, batch);
  if (!staged.is_whole) {
    throw new OperatorError('the database crashed and lost the staging table of this load; run the load again');
  }
  const isCompleted = staged.may_complete && (await completePartials(tx, local, batch));
  const isJoined = staging.joins && (await joinBatch(tx, local, batch));
  if (isCompleted || isJoined) {
    await placePayloads({ ...staging, db: staging.outside, on: tx, stage: local, areWhole: true });
  }
  const facts = isCompleted || isJoined ? await findFacts(tx, local, batch) : staged;
  const waiting = facts.names_parts ? await countWaiting(tx, local, batch) : 0;
  const stage = at.is_distributed ? await shipBatch(tx, loadId, batch) : local;
  const created = await createRecords(tx, stage, batch, at);
  const mayReplace = created.reduce((sum, { new_count }) => sum + new_count, 0) < facts.rows;
  if (mayReplace) await keepReplaced(tx, stage, batch, { at, facts });
  const counts = mayReplace ? [...created, ...(await replaceRecords(tx, stage, batch, at))] : created;
  if (counts.length === 0) return { counts, waiting };
  await addDigests(tx, at.stamp, counts);
  if (mayReplace && facts.lacks_payload) await deletePayloads(tx, stage, batch, hasStamp(at));
  if (facts.has_payload) await writePayloads(tx, stage, batch, hasStamp(at));
  return { counts, waiting };
}

const STAGED_PAYLOAD = hasDocument(heldIn('stage', 'payload'));

/** One pass over the rows of the batch instead of one for each thing that a batch may hold and most do not. */
async function findFacts(tx: Transaction, stage: Statement, batch: number): Promise<BatchFacts> {
  const [facts] = await tx.query<BatchFacts>(
    sql`select count(*)::int4 as rows,
        bool_or(stage.is_partial or stage.source_version is not null) is true as may_complete,
        bool_or(stage.named_parts is not null) is true as names_parts,
        bool_or(stage.source_version is not null or stage.source_digest is not null) is true as states_source,
        bool_or(${STAGED_PAYLOAD}) is true as has_payload,
        bool_or(not ${STAGED_PAYLOAD}) is true as lacks_payload,
        ${holdsFirstRow(stage)} as is_whole
      from ${stage} stage
      where stage.batch = ${batch} and not stage.superseded and stage.detail is not null`,
    { prepare: false },
  );
  if (facts === undefined) throw new Error('a count without a row');
  return facts;
}

/** Keeps the versions that are about to be replaced, and takes the replaced records out of the digests. */
async function keepReplaced(
  tx: Transaction,
  stage: Statement,
  batch: number,
  { at, facts }: { at: Stamp; facts: BatchFacts },
): Promise<void> {
  if (facts.states_source) await raiseSources(tx, stage, batch);
  await keepVersions(tx, stage, batch, at);
  await subtractDigests(
    tx,
    sql`select record.jurisdiction_code, record.updated_at, record.detail
        from ${stage} stage join record
          on record.jurisdiction_code = stage.jurisdiction_code and record.uid = stage.uid
        where stage.batch = ${batch} and not stage.superseded and stage.detail is not null and ${REPLACES}`,
  );
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

const COUNT_BY_REGISTER = sql`
  select jurisdiction_code, count(*) filter (where is_new)::int4 as new_count,
    count(*) filter (where not is_new)::int4 as changed_count, count(*)::int4 as record_count,
    bit_xor(digest) as digest
  from written group by jurisdiction_code order by jurisdiction_code`;

/**
 * Writes the records that are not stored yet. Under the publish lock no other can appear, so it expects no conflict: an
 * insert that does takes half as long again.
 */
async function createRecords(tx: Transaction, stage: Statement, batch: number, at: Stamp): Promise<RegisterCounts[]> {
  return await writeRecords(tx, stage, batch, at, {
    firstSeen: sql`${at.stamp}::timestamptz`,
    firstSeenText: sql`${at.instant}`,
    stored: sql`left join`,
    condition: sql`record.uid is null`,
    onConflict: sql``,
  });
}

/** Overwrites the stored records that staged rows replace. It updates none of those just created: they are equal. */
async function replaceRecords(tx: Transaction, stage: Statement, batch: number, at: Stamp): Promise<RegisterCounts[]> {
  return await writeRecords(tx, stage, batch, at, {
    firstSeen: sql`record.first_seen_at`,
    firstSeenText: instantText(sql`record.first_seen_at`),
    stored: sql`join`,
    condition: REPLACES,
    onConflict: sql`on conflict (jurisdiction_code, uid) do update set ${OVERWRITES}`,
  });
}

interface Writing {
  firstSeen: Statement;
  firstSeenText: Statement;
  stored: Statement;
  condition: Statement;
  onConflict: Statement;
}

/**
 * The rows are put in order before the stored records are looked up, so that neighbours are found on the same page: it
 * takes a tenth of the time of a publish less than to order what was found.
 */
async function writeRecords(
  tx: Transaction,
  stage: Statement,
  batch: number,
  at: Stamp,
  { firstSeen, firstSeenText, stored, condition, onConflict }: Writing,
): Promise<RegisterCounts[]> {
  const { start, end } = stampTexts(at);
  return await tx.query<RegisterCounts>(
    sql`with written as (
        insert into record (${WRITTEN_LIST})
        select stage.jurisdiction_code, stage.uid, ${STAGED_LIST}, ${firstSeen}, ${at.stamp}::timestamptz,
          stage.detail || ${start} || ${firstSeenText} || ${end}
        from (
          select ${TAKEN_LIST} from ${stage} stage
          where stage.batch = ${batch} and not stage.superseded and stage.detail is not null
          order by stage.jurisdiction_code, stage.uid
        ) as stage ${stored} record
          on record.jurisdiction_code = stage.jurisdiction_code and record.uid = stage.uid
        where ${condition}
        ${onConflict}
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
    with counted as (
      insert into register (jurisdiction_code, record_count, last_load_id)
      select code, sum(new_count), ${loadId}::uuid
      from unnest(${counts.map((count) => count.jurisdiction_code)}::text[],
        ${counts.map((count) => count.new_count)}::int4[]) as written (code, new_count)
      group by code
      on conflict (jurisdiction_code) do update
        set record_count = register.record_count + excluded.record_count, last_load_id = excluded.last_load_id
    )
    update load set published_batch = ${batch}, new_count = new_count + ${newCount},
      changed_count = changed_count + ${changedCount} where load_id = ${loadId}`);
  // A separate statement, as it goes to every node: a combined one could use another session, which would wait for this
  // one.
  if (newCount + changedCount > 0) {
    await tx.query(sql`insert into publish (stamp, load_id) values (${stamp}::timestamptz, ${loadId}::uuid)`);
  }
  return { newCount, changedCount };
}
