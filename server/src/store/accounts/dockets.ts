/**
 * Dockets that people of a customer compare with the registers: the rows of a file in parts, what was found about each
 * part, and what people did with the rows: done, ignored, a note. It does not interpret their content. A docket older
 * than a day counts as deleted, with its marks. Invariant: what changes marks or several rows of a docket locks the
 * docket first, and what is remembered of the customer's dockets before it.
 */
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';

/** How long a docket is kept, in days; retention removes it afterwards. */
export const DOCKET_DAYS = 1;

const LIVE = sql`created_at > now() - make_interval(days => ${DOCKET_DAYS}::int)`;

export interface NewDocket {
  readonly docket_id: string;
  readonly customer_id: string;
  /** The name of the file. */
  readonly name: string;
  readonly rows: number;
  /** What is known about the file; becomes JSON. */
  readonly survey: unknown;
}

export async function insertDocket(tx: Transaction, docket: NewDocket): Promise<void> {
  await tx.query(sql`
    insert into docket (docket_id, customer_id, name, created_at, rows, survey)
    values (${docket.docket_id}::uuid, ${docket.customer_id}::uuid, ${docket.name}, now(), ${docket.rows}::int,
      ${JSON.stringify(docket.survey)}::jsonb)`);
}

/** `cells`: opaque bytes. Parts are numbered from 0. */
export async function insertDocketPart(
  tx: Transaction,
  docketId: string,
  part: { readonly number: number; readonly rows: number; readonly cells: Buffer },
): Promise<void> {
  await tx.query(sql`
    insert into docket_part (docket_id, number, rows, cells)
    values (${docketId}::uuid, ${part.number}::int, ${part.rows}::int, ${part.cells})`);
}

/**
 * The customer's current dockets. Other transactions that count or add dockets of this customer wait until this one
 * ends.
 */
