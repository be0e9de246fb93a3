/**
 * Supplements in the database (`record/supplements.ts` defines them). Those of a delivery wait in a table of its load
 * until everything has been read; then the newest of each key are kept, and the records that they reach are found. The
 * changed parts stay noted until their records have been published, so that a killed load loses nothing: the next load
 * that reads supplements joins them. It knows neither offices nor the content of a supplement.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import type { Supplement } from '../../record/supplements.ts';
import { lockPublishing } from './feed-clock.ts';
import { rowTable, type SourceRow } from './source-rows.ts';

/** A supplement as a delivery states it. A lower version, in byte order, never replaces a higher one. */
export interface SupplementRow extends Supplement {
  /** Identifies it among those of its kind: a later statement of the same key replaces it. */
  key: string;
}

export interface SupplementCounts {
  read: number;
  new: number;
  /** Supplements whose content differs from the kept one. */
  changed: number;
}

/** Supplements of a delivery whose record is not held. */
export interface WaitingSupplements {
  kind: string;
  count: number;
  /** The smallest of their parts. */
  example: string;
}

/** `source_row.format` of all supplements, regardless of the format that read them. */
const FORMAT = sql`'supplement'`;

const UNPREPARED = { prepare: false } as const;

/** The row to stage, by `stageSourceRows`. */
export function buildSupplementRow({ kind, key, part, link, version, body }: SupplementRow): SourceRow {
  return { table: kind, key, part, link, version, removed: false, body: JSON.stringify(body) };
}

/** What a row of the delivery changes in the kept one. */
const STATES_MORE = sql`(kept.row_key is null or ((latest.version >= kept.version) is not false
  and (kept.part, kept.link, kept.body) is distinct from (latest.part, latest.link, latest.body)))`;

/**
 * Keeps what the delivery states, in one transaction, and notes the parts that changed. `staged`: how many rows were
 * staged. Throws `OperatorError` if a crash of the database has emptied their table.
 */
export async function mergeSupplements(db: Database, loadId: string, staged: number): Promise<SupplementCounts> {
  const rows = rowTable(loadId, 'rows');
  return await db.transaction(async (tx) => {
    await tx.query(sql`select set_config('work_mem', '64MB', true)`, UNPREPARED);
    // One delivery at a time: two that state the same keys in different orders could deadlock.
    await tx.query(sql`lock table source_row in share row exclusive mode`, UNPREPARED);
    const [held] = await tx.query<{ rows: number; read: number }>(
      sql`select count(*)::float8 as rows, count(*) filter (where link is null)::float8 as read from ${rows}`,
      UNPREPARED,
    );
    if (held?.rows !== staged) {
      throw new OperatorError('the database crashed while the load was reading; load the same files again');
    }
    await dropSuperseded(tx, rows);
    const kept = sql`${rows} latest left join source_row kept on kept.format = ${FORMAT}
      and kept.source_table = latest.source_table and kept.row_key = latest.row_key`;
    const [counts] = await tx.query<Omit<SupplementCounts, 'read'>>(
      sql`select count(*) filter (where kept.row_key is null)::float8 as new,
          count(*) filter (where kept.row_key is not null and ${STATES_MORE})::float8 as changed
        from ${kept} where latest.link is null`,
      UNPREPARED,
    );
    await tx.query(
      sql`insert into supplement_change (part, load_id)
        select distinct changed.part, ${loadId}::uuid
        from ${kept} cross join lateral (values (latest.part), (kept.part)) as changed (part)
        where changed.part is not null and ${STATES_MORE}
        order by changed.part
        on conflict (part) do update set load_id = excluded.load_id`,
      UNPREPARED,
    );
    await tx.query(
      sql`insert into source_row (format, source_table, row_key, part, link, removed, version, body)
        select ${FORMAT}, source_table, row_key, part, link, false, version, body from ${rows}
        on conflict (format, source_table, row_key) do update
          set part = excluded.part, link = excluded.link, version = excluded.version, body = excluded.body
          where (excluded.version >= source_row.version) is not false
            and (source_row.part, source_row.link, source_row.version, source_row.body)
              is distinct from (excluded.part, excluded.link, excluded.version, excluded.body)`,
      UNPREPARED,
    );
    return { read: held.read, new: counts?.new ?? 0, changed: counts?.changed ?? 0 };
  });
}

