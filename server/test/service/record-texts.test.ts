/** Texts of records that are kept for the next page: what is read for it, and that it is as current as any other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { Queryable } from '../../src/database/driver/db.ts';
import type { SearchIndex } from '../../src/follow/live-index.ts';
import { Timing } from '../../src/http/call.ts';
import { findPage } from '../../src/http/search.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { LastStamps, RecordTexts } from '../../src/store/records/search.ts';
import { createTestDatabase } from '../support/database.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { buildSource } from '../support/source.ts';
import { publishRecords } from '../torture/publish.ts';

const versionOf = (uid: string, second: number) => ({
  jurisdiction_code: 'XA',
  uid,
  updated_at: `2026-01-01T00:00:0${second}.000000Z`,
});

test('a page reads the records that have no text kept, and shows every publish before it [4.3, I-41]', async (t) => {
  const { db } = await createTestDatabase(t);
  const publish = (uid: string, mark_name: string): Promise<unknown> =>
    publishRecords(db, [buildSource({ uid, mark_name, nice_classes: [9], owner_names: ['商标'] })]);
  for (const uid of ['A1', 'A2', 'A3']) await publish(uid, 'first');
  const texts = new RecordTexts();
  const index = openLocalIndex(db);
  let read = 0;
  const database: Queryable = {
    ...db,
    query: async <Row>(...call: Parameters<Queryable['query']>) => {
      const rows = await db.query<Row>(...call);
      read += (rows as { text?: string | null }[]).filter(({ text }) => typeof text === 'string').length;
      return rows;
    },
  };
  const find = async (): Promise<{ names: string[]; read: number }> => {
    read = 0;
    const plan = planSearch(parseSearch({ nice_class: '9', sort: 'updated_at', order: 'desc' }, null));
    const limits = { deadlineMs: systemClock.monotonicMs() + 10_000 };
    const { items } = await findPage(plan, { index, database, texts }, limits, new Timing(systemClock));
    const found = JSON.parse(`[${items}]`) as { uid: string; mark_name: string }[];
    return { names: found.map(({ uid, mark_name }) => `${uid} ${mark_name}`), read };
  };
  assert.deepEqual(await find(), { names: ['A3 first', 'A2 first', 'A1 first'], read: 3 });
  assert.deepEqual(await find(), { names: ['A3 first', 'A2 first', 'A1 first'], read: 0 });
  await publish('A1', 'second');
  // The first search has not seen the publish: its texts are all kept, and none of them is shown.
  assert.deepEqual(await find(), { names: ['A1 second', 'A3 first', 'A2 first'], read: 1 });
  await publish('A4', 'first');
  assert.deepEqual((await find()).names, ['A4 first', 'A1 second', 'A3 first', 'A2 first']);
});

test('what a search asked of the last stamp proves for those that began before it asked, and no others [4.3, I-41]', async (t) => {
  const { db } = await createTestDatabase(t);
  const publish = (uid: string): Promise<unknown> => publishRecords(db, [buildSource({ uid, nice_classes: [9] })]);
  await publish('A1');
  const texts = new RecordTexts();
  const stamps = new LastStamps();
  const local = openLocalIndex(db);
  let asked = 0;
  /** A search that stops when it has matched, and when the database has answered, until it may go on. */
  const begin = (mayFetch: Promise<unknown> = Promise.resolve(), mayTake: Promise<unknown> = Promise.resolve()) => {
    const held = { matched: () => {}, answered: () => {} };
    const matched = new Promise<void>((resolve) => (held.matched = resolve));
    const answered = new Promise<void>((resolve) => (held.answered = resolve));
    const index: SearchIndex = {
      ...local,
      search: async (query, limits) => {
        const found = await local.search(query, limits);
        held.matched();
        await mayFetch;
        return found;
      },
    };
    const database: Queryable = {
      ...db,
      query: async <Row>(...call: Parameters<Queryable['query']>) => {
        asked += 1;
        const rows = await db.query<Row>(...call);
        held.answered();
        await mayTake;
        return rows;
      },
    };
    const plan = planSearch(parseSearch({ nice_class: '9', sort: 'updated_at', order: 'asc' }, null));
    const limits = { deadlineMs: systemClock.monotonicMs() + 10_000 };
    const page = findPage(plan, { index, database, texts, stamps }, limits, new Timing(systemClock));
    const uids = page.then(({ items }) => (JSON.parse(`[${items}]`) as { uid: string }[]).map(({ uid }) => uid));
    return { matched, answered, uids };
  };
  assert.deepEqual(await begin().uids, ['A1']);

  // Asked after the other began: one statement for two pages, also if a publish commits before the second is shown.
  const toShare = holdUntilTold();
  const sharing = begin(toShare.told);
  await sharing.matched;
  asked = 0;
  assert.deepEqual(await begin().uids, ['A1']);
  await publish('A2');
  toShare.tell();
  assert.deepEqual(await sharing.uids, ['A1']);
  assert.equal(asked, 1);

  // Asked before the other began, whose index has not seen the publish either.
  assert.deepEqual(await begin().uids, ['A1', 'A2']);

  // Asked before the publish and the other, answered after both.
  const toTake = holdUntilTold();
  const early = begin(undefined, toTake.told);
  await early.answered;
  await publish('A3');
  const toFetch = holdUntilTold();
  const late = begin(toFetch.told);
  await late.matched;
  toTake.tell();
  assert.deepEqual(await early.uids, ['A1', 'A2']);
  toFetch.tell();
  assert.deepEqual(await late.uids, ['A1', 'A2', 'A3']);

  // Asked after the other began, and after a publish that the other has not matched.
  const toLearn = holdUntilTold();
  const behind = begin(toLearn.told);
  await behind.matched;
  await publish('A4');
  assert.deepEqual(await begin().uids, ['A1', 'A2', 'A3', 'A4']);
  toLearn.tell();
  assert.deepEqual(await behind.uids, ['A1', 'A2', 'A3', 'A4']);
});

