/** The client and its replica against the real service: every call over HTTP, every sink. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isApiError, TrademarkClient } from '../../../client/src/main.ts';
import { renderDelivered } from '../../../client/src/replica/digest.ts';
import {
  openNdjsonSink,
  openPostgresSink,
  openSqliteSink,
  ReplicaError,
  type ReplicaSink,
  replicate,
  type StoredRecord,
  verify,
} from '../../../client/src/replica/main.ts';
import { nameIdentity } from '../../../client/src/replica/sink.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { loadText, UNLIMITED } from '../support/loads.ts';
import { startService, startWithKey, type TestService } from '../support/service.ts';
import { buildRecords, publishRecords, type SourceFields } from '../torture/publish.ts';

const US = { jurisdiction_code: 'US' };
const ODD: SourceFields[] = [
  {
    ...US,
    uid: 'ü/"quoted" \\ 商标 ',
    mark_name: 'A\tB\u0001 😀 </script>',
    owner_names: ["o'neill", '株式会社'],
    nice_classes: [9, 42],
    vienna_codes: ['26.03.23'],
    opposition_period_end: '2026-12-01',
  },
  { jurisdiction_code: 'EM', uid: 'EM-1', mark_name: null },
];

async function startSeeded(t: TestContext): Promise<{ service: TestService; client: TrademarkClient; key: string }> {
  const service = await startService(t);
  await publishRecords(service.db, [...buildRecords(40, US), ...ODD]);
  const { key } = await service.issue();
  return { service, client: new TrademarkClient({ apiKey: key, baseUrl: `${service.url}/records` }), key };
}

/** The items of the feed as the service wrote them, one text each. */
async function readFeedTexts(service: TestService, key: string): Promise<string[]> {
  const { text } = await service.call('/v1/changes?since=1970-01-01&limit=5000', { key });
  const items = text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'));
  return items.split(/(?<=\}),(?=\{"jurisdiction_code":)/).sort();
}

async function listTexts(sink: ReplicaSink): Promise<string[]> {
  const texts: string[] = [];
  for await (const record of sink.listRecords()) texts.push(renderDelivered(record as StoredRecord));
  return texts.sort();
}

test('the client reads every endpoint of the service it was made for [4.2, 4.3, 4.5, 4.6, 4.7]', async (t) => {
  const { service, client } = await startSeeded(t);
  const page = await client.search({ jurisdiction: ['us', 'EM'], nice_class: [9], count: 'capped', limit: 1 });
  assert.equal(page.items.length, 1);
  assert.equal(typeof page.matched_count, 'number');
  assert.match(page.meta.requestId ?? '', /./);
  assert.equal(page.meta.rateLimit, 1_000_000);

  const uids: string[] = [];
  for await (const record of client.searchAll({ jurisdiction_code: 'US', limit: 7 })) uids.push(record.uid);
  assert.equal(new Set(uids).size, 41);

  const odd = ODD[0]!.uid as string;
  const record = await client.get('US', odd, { expand: 'payload' });
  assert.deepEqual([record.uid, record.opposition_period_end, 'payload' in record], [odd, '2026-12-01', true]);
  await assert.rejects(
    client.get('US', 'no such'),
    (error) => isApiError(error, 'not_found') && error.requestId !== null,
  );
  await assert.rejects(client.search({}), (error) => isApiError(error, 'missing_filter'));
  await assert.rejects(
    client.search({ jurisdiction_code: 'US', limit: 0 }),
    (error) => isApiError(error, 'validation_error') && error.param === 'limit' && error.detail.length === 1,
  );

  await publishRecords(service.db, [{ ...ODD[0]!, mark_name: 'renamed' }]);
  const [renamed, first] = await client.recordHistoryAll('US', odd, { limit: 1 }).toArray();
  assert.deepEqual(renamed!.changes, [{ field: 'mark_name', old: record.mark_name, new: 'renamed' }]);
  assert.deepEqual([first!.cause, first!.version], ['first', renamed!.previous_version]);
  assert.deepEqual(
    { ...(await client.recordVersion('US', odd, first!.version, { expand: 'payload' })) },
    { ...record },
  );
  const walk = client.historyAll({ since: '1970-01-01', jurisdiction_code: 'US', field: 'mark_name', limit: 5 });
  assert.deepEqual(await walk.toArray(), [renamed]);
  assert.ok(walk.completeTo! >= renamed!.version);

  const changes = await client.changes({ since: '1970-01-01', limit: 10 });
  assert.equal(changes.items.length, 10);
  assert.ok((changes.meta.changeHorizon ?? '') >= changes.items.at(-1)!.updated_at);
  const registers = await client.jurisdictions();
  assert.deepEqual(
    registers.items.map((item) => [item.jurisdiction_code, item.record_count]),
    [
      ['EM', 1],
      ['US', 41],
    ],
  );
  const usage = await client.usage();
  assert.equal(usage.products[0]?.product, 'records');
  const wrong = new TrademarkClient({ apiKey: 'wrong', baseUrl: service.url });
  await assert.rejects(wrong.usage(), (error) => isApiError(error, 'unauthorized'));
});

