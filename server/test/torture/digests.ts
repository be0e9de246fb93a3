/** The digests that publishes keep, computed again from every record. */
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';

/** Groups in which the kept digest is not what its records give. */
export async function countWrongDigests(db: Database): Promise<number> {
  const [row] = await db.query<{ wrong: number }>(sql`
    select count(*)::int4 as wrong from publish_digest kept full join (
      select jurisdiction_code, updated_at, count(*)::int4 as record_count,
        bit_xor(('x' || encode(substring(sha256(convert_to(detail, 'UTF8')) for 8), 'hex'))::bit(64)::bigint) as digest
      from record group by jurisdiction_code, updated_at) as computed using (jurisdiction_code, updated_at)
    where kept.record_count is distinct from computed.record_count or kept.digest is distinct from computed.digest`);
  return row!.wrong;
}