function holdUntilTold(): { readonly told: Promise<void>; readonly tell: () => void } {
  let tell = (): void => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { told, tell };
}

test('a stamp is of the statement that was sent last, whichever was answered last', () => {
  const stamps = new LastStamps();
  const begun = stamps.mark();
  const [first, second] = [stamps.mark(), stamps.mark()];
  assert.equal(stamps.findSince(begun), null);
  stamps.note(second, '2026-01-01T00:00:02.000000Z');
  stamps.note(first, '2026-01-01T00:00:01.000000Z');
  assert.equal(stamps.findSince(begun), '2026-01-01T00:00:02.000000Z');
  assert.equal(stamps.findSince(second), null);
  assert.equal(stamps.findSince(stamps.mark()), null);
});

test('a kept text is of one version', () => {
  const texts = new RecordTexts();
  texts.keep(versionOf('A1', 1), Buffer.from('one'));
  assert.equal(texts.find(versionOf('A1', 1))?.toString(), 'one');
  assert.equal(texts.find(versionOf('A1', 2)), undefined);
  texts.keep(versionOf('A1', 2), Buffer.from('two'));
  assert.equal(texts.find(versionOf('A1', 2))?.toString(), 'two');
  assert.equal(texts.find(versionOf('A1', 1)), undefined);
});

test('kept texts stay within their bytes, whatever their number and size', () => {
  const texts = new RecordTexts(10_000);
  const uids = Array.from({ length: 100 }, (_, number) => `A${number}`);
  for (const uid of uids) texts.keep(versionOf(uid, 1), Buffer.alloc(600));
  const kept = uids.filter((uid) => texts.find(versionOf(uid, 1)) !== undefined);
  assert.ok(kept.length <= 16, 'as many as fit');
  assert.equal(kept.at(-1), 'A99', 'the last ones');
  texts.keep(versionOf('large', 1), Buffer.alloc(20_000));
  assert.equal(texts.find(versionOf('large', 1)), undefined);
});
