/** The index of a process: its threads, what they follow, what they keep, and what happens when they end. */
import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Clock, microsOf, systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { databaseAway } from '../../src/database/driver/failures.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findPublishState } from '../../src/database/readers/publish-state.ts';
import { type FoundMatches, type LiveIndex, openLiveIndex, type SearchIndex } from '../../src/follow/live-index.ts';
import { Timing } from '../../src/http/call.ts';
import { findPage } from '../../src/http/search.ts';
import { loadView, saveView } from '../../src/index/files.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { advanceClock } from '../../src/store/publish/announce.ts';
import { renewLineage, type SeenPublish } from '../../src/store/publish/lineage.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { waitFor } from '../support/process.ts';
import { buildSegment } from '../support/segments.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, renderDetail, type StoredRecord, storeRecords } from '../support/stored.ts';

const stampOf = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
const limits = () => ({ deadlineMs: systemClock.monotonicMs() + 60_000 });
/** A part of a name, which only a search thread looks for. */
const THREADED = planSearch(parseSearch({ mark_name_contains: 'mark', limit: '500' }, 'XA'));
const PLAN = planSearch(parseSearch({ nice_class: '9', limit: '500' }, null));
const COUNTED = planSearch(parseSearch({ nice_class: '9', limit: '500', count: 'capped' }, null));

function publish(db: Database, second: number, uids: readonly string[]): Promise<void> {
  return storeRecords(
    db,
    uids.map((uid) => buildStored(buildSource({ uid, nice_classes: [9], mark_name: 'A mark' }), stampOf(second))),
  );
}

async function openIndex(t: TestContext, url: string, folder: string | null = null): Promise<LiveIndex> {
  const index = openLiveIndex({ url, folder, searchers: 2, clock: systemClock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  return index;
}

async function findUids(index: LiveIndex, second: number, plan = PLAN): Promise<string[]> {
  await index.waitFor(microsOf(stampOf(second)), limits());
  const { records } = await index.search(plan, limits());
  return records.map(({ uid }) => uid);
}

test('every publish is searched by every thread as soon as it is waited for [I-41]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const index = await openIndex(t, url);
  for (let second = 1; second <= 20; second += 1) {
    await publish(db, second, [`A${second}`]);
    const found = await Promise.all([1, 2, 3].map(() => findUids(index, second, THREADED)));
    const expected = Array.from({ length: second }, (_, age) => `A${second - age}`);
    assert.deepEqual(found, [expected, expected, expected]);
  }
  await db.query(sql`delete from record where uid = 'A7'`);
  const changed = buildStored(buildSource({ uid: 'A7', mark_name: 'Another' }), stampOf(21));
  await storeRecords(db, [changed], stampOf(7));
  assert.equal((await findUids(index, 21, THREADED)).includes('A7'), false);
});

test('a search that is nearly nothing is matched where it arrives, as soon as the index includes a publish [I-41]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  // Without search threads, everything that needs one waits forever.
  const index = openLiveIndex({ url, folder: null, searchers: 0, clock: systemClock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  const small = [{ application_number: '12-A' }, { mark_name: 'a mark' }, { nice_class: '9' }];
  for (let second = 1; second <= 3; second += 1) {
    const source = buildSource({ uid: 'A1', nice_classes: [9], mark_name: 'A mark', application_number: '12-a' });
    await db.query(sql`delete from record`);
    await storeRecords(db, [buildStored(source, stampOf(second))], stampOf(1));
    await index.waitFor(microsOf(stampOf(second)), limits());
    for (const filters of small) {
      const plan = planSearch(parseSearch(filters, null));
      const { records } = await index.search(plan, limits());
      assert.deepEqual(
        records.map(({ uid, updated_at }) => [uid, updated_at]),
        [['A1', stampOf(second)]],
      );
    }
  }
  const leaving = AbortSignal.abort(new Error('gone'));
  const plan = planSearch(parseSearch(small[0]!, null));
  await assert.rejects(index.search(plan, { ...limits(), signal: leaving }), /gone/);
});

test('two processes give the same pages and understand each other’s positions [I-17]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publish(db, 1, ['A1', 'A2', 'A3', 'A4', 'A5']);
  const [one, other] = [await openIndex(t, url), await openIndex(t, url)];
  const page = await one.search({ ...PLAN, limit: 2 }, limits());
  const { endTurn, ...same } = await other.search({ ...PLAN, limit: 2 }, limits());
  assert.deepEqual({ ...same, endTurn: page.endTurn }, page);
  endTurn();
  const next = await other.search({ ...PLAN, limit: 2, after: page.last }, limits());
  assert.deepEqual(
    [...page.records, ...next.records].map(({ uid }) => uid),
    ['A5', 'A4', 'A3', 'A2'],
  );
});

test('a search ends with its caller, and one whose turn comes too late is refused [I-35]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publish(db, 1, ['A1']);
  const index = await openIndex(t, url);
  const caller = new AbortController();
  const waiting = index.waitFor(microsOf(stampOf(59)), { ...limits(), signal: caller.signal });
  caller.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  await assert.rejects(index.search(PLAN, { ...limits(), signal: caller.signal }), /gone/);
  await assert.rejects(index.search(PLAN, { deadlineMs: systemClock.monotonicMs() - 1 }), { name: 'NoAnswer' });
  await assert.rejects(index.waitFor(microsOf(stampOf(59)), { deadlineMs: systemClock.monotonicMs() }), {
    name: 'NoAnswer',
  });
});

