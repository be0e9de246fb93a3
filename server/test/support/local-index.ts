/** An index in the test's own thread: the same as in a process, without the worker threads. */
import { systemClock } from '../../src/base/clock.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { Follower } from '../../src/follow/follower.ts';
import type { SearchIndex } from '../../src/follow/live-index.ts';
import { countFacets } from '../../src/index/facets.ts';
import { type Interruption, limitSearch, Scratch, SearchInterrupted } from '../../src/index/matchers.ts';
import { searchView } from '../../src/index/search.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import { LikenessFinder } from '../../src/likeness/find.ts';
import { siftRecords } from '../../src/likeness/watched-marks.ts';

export function openLocalIndex(db: Database): SearchIndex {
  const writer = new IndexWriter(() => Number.POSITIVE_INFINITY);
  const follower = new Follower(db, writer);
  const scratch = new Scratch();
  const finder = new LikenessFinder();
  let following: Promise<unknown> = Promise.resolve();
  /** One after the other, as a writer does. */
  const catchUp = (): Promise<unknown> => {
    following = following
      .catch(() => undefined)
      .then(async () => {
        if (await follower.isBehind()) await follower.catchUp();
      });
    return following;
  };
  /** What is out of time is refused as the search threads refuse it. */
  const limit = <T>(deadlineMs: number, work: (interruption: Interruption) => T): T => {
    try {
      return work(limitSearch(systemClock, deadlineMs - systemClock.monotonicMs(), () => false));
    } catch (error) {
      if (!(error instanceof SearchInterrupted)) throw error;
      throw new NoAnswer('search_over_time');
    }
  };
  return {
    checkReady: () => undefined,
    beginCall: () => () => undefined,
    isCrowding: () => false,
    search: async (query, { deadlineMs }) => ({
      ...limit(deadlineMs, (interruption) => searchView(writer.view, query, scratch, interruption)),
      endTurn: () => undefined,
    }),
    countFacets: async (conditions, fields, { deadlineMs }) =>
      limit(deadlineMs, (interruption) => countFacets(writer.view, conditions, fields, scratch, interruption)),
    findAlike: async (wanted, { deadlineMs }) =>
      limit(deadlineMs, (interruption) => finder.find(writer.view, wanted, interruption)),
    sift: async (records, conditions, alike) => siftRecords(records, conditions, alike),
    waitFor: async () => {
      await catchUp();
    },
  };
}
