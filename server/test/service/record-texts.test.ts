/** Texts of records that are kept for the next page: what is read for it, and that it is as current as any other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { Queryable } from '../../src/database/driver/db.ts';
import { findPublishState } from '../../src/database/readers/publish-state.ts';
import { Timing } from '../../src/http/call.ts';
import { findPage } from '../../src/http/search.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { RecordTexts } from '../../src/store/records/search.ts';
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
    const limits = { deadlineMs: systemClock.monotonicMs() + 60_000 };
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

test('a page of kept texts is shown without asking if the verdict saw no later publish than the index [4.3, I-41]', async (t) => {
  const { db } = await createTestDatabase(t);
  const publish = (uid: string): Promise<unknown> => publishRecords(db, [buildSource({ uid, nice_classes: [9] })]);
  await publish('A1');
  const texts = new RecordTexts();
  const index = openLocalIndex(db);
  let asked = 0;
  const database: Queryable = {
    ...db,
    query: async <Row>(...call: Parameters<Queryable['query']>) => {
      asked += 1;
      return await db.query<Row>(...call);
    },
  };
  const plan = planSearch(parseSearch({ nice_class: '9', sort: 'updated_at', order: 'asc' }, null));
  const find = async (lastStamp?: () => Promise<string | null>): Promise<{ uids: string[]; asked: number }> => {
    asked = 0;
    const limits = { deadlineMs: systemClock.monotonicMs() + 60_000, lastStamp };
    const { items } = await findPage(plan, { index, database, texts }, limits, new Timing(systemClock));
    return { uids: (JSON.parse(`[${items}]`) as { uid: string }[]).map(({ uid }) => uid), asked };
  };
  const readStamp = async (): Promise<string> => (await findPublishState(db)).lastStamp;

  // The text is not kept yet.
  assert.notEqual((await find(readStamp)).asked, 0);
  assert.deepEqual(await find(readStamp), { uids: ['A1'], asked: 0 });
  // Without a verdict, and without an answer to it.
  assert.deepEqual(await find(), { uids: ['A1'], asked: 1 });
  assert.deepEqual(await find(async () => null), { uids: ['A1'], asked: 1 });

  // A publish that the verdict saw and the index did not.
  await publish('A2');
  const behind = await find(readStamp);
  assert.deepEqual(behind.uids, ['A1', 'A2']);
  assert.ok(behind.asked > 0);
  assert.deepEqual(await find(readStamp), { uids: ['A1', 'A2'], asked: 0 });

  // A publish after the verdict, which the index has seen: what it shows may not be visible everywhere yet.
  const early = await readStamp();
  await publish('A3');
  assert.deepEqual((await find()).uids, ['A1', 'A2', 'A3']);
  assert.deepEqual(await find(async () => early), { uids: ['A1', 'A2', 'A3'], asked: 1 });
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