export async function countDockets(tx: Transaction, customerId: string): Promise<number> {
  await tx.query(sql`select from customer where customer_id = ${customerId}::uuid for no key update`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from docket where customer_id = ${customerId}::uuid and ${LIVE}`);
  return row!.count;
}

export interface StoredDocket {
  docket_id: string;
  customer_id: string;
  name: string;
  created_at: string;
  rows: number;
  /** JSON, like the next two. */
  survey: string;
  /** How the rows are read; null before a comparison was started, like the next two. */
  reading: string | null;
  known_through: string | null;
  key_id: string | null;
  /** Whether its rows are remembered for the next time. */
  remembers: boolean;
  /** The last docket that had most of its rows; null if none had, or if it is not remembered. */
  previous_id: string | null;
  /** True while a process compares it. */
  is_running: boolean;
  /** The code for which the comparison stopped; null if it did not stop. */
  failure: string | null;
  parts: number;
  parts_done: number;
  rows_done: number;
  /** Calls that were charged. */
  units: number;
}

const DOCKET = sql`select d.docket_id::text, d.customer_id::text, d.name, ${instantText(sql`d.created_at`)} as created_at, d.rows,
    d.survey::text as survey, d.reading::text as reading, d.known_through::text as known_through, d.key_id,
    d.remembers, d.previous_id::text as previous_id,
    coalesce(d.leased_until > now(), false) as is_running, d.failure,
    count(p.number)::int as parts, (count(p.number) filter (where p.counts is not null))::int as parts_done,
    coalesce(sum(p.rows) filter (where p.counts is not null), 0)::int as rows_done,
    coalesce(sum(p.units), 0)::int as units
  from docket d left join docket_part p using (docket_id)`;

/** Newest first. */
export async function listDockets(db: Queryable, customerId: string): Promise<StoredDocket[]> {
  return db.query<StoredDocket>(sql`
    ${DOCKET} where d.customer_id = ${customerId}::uuid and ${LIVE} group by d.docket_id order by d.created_at desc`);
}

/** Null if the customer has no such docket. */
export async function findDocket(db: Queryable, customerId: string, docketId: string): Promise<StoredDocket | null> {
  const [docket] = await db.query<StoredDocket>(sql`
    ${DOCKET} where d.customer_id = ${customerId}::uuid and d.docket_id::text = ${docketId} and ${LIVE}
    group by d.docket_id`);
  return docket ?? null;
}

export async function deleteDocket(db: Queryable, customerId: string, docketId: string): Promise<void> {
  await db.query(sql`
    delete from docket where customer_id = ${customerId}::uuid and docket_id::text = ${docketId}`);
}

/**
 * Records how a docket is compared, and claims it for this process. False if another process has it, or has begun it
 * since: a docket is read in one way only.
 */
export async function startDocket(
  tx: Transaction,
  docketId: string,
  start: {
    /** Whether no comparison of it has begun yet. */
    readonly isFirst: boolean;
    readonly reading: unknown;
    readonly key_id: string;
    readonly known_through: unknown;
    readonly remembers: boolean;
  },
  leaseSeconds: number,
): Promise<boolean> {
  const started = await tx.query(sql`
    update docket set reading = ${JSON.stringify(start.reading)}::jsonb, key_id = ${start.key_id},
      known_through = ${JSON.stringify(start.known_through)}::jsonb, remembers = ${start.remembers}::boolean,
      failure = null,
      leased_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    where docket_id = ${docketId}::uuid and (leased_until is null or leased_until < now())
      and (reading is null) = ${start.isFirst}::boolean
    returning docket_id`);
  return started.length > 0;
}

/** Replaces the rows of a part that was not compared yet. `added`: how many more the docket has then; may be negative. */
export async function replaceRows(
  tx: Transaction,
  docketId: string,
  part: { readonly number: number; readonly rows: number; readonly cells: Buffer },
  added: number,
): Promise<void> {
  await tx.query(sql`
    update docket_part set cells = ${part.cells}, rows = ${part.rows}::int
    where docket_id = ${docketId}::uuid and number = ${part.number}::int and counts is null`);
  await tx.query(sql`update docket set rows = rows + ${added}::int where docket_id = ${docketId}::uuid`);
}

/** The docket that it is compared with, once the first of its rows are known. */
export async function notePrevious(tx: Transaction, docketId: string, previousId: string): Promise<void> {
  await tx.query(sql`
    update docket set previous_id = ${previousId}::uuid where docket_id = ${docketId}::uuid and previous_id is null`);
}

/** Locks the docket until the transaction ends; false if it has been deleted. */
export async function lockDocket(tx: Transaction, docketId: string): Promise<boolean> {
  const locked = await tx.query(sql`
    select docket_id from docket where docket_id = ${docketId}::uuid for no key update`);
  return locked.length > 0;
}

/** Renews this process's claim to a docket. False if it was deleted. */
export async function keepDocket(db: Queryable, docketId: string, leaseSeconds: number): Promise<boolean> {
  const kept = await db.query(sql`
    update docket set leased_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    where docket_id = ${docketId}::uuid and ${LIVE} returning docket_id`);
  return kept.length > 0;
}

/** `failure`: the code for which the comparison stops; null when it is complete, or when the process ends. */
export async function leaveDocket(db: Queryable, docketId: string, failure: string | null): Promise<void> {
  await db.query(sql`
    update docket set leased_until = null, failure = ${failure} where docket_id = ${docketId}::uuid`);
}

export interface OpenPart {
  number: number;
  cells: Buffer;
}

/** The first part that was not compared; null after the last. */
export async function findOpenPart(db: Queryable, docketId: string): Promise<OpenPart | null> {
  const [part] = await db.query<OpenPart>(sql`
    select number, cells from docket_part where docket_id = ${docketId}::uuid and counts is null
    order by number limit 1`);
  return part ?? null;
}

/** Units are also added for a part that was not completed: they were spent. */
export async function addPartUnits(db: Queryable, docketId: string, number: number, units: number): Promise<void> {
  await db.query(sql`
    update docket_part set units = units + ${units}::int
    where docket_id = ${docketId}::uuid and number = ${number}::int`);
}

export async function finishPart(
  db: Queryable,
  docketId: string,
  part: { readonly number: number; readonly findings: Buffer; readonly counts: unknown },
): Promise<void> {
  await db.query(sql`
    update docket_part set findings = ${part.findings}, counts = ${JSON.stringify(part.counts)}::jsonb
    where docket_id = ${docketId}::uuid and number = ${part.number}::int and counts is null`);
}

export interface PartCounts {
  number: number;
  rows: number;
  /** The number of rows with each result; null for a part that was not compared. */
  counts: Record<string, number> | null;
}

export async function listPartCounts(db: Queryable, docketId: string): Promise<PartCounts[]> {
  const parts = await db.query<Omit<PartCounts, 'counts'> & { counts: string | null }>(sql`
    select number, rows, counts::text as counts from docket_part where docket_id = ${docketId}::uuid order by number`);
  return parts.map((part) => ({ ...part, counts: JSON.parse(part.counts ?? 'null') as PartCounts['counts'] }));
}

export interface StoredPart {
  cells: Buffer;
  findings: Buffer | null;
}

/** Null if the docket has been deleted. */
export async function findPart(db: Queryable, docketId: string, number: number): Promise<StoredPart | null> {
  const [part] = await db.query<StoredPart>(sql`
    select cells, findings from docket_part where docket_id = ${docketId}::uuid and number = ${number}::int`);
  return part ?? null;
}

export const MARK_STATES = ['done', 'ignored'] as const;
export type MarkState = (typeof MARK_STATES)[number];

export interface NewMark {
  readonly line: number;
  readonly part: number;
  /** The result of the row. */
  readonly result: string;
  /** Null: open. */
  readonly state: MarkState | null;
  readonly note: string | null;
}

export interface DocketMark extends Omit<NewMark, 'part' | 'result'> {
  /** The address of the person. */
  readonly marked_by: string;
  readonly marked_at: string;
}

/** Replaces the marks of these rows. `keepsNotes`: their notes stay as they are. The caller has locked the docket. */
export async function putMarks(
  tx: Transaction,
  docketId: string,
  marks: readonly NewMark[],
  by: string,
  keepsNotes: boolean,
): Promise<void> {
  const column = <Name extends keyof NewMark>(name: Name): NewMark[Name][] => marks.map((mark) => mark[name]);
  await tx.query(sql`
    insert into docket_mark as held (docket_id, line, part, result, state, note, marked_by, marked_at)
    select ${docketId}::uuid, line, part, result, state, note, ${by}, now()
    from unnest(${column('line')}::int[], ${column('part')}::int[], ${column('result')}::text[],
      ${column('state')}::text[], ${column('note')}::text[]) as given (line, part, result, state, note)
    on conflict (docket_id, line) do update set state = excluded.state,
      note = case when ${keepsNotes}::boolean then held.note else excluded.note end,
      marked_by = excluded.marked_by, marked_at = excluded.marked_at`);
}

/** The marks of a part of a docket, by line. */
export async function listMarks(
  db: Queryable,
  docketId: string,
  lines: { readonly first: number; readonly last: number },
): Promise<ReadonlyMap<number, DocketMark>> {
  const marks = await db.query<DocketMark>(sql`
    select line, state, note, marked_by, ${instantText(sql`marked_at`)} as marked_at from docket_mark
    where docket_id = ${docketId}::uuid and line between ${lines.first}::int and ${lines.last}::int`);
  return new Map(marks.map((mark) => [mark.line, mark]));
}

export interface MarkCount {
  part: number;
  result: string;
  count: number;
}

/** How many rows of each part and result are done or ignored. */
export async function countMarks(db: Queryable, docketId: string): Promise<MarkCount[]> {
  return db.query<MarkCount>(sql`
    select part, result, count(*)::int as count from docket_mark
    where docket_id = ${docketId}::uuid and state is not null group by part, result`);
}
