/** Liveness, the register list, and how a process stops. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusalOf, startService, startWithKey } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const STAMP = '2026-01-02T03:04:05.678901Z';

test('says ok with the version when a query can be answered, without a key [4.1, I-26]', async (t) => {
  const service = await startService(t);
  const answer = await service.call('/v1/health');
  assert.deepEqual([answer.status, answer.body], [200, { status: 'ok', version: '0.0.0-test' }]);
  assert.equal(answer.headers['x-ratelimit-limit'], undefined);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.deepEqual(refusalOf(await service.call('/v1/health?verbose=1')), {
    status: 400,
    code: 'unknown_parameter',
    param: 'verbose',
  });
});

test('says unavailable when the schema is missing [I-26]', async (t) => {
  const database = await createTestDatabase(t, { migrated: false });
  const service = await startService(t, { database });
  const answer = await service.call('/v1/health');
  assert.deepEqual([answer.status, refusalOf(answer).code], [503, 'unavailable']);
});

test('lists the registers by code with their counts and frontiers [2.5, 4.7, I-27]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const records = ['US', 'EM', 'XB', 'XA', 'XA'].map((jurisdiction_code, number) =>
    buildStored(buildSource({ jurisdiction_code, uid: `${number}` }), STAMP),
  );
  await storeRecords(service.db, records);
  await service.db.query(sql`
    update register set data_current_through = '2026-01-01T12:30:00.000001+02' where jurisdiction_code = 'XA'`);
  const answer = await service.call('/v1/jurisdictions', { key });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    items: [
      { jurisdiction_code: 'EM', record_count: 1, data_current_through: null },
      { jurisdiction_code: 'US', record_count: 1, data_current_through: null },
      { jurisdiction_code: 'XA', record_count: 2, data_current_through: '2026-01-01T10:30:00.000001Z' },
      { jurisdiction_code: 'XB', record_count: 1, data_current_through: null },
    ],
  });
});

test('lets calls in flight finish when it stops, and refuses new ones [I-9]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived: () => void = () => undefined;
  const inFlight = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const slow = {
    ...db,
    query: (async (statement, options) => {
      if (statement.text.includes('from register order by')) {
        arrived();
        await held;
      }
      return db.query(statement, options);
    }) as typeof db.query,
  };
  const { key, ...service } = await startWithKey(t, { database: { db: slow, url } });
  const first = service.call('/v1/jurisdictions', { key });
  await inFlight;
  const closing = service.app.close();
  const second = await service.call('/v1/usage', { key }).then(
    (answer) => refusalOf(answer).code,
    (error: NodeJS.ErrnoException) => error.code,
  );
  assert.ok(['unavailable', 'ECONNREFUSED', 'ECONNRESET'].includes(String(second)), String(second));
  release();
  const answer = await first;
  assert.deepEqual([answer.status, answer.headers.connection], [200, 'close']);
  await closing;
});
