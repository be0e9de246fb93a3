/**
 * What people of a customer think of the marks that a search for likeness found. It does not know what a search means.
 * Invariant: a customer has at most `JUDGEMENTS_MAX`; the caller that adds some holds the lock of the customer.
 */
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';

/** Upper limit for one customer, in all of its searches. */
export const JUDGEMENTS_MAX = 100_000;

export interface JudgedRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

export interface Judgement extends JudgedRecord {
  readonly is_relevant: boolean;
  /** The address of the person. */
  readonly judged_by: string;
  readonly judged_at: string;
}

/** `search`: the SHA-256 of its canonical text, in hex. At most `limit`. */
export async function listJudgements(
  db: Queryable,
  customerId: string,
  { search, limit }: { readonly search: string; readonly limit: number },
): Promise<Judgement[]> {
  return await db.query<Judgement>(sql`
    select jurisdiction_code, uid, is_relevant, judged_by, ${instantText(sql`judged_at`)} as judged_at
    from similar_judgement where customer_id = ${customerId} and search = ${search}
    order by jurisdiction_code, uid limit ${limit}::int`);
}

/** Replaces what was thought of these records; null: nothing. False if the customer has too many. */
export async function putJudgements(
  tx: Transaction,
  customerId: string,
  search: string,
  records: readonly JudgedRecord[],
  { isRelevant, by }: { readonly isRelevant: boolean | null; readonly by: string },
): Promise<boolean> {
  const listed = sql`unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
    ${records.map(({ uid }) => uid)}::text[]) as listed (jurisdiction_code, uid)`;
  if (isRelevant === null) {
    await tx.query(sql`
      delete from similar_judgement held using ${listed}
      where held.customer_id = ${customerId} and held.search = ${search}
        and held.jurisdiction_code = listed.jurisdiction_code and held.uid = listed.uid`);
    return true;
  }
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from similar_judgement where customer_id = ${customerId}`,
  );
  if (row!.count + records.length > JUDGEMENTS_MAX) return false;
  await tx.query(sql`
    insert into similar_judgement (customer_id, search, jurisdiction_code, uid, is_relevant, judged_by, judged_at)
    select ${customerId}, ${search}, jurisdiction_code, uid, ${isRelevant}::boolean, ${by}, now() from ${listed}
    on conflict (customer_id, search, jurisdiction_code, uid) do update set is_relevant = excluded.is_relevant,
      judged_by = excluded.judged_by, judged_at = excluded.judged_at`);
  return true;
}

/** Deletes the judgements of a removed customer. */
export async function eraseJudgements(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(sql`delete from similar_judgement where customer_id = ${customerId}`);
}