const SINKS: Record<string, (t: TestContext, folder: string) => Promise<ReplicaSink>> = {
  sqlite: (_t, folder) => openSqliteSink(join(folder, 'marks.db')),
  ndjson: (_t, folder) => openNdjsonSink(folder),
  postgres: async (t, _folder) => openPostgresSink((await createTestDatabase(t, { migrated: false })).url),
};

for (const [kind, openSink] of Object.entries(SINKS)) {
  test(`a ${kind} replica writes every record again, byte for byte as delivered [4.6.1, I-22]`, async (t) => {
    const { service, client, key } = await startSeeded(t);
    const folder = makeFolder(t);
    const sink = await openSink(t, folder);
    try {
      assert.equal(await sink.find(), null);
      const first = await replicate({ client, sink, limit: 11 });
      assert.deepEqual([first.kind, first.position.delivered], ['caught_up', 42]);
      assert.deepEqual(await listTexts(sink), await readFeedTexts(service, key));

      await publishRecords(service.db, [...buildRecords(3, { ...US, mark_name: 'CHANGED' }), ...ODD]);
      const second = await replicate({ client, sink, limit: 11 });
      assert.equal(second.position.delivered, 45);
      assert.ok((second.position.complete_to ?? '') > (first.position.complete_to ?? ''));
      assert.deepEqual(await listTexts(sink), await readFeedTexts(service, key));
      assert.equal(await sink.countRecords(), 42);

      await assert.rejects(replicate({ client, sink, jurisdiction_code: 'US' }), ReplicaError);
      const moved = { ...second.position, delivered: 44 };
      await assert.rejects(sink.save([], moved, moved), ReplicaError);
    } finally {
      await sink.close();
    }
  });
}

const DOCUMENT = '{"parties":[{"name":"Acme","number":9007199254740993}],"huge":[1e400,-1E-400,1e200000],"plain":1.1}';

for (const [kind, openSink] of Object.entries(SINKS)) {
  test(`a ${kind} replica keeps payloads character by character as served, and proves it [4.6, I-38, I-42]`, async (t) => {
    const database = await createTestDatabase(t, UNLIMITED);
    const line = (uid: string, payload: string): string =>
      `{"jurisdiction_code":"US","uid":"${uid}","status":"Registered","payload":${payload}}\n`;
    await loadText(database.db, line('with', DOCUMENT) + line('other', '{"a":"é"}') + line('none', 'null'));
    const { key, ...service } = await startWithKey(t, { database });
    const client = new TrademarkClient({ apiKey: key, baseUrl: service.url });
    const folder = makeFolder(t);
    const sink = await openSink(t, folder);
    try {
      await replicate({ client, sink, expand: 'payload', jurisdiction_code: 'US' });
      const identities = ['with', 'other', 'none'].map((uid) => ({ jurisdiction_code: 'US', uid }));
      const held = await sink.read(({ findPayloads }) => findPayloads(identities));
      assert.deepEqual(
        identities.map((identity) => held.get(nameIdentity(identity))),
        [DOCUMENT, '{"a":"é"}', '{}'],
      );
      const { equal, payloads } = await verify({ client, sink });
      assert.deepEqual([equal, payloads], [true, { state: 'compared', compared: 3 }]);
    } finally {
      await sink.close();
    }
  });
}

test('queries find their way into a payload that PostgreSQL keeps [4.6]', async (t) => {
  const { service, client } = await startSeeded(t);
  await publishRecords(service.db, [{ ...US, uid: 'with', payload: { parties: [{ name: 'Acme', role: 'owner' }] } }]);
  const { url, db } = await createTestDatabase(t, { migrated: false });
  const sink = await openPostgresSink(url);
  try {
    await replicate({ client, sink, expand: 'payload', jurisdiction_code: 'US' });
    const rows = await db.query<{ payload: string }>(
      sql`select payload->'parties'->0->>'name' as payload from trademarks where uid = 'with'`,
    );
    assert.deepEqual(rows, [{ payload: 'Acme' }]);
    await db.query(sql`create index on trademarks using gin ((payload::jsonb))`);
  } finally {
    await sink.close();
  }
});
