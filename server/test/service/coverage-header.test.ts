/** The header `Coverage` of answers: which say it, what it says, and that bodies and metering do not change. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { buildCoverageLook, CoverageBoard } from '../../src/http/coverage-board.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { loadRecords } from '../support/loads.ts';
import { startService, type TestAnswer, type TestService } from '../support/service.ts';

const closers: (() => Promise<void>)[] = [];
let service: TestService;
let silent: TestService;
let key: string;
let look: () => Promise<void>;
let nowMs = 0;
const board = new CoverageBoard({ monotonicMs: () => nowMs });

before(async () => {
  const database = await createTestDatabase();
  const context = { after: (work: () => Promise<void>) => void closers.push(work) };
  service = await startService(context, { database, coverage: board });
  silent = await startService(context, { database });
  key = (await service.issue({ products: ['records', 'analytics'] })).key;
  const records = ['EM', 'US'].map((jurisdiction_code) => ({
    ...{ status: 'Registered', jurisdiction_code, uid: '1', mark_name: 'Aurelia', application_number: '97000001' },
    registration_date: '2020-03-02',
  }));
  await loadRecords(service.db, records);
  await service.db.query(sql`
    update register set data_current_through = '2026-11-26T00:00:00Z' where jurisdiction_code = 'EM'`);
  look = buildCoverageLook({ database: service.db, board, clock: systemClock, log: testLog });
  await look();
});

test.after(async () => {
  for (const close of closers.reverse()) await close();
});

const ask = (path: string, from = service): Promise<TestAnswer> => from.call(path, { key });
const EM = 'EM;through="2026-11-25"';

test('every search says which registers it covered and through which day, and look-ups do, also those that fail [I-40]', async () => {
  const said: Record<string, string> = {
    '/v1/trademarks?mark_name=none': `${EM}, US`,
    '/v1/trademarks?mark_name=none&jurisdiction=EM': EM,
    '/v1/EM/trademarks?mark_name=none': EM,
    '/v1/EM/numbers?numbers=97000001': EM,
    '/v1/EM/trademarks/1': EM,
    '/v1/EM/trademarks/none': EM,
    '/v1/EM/trademarks/1/history': EM,
    '/v1/history?since=2020-01-01&mark_name=none': `${EM}, US`,
    '/v1/EM/history?since=2020-01-01': EM,
    '/v1/jurisdictions': `${EM}, US`,
    '/v1/jurisdictions/EM/coverage': EM,
    '/analytics/v1/similar?mark=aurelia&jurisdiction=EM': EM,
    '/analytics/v1/EM/trademarks/1/dates': EM,
    '/analytics/v1/dates?from=2026-01-01&to=2026-12-31&jurisdiction=EM': EM,
  };
  for (const [path, expected] of Object.entries(said)) {
    const answer = await ask(path);
    assert.ok([200, 404].includes(answer.status), `${path} ${answer.text}`);
    assert.equal(answer.headers.coverage, expected, path);
  }
});

test('a code that no register has comes back as a warning, and the answer is the same [4.3]', async () => {
  const answer = await ask('/v1/trademarks?mark_name=aurelia&jurisdiction=UK,EM');
  assert.equal(answer.headers.coverage, `${EM}, UK;unserved`);
  assert.equal((answer.body as { items: unknown[] }).items.length, 1);
  assert.equal((await ask('/v1/UK/trademarks?mark_name=aurelia')).headers.coverage, 'UK;unserved');
  assert.equal((await ask('/v1/%C3%9C%0A/trademarks?mark_name=aurelia')).headers.coverage, undefined);
});

test('bodies are byte for byte those of a service that says nothing, and so is what a call costs', async () => {
  for (const path of ['/v1/trademarks?jurisdiction=US,UK', '/v1/EM/trademarks/1', '/v1/EM/trademarks/none']) {
    const [said, unsaid] = [await ask(path), await ask(path, silent)];
    assert.equal(unsaid.headers.coverage, undefined);
    assert.deepEqual([said.status, said.text, said.headers.etag], [unsaid.status, unsaid.text, unsaid.headers.etag]);
  }
});

test('refusals and feeds say nothing about completeness', async () => {
  for (const path of ['/v1/trademarks', '/v1/trademarks?nice_class=99', '/v1/changes?since=2020-01-01']) {
    assert.equal((await ask(path)).headers.coverage, undefined, path);
  }
  const unknown = await service.call('/v1/trademarks?mark_name=none', { key: 'none' });
  assert.equal(unknown.headers.coverage, undefined);
});

test('an answer that has not changed says it too', async () => {
  const { headers } = await ask('/v1/EM/trademarks/1');
  const again = await service.call('/v1/EM/trademarks/1', { key, headers: { 'if-none-match': headers.etag! } });
  assert.deepEqual([again.status, again.headers.coverage], [304, EM]);
});

test('facts that could not be read again for ten minutes are no longer said', async () => {
  nowMs += 599_000;
  assert.equal((await ask('/v1/EM/trademarks/1')).headers.coverage, EM);
  nowMs += 2_000;
  assert.equal((await ask('/v1/EM/trademarks/1')).headers.coverage, undefined);
  await look();
  assert.equal((await ask('/v1/EM/trademarks/1')).headers.coverage, EM);
});
