/**
 * The lineage of a database (rule I-47): one value in `publish_clock`, which every page of a feed states. A restore
 * renews it (`upkeep/restore-clock.ts`). A server also renews it when it misses a publish that it had seen before, as
 * after a fail-over that lost it.
 */
import type { Instant } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

/** The last publish that was seen of a database, and the lineage that the database had then. */
export interface SeenPublish {
  readonly lineage: string;
  readonly stamp: Instant;
}

/**
 * Renews the lineage if the database lacks the publish. The first server to notice does it; for the others, and for one
 * that comes back with an old view, the lineage is already another one.
 *
 * @param primary only a primary can say that a publish does not exist
 * @returns whether the lineage was renewed
 * @throws NoAnswer
 */
export async function renewLineage(primary: Queryable, seen: SeenPublish): Promise<boolean> {
  const renewed = await primary.query(sql`
    update publish_clock set lineage = gen_random_uuid()
    where lineage = ${seen.lineage}::uuid and not exists (
      select from publish where publish.stamp = ${seen.stamp}::timestamptz)
    returning true as renewed`);
  return renewed.length > 0;
}
