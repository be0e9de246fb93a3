/** Pseudo marks, from a publish and from documents of earlier loads: who finds them, and that nothing else changes. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SimilarPage } from '@tmds/contract/likeness';
import type { WatchDetail, WatchHitsPage } from '@tmds/contract/watches';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { type LiveIndex, openLiveIndex } from '../../src/follow/live-index.ts';
import { parseSimilar } from '../../src/parse/likeness.ts';
import { planSimilar } from '../../src/plan/likeness.ts';
import { RenderedContent } from '../../src/record/content.ts';
import { splitForms } from '../../src/record/row.ts';
import { holdPseudoMarks } from '../../src/upkeep/retention/hold-pseudo-marks.ts';
import { movePayloads } from '../../src/upkeep/retention/move-payloads.ts';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { createAccount } from '../support/account.ts';
import { runHere } from '../support/command.ts';
import { connectTestDatabase, createTestDatabase, testLog } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { loadRecords } from '../support/loads.ts';
import { waitFor } from '../support/process.ts';
import { startService, startWithKey } from '../support/service.ts';

/** A case whose office states how it looks for it. */
function caseOf(uid: string, mark_name: string, pseudo: string, more: object = {}): object {
  const statements = [{ code: 'GS0091', text: 'lamps' }, ...(pseudo === '' ? [] : [{ code: 'PM0001', text: pseudo }])];
  return { status: 'Registered', jurisdiction_code: 'US', uid, mark_name, payload: { statements }, ...more };
}

test('likeness compares pseudo marks unless they are switched off, and mark_name never finds them [I-48, I-12]', async (t) => {
  const service = await startService(t);
  const { key } = await service.issue({ products: ['records', 'analytics'] });
  await loadRecords(service.db, [
    caseOf('1', 'XPRS 4 U', 'EXPRESS FOR YOU', { mark_name_variants: ['Eilig'] }),
    // The same code of another register means something else.
    { ...caseOf('2', 'Quillfern', 'EXPRESS FOR YOU'), jurisdiction_code: 'XA' },
  ]);
  const find = async (query: string): Promise<[string, string, string][]> => {
    const answer = await service.call(`/analytics/v1/similar?${query}`, { key });
    assert.equal(answer.status, 200, answer.text);
    const { items } = answer.body as SimilarPage;
    return items.map(({ name, held_as, record }) => [record.uid, name, held_as]);
  };
  const found: [string, string, string] = ['1', 'express for you', 'pseudo_mark'];
  assert.deepEqual(await find('mark=express+for+you'), [found]);
  assert.deepEqual(await find('mark=express+for+you&strategies=equal,pseudo_mark'), [found]);
  assert.deepEqual(await find('mark=express+for+you&strategies=mark,variant'), []);
  assert.deepEqual(await find('mark=eilig&strategies=variant'), [['1', 'eilig', 'variant']]);
  assert.deepEqual(await find('mark=eilig&strategies=mark,pseudo_mark'), []);
  for (const query of ['mark_name=express+for+you', 'mark_name_startswith=express', 'mark_name_contains=press+for']) {
    const { body } = await service.call(`/v1/US/trademarks?${query}`, { key });
    assert.deepEqual((body as { items: unknown[] }).items, [], query);
  }
  const { body } = await service.call('/v1/US/trademarks?mark_name=eilig', { key });
  assert.equal((body as { items: unknown[] }).items.length, 1);
});

