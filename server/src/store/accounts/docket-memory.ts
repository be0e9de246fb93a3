/**
 * What is remembered of a customer's dockets, so that the same docket shows what has changed when it is sent again:
 * keyed digests of rows and findings, and people's marks. It holds no number and no name of a docket. Backups leave it
 * out; it goes when the customer deletes it, and rows go that no docket had for a while.
 */
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import type { MarkState } from './dockets.ts';

/** How long a row is remembered after the last docket that had it, in days. */
export const MEMORY_DAYS = 400;
/** Rows remembered for a customer. A docket is not remembered where there are as many. */
export const MEMORY_ROWS_MAX = 400_000;

export interface RememberedRow {
  readonly row_digest: Buffer;
  readonly docket_id: string;
  readonly result: string;
  readonly finding_digest: Buffer;
  readonly state: MarkState | null;
  readonly note: string | null;
  readonly seen_at: string;
}

/** The key of the customer's digests; made if there is none. Others that want it wait for this transaction. */
export async function openMemory(tx: Transaction, customerId: string, secret: Buffer): Promise<Buffer> {
  // An update that changes nothing locks the row, and finds none that is being forgotten.
  const [held] = await tx.query<{ secret: Buffer }>(sql`
    insert into docket_memory as held (customer_id, secret, created_at)
    values (${customerId}::uuid, ${secret}, now())
    on conflict (customer_id) do update set secret = held.secret returning secret`);
  return held!.secret;
}

/** The key, for a docket that was remembered; null if the customer has deleted it since. */
export async function lockMemory(tx: Transaction, customerId: string): Promise<Buffer | null> {
  const [held] = await tx.query<{ secret: Buffer }>(sql`
    select secret from docket_memory where customer_id = ${customerId}::uuid for no key update`);
  return held?.secret ?? null;
}

/** Those of the rows that are remembered. */
export async function listRemembered(
  tx: Transaction,
  customerId: string,
  digests: readonly Buffer[],
): Promise<RememberedRow[]> {
  return tx.query<RememberedRow>(sql`
    select row_digest, docket_id::text as docket_id, result, finding_digest, state, note,
      ${instantText(sql`seen_at`)} as seen_at
    from docket_memory_row where customer_id = ${customerId}::uuid and row_digest = any(${digests}::bytea[])`);
}

export type NewRemembered = Omit<RememberedRow, 'docket_id' | 'seen_at'>;

/** `rows` have each digest once. */
export async function rememberRows(
  tx: Transaction,
  customerId: string,
  docketId: string,
  rows: readonly NewRemembered[],
): Promise<void> {
  const column = <Name extends keyof NewRemembered>(name: Name): NewRemembered[Name][] => rows.map((row) => row[name]);
  await tx.query(sql`
    insert into docket_memory_row (customer_id, row_digest, docket_id, result, finding_digest, state, note, seen_at)
    select ${customerId}::uuid, row_digest, ${docketId}::uuid, result, finding_digest, state, note, now()
    from unnest(${column('row_digest')}::bytea[], ${column('result')}::text[], ${column('finding_digest')}::bytea[],
      ${column('state')}::text[], ${column('note')}::text[]) as given (row_digest, result, finding_digest, state, note)
    on conflict (customer_id, row_digest) do update set docket_id = excluded.docket_id, result = excluded.result,
      finding_digest = excluded.finding_digest, state = excluded.state, note = excluded.note,
      seen_at = excluded.seen_at`);
}

export interface RememberedMark {
  readonly row_digest: Buffer;
  readonly state: MarkState | null;
  readonly note: string | null;
}

/** Marks of rows that are remembered; of others nothing is kept. */
export async function rememberMarks(
  tx: Transaction,
  customerId: string,
  marks: readonly RememberedMark[],
  keepsNotes: boolean,
): Promise<void> {
  const column = <Name extends keyof RememberedMark>(name: Name): RememberedMark[Name][] =>
    marks.map((mark) => mark[name]);
  await tx.query(sql`
    update docket_memory_row as held set state = given.state,
      note = case when ${keepsNotes}::boolean then held.note else given.note end
    from unnest(${column('row_digest')}::bytea[], ${column('state')}::text[], ${column('note')}::text[])
      as given (row_digest, state, note)
    where held.customer_id = ${customerId}::uuid and held.row_digest = given.row_digest`);
}

/** The remembered rows of a customer, counted up to a bound. */
export async function countRemembered(db: Queryable, customerId: string, max: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from docket_memory_row where customer_id = ${customerId}::uuid limit ${max}::int) as counted`);
  return row!.count;
}

/** Rows whose last docket is this one, counted up to a bound. */
export async function countOfDocket(db: Queryable, customerId: string, docketId: string, max: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from docket_memory_row
      where customer_id = ${customerId}::uuid and docket_id = ${docketId}::uuid limit ${max}::int) as counted`);
  return row!.count;
}

/** Deletes everything that is remembered, with the key of the digests. */
export async function forgetDockets(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(sql`delete from docket_memory where customer_id = ${customerId}::uuid`);
}
