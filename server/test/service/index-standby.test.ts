/** The search index of a process whose database is a streaming standby. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { openLiveIndex } from '../../src/follow/live-index.ts';
import { microsOf } from '../../src/index/instants.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { findPublishState } from '../../src/store/publish/publishes.ts';
import { testLog } from '../support/database.ts';
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