test('a watch for likeness is hit by a pseudo mark, says so, and leaves out texts that are switched off [I-48]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const put = (id: string, similar: object) =>
    service.call(`/v1/watches/${id}`, {
      key,
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: id, similar }),
    });
  assert.equal((await put('all', { mark: 'express for you' })).status, 200);
  const { body } = await put('marks', { mark: 'express for you', strategies: ['equal', 'mark'] });
  assert.equal(new URLSearchParams((body as WatchDetail).search!).get('strategies'), 'equal,mark');
  await loadRecords(service.db, [caseOf('1', 'XPRS 4 U', 'EXPRESS FOR YOU')]);
  while (await matchEvents(service.db, new WatchedSearches(testLog)));
  const hitsOf = async (id: string): Promise<unknown[]> => {
    const answer = await service.call(`/v1/watches/${id}/hits?since=2020-01-01T00:00:00Z`, { key });
    return (answer.body as WatchHitsPage).items.map(({ uid, likeness }) => [uid, likeness?.name, likeness?.held_as]);
  };
  assert.deepEqual(await hitsOf('all'), [['1', 'express for you', 'pseudo_mark']]);
  assert.deepEqual(await hitsOf('marks'), []);
  const preview = async (id: string) => (await service.call(`/v1/watches/${id}`, { key })).body as WatchDetail;
  assert.deepEqual([(await preview('all')).matches_now, (await preview('marks')).matches_now], [1, 0]);
  assert.equal((await preview('all')).months[0]!.events, 1, 'events of the past are compared in the same way');
});

/** Leaves records as a version left them that did not hold pseudo marks. */
async function forget(db: Database): Promise<void> {
  for (const { uid, mark_variants } of await db.query<{ uid: string; mark_variants: string | null }>(
    sql`select uid, mark_variants from record where mark_variants is not null`,
  )) {
    const variants = splitForms(mark_variants).variant.join('\u001f');
    await db.query(sql`update record set mark_variants = ${variants === '' ? null : variants} where uid = ${uid}`);
  }
  await db.query(sql`update publish_clock set pseudo_marks_held_at = null`);
}

const SEARCH = planSimilar(parseSimilar({ mark: 'express for you', strategies: 'pseudo_mark' }));

async function openIndex(t: TestContext, url: string, folder: string): Promise<LiveIndex> {
  const index = openLiveIndex({ url, folder, searchers: 1, clock: systemClock, log: testLog });
  t.after(() => index.close());
  await index.ready;
  return index;
}

async function findUids(index: LiveIndex): Promise<string[]> {
  let found: string[] = [];
  await waitFor(async () => {
    try {
      const { names } = await index.findAlike(SEARCH, { deadlineMs: systemClock.monotonicMs() + 60_000 });
      found = names.flatMap(({ records }) => records.map(({ uid }) => uid));
      return true;
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'names_unread');
      return false;
    }
  });
  return found.sort();
}

const dump = async (db: Database): Promise<unknown> => ({
  records: await db.query(sql`select uid, updated_at, content_digest, line_digest, source_digest, detail from record
    order by uid`),
  versions: await db.query(sql`select count(*) from record_version`),
  publishes: await db.query(
    sql`select jurisdiction_code, updated_at, record_count, digest from publish_digest order by 1, 2`,
  ),
  clock: await db.query(sql`select last_stamp, lineage from publish_clock`),
});

test('the pseudo marks of earlier loads are read from documents wherever they are, once, and no record changes by it [I-48, I-22]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const cases = Array.from({ length: 7 }, (_, at) =>
    caseOf(String(at), `Mark ${at}`, at % 2 === 0 ? `EXPRESS ${at}` : ''),
  );
  await loadRecords(db, [...cases, caseOf('v', 'XPRS', 'EXPRESS', { mark_name_variants: ['Eilig'] })]);
  const formsOf = async (): Promise<unknown[]> =>
    await db.query(sql`select uid, mark_variants from record where mark_variants is not null order by uid`);
  const published = await formsOf();
  assert.equal(published.length, 5);
  const moving = await connectTestDatabase(url, { poolMax: 3, statementTimeoutMs: 0 });
  await movePayloads({ db: moving, to: 'compressed' });
  await moving.close();
  await forget(db);
  assert.equal((await formsOf()).length, 1);
  const before = await dump(db);

  const ending = new AbortController();
  const asked = { db, clock: systemClock, isPatient: false, pageRowsMax: 2 };
  const ended = await holdPseudoMarks({ ...asked, signal: ending.signal, onProgress: () => ending.abort() });
  assert.deepEqual(ended, { kind: 'ended', read: 2, changed: 1 });
  assert.deepEqual(await holdPseudoMarks({ ...asked, isPatient: true }), { kind: 'done', read: 8, changed: 4 });
  assert.deepEqual(await formsOf(), published, 'as a publish writes them');
  assert.deepEqual(await holdPseudoMarks(asked), { kind: 'held' });
  assert.deepEqual(await dump(db), before);
  const report = await loadRecords(db, [caseOf('2', 'Mark 2', 'EXPRESS 2')]);
  assert.equal(report.unchanged, 1);
});

