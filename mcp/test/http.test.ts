/** The tools under the service itself: the same answers, the caller's own key, and the bounds of a message. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { CUSTOMER_BODIES_MAX } from '../../server/src/http/read-body.ts';
import { createTestDatabase } from '../../server/test/support/database.ts';
import { loadRecords } from '../../server/test/support/loads.ts';
import { startService, type TestAnswer, type TestService } from '../../server/test/support/service.ts';

const closers: (() => Promise<void>)[] = [];
let service: TestService;

before(async () => {
  const database = await createTestDatabase();
  service = await startService({ after: (work) => void closers.push(work) }, { database });
  await loadRecords(service.db, [
    { status: 'Registered', jurisdiction_code: 'US', uid: '1', mark_name: 'Aurelia', registration_date: '2020-03-02' },
  ]);
});

after(async () => {
  for (const close of closers.reverse()) await close();
});

async function connect(pin: '2026-07-28' | 'legacy', headers: Record<string, string>): Promise<Client> {
  const mode = pin === 'legacy' ? pin : { pin };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
  closers.push(() => client.close());
  return client;
}

const search = (mark_name: string) => ({ name: 'search_trademarks', arguments: { mark_name } });

/** Units of the key, without those still held by the meter. */
async function usedBy(key: string): Promise<number> {
  const answer = await service.call('/v1/usage', { key });
  const text = JSON.stringify(answer.body);
  return Number(/"(?:calls|used|count|month_to_date)[a-z_]*":(\d+)/.exec(text)?.[1]);
}

function post(body: unknown, headers: Record<string, string> = {}, text = JSON.stringify(body)): Promise<TestAnswer> {
  const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  return service.call('/mcp', { method: 'POST', headers: own, body: text });
}

test('both versions of the protocol are answered with the key of the request, in either header', async () => {
  const { key } = await service.issue({ products: ['records', 'analytics'] });
  for (const pin of ['2026-07-28', 'legacy'] as const) {
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
      const client = await connect(pin, headers);
      assert.equal((await client.listTools()).tools.length, 9);
      const { structuredContent } = await client.callTool(search('aurelia'));
      assert.equal((structuredContent as { items: { uid: string }[] }).items[0]?.uid, '1');
    }
  }
});

test('every connection gets the same list of tools, small enough to be read with each question', async () => {
  const { key } = await service.issue();
  const lists = [];
  for (const pin of ['2026-07-28', 'legacy', '2026-07-28', 'legacy'] as const) {
    lists.push((await (await connect(pin, { 'x-api-key': key })).listTools()).tools);
  }
  assert.deepEqual(lists[2], lists[0]);
  assert.deepEqual(lists[3], lists[1]);
  assert.ok(JSON.stringify(lists[0]).length < 45_000);
});

test('a tool costs what its calls cost, and is in the call log; the messages themselves cost nothing [I-28]', async () => {
  const { key } = await service.issue();
  const client = await connect('2026-07-28', { 'x-api-key': key });
  await client.listTools();
  const start = await usedBy(key);
  await client.callTool(search('aurelia'));
  await client.callTool({ name: 'get_trademark', arguments: { jurisdiction_code: 'US', uid: 'none' } });
  await client.callTool({ name: 'search_trademarks', arguments: { nice_class: '99' } });
  // The question itself is a call, too.
  assert.equal((await usedBy(key)) - start, 3);
});

test('product, rate and quota of the key hold, and the refusal says so', async () => {
  const { key } = await service.issue({ products: ['records'], quota: 1 });
  const client = await connect('2026-07-28', { 'x-api-key': key });
  const similar = await client.callTool({ name: 'similar_marks', arguments: { mark: 'aurelia' } });
  assert.match(JSON.stringify(similar.content), /product_not_enabled/);
  assert.notEqual((await client.callTool(search('aurelia'))).isError, true);
  assert.match(JSON.stringify((await client.callTool(search('aurelia'))).content), /quota_exceeded/);
});

test('without a known key nothing is read or answered [I-46]', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const headers of [{}, { 'x-api-key': 'none' }]) {
    const answer = await post(message, headers as Record<string, string>);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer');
  }
});

test('messages have bounds: length, one at a time, one form, POST alone', async () => {
  const { key } = await service.issue();
  const headers = { 'x-api-key': key };
  const one = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  assert.equal((await post([one, one], headers)).status, 400);
  assert.equal((await post(null, headers, '{')).status, 400);
  assert.equal((await post(null, headers, ' '.repeat(5_000_000))).status, 400);
  assert.equal((await post(null, headers, '{"a":'.repeat(1_000))).status, 400);
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await service.call('/mcp', { method, key });
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST'], method);
  }
});

test('no subscription stays open', async () => {
  const { key } = await service.issue();
  const client = await connect('2026-07-28', { 'x-api-key': key });
  await assert.rejects(client.listen({ toolsListChanged: true }), /[Ss]ubscription|listen/);
});

test('one customer has a few messages under way, and others are served at the same time [I-46]', async () => {
  const [one, other] = [await service.issue(), await service.issue()];
  const list = (key: string) => post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'x-api-key': key });
  const answers = await Promise.all(Array.from({ length: CUSTOMER_BODIES_MAX * 3 }, () => list(one.key)));
  const statuses = new Set(answers.map(({ status }) => status));
  assert.ok(
    [...statuses].every((status) => status === 200 || status === 503),
    [...statuses].join(),
  );
  assert.equal((await list(other.key)).status, 200);
});
