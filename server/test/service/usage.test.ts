/** What a key learns about itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findKeySummary, issueKey, setKey } from '../../src/access/keys.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { refusalOf, startService, startWithKey } from '../support/service.ts';

test('reports every product of the key, this call included [4.2, I-25, I-28]', async (t) => {
  const service = await startService(t);
  const { id, key } = await issueKey(service.db, {
    customer: 'Acme',
    name: 'docketing',
    products: ['records', 'analytics'],
    rateLimitPerMinute: 600,
    quota: 100,
    actor: 'test',
  });
  const { created_at } = await findKeySummary(service.db, id);
  const [clock] = await service.db.query<{ month: string; resets_at: string }>(sql`
    select to_char(now() at time zone 'UTC', 'YYYY-MM') as month,
      to_char(date_trunc('month', now() at time zone 'UTC') + interval '1 month', 'YYYY-MM-DD') as resets_at`);
  await service.call('/v1/jurisdictions', { key });
  const answer = await service.call('/records/v1/usage', { key });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    month: clock!.month,
    resets_at: `${clock!.resets_at}T00:00:00.000000Z`,
    key: { id, name: 'docketing', created_at },
    products: [
      { product: 'records', calls: 2, quota: 100, remaining: 98, rate_limit_per_minute: 600 },
      { product: 'analytics', calls: 0, quota: 100, remaining: 100, rate_limit_per_minute: 600 },
    ],
  });
  await setKey(service.db, { id, products: ['records'], quota: null, actor: 'test' });
  const unlimited = (await service.call('/v1/usage', { key })).body as { products: unknown[] };
  assert.deepEqual(unlimited.products, [
    { product: 'records', calls: 3, quota: null, remaining: null, rate_limit_per_minute: 600 },
  ]);
});

test('shows a key only itself [4.2]', async (t) => {
  const service = await startService(t);
  const [one, two] = [await service.issue(), await service.issue()];
  for (const { key } of [one, one, two]) await service.call('/v1/usage', { key });
  const report = (await service.call('/v1/usage', { key: two.key })).body as {
    key: { id: string };
    products: { calls: number }[];
  };
  assert.deepEqual([report.key.id, report.products[0]?.calls], [two.id, 2]);
});

test('takes no parameter [4.2, 4.7, I-5]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  for (const path of ['/v1/usage', '/v1/jurisdictions']) {
    const answer = await service.call(`${path}?month=2026-10`, { key });
    assert.deepEqual(refusalOf(answer), { status: 400, code: 'unknown_parameter', param: 'month' });
  }
});
