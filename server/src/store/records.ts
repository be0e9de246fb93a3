/**
 * One record by its identity (specification 4.5), as the bytes that are delivered. The uid is opaque and compared byte
 * for byte (rule I-24).
 */
import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

const COMMA_PAYLOAD = Buffer.from(',"payload":');
const NULL = Buffer.from('null');
const BRACE = Buffer.from('}');

/**
 * The record as JSON text; null when there is no such record. A record belongs to a served register from the moment it
 * is published, so an absent register is an absent record.
 *
 * @throws ApiError `unavailable`, `query_timeout`.
 */
export async function findRecord(
  db: Queryable,
  register: string,
  uid: string,
  expandPayload: boolean,
): Promise<Buffer | null> {
  if (!isStorable(register) || !isStorable(uid)) return null;
  if (!expandPayload) {
    const [row] = await db.queryBytes(
      sql`select detail from record where jurisdiction_code = ${register} and uid = ${uid}`,
    );
    return row?.[0] ?? null;
  }
  const [row] = await db.queryBytes(sql`
    select record.detail, payload.document
    from record left join payload using (jurisdiction_code, uid)
    where jurisdiction_code = ${register} and uid = ${uid}`);
  if (row === undefined) return null;
  const [detail, document] = row;
  return Buffer.concat([detail!.subarray(0, -1), COMMA_PAYLOAD, document ?? NULL, BRACE]);
}

/** What PostgreSQL cannot hold no record has. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
