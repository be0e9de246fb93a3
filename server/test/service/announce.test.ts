/**
 * On several nodes a publish is committed on one after the other. What reads in the order of stamps sees it when all of
 * them have it, and nothing is lost or repeated, whichever process is killed in between
 * (docs/design/standbys-and-nodes.md).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findPublishState } from '../../src/database/readers/publish-state.ts';
import { announceLeftovers } from '../../src/store/publish/announce.ts';
import { publishBatch } from '../../src/store/publish/publish.ts';
import { readPublishes } from '../../src/store/publish/publishes.ts';
import { listRegisterDigests } from '../../src/store/records/digests.ts';
import { readEvents } from '../../src/store/watches/matching.ts';
import { pulseFeed } from '../../src/upkeep/health/feed-health.ts';
import { CITUS_VARIABLE } from '../support/cluster.ts';
import { createTestDatabase } from '../support/database.ts';
import { type NodeLink, withLinkedWorker } from '../support/node-link.ts';
import { buildRecords, publishRecords, stageRecords } from '../torture/publish.ts';
import { readPage } from '../torture/walk.ts';

const skip = process.env[CITUS_VARIABLE] === undefined ? `${CITUS_VARIABLE} names no Citus cluster` : false;
/** So many that every node has some. */
const RECORDS = 40;

const BEGINNING = {
  stamp: '0001-01-01T00:00:00Z',
  jurisdiction_code: '',
  uid: '',
  complete_through: '0001-01-01T00:00:00Z',
};

/** What a poll from the beginning finds, and how far the page says the feed is complete. */
async function poll(db: Database, cursor?: string): Promise<{ uids: string[]; horizon: string; next: string | null }> {
  const query = { since: '1970-01-01', limit: '5000', ...(cursor === undefined ? {} : { cursor }) };
  const page = await readPage(db, query);
  return { uids: page.items.map(({ uid }) => uid).sort(), horizon: page.horizon, next: page.next_cursor };
}

/** A database with records `A…`, whose last worker is behind a link. */
async function withHalf(
  t: { after(work: () => Promise<void>): void },
  work: (world: { db: Database; link: NodeLink; after: string }) => Promise<void>,
): Promise<void> {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(RECORDS, {}, 'A'));
  const before = await poll(db);
  assert.deepEqual(before.uids, uidsOf('A'));
  await withLinkedWorker(db, (link) => work({ db, link, after: before.next! }));
}

const countVisible = async (db: Database): Promise<number> =>
  (await db.query<{ records: number }>(sql`select count(*)::int4 as records from record`))[0]!.records;

const uidsOf = (prefix: string): string[] =>
  buildRecords(RECORDS, {}, prefix)
    .map(({ uid }) => String(uid))
    .sort();

test(
  'half of a publish is in no page, index, match or digest, and the cursor goes on before it [I-19, I-23]',
  { skip, timeout: 120_000 },
  (t) =>
    withHalf(t, async ({ db, link, after }) => {
      const loadId = await stageRecords(db, buildRecords(RECORDS, {}, 'B'));
      const { horizon } = await poll(db);
      link.hold();
      const published = publishBatch(db, loadId, 1);
      await link.reached;
      // The danger: one node shows its part.
      const visible = await countVisible(db);
      assert.ok(visible > RECORDS && visible < 2 * RECORDS, `${visible} records are visible`);
      assert.equal(await pulseFeed(db), false, 'no pulse moves the horizon until then');
      const meanwhile = await poll(db);
      assert.deepEqual(meanwhile.uids, uidsOf('A'));
      const state = await findPublishState(db);
      assert.ok(meanwhile.horizon <= state.lastStamp);
      const { events } = await readEvents(db, BEGINNING, { events: 1000, bytes: 1e9 });
      assert.deepEqual(events.map(({ uid }) => uid).sort(), uidsOf('A'));
      const next = await poll(db, after);
      assert.deepEqual(next.uids, []);
      // These wait until it has ended.
      const following = readPublishes(db, '0001-01-01T00:00:00Z', async ({ records }) => {
        let count = 0;
        for await (const batch of records) count += batch.length;
        return count;
      });
      const digests = listRegisterDigests(db, { asOf: horizon, horizonSeconds: 0 });
      link.release();
      await published;
      assert.equal(await following, 2 * RECORDS);
      assert.equal((await digests).unsettled.length, RECORDS);
      assert.deepEqual((await poll(db, after)).uids, uidsOf('B'));
    }),
);

test(
  'a publish that a node has not committed is announced once it has, by the next one that looks [I-19]',
  { skip, timeout: 120_000 },
  (t) =>
    withHalf(t, async ({ db, link, after }) => {
      const loadId = await stageRecords(db, buildRecords(RECORDS, {}, 'B'));
      link.cut();
      await assert.rejects(publishBatch(db, loadId, 1), { name: 'NoAnswer' });
      await assert.rejects(announceLeftovers(db), { name: 'NoAnswer' });
      const visible = await countVisible(db);
      assert.ok(visible > RECORDS && visible < 2 * RECORDS, `${visible} records are visible`);
      assert.deepEqual((await poll(db, after)).uids, []);
      await assert.rejects(
        publishRecords(db, buildRecords(1, {}, 'C')),
        { name: 'NoAnswer' },
        'nothing is published on top',
      );
      link.release();
      await announceLeftovers(db);
      assert.deepEqual((await poll(db, after)).uids, uidsOf('B'));
      assert.equal((await publishBatch(db, loadId, 1)).published, false, 'and it was published once');
    }),
);

test(
  'of a publish killed between two nodes nothing is lost or repeated [I-19, I-20]',
  { skip, timeout: 120_000 },
  (t) =>
    withHalf(t, async ({ db, link, after }) => {
      const loadId = await stageRecords(db, buildRecords(RECORDS, {}, 'B'));
      link.hold();
      const published = publishBatch(db, loadId, 1).catch((error: unknown) => error);
      await link.reached;
      const [killed] = await db.query<{ ended: boolean }>(sql`
    select pg_terminate_backend(pid) as ended from pg_locks
    where locktype = 'advisory' and objid = 10 and granted and pid <> pg_backend_pid()`);
      assert.equal(killed?.ended, true);
      link.cut();
      link.release();
      await published;
      await announceLeftovers(db);
      assert.deepEqual((await poll(db, after)).uids, uidsOf('B'));
      await publishRecords(db, buildRecords(RECORDS, {}, 'C'));
      assert.deepEqual((await poll(db, after)).uids, [...uidsOf('B'), ...uidsOf('C')]);
    }),
);

test('a publish to one node only is prepared there too, so that the coordinator decides', { skip }, async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(1));
  const [noted] = await db.query<{ nodes: number }>(sql`
    select count(distinct groupid)::int4 as nodes from pg_dist_transaction`);
  assert.ok(noted!.nodes >= 2, `${noted!.nodes} nodes had something to commit`);
});