test('a search that waits for the index notices that the database has fallen silent [I-35]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publish(db, 1, ['A1']);
  const live = await openIndex(t, url);
  await live.waitFor(microsOf(stampOf(59)), limits(), 0);
  assert.ok(live.stamp < microsOf(stampOf(59)), 'it went on without the stamp');
  const waits: (number | undefined)[] = [];
  const index: SearchIndex = {
    ...live,
    search: async () => ({ records: [], stamp: 0, last: null, count: 0, endTurn: () => undefined }),
    waitFor: async (_stamp, _limits, atMostMs) => void waits.push(atMostMs),
  };
  let asked = 0;
  const database: Queryable = {
    ...db,
    query: async (statement, options) => {
      asked += 1;
      if (asked > 1) throw databaseAway(new Error('silent'));
      return await db.query(statement, options);
    },
  };
  const plan = planSearch(parseSearch({ nice_class: '9' }, null));
  await assert.rejects(findPage(plan, { index, database }, limits(), new Timing(systemClock)), {
    name: 'NoAnswer',
  });
  assert.deepEqual([asked, waits.length], [2, 1]);
  assert.ok(waits[0]! < 3_000);
});

test('records that are in no index are matched by the search threads', async (t) => {
  const { url } = await createTestDatabase(t);
  const index = await openIndex(t, url);
  const texts = [9, 42, 9].map((niceClass, number) => {
    const stored = buildStored(buildSource({ nice_classes: [niceClass] }), stampOf(9 - number));
    return { updated_at: stored.updated_at, detail: renderDetail(stored), mark_variants: null };
  });
  assert.deepEqual([...(await index.sift(texts, PLAN.conditions, null, limits()))], [0, 2]);
  await assert.rejects(index.sift(texts, PLAN.conditions, null, { deadlineMs: 0 }), { name: 'NoAnswer' });
});

test('a search before the index is ready is asked to come again', async (t) => {
  const { url } = await createTestDatabase(t);
  const index = openLiveIndex({ url, folder: null, searchers: 1, clock: systemClock, log: testLog });
  t.after(() => index.close());
  await assert.rejects(index.search(PLAN, limits()), { name: 'NoAnswer' });
  await index.ready;
  assert.deepEqual((await index.search(PLAN, limits())).records, []);
});

/** A view of stored records, saved as a process would have saved it. */
async function saveSnapshot(
  db: Database,
  folder: string,
  stored: readonly StoredRecord[],
  seen: SeenPublish | null = null,
): Promise<string> {
  const { databaseId, lastStamp } = await findPublishState(db);
  const writer = new IndexWriter(() => 0);
  const view = writer.apply([buildSegment(stored, 'saved')], microsOf(lastStamp));
  const parts = view.parts.map(({ segment, dead }) => ({ parts: segment.parts, dead }));
  await saveView(join(folder, databaseId), databaseId, { stamp: view.stamp, parts, seen });
  return join(folder, databaseId);
}

