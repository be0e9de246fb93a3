/** The thread of searches for likeness: what it sees, whom it refuses, that it makes way. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { microsOf, systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { Company, WayFlag } from '../../src/follow/company.ts';
import { type LiveIndex, openLiveIndex } from '../../src/follow/live-index.ts';
import { SearchTurns } from '../../src/follow/search-turns.ts';
import { parseSimilar } from '../../src/parse/likeness.ts';
import { planSimilar } from '../../src/plan/likeness.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { waitFor } from '../support/process.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const stampOf = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
const limits = () => ({ deadlineMs: systemClock.monotonicMs() + 60_000 });
const SEARCH = planSimilar(parseSimilar({ mark: 'aurelia', strategies: 'edits' }));

function publish(db: Database, second: number, uid: string, mark_name: string): Promise<void> {
  return storeRecords(db, [buildStored(buildSource({ uid, mark_name }), stampOf(second))]);
}

async function openIndex(t: TestContext, url: string): Promise<LiveIndex> {
  const index = openLiveIndex({ url, folder: null, searchers: 1, clock: systemClock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  return index;
}

/** The marks that are found, once the thread has read the names. */
async function findNames(index: LiveIndex): Promise<string[]> {
  let found: string[] | null = null;
  await waitFor(async () => {
    try {
      found = (await index.findAlike(SEARCH, limits())).names.map(({ name }) => name);
      return true;
    } catch (error) {
      assert.equal((error as Error).name, 'NoAnswer');
      return false;
    }
  });
  return found!;
}

test('a search for likeness sees every publish that has been waited for [I-41]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publish(db, 1, 'A1', 'Aurelio');
  const index = await openIndex(t, url);
  assert.deepEqual(await findNames(index), ['aurelio']);
  for (let second = 2; second <= 12; second += 1) {
    const name = `Aureli${String.fromCharCode(0x61 + second)}`;
    await publish(db, second, `A${second}`, name);
    await index.waitFor(microsOf(stampOf(second)), limits());
    assert.ok((await findNames(index)).includes(name.toLowerCase()), name);
  }
});

test('a search for likeness ends with its caller and within its time limit [I-35]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publish(db, 1, 'A1', 'Aurelio');
  const index = await openIndex(t, url);
  await findNames(index);
  const caller = new AbortController();
  caller.abort(new Error('gone'));
  await assert.rejects(index.findAlike(SEARCH, { ...limits(), signal: caller.signal }), /gone/);
  await assert.rejects(index.findAlike(SEARCH, { deadlineMs: systemClock.monotonicMs() - 1 }), { name: 'NoAnswer' });
  const many = Array.from({ length: 60 }, () => index.findAlike(SEARCH, limits()));
  const ended = await Promise.allSettled(many);
  const refused = ended.filter(({ status }) => status === 'rejected');
  assert.ok(refused.length > 0 && refused.length < 15, `${refused.length} of 60 were refused as too many`);
});

test('without patient threads, a customer that crowds keeps its turn', () => {
  const serve = (patientThreads: number): unknown => {
    const company = new Company(new WayFlag(), 1, systemClock);
    const turns = new SearchTurns(company, { waitingMax: 10, patientThreads });
    const job = { turn: { customer: 'greedy', key: 'k' } };
    turns.add(job);
    turns.next(false, 1);
    turns.end(job, { waitedMs: 0, matchMs: 1_000, totalMs: 1_000 }, 1_001);
    company.noteCall('other', 1_001);
    turns.add(job);
    return turns.next(false, 1_002);
  };
  assert.equal(serve(1), null);
  assert.notEqual(serve(0), null);
});
