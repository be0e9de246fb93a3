/** Fills a database up with records it has, under other identities: faster than loading them, but names repeat. */
import { OperatorError } from '../../server/src/base/errors.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { repeatRecords, settlePublishes } from '../search/data.ts';
import { countStored } from './grow.ts';

/** The first records, `originals` of them, are repeated again and again, until there are `target`. */
export async function repeatAll(db: Database, originals: number, target: number): Promise<void> {
  const stored = await countStored(db);
  if (stored >= target) return;
  if (stored % originals !== 0) throw new OperatorError(`a round of ${originals} records ended early at ${stored}`);
  const done = stored / originals - 1;
  const rounds = Math.ceil(target / originals) - 1;
  const repeat = async (round: number): Promise<void> => {
    await repeatRecords(db, round, Math.min(originals, target - round * originals), false);
    console.error(`round ${round} of ${rounds}`);
  };
  // Two at once, one for each connection.
  for (let round = done + 1; round <= rounds; round += 2) {
    await Promise.all([round, round + 1].filter((each) => each <= rounds).map(repeat));
  }
  await db.query(sql`truncate publish_digest`);
  await settlePublishes(db);
  // Last, because it says that all of this is done.
  await db.query(sql`
    update register set record_count = counted.records
    from (select jurisdiction_code, count(*) as records from record group by 1) as counted
    where counted.jurisdiction_code = register.jurisdiction_code`);
}