test('a snapshot is what was saved, and anything odd about it makes it none', async (t) => {
  const folder = makeFolder(t);
  const { db } = await createTestDatabase(t);
  const stored = ['A1', 'A2'].map((uid) => buildStored(buildSource({ uid, nice_classes: [9] }), stampOf(1)));
  await storeRecords(db, stored);
  const { databaseId } = await findPublishState(db);
  const saved = await saveSnapshot(db, folder, stored);
  const last = microsOf(stampOf(2));
  const loaded = await loadView(saved, databaseId, last);
  assert.deepEqual(loaded.view?.parts[0]?.segment.parts, buildSegment(stored, 'saved').parts);
  const reasonOf = async (id: string, stamp: number): Promise<unknown> => {
    const found = await loadView(saved, id, stamp);
    return found.view === null ? found.reason : 'used';
  };
  assert.equal(await reasonOf('another', last), 'it belongs to another database');
  assert.match(String(await reasonOf(databaseId, microsOf(stampOf(0)))), /restored/);
  const file = join(saved, 'saved.segment');
  const bytes = await readFile(file);
  for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
    const broken = Buffer.from(bytes);
    broken[at]! ^= 1;
    await writeFile(file, broken);
    assert.match(String(await reasonOf(databaseId, last)), /checksum/);
  }
  await writeFile(file, bytes.subarray(1));
  assert.match(String(await reasonOf(databaseId, last)), /size/);
  await rm(file);
  assert.match(String(await reasonOf(databaseId, last)), /ENOENT/);
  const manifest = join(saved, 'snapshot.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('saved', 'savad'));
  assert.equal(await reasonOf(databaseId, last), 'there is none');
});

test('a start continues from the index snapshot, and from the database where the two differ', async (t) => {
  const folder = makeFolder(t);
  const { db, url } = await createTestDatabase(t);
  const stored = ['A1', 'A2'].map((uid) => buildStored(buildSource({ uid, nice_classes: [9] }), stampOf(1)));
  await storeRecords(db, stored);
  await saveSnapshot(db, folder, stored);
  await publish(db, 2, ['A3']);
  const index = await openIndex(t, url, folder);
  assert.deepEqual(await findUids(index, 2), ['A3', 'A2', 'A1']);
  assert.deepEqual(index.status.compared?.differences, []);
  await index.close();
  // What another time line would leave: the stamps fit, the records do not.
  const other = [buildStored(buildSource({ uid: 'A9', nice_classes: [9] }), stampOf(1))];
  await saveSnapshot(db, folder, other);
  const rebuilt = await openIndex(t, url, folder);
  assert.deepEqual(await findUids(rebuilt, 2), ['A3', 'A2', 'A1']);
  assert.deepEqual(rebuilt.status.compared?.differences, []);
  assert.equal((await readdir(folder)).includes(`status-${process.pid}.json`), true);
});

/** As the protocol notes it. */
async function notePublish(db: Queryable, second: number): Promise<void> {
  await db.query(sql`insert into publish (stamp, load_id) values (${stampOf(second)}::timestamptz, gen_random_uuid())`);
}

for (const later of chooseCases([[], [7]])) {
  const when = later.length === 0 ? 'at once' : 'also when others have come since';
  test(`no page holds what the database has lost, as a promoted standby or a restored one may, ${when}, and its feeds get another lineage, once [I-41, I-47]`, async (t) => {
    const { db, url } = await createTestDatabase(t);
    for (const second of [1, 5]) {
      await publish(db, second, [`A${second}`]);
      await notePublish(db, second);
    }
    const index = await openIndex(t, url);
    const other = await openIndex(t, url);
    for (const each of [index, other]) assert.deepEqual(await findUids(each, 5), ['A5', 'A1']);
    const { lineage } = await findPublishState(db);
    // Afterwards the index holds one record too many.
    await db.transaction(async (tx) => {
      await tx.query(sql`delete from record where uid = 'A5'`);
      await tx.query(sql`delete from publish where stamp = ${stampOf(5)}::timestamptz`);
      await tx.query(sql`update publish_clock set ${advanceClock(sql`${stampOf(1)}::timestamptz`)}`);
      const records = later.map((second) => buildSource({ uid: `A${second}`, nice_classes: [9] }));
      await storeRecords(
        tx,
        records.map((record, place) => buildStored(record, stampOf(later[place]!))),
      );
      for (const second of later) await notePublish(tx, second);
    });
    const uids = [...later.map((second) => `A${second}`), 'A1'];
    const expected = `${uids} of ${uids.length}`;
    const found = new Set<string>();
    const find = async (): Promise<string> => {
      try {
        const page = await findPage(COUNTED, { index, database: db }, limits(), new Timing(systemClock));
        const uids = (JSON.parse(`[${page.items}]`) as { uid: string }[]).map(({ uid }) => uid);
        return `${uids} of ${page.matched?.count}`;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        return 'unavailable';
      }
    };
    await waitFor(async () => {
      found.add(await find());
      return found.has(expected);
    });
    found.delete('unavailable');
    assert.deepEqual([...found], [expected]);
    assert.deepEqual([index.status.state, index.status.fault], ['ready', null]);
    const renewed = (await findPublishState(db)).lineage;
    assert.notEqual(renewed, lineage);
    // The other process has noticed it too, and one that was paused in the meantime would.
    await waitFor(async () => other.stamp === microsOf((await findPublishState(db)).lastStamp));
    assert.equal(await renewLineage(db, { lineage, stamp: stampOf(5) }), false);
    assert.equal((await findPublishState(db)).lineage, renewed);
  });
}

