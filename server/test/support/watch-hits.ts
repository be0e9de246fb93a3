/** Watches and hits as rows, for tests of what is told of them. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/store/driver/db.ts';
import { sql } from '../../src/store/driver/sql.ts';

/** A watch of the customer of this name; resolves to its internal id. */
export async function storeWatch(db: Database, customer: string, id = 'brands'): Promise<string> {
  const watchId = randomUUID();
  await db.query(sql`
    insert into watch (watch_id, customer_id, id, name, kind, search, item_count, revision, created_at, changed_at,
      holds_from, change_number)
    select ${watchId}::uuid, customer_id, ${id}, ${`Watch ${id}`}, 'search', 'nice_class=9', 0, 1, now(), now(), now(), 1
    from customer where name = ${customer}`);
  return watchId;
}

/** A hit with a later stamp than all before, which the feeds deliver already. */
export async function storeHit(db: Database, watchId: string, uid: string = randomUUID()): Promise<void> {
  await db.transaction(async (tx) => {
    const [stamped] = await tx.query<{ stamp: string }>(sql`
      update publish_clock set last_stamp = greatest(last_stamp + interval '1 microsecond', clock_timestamp())
      returning last_stamp::text as stamp`);
    const { stamp } = stamped!;
    await tx.query(sql`
      insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
      values (${watchId}::uuid, ${stamp}::timestamptz, 'FR', ${uid}, 'begins')`);
    await tx.query(sql`update watch_progress set complete_through = ${stamp}::timestamptz`);
  });
}
