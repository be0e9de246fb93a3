/**
 * What was published after a stamp, in the order of changes, for whoever keeps an index of it. One reading is one
 * snapshot: everything up to the stamp it tells, and nothing else.
 */
import type { Instant } from '@tmds/contract/record';
import type { Database, Queryable, Transaction } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { sql } from '../driver/sql.ts';

export interface PublishState {
  /** Which database this is: a dump and its restoration keep it. */
  readonly databaseId: string;
  /** The last stamp given out by a publish that has committed. */
  readonly lastStamp: Instant;
}

export async function findPublishState(db: Queryable): Promise<PublishState> {
  const [row] = await db.query<PublishState>(sql`
    select database_id as "databaseId", ${instantText(sql`last_stamp`)} as "lastStamp" from publish_clock`);
  if (row === undefined) throw new Error('the publish clock is missing');
  return row;
}

/** A record as it was published: bytes as the database holds them. */
export interface PublishedRecord {
  readonly updated_at: Instant;
  readonly detail: Buffer;
  readonly mark_variants: Buffer | null;
}

/** What the database says of all that is published in one register. */
export interface PublishedRegister {
  readonly jurisdiction_code: string;
  readonly record_count: number;
  /** The exclusive or of the digests of its records, as 16 hexadecimal digits. */
  readonly digest: string;
}

/** Half-open at its begin: after the first stamp, up to the other. */
export interface StampRange {
  readonly after: Instant;
  readonly through: Instant;
}

/** Reads on while it is consumed, some thousand records ahead at most. */
export type PublishedRecords = AsyncGenerator<readonly PublishedRecord[]>;

export interface Reading {
  readonly state: PublishState;
  readonly records: PublishedRecords;
  /** Sorted by code. Of the same snapshot. */
  listRegisters(): Promise<PublishedRegister[]>;
}

/** Everything after a stamp that is visible now. */
export async function readPublishes<Result>(
  db: Database,
  after: Instant,
  read: (reading: Reading) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(
    async (tx) => {
      const state = await findPublishState(tx);
      return await read({
        state,
        records: readRecords(tx, { after, through: state.lastStamp }),
        listRegisters: () => listPublishedRegisters(tx),
      });
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/**
 * The records of a range of stamps that bear them still. Ranges may be read by several connections: a record that
 * changes meanwhile leaves its range for a later stamp, and is in none twice.
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
      select ${instantText(sql`updated_at`)}, detail, mark_variants from record
      where updated_at > ${after}::timestamptz and updated_at <= ${through}::timestamptz
      order by updated_at, jurisdiction_code, uid`,
    unprepared,
  );
  // Some megabytes at a time.
  const fetchNext = () => tx.queryBytes(sql`fetch forward 2000 from published`, unprepared);
  let next = fetchNext();
  for (;;) {
    const rows = await next;
    if (rows.length === 0) break;
    // Under way while these are consumed; a failure is thrown when it is its turn.
    next = fetchNext();
    next.catch(() => undefined);
    let stampBytes: Buffer | null = null;
    let updated_at = '';
    yield rows.map(([stamp, detail, variants]) => {
      if (stampBytes === null || !stampBytes.equals(stamp!)) {
        stampBytes = stamp!;
        updated_at = stamp!.toString();
      }
      return { updated_at, detail: detail!, mark_variants: variants! };
    });
  }
  await tx.query(sql`close published`, unprepared);
}

async function listPublishedRegisters(tx: Transaction): Promise<PublishedRegister[]> {
  return await tx.query<PublishedRegister>(sql`
    select jurisdiction_code, sum(record_count)::float8 as record_count,
      lpad(to_hex(bit_xor(digest)), 16, '0') as digest
    from publish_digest group by jurisdiction_code order by jurisdiction_code`);
}

export interface PublishedRange extends StampRange {
  readonly records: number;
}

/** Cuts everything that is published into ranges of about so many records, one publish at least. */
export async function listRanges(db: Queryable, records: number): Promise<PublishedRange[]> {
  const rows = await db.query<{ through: Instant; records: number }>(sql`
    select ${instantText(sql`max(updated_at)`)} as through, sum(record_count)::float8 as records
    from (
      select updated_at, sum(record_count) as record_count,
        floor((sum(sum(record_count)) over (order by updated_at) - 1) / ${records}::float8) as range
      from publish_digest group by updated_at
    ) as publishes group by range order by range`);
  return rows.map(({ through, records: held }, index) => ({
    after: rows[index - 1]?.through ?? BEFORE_ALL,
    through,
    records: held,
  }));
}

/** Before every stamp. */
export const BEFORE_ALL: Instant = '0001-01-01T00:00:00.000000Z';