test('a server that was away while the database lost a publish knows it from its snapshot of the index [I-47]', async (t) => {
  const folder = makeFolder(t);
  const { db, url } = await createTestDatabase(t);
  const stored = [buildStored(buildSource({ uid: 'A1', nice_classes: [9] }), stampOf(1))];
  await storeRecords(db, stored);
  await notePublish(db, 1);
  const { lineage } = await findPublishState(db);
  await saveSnapshot(db, folder, stored, { lineage, stamp: stampOf(1) });
  await (await openIndex(t, url, folder)).close();
  assert.equal((await findPublishState(db)).lineage, lineage, 'nothing is lost');
  await saveSnapshot(db, folder, stored, { lineage, stamp: stampOf(3) });
  await (await openIndex(t, url, folder)).close();
  const renewed = (await findPublishState(db)).lineage;
  assert.notEqual(renewed, lineage);
  await (await openIndex(t, url, folder)).close();
  assert.equal((await findPublishState(db)).lineage, renewed);
});

test('an index continues with a database that has lost nothing but its clock', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publish(db, 1, ['A1']);
  await notePublish(db, 1);
  const setClock = (second: number) =>
    db.query(sql`update publish_clock set ${advanceClock(sql`${stampOf(second)}::timestamptz`)}`);
  await setClock(5);
  const lines: string[] = [];
  const log = buildLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const index = openLiveIndex({ url, folder: null, searchers: 1, clock: systemClock, log });
  t.after(() => index.close());
  await index.ready;
  assert.deepEqual(await findUids(index, 5), ['A1']);
  const { lineage } = await findPublishState(db);
  await setClock(3);
  await waitFor(async () => index.stamp === microsOf(stampOf(3)));
  await publish(db, 4, ['A4']);
  assert.deepEqual(await findUids(index, 4), ['A4', 'A1']);
  assert.doesNotMatch(lines.join(''), /restarting/);
  assert.equal((await findPublishState(db)).lineage, lineage);
});

test('every search of one key is answered, however many it sends at once, on whatever thread [I-35]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publish(db, 1, ['A1', 'A2']);
  // Each search seems to take half a second, so that all but the first are expensive.
  let nowMs = 0;
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => {
      nowMs += 500;
      return nowMs;
    },
  };
  const index = openLiveIndex({ url, folder: null, searchers: 2, clock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  const ask = async (customer: string, key: string): Promise<FoundMatches> => {
    const found = await index.search(THREADED, { deadlineMs: 100_000_000, turn: { customer, key } });
    found.endTurn();
    return found;
  };
  const greedy = await Promise.all(Array.from({ length: 64 }, (_, number) => ask('greedy', `key ${number % 3}`)));
  assert.equal(greedy.length, 64);
  assert.equal((await ask('other', 'key')).records.length, 2);
});

/** Enough that a search of them takes a part of a millisecond. */
const STANDING_RECORDS = 400;

/**
 * An index of some records, with two ordinary threads and one patient one, and a time that passes only when the test
 * moves it. One customer has a call under way, and another, `greedy`, has searched for more than its share.
 */
