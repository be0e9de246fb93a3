/** The search index of a process whose database is a streaming standby. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microsOf, systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findPublishState } from '../../src/database/readers/publish-state.ts';
import { openLiveIndex } from '../../src/follow/live-index.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { testLog } from '../support/database.ts';
import { waitFor } from '../support/process.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';
import { startPrimary } from '../torture/standby.ts';

const PLAN = planSearch(parseSearch({ jurisdiction: 'XA', sort: 'updated_at', order: 'asc' }, null));

test('an index follows a standby, and goes on with it when it becomes the primary [I-41]', async (t) => {
  const primary = await startPrimary(t);
  await publishRecords(primary.db, buildRecords(2, {}, 'a'));
  const standby = await primary.addStandby();
  await standby.catchUp();
  const index = openLiveIndex({ url: standby.url, folder: null, searchers: 1, clock: systemClock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  const limits = () => ({ deadlineMs: systemClock.monotonicMs() + 20_000 });
  const findUids = async (): Promise<string[]> => {
    const { lastStamp } = await findPublishState(standby.db);
    await index.waitFor(microsOf(lastStamp), limits());
    return (await index.search(PLAN, limits())).records.map(({ uid }) => uid);
  };
  assert.deepEqual(await findUids(), ['a1', 'a2']);

  await standby.pauseReplay();
  await publishRecords(primary.db, buildRecords(1, {}, 'b'));
  assert.deepEqual(await findUids(), ['a1', 'a2'], 'no further than the standby');
  await standby.resumeReplay();
  await standby.catchUp();
  assert.deepEqual(await findUids(), ['a1', 'a2', 'b1']);

  await primary.stop();
  await standby.promote();
  await publishRecords(standby.db, buildRecords(1, {}, 'c'));
  assert.deepEqual(await findUids(), ['a1', 'a2', 'b1', 'c1']);
  assert.equal(index.status.fault, null);
});

test('an index of a primary follows it through a standby, which may lag behind it and be promoted [I-41]', async (t) => {
  const primary = await startPrimary(t);
  await publishRecords(primary.db, buildRecords(1, {}, 'a'));
  const standby = await primary.addStandby();
  await standby.catchUp();
  const addresses = { url: primary.url, standbyUrl: standby.url };
  const index = openLiveIndex({ ...addresses, folder: null, searchers: 1, clock: systemClock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  const limits = () => ({ deadlineMs: systemClock.monotonicMs() + 20_000 });
  const search = async (): Promise<string[]> => (await index.search(PLAN, limits())).records.map(({ uid }) => uid);
  const findUids = async (): Promise<string[]> => {
    const { lastStamp } = await findPublishState(primary.db);
    await index.waitFor(microsOf(lastStamp), limits());
    return await search();
  };
  const countReaders = async ({ db }: Pick<typeof primary, 'db'>): Promise<number> =>
    (await db.query(sql`select from pg_stat_activity where application_name = 'tmds index'`)).length;
  assert.deepEqual(await findUids(), ['a1']);
  assert.ok((await countReaders(standby)) > 0);

  await standby.pauseReplay();
  index.follow(null);
  await publishRecords(primary.db, buildRecords(1, {}, 'b'));
  assert.deepEqual(await findUids(), ['a1', 'b1']);
  await waitFor(async () => (await countReaders(standby)) === 0);
  index.follow(standby.url);
  await waitFor(async () => (await countReaders(standby)) > 0);
  assert.deepEqual(await search(), ['a1', 'b1'], 'it does not go back to what the standby shows');
  await standby.resumeReplay();
  await publishRecords(primary.db, buildRecords(1, {}, 'c'));
  assert.deepEqual(await findUids(), ['a1', 'b1', 'c1']);

  await standby.promote();
  await publishRecords(standby.db, buildRecords(1, {}, 'of another history'));
  await publishRecords(primary.db, buildRecords(1, {}, 'd'));
  assert.deepEqual(await findUids(), ['a1', 'b1', 'c1', 'd1']);
  assert.deepEqual([index.status.state, index.status.fault], ['ready', null]);
});
