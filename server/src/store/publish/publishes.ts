/**
 * Everything published after a stamp, in the order of changes, to keep an index current. One reading is one snapshot:
 * everything up to the stamp that it states, and nothing else.
 */
import type { Instant } from '@tmds/contract/record';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { BEFORE_ALL, findPublishState, type PublishState } from '../../database/readers/publish-state.ts';
import { PSEUDO, PSEUDO_REGISTER } from '../../record/row.ts';
import { readSettled } from './announce.ts';
import { holdPace } from './pace.ts';

/** A record as it was published, as the text that the database holds. */
export interface PublishedRecord {
  readonly updated_at: Instant;
  readonly detail: string;
  readonly mark_variants: string | null;
}

/** The database's counts for one register. */
export interface PublishedRegister {
  readonly jurisdiction_code: string;
  readonly record_count: number;
  /** The exclusive or of the digests of its records, as 16 hexadecimal digits. */
  readonly digest: string;
}

/** After the first stamp, up to and including the other. */
export interface StampRange {
  readonly after: Instant;
  readonly through: Instant;
}

/** Reads while it is consumed, at most a few thousand records ahead. */
export type PublishedRecords = AsyncGenerator<readonly PublishedRecord[]>;

export interface Reading {
  readonly state: PublishState;
  readonly records: PublishedRecords;
  /** Makes loads wait until this reading has ended. */
  holdLoads(): Promise<void>;
  /** Whether the server still replays a primary. If so, what was read so far is what that primary published. */
  isReplaying(): Promise<boolean>;
  /**
   * The last publish of records at or before a stamp; null if none is recorded. Within one history it is always the
   * same. It differs after a restore, or after the promotion of a standby that lacked publishes.
   */
  findPublish(stamp: Instant): Promise<Instant | null>;
  /** Sorted by code; from the same snapshot. */
  listRegisters(): Promise<PublishedRegister[]>;
}

/** Everything visible after a stamp. */
export async function readPublishes<Result>(
  db: Database,
  after: Instant,
  read: (reading: Reading) => Promise<Result>,
): Promise<Result> {
  return await readSettled(db, async (tx) => {
    const state = await findPublishState(tx);
    return await read({
      state,
      records: readRecords(tx, { after, through: state.lastStamp }),
      holdLoads: () => holdPace(tx),
      isReplaying: () => isReplaying(tx),
      findPublish: (stamp) => findPublish(tx, stamp),
      listRegisters: () => listPublishedRegisters(tx),
    });
  });
}

async function findPublish(tx: Transaction, stamp: Instant): Promise<Instant | null> {
  const [last] = await tx.query<{ stamp: Instant }>(sql`
    select ${instantText(sql`stamp`)} as stamp from publish where publish.stamp <= ${stamp}::timestamptz
    order by publish.stamp desc limit 1`);
  return last?.stamp ?? null;
}

async function isReplaying(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ replaying: boolean }>(sql`select pg_is_in_recovery() as replaying`);
  return row!.replaying;
}

/**
 * The records whose current stamp is in a range. Several connections can read different ranges: a record that changes
 * in the meantime moves to a later stamp, and is never in two of them.
 */
export async function readRange<Result>(
  db: Database,
  range: StampRange,
  read: (records: PublishedRecords) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(async (tx) => await read(readRecords(tx, range)), {
    isolation: 'repeatable read',
    readOnly: true,
  });
}

async function* readRecords(tx: Transaction, { after, through }: StampRange): PublishedRecords {
  const unprepared = { prepare: false };
  await tx.query(
    sql`declare published no scroll cursor for
      select ${instantText(sql`updated_at`)} as updated_at, detail, mark_variants from record
      where updated_at > ${after}::timestamptz and updated_at <= ${through}::timestamptz
      order by record.updated_at, jurisdiction_code, uid`,
    unprepared,
  );
  // A few megabytes at a time.
  const fetchNext = () => tx.query<PublishedRecord>(sql`fetch forward 2000 from published`, unprepared);
  let next = fetchNext();
  for (;;) {
    const rows = await next;
    if (rows.length === 0) break;
    // Read while these are consumed; a failure is thrown when its turn comes.
    next = fetchNext();
    next.catch(() => undefined);
    yield rows;
  }
  await tx.query(sql`close published`, unprepared);
}

/** A record with pseudo marks among its held forms. */
interface HoldingRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: Instant;
  readonly mark_variants: string;
}

const PORTION = 2_000;

/** All of them in the order of their keys, some thousand at a time; one that changes in the meantime may be missing. */
export async function* readPseudoMarks(db: Queryable): AsyncGenerator<readonly HoldingRecord[]> {
  for (let after = ''; ; ) {
    const rows = await db.query<HoldingRecord>(sql`
      select jurisdiction_code, uid, ${instantText(sql`updated_at`)} as updated_at, mark_variants from record
      where jurisdiction_code = ${PSEUDO_REGISTER} and uid > ${after} and strpos(mark_variants, ${PSEUDO}) > 0
      order by jurisdiction_code, uid limit ${PORTION}::int`);
    yield rows;
    if (rows.length < PORTION) return;
    after = rows.at(-1)!.uid;
  }
}

export async function listPublishedRegisters(tx: Queryable): Promise<PublishedRegister[]> {
  return await tx.query<PublishedRegister>(sql`
    select jurisdiction_code, sum(record_count)::float8 as record_count,
      lpad(to_hex(bit_xor(digest)), 16, '0') as digest
    from publish_digest group by jurisdiction_code order by jurisdiction_code`);
}

export interface PublishedRange extends StampRange {
  readonly records: number;
}

/** Cuts everything published into ranges of about `records` records, each of at least one publish. */
export async function listRanges(db: Queryable, records: number): Promise<PublishedRange[]> {
  const publishes = sql`select updated_at, sum(record_count) as record_count from publish_digest group by updated_at`;
  return await cutRanges(db, publishes, records);
}

/** The same for rows with one stamp each, with columns `updated_at` and `record_count`. */
export async function cutRanges(db: Queryable, stamps: Statement, records: number): Promise<PublishedRange[]> {
  const rows = await db.query<{ through: Instant; records: number }>(sql`
    with stamp as materialized (${stamps})
    select ${instantText(sql`max(updated_at)`)} as through, sum(record_count)::float8 as records
    from (
      select updated_at, record_count,
        floor((sum(record_count) over (order by updated_at) - 1) / ${records}::float8) as range
      from stamp
    ) as publishes group by range order by range`);
  return rows.map(({ through, records: held }, index) => ({
    after: rows[index - 1]?.through ?? BEFORE_ALL,
    through,
    records: held,
  }));
}
