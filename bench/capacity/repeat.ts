/** Fills a database up with records it has, under other identities: faster than loading them, but names repeat. */
import type { Database } from '../../server/src/store/driver/db.ts';
import { sql } from '../../server/src/store/driver/sql.ts';
import { repeatRecords, settlePublishes } from '../search/data.ts';
import { countStored } from './grow.ts';

/** The first records are repeated again and again, until there are `target`. */
export async function repeatAll(db: Database, target: number): Promise<void> {
  const first = await countStored(db);
  if (first >= target) return;
  for (let stored = first; stored < target; stored += first) {
    await repeatRecords(db, Math.round(stored / first), Math.min(first, target - stored), false);
    console.error(`${Math.min(target, stored + first)} records`);
  }
  await db.query(sql`
    update register set record_count = counted.records
    from (select jurisdiction_code, count(*) as records from record group by 1) as counted
    where counted.jurisdiction_code = register.jurisdiction_code`);
  await db.query(sql`truncate publish_digest`);
  await settlePublishes(db);
}
