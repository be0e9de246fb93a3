/** An index that claims to have seen a publish, and holds a record that the publish replaced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microsOf, systemClock } from '../../src/base/clock.ts';
import { findPublishState } from '../../src/database/readers/publish-state.ts';
import type { SearchIndex } from '../../src/follow/live-index.ts';
import { Timing } from '../../src/http/call.ts';
import { findPage } from '../../src/http/search.ts';
import { findSimilar } from '../../src/http/similar.ts';
import { parseSimilar } from '../../src/parse/likeness.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSimilar } from '../../src/plan/likeness.ts';
import { planSearch } from '../../src/plan/search.ts';
import { createTestDatabase } from '../support/database.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { buildSource } from '../support/source.ts';
import { publishRecords } from '../torture/publish.ts';

test('a record that was replaced before the stamp of the index is never shown, by a search or for likeness [4.3, I-40, I-41]', async (t) => {
  const { db } = await createTestDatabase(t);
  const publish = (nice_classes: number[]) =>
    publishRecords(db, [buildSource({ uid: 'A1', mark_name: 'RHEOBASE', nice_classes })]);
  await publish([9]);
  const local = openLocalIndex(db);
  const limits = { deadlineMs: systemClock.monotonicMs() + 60_000 };
  await local.waitFor(1, limits);
  await publish([42]);
  const stamp = microsOf((await findPublishState(db)).lastStamp);
  let turns = 0;
  const index: SearchIndex = {
    ...local,
    search: async (query, wanted) => {
      turns += 1;
      const endTurn = (): void => {
        turns -= 1;
      };
      return { ...(await local.search(query, wanted)), stamp, endTurn };
    },
    findAlike: async (search, wanted) => ({ ...(await local.findAlike(search, wanted)), stamp }),
    waitFor: () => Promise.reject(new Error('waiting would not help')),
  };
  const sources = { index, database: db, clock: systemClock };
  const search = planSearch(parseSearch({ nice_class: '9' }, null));
  const similar = planSimilar(parseSimilar({ mark: 'RHEOBASE' }));
  await assert.rejects(findPage(search, sources, limits, new Timing(systemClock)), { code: 'index_out_of_order' });
  await assert.rejects(findSimilar(similar, sources, limits, new Timing(systemClock)), { code: 'index_out_of_order' });
  assert.equal(turns, 0, 'no turn goes on');
});
