/**
 * The records of a register that a delivery of the whole register does not state. One comparison inside the database
 * with the staged rows of the load finds them. They are kept in a table of the load, which is dropped with its other
 * tables.
 */

import type { Database, Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import { documentBytes, hasDocument, heldDocument, heldIn, readTexts } from '../documents/read.ts';
import { absentTable, stageTable } from './stage.ts';

/** The event that a record gets when a delivery of the whole register no longer states it. */
export const ABSENT_EVENT = 'absent_from_register_file';

/** The event as text in a payload. Inside any string its quotes would be escaped. */
const EVENT_MARK = `"kind":"${ABSENT_EVENT}"`;

const STORED = heldIn('payload');

const UNPREPARED = { prepare: false } as const;

interface AbsentCounts {
  /** Records that the register holds. */
  held: number;
  /** The number of these that this delivery is the first not to state. */
  absent: number;
  /** The number of these that were already absent from an earlier delivery, and have not been stated in full since. */
  absentBefore: number;
}

/** Finds the absent records once every row of the load is staged, including those with nothing to publish. */
export async function findAbsent(db: Database, loadId: string, register: string): Promise<AbsentCounts> {
  const stage = stageTable(loadId);
  const absent = absentTable(loadId);
  return await db.transaction(async (tx) => {
    await tx.query(sql`select set_config('work_mem', '128MB', true)`, UNPREPARED);
    await tx.query(
      sql`create unlogged table ${absent} as
        with stated as materialized (
          select distinct uid from ${stage} where jurisdiction_code = ${register} and seq >= 0
        )
        select record.uid, case when payload.document is not null then position(${EVENT_MARK} in payload.document) > 0
          when ${hasDocument(STORED)} then null else false end as before
        from record
          left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
        where record.jurisdiction_code = ${register} and not exists (select from stated where stated.uid = record.uid)`,
      UNPREPARED,
    );
    await tx.query(sql`create index on ${absent} (uid) where before is null`, UNPREPARED);
    await lookIntoPacked(tx, loadId, register);
    await tx.query(sql`create index on ${absent} (uid) where not before`, UNPREPARED);
    const [counts] = await tx.query<Omit<AbsentCounts, 'held'>>(
      sql`select count(*) filter (where not before)::float8 as absent,
          count(*) filter (where before)::float8 as "absentBefore"
        from ${absent}`,
      UNPREPARED,
    );
    // A separate statement: nodes do not know the table above.
    const [stored] = await tx.query<Pick<AbsentCounts, 'held'>>(
      sql`select count(*)::float8 as held from record where jurisdiction_code = ${register}`,
    );
    if (counts === undefined || stored === undefined) throw new Error('a count without a row');
    return { ...counts, ...stored };
  });
}

/** Bytes examined together, unless a single payload is larger. */
const LOOKED_ROWS_MAX = 500;
const LOOKED_BYTES_MAX = 4 * 1024 * 1024;

/** For payloads that are not text, the database cannot say which event they state. */
async function lookIntoPacked(tx: Queryable, loadId: string, register: string): Promise<void> {
  const absent = absentTable(loadId);
  for (;;) {
    const rows = await tx.query<{ uid: string; held: string }>(
      sql`with listed as materialized (
          select uid from ${absent} where before is null order by uid limit ${LOOKED_ROWS_MAX}::int
        ), sized as materialized (
          select listed.uid, ${documentBytes(STORED)} as bytes
          from listed join payload on payload.jurisdiction_code = ${register} and payload.uid = listed.uid
        ), looked as materialized (
          select uid from (
            select uid, row_number() over (order by uid) as position, sum(bytes) over (order by uid) as bytes from sized
          ) as each where position = 1 or bytes <= ${LOOKED_BYTES_MAX}::int
        )
        select looked.uid, ${heldDocument(STORED)} as held
        from looked join payload on payload.jurisdiction_code = ${register} and payload.uid = looked.uid`,
      UNPREPARED,
    );
    if (rows.length === 0) return;
    const payloads = await readTexts(
      tx,
      rows.map(({ held }) => held),
    );
    const before = payloads.map((payload) => payload!.includes(EVENT_MARK));
    await tx.query(
      sql`update ${absent} absent set before = looked.before
        from unnest(${rows.map(({ uid }) => uid)}::text[], ${before}::bool[]) as looked (uid, before)
        where absent.uid = looked.uid and absent.before is null`,
      UNPREPARED,
    );
  }
}

/** The uids that this delivery is the first not to state, in pages. */
export async function* listAbsent(db: Queryable, loadId: string, pageMax: number): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await db.query<{ uid: string }>(
      sql`select uid from ${absentTable(loadId)} where not before and uid > ${after} order by uid limit ${pageMax}`,
      UNPREPARED,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ uid }) => uid);
    after = last.uid;
  }
}