test('a record that is published while its document is read keeps what the publish wrote [I-48]', async (t) => {
  const { db } = await createTestDatabase(t);
  await loadRecords(db, [caseOf('1', 'Mark 1', 'EXPRESS'), caseOf('2', 'Mark 2', 'BEFORE')]);
  await forget(db);
  // The page is read; the publish follows before its records are changed.
  let isPublished = false;
  const slow: Database = Object.create(db);
  slow.transaction = async (work, options) => {
    if (!isPublished) await loadRecords(db, [caseOf('2', 'Mark 2', 'AFTER')]);
    isPublished = true;
    return await db.transaction(work, options);
  };
  const outcome = await holdPseudoMarks({ db: slow, clock: systemClock, isPatient: false });
  assert.deepEqual(outcome, { kind: 'done', read: 2, changed: 1 });
  const rows = await db.query<{ detail: string; mark_variants: string }>(
    sql`select detail, mark_variants from record order by uid`,
  );
  assert.deepEqual(
    rows.map(({ detail, mark_variants }) => [
      new RenderedContent(detail).mark_name,
      splitForms(mark_variants).pseudo_mark,
    ]),
    [
      ['Mark 1', ['express']],
      ['Mark 2', ['after']],
    ],
  );
});

test('an index takes the pseudo marks of earlier loads while it serves, and keeps them in its snapshot [I-48]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const folder = makeFolder(t);
  for (const uid of ['1', '2', '3']) await loadRecords(db, [caseOf(uid, `Mark ${uid}`, 'EXPRESS FOR YOU')]);
  await loadRecords(db, [caseOf('3', 'Mark three', 'EXPRESS FOR YOU'), caseOf('4', 'Mark 4', 'UNLIKE')]);
  await forget(db);
  await loadRecords(db, [caseOf('5', 'Mark 5', 'EXPRESS FOR YOU')]);
  const index = await openIndex(t, url, folder);
  assert.deepEqual(await findUids(index), ['5']);
  assert.equal((await holdPseudoMarks({ db, clock: systemClock, isPatient: false })).kind, 'done');
  await waitFor(async () => (await findUids(index)).length === 4);
  assert.deepEqual(await findUids(index), ['1', '2', '3', '5']);
  const [databaseId] = await readdir(folder);
  const snapshot = join(folder, databaseId!, 'snapshot.json');
  await waitFor(async () => /"pseudoMarksHeldAt":"2/.test(await readFile(snapshot, 'utf8').catch(() => '')));
  await loadRecords(db, [caseOf('1', 'Mark 1', 'NO LONGER'), caseOf('6', 'Mark 6', 'EXPRESS FOR YOU')]);
  await waitFor(async () => (await findUids(index)).join() === '2,3,5,6');
  await index.close();
  await db.query(sql`update record set mark_variants = null where uid in ('2', '3', '5')`);
  const opened = await openIndex(t, url, folder);
  assert.deepEqual(await findUids(opened), ['2', '3', '5', '6'], 'the snapshot holds them');
});

test('a server whose role may change no record leaves pseudo marks to tmds migrate', async (t) => {
  const { url, db } = await createTestDatabase(t);
  await loadRecords(db, [caseOf('1', 'Mark 1', 'EXPRESS')]);
  await forget(db);
  // What the role of servers may do is tested with it: tests that run in parallel share the roles of the cluster.
  const account = await createAccount(t, db, url);
  await db.session((session) => session.runScript(`grant select on all tables in schema public to ${account.name}`));
  const own = await connectTestDatabase(account.url, { poolMax: 1 });
  assert.deepEqual(await holdPseudoMarks({ db: own, clock: systemClock, isPatient: true }), { kind: 'withheld' });
  await own.close();
  const { stdout } = await runHere(['migrate'], { DATABASE_URL: url });
  assert.match(stdout, /read 1 payloads: 1 records have pseudo marks/);
});