/** Of several rows with the same key, keeps the one with the highest version; among equal ones, the last. */
async function dropSuperseded(tx: Transaction, rows: Statement): Promise<void> {
  await tx.query(
    sql`delete from ${rows} earlier using (
        select seq, row_number() over (
          partition by source_table, row_key order by version desc nulls last, seq desc) as rank
        from ${rows}
      ) ranked where ranked.rank > 1 and earlier.seq = ranked.seq`,
    UNPREPARED,
  );
  await tx.query(sql`analyze ${rows}`, UNPREPARED);
}

/**
 * Finds the stored records that changed parts reach: those of this delivery, and those that killed loads left. Call it
 * once the rows are kept. A publish that did not see them yet has committed when this one has the lock; every later one
 * sees them and joins them itself. So no record is missed, whatever is loaded in the meantime.
 */
export async function findRejoins(db: Database, loadId: string): Promise<void> {
  const parts = rowTable(loadId, 'parts');
  const records = rowTable(loadId, 'records');
  await db.transaction(async (tx) => await lockPublishing(tx));
  await db.transaction(async (tx) => {
    await tx.query(sql`analyze source_row (format, part, link)`, UNPREPARED);
    await tx.query(sql`create unlogged table ${parts} as select part, load_id from supplement_change`, UNPREPARED);
    await tx.query(sql`analyze ${parts}`, UNPREPARED);
    // The parts that lead to a changed one. Only a part together with its load is ever settled.
    await tx.query(
      sql`insert into ${parts} (part)
        select kept.part from ${parts} parts join source_row kept on kept.format = ${FORMAT} and kept.link = parts.part
        union select part from ${rowTable(loadId, 'rows')} rows where ${isOfKind(sql`rows.part`, 'registration')}`,
      UNPREPARED,
    );
    await tx.query(
      sql`create unlogged table ${records} as
        with named as materialized (select part from ${parts} parts),
        listed as materialized (
          select split_part(part, ' ', 1) as jurisdiction_code, substr(part, position(' mark ' in part) + 6) as uid
          from ${parts} parts where ${isOfKind(sql`part`, 'mark')}
        )
        select record.jurisdiction_code, record.uid, null::text as registration_number from named
          join record on string_to_array(record.named_parts, chr(31)) @> array[named.part]
          where record.named_parts is not null
        union select record.jurisdiction_code, record.uid, null from listed
          join record on record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid`,
      UNPREPARED,
    );
    await findRegistrations(tx, parts, records);
    await tx.query(sql`create index on ${records} (jurisdiction_code, uid)`, UNPREPARED);
  });
}

/** Parts are named by register, kind and key: `US mark US500000097123456`. */
function isOfKind(part: Statement, kind: 'mark' | 'registration'): Statement {
  return sql`split_part(${part}, ' ', 2) = ${kind}`;
}

/** No index finds a record by its registration number. Few statements need it, so the whole register is read. */
async function findRegistrations(tx: Transaction, parts: Statement, records: Statement): Promise<void> {
  const named = sql`select distinct split_part(part, ' ', 1) as code, split_part(part, ' ', 3) as number
    from ${parts} parts where ${isOfKind(sql`parts.part`, 'registration')}`;
  const [any] = await tx.query(sql`${named} limit 1`, UNPREPARED);
  if (any === undefined) return;
  await tx.query(
    sql`insert into ${records} (jurisdiction_code, uid, registration_number)
      with named as materialized (${named})
      select record.jurisdiction_code, record.uid, named.number from named
        join record on record.jurisdiction_code = named.code
          and record.detail::json ->> 'registration_number' = named.number`,
    UNPREPARED,
  );
}

export interface RejoinedRecord {
  jurisdiction_code: string;
  uid: string;
}

/** The next records that changed parts reach, in order. */
export async function listRejoins(
  db: Queryable,
  loadId: string,
  after: RejoinedRecord,
  limit: number,
): Promise<RejoinedRecord[]> {
  return await db.query<RejoinedRecord>(
    sql`select distinct jurisdiction_code, uid from ${rowTable(loadId, 'records')}
      where (jurisdiction_code, uid) > (${after.jurisdiction_code}, ${after.uid})
      order by jurisdiction_code, uid limit ${limit}`,
    UNPREPARED,
  );
}

