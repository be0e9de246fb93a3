/** The payloads of a search are part of it: they are read within its limit, and for as long as somebody waits. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusalOf, startService, type TestService } from '../support/service.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const PATH = '/v1/XA/trademarks?expand=payload';

/**
 * A service whose payloads take an hour to be read, and whose database stops no statement on its own. The limit of the
 * search is long, and has nearly passed once they are read, so what everything before took is of no matter.
 */
async function startSlow(t: TestContext, readingMsMax: number): Promise<{ service: TestService; key: string }> {
  const { db, url } = await createTestDatabase(t, { statementTimeoutMs: 0 });
  const copyRows: Database['copyRows'] = (statement, limits) => {
    if (!statement.text.includes('left join payload on')) return db.copyRows(statement, limits);
    const limit = limits?.deadlineMs === undefined ? {} : { deadlineMs: systemClock.monotonicMs() + readingMsMax };
    return db.copyRows(sql`select pg_sleep(3600)::text`, { ...limits, ...limit });
  };
  const service = await startService(t, {
    database: { db: { ...db, copyRows }, url },
    config: { queryTimeoutSeconds: 60 },
  });
  await publishRecords(db, buildRecords(2, { payload: { text: 'small' } }));
  const { key } = await service.issue();
  return { service, key };
}

test('a search whose payloads are not read in time ends within its limit [I-35]', { timeout: 300_000 }, async (t) => {
  const { service, key } = await startSlow(t, 500);
  const refusal = refusalOf(await service.call(PATH, { key }));
  assert.deepEqual(refusal, { status: 503, code: 'unavailable', param: undefined });
});

test('a caller that leaves ends the reading of the payloads [I-35]', { timeout: 300_000 }, async (t) => {
  const { service, key } = await startSlow(t, 60_000);
  const countReading = async (): Promise<number> =>
    (
      await service.db.query(sql`
        select from pg_stat_activity where datname = current_database() and state = 'active'
          and query like '%pg_sleep(3600)%' and pid <> pg_backend_pid()`)
    ).length;
  const leaving = get(service.url + PATH, { headers: { 'x-api-key': key } });
  const left = once(leaving, 'error');
  while ((await countReading()) === 0);
  leaving.destroy(new Error('left'));
  await left;
  while ((await countReading()) > 0);
});
