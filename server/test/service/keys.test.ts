/** What operators do to keys, and what that means for callers. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { findKeySummary, issueKey, revokeKey, rotateKey, setKey } from '../../src/access/keys.ts';
import { digestText } from '../../src/access/secret.ts';
import { systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { listAudit, listCustomers } from '../../src/store/accounts/customers.ts';
import { CALLS_PAGE, listCallHours, listCalls } from '../../src/store/accounts/portal-calls.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { refusalOf, startService, type TestAnswer } from '../support/service.ts';

const ANY_CALL = {
  keyId: null,
  hours: 2,
  outcome: null,
  status: null,
  code: null,
  param: null,
  path: null,
  requestId: null,
  units: null,
  durationMsMin: null,
} as const;

const revoked = { status: 403, code: 'key_revoked', param: undefined };
const unauthorized = { status: 401, code: 'unauthorized', param: undefined };

/** Time that only ends when somebody stops waiting. */
function waitForAbort(_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

test('reads X-API-Key first, then a Bearer token, and refuses two different keys [5.2, I-4]', async (t) => {
  const service = await startService(t);
  const [one, two] = [await service.issue(), await service.issue()];
  const call = (headers: Record<string, string>): Promise<TestAnswer> => service.call('/v1/usage', { headers });
  const accepted: Record<string, string>[] = [
    { 'x-api-key': one.key },
    { authorization: `Bearer ${one.key}` },
    { authorization: `bearer   ${one.key}` },
    { 'x-api-key': one.key, authorization: `Bearer ${one.key}` },
    { 'x-api-key': '', authorization: `Bearer ${one.key}` },
    { 'x-api-key': one.key, authorization: 'Basic eDp5' },
    { 'x-api-key': one.key, authorization: 'Bearer' },
  ];
  for (const headers of accepted) assert.equal((await call(headers)).status, 200, JSON.stringify(headers));
  const refused: Record<string, string>[] = [
    {},
    { 'x-api-key': '' },
    { authorization: one.key },
    { authorization: 'Bearer ' },
    { authorization: `Token ${one.key}` },
    { 'x-api-key': one.key, authorization: `Bearer ${two.key}` },
    { 'x-api-key': one.key.slice(0, -1) },
    { 'x-api-key': `${one.key},${one.key}` },
    { 'x-api-key': 'x'.repeat(10_000) },
  ];
  for (const headers of refused) {
    const answer = await call(headers);
    assert.deepEqual(refusalOf(answer), unauthorized, JSON.stringify(headers));
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
  }
});

test('refuses a well-formed key that was never issued [5.6]', async (t) => {
  const [service, other] = [await startService(t), await startService(t)];
  const { key } = await other.issue();
  assert.deepEqual(refusalOf(await service.call('/v1/usage', { key })), unauthorized);
  assert.deepEqual(refusalOf(await service.call('/v1/nothing', { key })), unauthorized);
});

test('refuses a revoked key everywhere, at once [5.6, I-30]', async (t) => {
  const service = await startService(t);
  const { id, key } = await service.issue({ products: ['records', 'analytics'] });
  assert.equal((await service.call('/v1/usage', { key })).status, 200);
  await revokeKey(service.db, { id, actor: 'test' });
  assert.deepEqual(refusalOf(await service.call('/v1/usage', { key })), revoked);
  assert.deepEqual(refusalOf(await service.call('/v1/usage?q=1', { key })), revoked);
});

test('takes back a revocation within a second on paths that are not metered [5.6, I-30]', async (t) => {
  let nowMs = 0;
  const clock = { ...systemClock, nowMs: () => nowMs, monotonicMs: () => nowMs, sleep: waitForAbort };
  const service = await startService(t, { clock });
  const { id, key } = await service.issue({ products: ['records', 'analytics'] });
  assert.equal((await service.call('/analytics/v1/x', { key })).status, 404);
  await revokeKey(service.db, { id, actor: 'test' });
  nowMs += 1000;
  assert.deepEqual(refusalOf(await service.call('/analytics/v1/x', { key })), revoked);
  assert.deepEqual(refusalOf(await service.call('/v1/nothing', { key })), revoked);
});

test('keeps the old key alive through the grace of a rotation, and usage with the key [5.4]', async (t) => {
  const service = await startService(t);
  const first = await service.issue({ quota: 4 });
  const call = async (key: string): Promise<unknown> => {
    const answer = await service.call('/v1/usage', { key });
    return answer.status === 200 ? 200 : refusalOf(answer).code;
  };
  const second = await rotateKey(service.db, { id: first.id, graceSeconds: 3600, actor: 'test' });
  assert.equal(second.id, first.id);
  assert.deepEqual([await call(first.key), await call(second.key)], [200, 200]);
  await service.db.query(sql`update key_secret set ends_at = now() where key_id = ${first.id} and number = 1`);
  assert.deepEqual([await call(first.key), await call(second.key)], ['key_revoked', 200]);
  const third = await rotateKey(service.db, { id: first.id, graceSeconds: 0, actor: 'test' });
  assert.deepEqual([await call(second.key), await call(third.key)], ['key_revoked', 200]);
  assert.equal(await call(third.key), 'quota_exceeded', 'rotation must not reset the quota');
});

test('products of a key are named in one option or in several, and none of them is lost', async (t) => {
  const { url } = await createTestDatabase(t);
  const settings = { DATABASE_URL: url, TMDS_DATA_DIR: join(makeFolder(t), 'data') };
  const issue = async (...products: string[]): Promise<string[]> => {
    const { stdout } = await runHere(['key', 'issue', '--customer', 'Acme', '--json', ...products], settings);
    return (JSON.parse(stdout) as { products: string[] }).products;
  };
  assert.deepEqual(await issue(), ['records']);
  assert.deepEqual(await issue('--product', 'records,analytics'), ['records', 'analytics']);
  assert.deepEqual(await issue('--product', 'analytics', '--product', 'records'), ['analytics', 'records']);
  const wrong = await runHere(
    ['key', 'issue', '--customer', 'Acme', '--product', 'records', '--product', 'all'],
    settings,
  );
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
});

test('writes every change with who, when and what, and never a secret [5.4]', async (t) => {
  const service = await startService(t);
  const { db } = service;
  const order = { customer: 'Acme', name: 'docket', products: ['records'] as const, quota: 5, actor: 'anna' };
  const issued = await issueKey(db, order);
  await setKey(db, { id: issued.id, actor: 'ben', products: ['records', 'analytics'], rateLimitPerMinute: 7 });
  const rotated = await rotateKey(db, { id: issued.id, graceSeconds: 60, actor: 'carl' });
  await revokeKey(db, { id: issued.id, actor: 'dora' });
  const audit = await listAudit(db, issued.id);
  assert.deepEqual(
    audit.map(({ actor, action, change }) => [actor, action, change]),
    [
      ['anna', 'key.issue', { name: 'docket', products: ['records'], rate_limit_per_minute: 60_000, quota: 5 }],
      ['ben', 'key.set', { products: ['records', 'analytics'], rateLimitPerMinute: 7 }],
      ['carl', 'key.rotate', { grace_seconds: 60 }],
      ['dora', 'key.revoke', {}],
    ],
  );
  const summary = await findKeySummary(db, issued.id);
  assert.deepEqual(summary.products, [
    { product: 'records', rate_limit_per_minute: 7, quota: 5 },
    { product: 'analytics', rate_limit_per_minute: 7, quota: null },
  ]);
  assert.equal((await listCustomers(db)).find((customer) => customer.name === 'Acme')?.keys, 1);
  const secrets = [issued.key, rotated.key].map((key) => key.split('_')[2]!);
  const text = JSON.stringify([audit, summary]);
  for (const secret of secrets) assert.ok(!text.includes(secret));
  await assert.rejects(revokeKey(db, { id: 'nobody', actor: 'test' }), /there is no key nobody/);
  await assert.rejects(rotateKey(db, { id: issued.id, graceSeconds: 0, actor: 'test' }), /is revoked/);
});

test('keeps keys out of logs and answers [5.4]', async (t) => {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const service = await startService(t, { log: buildLog({ level: 'trace', destination }) });
  const { id, key } = await service.issue({ quota: 1 });
  const answers: TestAnswer[] = [];
  for (const path of ['/v1/usage', '/v1/usage', '/v1/usage?q=1', '/v1/nothing', '/v1/%zz']) {
    answers.push(
      await service.call(path, { key }),
      await service.call(path, { headers: { authorization: `Bearer ${key}` } }),
    );
  }
  const text = lines.join('') + JSON.stringify(answers);
  assert.ok(text.includes(id) && lines.length > 0);
  const digest = digestText(key);
  for (const secret of [key.split('_')[2]!, digest.toString('hex'), digest.toString('base64')]) {
    assert.ok(!text.includes(secret));
  }
});

test('lists every call of a key, and counts refusals by day and reason [5.4]', async (t) => {
  const database = await createTestDatabase(t);
  const stop: (() => Promise<void>)[] = [];
  const service = await startService({ after: (work) => void stop.push(work) }, { database });
  const { id, key } = await service.issue();
  for (let call = 0; call < 60; call += 1) await service.call(`/v1/usage?nonsense${call}=1`, { key });
  const last = await service.call('/v1/changes', { key });
  await service.call('/v1/XA/trademarks/none', { key });
  await service.call('/v1/nowhere', { key });
  const served = await service.call('/records/v1/jurisdictions?', { key });
  for (const work of stop) await work();
  const [owner] = await database.db.query<{ customer_id: string }>(
    sql`select customer_id from access_key where key_id = ${id}`,
  );
  const calls = await listCalls(database.db, { ...ANY_CALL, customerId: owner!.customer_id }, null);
  assert.equal(calls.length, CALLS_PAGE + 1);
  const told = calls.map(({ at: _at, duration_ms: _ms, request_id: _id, key_id: _key, ...call }) => call);
  const refused = { product: 'records', status: 400, units: 0 };
  assert.deepEqual(told.slice(0, 4), [
    {
      product: 'records',
      path: '/records/v1/jurisdictions?',
      status: 200,
      units: 1,
      code: null,
      param: null,
      message: null,
    },
    { ...refused, path: '/v1/nowhere', status: 404, code: 'not_found', param: null, message: told[1]?.message },
    {
      ...refused,
      path: '/v1/XA/trademarks/none',
      status: 404,
      units: 1,
      code: 'not_found',
      param: 'jurisdiction_code',
      message: told[2]?.message,
    },
    {
      ...refused,
      path: '/v1/changes',
      status: last.status,
      code: 'validation_error',
      param: 'since',
      message: (last.body as { error: { message: string } }).error.message,
    },
  ]);
  const [first] = calls;
  assert.match(first!.at, /^\d{4}-\d\d-\d\dT[\d:.]{15}Z$/);
  assert.equal(first!.request_id, served.headers['x-request-id']);
  assert.ok(first!.duration_ms > 0);
  const days = await database.db.query(sql`select code, calls::int as calls from refusal_day order by code`);
  assert.deepEqual(days, [
    { code: 'unknown_parameter', calls: 60 },
    { code: 'validation_error', calls: 1 },
  ]);
  const hours = await listCallHours(database.db, { customerId: owner!.customer_id, keyId: id, hours: 2 });
  const sum = (name: 'calls' | 'refused' | 'listed'): number => hours.reduce((all, hour) => all + hour[name], 0);
  assert.deepEqual([sum('calls'), sum('refused'), sum('listed')], [64, 61, 64]);
});