/** Statements of this delivery about single records that are not held. They are joined when the record arrives. */
export async function listWaitingSupplements(db: Queryable, loadId: string): Promise<WaitingSupplements[]> {
  return await db.query<WaitingSupplements>(
    sql`with listed as materialized (
        select distinct part, split_part(part, ' ', 1) as jurisdiction_code,
          substr(part, position(' mark ' in part) + 6) as uid
        from ${rowTable(loadId, 'rows')} rows where ${isOfKind(sql`part`, 'mark')}
      ), held as materialized (
        select listed.part from listed
          join record on record.jurisdiction_code = listed.jurisdiction_code and record.uid = listed.uid
      )
      select source_table as kind, count(*)::int4 as count, min(part) as example from ${rowTable(loadId, 'rows')} rows
      where ${isOfKind(sql`part`, 'mark')} and not exists (select 1 from held where held.part = rows.part)
        or ${isOfKind(sql`part`, 'registration')} and not exists (select from ${rowTable(loadId, 'records')} records
          where records.jurisdiction_code = split_part(rows.part, ' ', 1)
            and records.registration_number = split_part(rows.part, ' ', 3))
      group by source_table order by source_table`,
    UNPREPARED,
  );
}

/**
 * The records of these changes have been published. A part that changed again in the meantime stays noted. Loads that
 * note and settle the same parts do so in one order.
 */
export async function settleSupplements(db: Queryable, loadId: string): Promise<void> {
  await db.query(
    sql`delete from supplement_change changed using (
        select noted.part from supplement_change noted join ${rowTable(loadId, 'parts')} parts
          on noted.part = parts.part and noted.load_id = parts.load_id
        order by noted.part for update of noted
      ) as settled where changed.part = settled.part`,
    UNPREPARED,
  );
}

/** Whether supplements are held for any of these registers. */
export function holdsSupplements(registers: readonly string[]): Statement {
  return sql`exists (select from unnest(${registers}::text[]) as code join source_row kept on kept.format = ${FORMAT}
    and kept.part > code collate "C" || ' ' and kept.part < code collate "C" || '!')`;
}

/** Whether a held supplement names records of this register, an SQL expression, by registration number. */
export function holdsRegistrations(register: Statement): Statement {
  return sql`exists (select from source_row kept where kept.format = ${FORMAT}
    and kept.part > ${register} || ' registration ' and kept.part < ${register} || ' registration!')`;
}

/**
 * A supplement is held for this part, an SQL expression. It is a look-up by key for each row: `exists` lets the planner
 * read all supplements instead.
 */
export function isSupplemented(part: Statement): Statement {
  return sql`((select true from source_row kept where kept.format = ${FORMAT} and kept.part = ${part} limit 1) is true)`;
}

/** Everything kept for each of these parts and for the parts that they link to, ordered by kind and key. */
export async function readSupplements(
  tx: Queryable,
  parts: readonly string[],
): Promise<ReadonlyMap<string, readonly Supplement[]>> {
  const rows = await tx.query<Omit<Supplement, 'body'> & { body: string }>(
    sql`with own as (
        select source_table, row_key, part, link, version, body from source_row
        where format = ${FORMAT} and part = any(${parts}::text[])
      )
      select source_table as kind, part, link, version, body from (
        select source_table, row_key, part, link, version, body from own
        union select kept.source_table, kept.row_key, kept.part, kept.link, kept.version, kept.body
          from (select distinct link from own) as linked
            join source_row kept on kept.format = ${FORMAT} and kept.part = linked.link
      ) as known
      order by source_table, row_key`,
    UNPREPARED,
  );
  // A statement that many records share is parsed once.
  const known = rows.map(({ body, ...rest }, order) => ({ ...rest, body: JSON.parse(body) as unknown, order }));
  const byPart = new Map<string, typeof known>();
  for (const row of known) {
    const others = byPart.get(row.part);
    if (others === undefined) byPart.set(row.part, [row]);
    else others.push(row);
  }
  return new Map(
    parts.map((part) => {
      const own = byPart.get(part) ?? [];
      const links = new Set(own.map(({ link }) => link));
      const linked = [...links].flatMap((link) => (link === null ? [] : (byPart.get(link) ?? [])));
      return [part, [...own, ...linked].sort((a, b) => a.order - b.order)];
    }),
  );
}
