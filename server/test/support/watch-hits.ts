/** Watches and hits as rows, for tests of what is reported of them. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/driver/db.ts';
import { instantText, sql } from '../../src/database/driver/sql.ts';
import { advanceClock } from '../../src/store/publish/announce.ts';
import { nameHit } from '../../src/store/watches/hit-handling.ts';
import { putWatch, type WatchSubject } from '../../src/store/watches/watches.ts';
import { publishRecords } from '../torture/publish.ts';

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

/** A live watch with this subject; resolves to its id for the customer. */
export async function storeWatchOf(db: Database, customer: string, subject: WatchSubject): Promise<string> {
  const id = randomUUID().slice(0, 8);
  const [row] = await db.query<{ customer_id: string }>(sql`select customer_id from customer where name = ${customer}`);
  await putWatch(db, row!.customer_id, id, { name: `Watch ${id}`, subject });
  return id;
}

/** A hit with a later stamp than all before, which the feeds deliver already. */
export async function storeHit(db: Database, watchId: string, uid: string = randomUUID()): Promise<void> {
  await db.transaction(async (tx) => {
    const [stamped] = await tx.query<{ stamp: string }>(sql`
      update publish_clock
      set ${advanceClock(sql`greatest(last_stamp + interval '1 microsecond', clock_timestamp())`)}
      returning last_stamp::text as stamp`);
    const { stamp } = stamped!;
    await tx.query(sql`
      insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
      values (${watchId}::uuid, ${stamp}::timestamptz, 'FR', ${uid}, 'begins')`);
    await tx.query(sql`update watch_progress set complete_through = ${stamp}::timestamptz`);
  });
}

const goods = (text: string) => ({ goods_and_services: [{ class: '9', texts: [{ text, language: 'en' }] }] });

/**
 * Two publishes of a record, which hit the watch: it begins to match, then its owners, mark and goods change. Resolves
 * to the name of the later hit.
 */
export async function storeChanges(db: Database, watchId: string, uid = 'changing'): Promise<string> {
  const stated = { nice_classes: [9], mark_name: 'BEFORE', payload: goods('Pens; red ink') };
  const record = { jurisdiction_code: 'FR', uid, ...stated };
  await publishRecords(db, [record]);
  const owner_names = ['A society for the administration of the long names of owners, in liquidation'];
  await publishRecords(db, [{ ...record, mark_name: 'AFTER', owner_names, payload: goods('Pens; blue ink; paper') }]);
  await db.query(sql`
    insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
    select ${watchId}::uuid, updated_at, jurisdiction_code, uid, 'changes' from record where uid = ${uid}
    union all
    select ${watchId}::uuid, updated_at, jurisdiction_code, uid, 'begins' from record_version where uid = ${uid}`);
  const [newest] = await db.query<{ stamp: string; jurisdiction_code: string }>(sql`
    select ${instantText(sql`updated_at`)} as stamp, jurisdiction_code from record where uid = ${uid}`);
  return nameHit({ ...newest!, uid });
}

/** A webhook of the customer of this name, with a delivery in every state; resolves to its id. */
export async function storeWebhook(db: Database, customer: string, watchId: string): Promise<string> {
  const id = randomUUID().replaceAll('-', '').slice(0, 12);
  await db.query(sql`
    insert into webhook (webhook_id, customer_id, url, host, secret, created_at, failures, paused_until)
    select ${id}, customer_id, ${`https://example.com/hooks/${'trademarks/'.repeat(12)}`}, 'example.com:443', 'x', now(),
      2, now() + interval '1 hour'
    from customer where name = ${customer}`);
  await db.query(sql`
    insert into webhook_delivery (delivery_id, webhook_id, watch_id, after, through, created_at, due_at, attempts,
      answer_status, answer_bytes, answer_ms, failure, delivered_at)
    values (gen_random_uuid(), ${id}, ${watchId}::uuid, now(), now(), now(), null, 1, 204, 0, 12, null, now()),
      (gen_random_uuid(), ${id}, ${watchId}::uuid, now(), now(), now(), now() + interval '1 hour', 2, 500, 4096, 90,
        'It answered 500.', null),
      (gen_random_uuid(), ${id}, ${watchId}::uuid, now(), now(), now(), now(), 0, null, null, null, null, null)`);
  return id;
}
