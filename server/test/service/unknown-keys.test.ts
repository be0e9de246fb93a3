/** Callers who try keys: what they get, and that nobody pays for it who shares their address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAuthenticator } from '../../src/access/authenticate.ts';
import { issueKey } from '../../src/access/keys.ts';
import { buildKeyId, buildKeyText } from '../../src/access/secret.ts';
import { limitUnknownKeys } from '../../src/access/unknown-keys.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { ApiError } from '../../src/base/errors.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusalOf, startService } from '../support/service.ts';

const HERE = '192.0.2.7';
const MAX = 3;

/** The text of a key that was never issued, with a right checksum. */
function unknownKey(): Record<string, string> {
  return { 'x-api-key': buildKeyText(buildKeyId()).text };
}

async function issue(db: Database): Promise<Record<string, string>> {
  const order = { customer: 'Example', name: null, products: ['records'] as const, actor: 'test' };
  return { 'x-api-key': (await issueKey(db, order)).key };
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'served',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );
}

test('unknown keys above the limit of their network have to wait, and the next minute is a new one', async (t) => {
  const { db } = await createTestDatabase(t);
  let nowMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs };
  const { authenticate } = buildAuthenticator({ database: db, clock, unknownKeys: limitUnknownKeys(clock, MAX) });
  const tryFrom = (address: string): Promise<string> => codeOf(authenticate({ headers: unknownKey(), ip: address }));
  const codes: string[] = [];
  for (let tries = 0; tries < MAX + 2; tries += 1) codes.push(await tryFrom(`2001:db8::${tries}`));
  assert.deepEqual(codes, [...Array(MAX).fill('unauthorized'), 'rate_limited', 'rate_limited']);
  assert.equal(await tryFrom(HERE), 'unauthorized');
  nowMs = 59_999;
  const refusal = await authenticate({ headers: unknownKey(), ip: '2001:db8::1' }).catch(
    (error: ApiError) => error.headers,
  );
  assert.deepEqual(refusal, { 'retry-after': '1', 'x-ratelimit-limit': String(MAX), 'x-ratelimit-remaining': '0' });
  nowMs = 60_000;
  assert.equal(await tryFrom('2001:db8::1'), 'unauthorized');
});

test('a valid key is served at an address that has tried too many, known or not', async (t) => {
  const { db } = await createTestDatabase(t);
  const [known, fresh] = [await issue(db), await issue(db)];
  const { authenticate, identify } = buildAuthenticator({
    database: db,
    clock: systemClock,
    unknownKeys: limitUnknownKeys(systemClock, MAX),
  });
  assert.equal(await codeOf(authenticate({ headers: known, ip: HERE })), 'served');
  for (let tries = 0; tries <= MAX; tries += 1) await codeOf(authenticate({ headers: unknownKey(), ip: HERE }));
  const tried = Array.from({ length: 50 }, () => codeOf(authenticate({ headers: unknownKey(), ip: HERE })));
  assert.equal(await codeOf(Promise.resolve(identify({ headers: known, ip: HERE }))), 'served');
  assert.equal(await codeOf(authenticate({ headers: fresh, ip: HERE })), 'served');
  assert.deepEqual(new Set(await Promise.all(tried)), new Set(['rate_limited']));
});

test('above the limit, keys are looked up one after the other, and no more than a hundred wait', async (t) => {
  const { db } = await createTestDatabase(t);
  let running = 0;
  let runningMax = 0;
  const counted: Database = {
    ...db,
    query: async (statement, options) => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      return await db.query<never>(statement, options).finally(() => {
        running -= 1;
      });
    },
  };
  const unknownKeys = limitUnknownKeys(systemClock, 0);
  const { authenticate } = buildAuthenticator({ database: counted, clock: systemClock, unknownKeys });
  await codeOf(authenticate({ headers: unknownKey(), ip: HERE }));
  runningMax = 0;
  const codes = await Promise.all(
    Array.from({ length: 150 }, () => codeOf(authenticate({ headers: unknownKey(), ip: HERE }))),
  );
  assert.deepEqual([runningMax, new Set(codes)], [1, new Set(['rate_limited'])]);
});

test('keys that cost no query are not counted, and hundreds of unknown ones a minute get 401 [I-1]', async (t) => {
  const service = await startService(t);
  const statuses = new Set<number>();
  for (let round = 0; round < 12; round += 1) {
    const malformed = Array.from({ length: 60 }, () => service.call('/v1/jurisdictions', { key: 'tmds_nonsense' }));
    const unknown = Array.from({ length: 40 }, () => service.call('/v1/jurisdictions', { headers: unknownKey() }));
    for (const { status } of await Promise.all([...malformed, ...unknown])) statuses.add(status);
  }
  assert.deepEqual([...statuses], [401]);
  const { key } = await service.issue();
  const over = await Promise.all(
    Array.from({ length: 150 }, () => service.call('/v1/usage', { headers: unknownKey() })),
  );
  const refused = over.filter(({ status }) => status === 429);
  assert.deepEqual(refusalOf(refused[0]!), { status: 429, code: 'rate_limited', param: undefined });
  assert.equal((await service.call('/v1/usage', { key })).status, 200);
});
