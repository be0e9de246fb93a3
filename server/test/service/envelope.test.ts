/** Identities of every shape, and the one envelope of everything that is not 2xx. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { apiError } from '../../src/base/errors.ts';
import { NoAnswer, type NoAnswerCode } from '../../src/base/no-answer.ts';
import { renderFailure, toApiError } from '../../src/render/failure.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusalOf, startService, startWithKey } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, renderDetail, storeRecords } from '../support/stored.ts';

const STAMP = '2026-01-02T03:04:05.678901Z';
const UIDS = [
  'a/b',
  '/',
  'a//b/',
  '.',
  '..',
  '../../v1/health',
  'a b',
  ' ',
  '%',
  '%2F',
  '%252F',
  'a+b',
  'a?b=c&d',
  'a#b',
  'a;b',
  'a:b',
  '商标/注册.1',
  'é',
  '🙂',
  "'; drop table record; --",
  '*',
  ':register',
  'ß'.repeat(500),
];

test('finds a record by any uid, byte for byte after percent-decoding [2.1, 4.5, I-24]', async (t) => {
  const service = await startService(t);
  const stored = UIDS.map((uid) => buildStored(buildSource({ uid, payload: { of: uid } }), STAMP));
  await storeRecords(service.db, stored);
  const { key } = await service.issue();
  for (const record of stored) {
    const { uid } = record.record;
    const path = `/v1/xa/trademarks/${uid === '.' || uid === '..' ? uid : encodeURIComponent(uid)}`;
    const plain = await service.call(path, { key });
    assert.deepEqual([plain.status, plain.text], [200, renderDetail(record)], uid);
    const expanded = await service.call(`${path}?expand=payload`, { key });
    const body = { ...JSON.parse(renderDetail(record)), payload: { of: uid } };
    assert.deepEqual(expanded.body, body, uid);
  }
  for (const uid of ['A%2Fb', 'a%2Fb%20', 'e%CC%81', '%2e%2e%00', '%00', 'x'.repeat(10_000)]) {
    const answer = await service.call(`/v1/XA/trademarks/${uid}`, { key });
    assert.deepEqual(refusalOf(answer), { status: 404, code: 'not_found', param: undefined }, uid);
  }
});

test('a look-up says whether the register or the record is missing [4.5]', async (t) => {
  const service = await startService(t);
  await storeRecords(service.db, [buildStored(buildSource({ uid: 'XA1' }), STAMP)]);
  const { key } = await service.issue();
  const messageOf = async (path: string): Promise<string> => {
    const answer = await service.call(path, { key });
    assert.deepEqual([answer.status, refusalOf(answer).code], [404, 'not_found'], path);
    return (answer.body as { error: { message: string } }).error.message;
  };
  const noRegister = 'No register of this code is served; /v1/jurisdictions lists those that are.';
  const noRecord = 'The register XA has no record of this uid; send the uid as delivered, percent-encoded.';
  const version = 'history/2026-01-01T00:00:00Z';
  for (const end of ['', '?expand=payload', '/history', `/${version}`]) {
    assert.equal(await messageOf(`/v1/ZZ/trademarks/XA1${end}`), noRegister, end);
    assert.equal(await messageOf(`/v1/Z%00/trademarks/XA1${end}`), noRegister, end);
    assert.equal(await messageOf(`/v1/xa/trademarks/XA2${end}`), noRecord, end);
    assert.equal(await messageOf(`/v1/XA/trademarks/XA%00${end}`), noRecord, end);
  }
  assert.equal(
    await messageOf(`/v1/XA/trademarks/XA1/${version}`),
    'The record has no version of this instant; its history lists those it has.',
  );
});

test('answers 404 for a register that is not served, whatever is put for it [4.3, 4.5, I-11]', async (t) => {
  const service = await startService(t);
  await storeRecords(service.db, [buildStored(buildSource({}), STAMP)]);
  const { key } = await service.issue();
  for (const register of [
    'ZZ',
    'x%20a',
    '%00',
    'XA%00',
    '..',
    '%E5%95%86',
    "xa'--",
    '%C3%9F',
    'x'.repeat(9000),
    '%2F',
  ]) {
    for (const rest of ['trademarks', 'trademarks/XA1', 'changes?since=2026-01-01']) {
      const answer = await service.call(`/v1/${register}/${rest}`, { key });
      assert.deepEqual([answer.status, refusalOf(answer).code], [404, 'not_found'], `${register}/${rest}`);
    }
  }
  const scoped = await service.call('/v1/xa/trademarks', { key });
  assert.equal((scoped.body as { items: unknown[] }).items.length, 1);
});

test('carries code, message and param of every refusal, and nothing of its cause [7, I-9]', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const answer = renderFailure(apiError(code, 'Say this.', { param: 'limit', cause: new Error('secret') }));
    assert.equal(answer.status, ERRORS[code].status);
    assert.deepEqual(JSON.parse(String(answer.body)), { error: { code, message: 'Say this.', param: 'limit' } });
  }
  const unexpected = renderFailure(toApiError(new Error('relation "record" does not exist')));
  assert.equal(unexpected.status, 500);
  assert.ok(!String(unexpected.body).includes('relation'));
  assert.equal(renderFailure(apiError('unavailable', 'x')).headers['retry-after'], '1');
  assert.equal(renderFailure(apiError('method_not_allowed', 'x')).headers.allow, 'GET');
});

test('has the same sentence for every cause for which a stage has no answer, and none of its details [7, I-9, I-35]', () => {
  const sentences: Record<NoAnswerCode, string> = {
    database_away: 'The database is not available at the moment. Try again shortly.',
    database_slow: 'The database took too long to answer. Try again shortly.',
    connections_taken: 'The service is busy. Try again shortly.',
    connections_closed: 'The service is shutting down.',
    node_away: 'A node of the database does not answer. Try again shortly.',
    publish_uncommitted: 'A publish is not committed on every node of the database yet. Try again shortly.',
    another_version: 'The service is being brought to another version. Try again shortly.',
    payloads_away: 'Payloads are not available at the moment. Try again shortly.',
    verdicts_waiting: 'The service is overloaded. Try again shortly.',
    searches_waiting: 'The service is busy. Try again shortly.',
    searches_closed: 'The service is shutting down. Try again.',
    search_interrupted: 'The search was interrupted. Try again.',
    search_over_time: 'The query was not answerable in time. Narrow it with another filter.',
    index_building: 'The search index is being built. Try again shortly.',
    index_behind: 'The search index has not caught up yet. Try again shortly.',
    index_out_of_order: 'The search index is not in order. Try again shortly.',
    names_unread: 'The names are being read for searches for likeness. Try again shortly.',
    records_changing: 'These records are changing. Try again shortly.',
    too_many_changed: 'Too many records have changed since as_of. Catch up, then verify again.',
    register_not_served: 'No register of this code is served; /v1/jurisdictions lists those that are.',
    no_such_record: 'The register XA has no record of this uid; send the uid as delivered, percent-encoded.',
    past_horizon: 'as_of is later than the horizon of the change feed; send its X-Change-Horizon.',
    customer_removed: 'This key was revoked or replaced. Use the key that replaced it.',
  };
  const refusals: Partial<Record<NoAnswerCode, readonly [status: number, code: ErrorCode, param?: string]>> = {
    search_over_time: [422, 'query_timeout'],
    register_not_served: [404, 'not_found', 'jurisdiction_code'],
    no_such_record: [404, 'not_found'],
    customer_removed: [403, 'key_revoked'],
    past_horizon: [400, 'invalid_parameter', 'as_of'],
  };
  const cause = new Error('connect ECONNREFUSED 10.0.0.7');
  for (const [name, message] of Object.entries(sentences) as [NoAnswerCode, string][]) {
    const [status, code, param] = refusals[name] ?? [503, 'unavailable'];
    const refusal = toApiError(new NoAnswer(name, { cause, register: 'XA' }));
    assert.equal(refusal.cause, cause, name);
    const answer = renderFailure(refusal);
    assert.deepEqual([answer.status, answer.headers['retry-after']], [status, status === 503 ? '1' : undefined], name);
    assert.equal(answer.body, JSON.stringify({ error: { code, message, param } }));
  }
  const { message } = toApiError(new NoAnswer('index_building', { percent: 40 }));
  assert.equal(message, 'The search index is being built (40 %). Try again shortly.');
});

test('carries both shapes in a validation failure [2.6, I-7]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const answer = await service.call('/v1/changes?limit=ten', { key });
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body, {
    detail: [
      { loc: ['query', 'since'], msg: 'Field required', type: 'missing', input: null },
      {
        loc: ['query', 'limit'],
        input: 'ten',
        type: 'int_parsing',
        msg: 'Input should be a valid integer, unable to parse string as an integer',
      },
    ],
    error: {
      code: 'validation_error',
      message: 'since: Field required, for example since=2026-01-01 (and 1 more, see detail).',
      param: 'since',
    },
  });
});

test('answers 503 with Retry-After while the database is away, and recovers on its own [7, I-9, I-26]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  let away = false;
  const refuse = async (): Promise<never> => {
    throw new NoAnswer('database_away');
  };
  const flaky = {
    ...db,
    query: ((statement, options) => (away ? refuse() : db.query(statement, options))) as typeof db.query,
    queryBytes: ((statement, options) => (away ? refuse() : db.queryBytes(statement, options))) as typeof db.queryBytes,
  };
  const { key, ...service } = await startWithKey(t, { database: { db: flaky, url } });
  const paths = [
    '/v1/health',
    '/v1/usage',
    '/v1/jurisdictions',
    '/v1/XA/trademarks',
    '/v1/XA/trademarks/1',
    '/v1/nothing',
  ];
  away = true;
  for (const path of paths) {
    const answer = await service.call(path, { key });
    assert.deepEqual(
      [answer.status, refusalOf(answer).code, answer.headers['retry-after']],
      [503, 'unavailable', '1'],
      path,
    );
  }
  away = false;
  assert.equal((await service.call('/v1/health')).status, 200);
  assert.equal((await service.call('/v1/usage', { key })).status, 200);
});