async function openStanding(t: TestContext) {
  const { db, url } = await createTestDatabase(t);
  await publish(
    db,
    1,
    Array.from({ length: STANDING_RECORDS }, (_, number) => `A${number}`),
  );
  let nowMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs };
  const index = openLiveIndex({ url, folder: null, searchers: 2, clock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  const ask = (customer: string, signal?: AbortSignal) =>
    index.search(THREADED, { deadlineMs: nowMs + 1_000, turn: { customer, key: 'key' }, signal });
  const endCall = index.beginCall('other');
  for (let searches = 0; !index.isCrowding('greedy'); searches += 1) {
    assert.ok(searches < 10_000);
    (await ask('greedy')).endTurn();
  }
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { index, ask, endCall, pass };
}

test('while others call, a customer who crowds has its next search when a page before it has been sent', async (t) => {
  const { ask } = await openStanding(t);
  const first = await ask('greedy');
  let answered = 0;
  const others = Array.from({ length: 2 }, async () => {
    const found = await ask('greedy');
    answered += 1;
    return found;
  });
  const askOther = async (): Promise<void> => {
    for (let search = 0; search < 5; search += 1) (await ask('other')).endTurn();
  };
  // Threads are free, as these show.
  await askOther();
  assert.equal(answered, 0);
  first.endTurn();
  first.endTurn();
  const second = await others[0]!;
  await askOther();
  assert.equal(answered, 1, 'a turn is ended only once');
  second.endTurn();
  (await others[1]!).endTurn();
  (await ask('greedy')).endTurn();
});

test('while others call, a customer who crowds pays for its turns with rests', async (t) => {
  const { index, ask, endCall, pass } = await openStanding(t);
  const takeTurn = async (): Promise<number> => {
    const before = index.restedSeconds;
    const found = await ask('greedy');
    pass(50);
    found.endTurn();
    return index.restedSeconds - before;
  };
  // So much that it is still too much after each turn.
  for (let search = 0; search < 200; search += 1) (await ask('greedy')).endTurn();
  const calls = Array.from({ length: availableParallelism() }, () => index.beginCall('other'));
  await takeTurn();
  assert.ok((await takeTurn()) > 0, 'for the turn before');
  for (const end of [endCall, ...calls]) end();
  // Threads make way for a millisecond more, in which a turn may still rest.
  await waitFor(async () => {
    assert.equal(index.isCrowding('greedy'), true, 'a customer who called may call again');
    return (await takeTurn()) === 0;
  });
});

test('a search that was cancelled while it was matched, or fails, leaves its turn to the next [I-35]', async (t) => {
  const { index, ask } = await openStanding(t);
  for (let search = 0; search < 5; search += 1) {
    const caller = new AbortController();
    const asked = ask('greedy', caller.signal);
    caller.abort(new Error('gone'));
    await assert.rejects(asked, /gone/);
    const late = { deadlineMs: 0, turn: { customer: 'greedy', key: 'key' } };
    await assert.rejects(index.search(PLAN, late), { name: 'NoAnswer' });
  }
  assert.equal((await ask('greedy')).records.length, STANDING_RECORDS);
});

test('a turn ends with the page, whatever becomes of it, and before a search waits for the index', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await publish(db, 1, ['A1']);
  const live = await openIndex(t, url);
  let turns = 0;
  let waits = 0;
  const index: SearchIndex = {
    ...live,
    search: async (query, within) => {
      const found = await live.search(query, within);
      turns += 1;
      return {
        ...found,
        endTurn: () => {
          turns -= 1;
          found.endTurn();
        },
      };
    },
    waitFor: async () => {
      assert.equal(turns, 0);
      waits += 1;
    },
  };
  const find = (query: Queryable['query']) =>
    findPage(PLAN, { index, database: { ...db, query } }, limits(), new Timing(systemClock));
  await assert.rejects(
    find(async () => {
      assert.equal(turns, 1, 'it is held while the page is read');
      throw databaseAway(new Error('away'));
    }),
    { name: 'NoAnswer' },
  );
  assert.equal(turns, 0);
  let reads = 0;
  const page = await find(async <Row>(...call: Parameters<Queryable['query']>) => {
    const rows = await db.query<Row>(...call);
    reads += 1;
    // The first time, a record seems to have changed since.
    return reads > 1 ? rows : rows.map((row) => ({ ...row, changed_at: stampOf(59) }));
  });
  assert.match(String(page.items), /"uid":"A1"/);
  assert.deepEqual([turns, waits], [0, 1]);
});
