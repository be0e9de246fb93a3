/** The table of numbers of a replica in SQLite: made for an existing replica in batches, and kept by every save. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isFull } from '../../server/test/support/depth.ts';
import { makeFolder } from '../../server/test/support/folder.ts';
import { TrademarkClient } from '../src/client.ts';
import { listNumberForms } from '../src/main.ts';
import { repair } from '../src/replica/repair.ts';
import { replicate } from '../src/replica/replicate.ts';
import { openSqliteSink } from '../src/replica/sqlite.ts';
import { openSqlite, type SqliteDatabase } from '../src/replica/sqlite-driver.ts';
import { verify } from '../src/replica/verify.ts';
import { buildRecord } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, HORIZON_MS } from './support/service.ts';

async function setScene(t: TestContext) {
  const folder = makeFolder(t);
  const file = join(folder, 'marks.db');
  const service = buildService({ build: buildRecord });
  const clock = buildSimulatedClock();
  const client = new TrademarkClient({ apiKey: 'k', baseUrl: 'https://x', fetch: service.fetch, clock });
  /** As a new process does. */
  const follow = async (): Promise<void> => {
    service.advance(HORIZON_MS);
    const sink = await openSqliteSink(file);
    await replicate({ client, sink, clock });
    await sink.close();
  };
  return { file, service, client, follow };
}

const listNumbers = (db: SqliteDatabase, uid: string): string[] =>
  (
    db.prepare('select kind, number from trademark_numbers where uid = ? order by kind, number').all(uid) as {
      kind: string;
      number: string;
    }[]
  ).map(({ kind, number }) => `${kind} ${number}`);

test('a replica files each number of a record in the form that searches compare [I-11, I-33, I-50]', async (t) => {
  const { file, service, follow } = await setScene(t);
  const international = ['WO0001234567A', '1234567a'];
  service.publish([
    { uid: 'a', application_number: 'ab-12/3', registration_number: '0456', international_registration_numbers: null },
    { uid: 'b', application_number: null, international_registration_numbers: international },
  ]);
  await follow();
  const db = await openSqlite(file);
  t.after(() => db.close());
  assert.deepEqual(listNumbers(db, 'a'), ['application_number AB-12/3', 'registration_number 456']);
  assert.deepEqual(listNumbers(db, 'b'), ['international_registration_number 1234567A']);
  assert.ok(listNumberForms('US', 'ab-12/3').includes('AB-12/3'));

  service.publish([{ uid: 'a', application_number: '97/1', registration_number: null }]);
  await follow();
  assert.deepEqual(listNumbers(db, 'a'), ['application_number 97/1']);
  const plan = db.prepare("explain query plan select uid from trademark_numbers where number = '97/1'").all();
  assert.match(JSON.stringify(plan), /SEARCH trademark_numbers USING PRIMARY KEY/);
  for (const name of ['application_number', 'registration_number']) {
    const where = `${name} = '97/1'`;
    const found = db.prepare(`explain query plan select uid from trademarks where ${where}`).all();
    assert.match(JSON.stringify(found), new RegExp(`USING INDEX trademarks_${name}`));
  }
});

test('a replica without the table gets it when it first follows, in batches, also after a kill between two', async (t) => {
  const { file, service, client, follow } = await setScene(t);
  // One more than a batch; every day one batch.
  const count = isFull ? 10_001 : 600;
  service.publish(Array.from({ length: count }, (_, at) => ({ uid: `U${at}`, application_number: `N${at}` })));
  await follow();
  const db = await openSqlite(file);
  t.after(() => db.close());
  const countNumbers = (table: string): number =>
    (db.prepare(`select count(*) as rows from ${table}`).all() as { rows: number }[])[0]!.rows;
  db.exec('drop table trademark_numbers');
  await follow();
  assert.equal(countNumbers('trademark_numbers'), count);

  // As a process leaves it that was killed after the first batch, and an older program that does not know the table.
  db.exec(`alter table trademark_numbers rename to trademark_numbers_unfinished;
    delete from trademark_numbers_unfinished where uid > 'U5';
    update trademark_numbers_unfinished set number = 'OLD' where uid = 'U1'`);
  service.publish([{ uid: 'U1', application_number: 'NEW' }]);
  await follow();
  assert.equal(countNumbers('trademark_numbers'), count);
  assert.deepEqual(listNumbers(db, 'U1'), ['application_number NEW']);
  assert.throws(() => countNumbers('trademark_numbers_unfinished'), /no such table/);

  const sink = await openSqliteSink(file);
  t.after(() => sink.close());
  assert.equal((await verify({ client, sink })).equal, true);
  db.exec("update trademarks set application_number = 'N' where uid = 'U2'");
  const { differences, derived } = await verify({ client, sink });
  assert.deepEqual(
    [differences.length, derived.at(-1)],
    [1, { table: 'trademark_numbers', rows: count, missing: 1, extra: 1 }],
  );
  await repair({ client, sink, differences });
  assert.equal((await verify({ client, sink })).equal, true);
});
