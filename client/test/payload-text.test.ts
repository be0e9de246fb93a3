/** Payloads keep what JSON.parse would alter: for a program that asks, and in every replica. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import type { TrademarkDetail } from '@tmds/contract/record';
import { makeFolder } from '../../server/test/support/folder.ts';
import { TrademarkClient } from '../src/client.ts';
import type { Fetch } from '../src/config.ts';
import { payloadText } from '../src/main.ts';
import { openNdjsonSink } from '../src/replica/ndjson.ts';
import { repair } from '../src/replica/repair.ts';
import { type ReplicateOptions, replicate } from '../src/replica/replicate.ts';
import { nameIdentity, type ReplicaSink } from '../src/replica/sink.ts';
import { openSqliteSink } from '../src/replica/sqlite.ts';
import { verify } from '../src/replica/verify.ts';
import { buildAnswer, buildFetch, buildRecord } from './support/answers.ts';
import { buildSimulatedClock } from './support/clock.ts';
import { buildService, type FakeService, HORIZON_MS } from './support/service.ts';

const EXACT =
  '{ "big":9007199254740993,"huge":[1e400,-0.0,1.10],"b\\u00e9":"\\\\\\"} ]{,", "deep":{"payload":[ 1E+2 ] ,"items":[]},"no":{} }';
const PLAIN = '{"a":[1,null,true,"é \\"quoted\\" \\\\"],"payload":{"b":-1.5}}';

function writeRecord(uid: string, payload: string): string {
  return JSON.stringify({ ...buildRecord({ uid }), payload: null }).replace('"payload":null', `"payload":${payload}`);
}

function buildClient(fetch: Fetch): TrademarkClient {
  const clock = buildSimulatedClock();
  return new TrademarkClient({ apiKey: 'k', baseUrl: 'https://tm.example', fetch, clock });
}

test('the text of a payload is what was served, of every record of a page and of one alone [I-38]', async () => {
  const texts = [PLAIN, EXACT, 'null', '{}', EXACT];
  const page = ` {"items" : [${texts.map((text, at) => writeRecord(`${at}`, text)).join(' , ')}\n],"next_cursor":null}\n`;
  const client = buildClient(buildFetch(buildAnswer(200, page), buildAnswer(200, writeRecord('1', EXACT))));
  const { items } = await client.search({ status: 'Pending', expand: 'payload' });
  assert.deepEqual(items.map(payloadText), [PLAIN, EXACT, null, '{}', EXACT]);
  const { data, response } = await client.get('US', '1', { expand: 'payload' }).withResponse();
  assert.deepEqual([payloadText(data), response.text], [EXACT, writeRecord('1', EXACT)]);
});

test('a payload with a kept text is an ordinary object, and one put in its place has its own text', async () => {
  const client = buildClient(buildFetch(buildAnswer(200, writeRecord('1', EXACT))));
  const record = await client.get('US', '1', { expand: 'payload' });
  assert.deepEqual(record.payload, JSON.parse(EXACT));
  assert.equal(JSON.stringify(record.payload), JSON.stringify(JSON.parse(EXACT)));
  assert.equal(inspect(record.payload).includes('payload text'), false);
  assert.equal(payloadText({ ...record, payload: { a: 1 } }), '{"a":1}');
  assert.equal(payloadText({ ...record }), EXACT);
  assert.equal(payloadText(buildRecord()), null);
});

test('answers without payloads, and bodies of other shapes, are read unchanged', async () => {
  const bodies = ['[]', '{"items":[]}', '{"items":[null,1]}', '{"items":[{"payload":1}]}', '{"payload":[1]}', '{}'];
  for (const body of bodies) {
    const found = await buildClient(buildFetch(buildAnswer(200, body))).request('/v1/anything');
    assert.equal(JSON.stringify(found), body);
  }
});

const SINKS: Record<string, (folder: string) => Promise<ReplicaSink>> = {
  sqlite: (folder) => openSqliteSink(join(folder, 'marks.db')),
  ndjson: (folder) => openNdjsonSink(join(folder, 'marks')),
};

interface Scene {
  folder: string;
  service: FakeService;
  client: TrademarkClient;
}

/** A service whose records have the payload that `texts` says under the number of their uid. */
async function setScene(t: TestContext, texts: readonly string[]): Promise<Scene> {
  const folder = makeFolder(t);
  const service = buildService({ build: buildRecord });
  service.publish(texts.map((_, index) => ({ uid: `${index}`, payload: { text: index } })));
  service.advance(HORIZON_MS);
  const client = buildClient(async (url, init) => {
    const answer = await service.fetch(url, init);
    const body = await answer.text();
    return { ...answer, text: async () => body.replaceAll(/\{"text":(\d+)\}/g, (_, index) => texts[index] ?? '') };
  });
  return { folder, service, client };
}

const options = (client: TrademarkClient, sink: ReplicaSink): ReplicateOptions => {
  return { client, sink, expand: 'payload', clock: buildSimulatedClock(), limit: 2 };
};

async function readPayloads(sink: ReplicaSink, count: number): Promise<(string | null | undefined)[]> {
  const identities = Array.from({ length: count }, (_, uid) => ({ jurisdiction_code: 'US', uid: `${uid}` }));
  const held = await sink.read(({ findPayloads }) => findPayloads(identities));
  return identities.map((identity) => held.get(nameIdentity(identity)));
}

for (const [kind, openSink] of Object.entries(SINKS)) {
  test(`${kind}: a replica holds payloads as served, and knows one digit from another [I-38]`, async (t) => {
    const texts = [EXACT, PLAIN, '{"n":9007199254740993}'];
    const { folder, client } = await setScene(t, texts);
    const sink = await openSink(folder);
    const { position } = await replicate(options(client, sink));
    assert.deepEqual(await readPayloads(sink, 3), texts);

    const record = await client.get('US', '2', { expand: 'payload' });
    const spoilt = { ...record, payload: { n: 9007199254740992 } };
    await sink.save([spoilt], position, { ...position, delivered: position.delivered + 1 });
    const { differences, payloads } = await verify({ client, sink });
    assert.deepEqual(differences, [{ jurisdiction_code: 'US', uid: '2', difference: 'payload' }]);
    assert.deepEqual(payloads, { state: 'compared', compared: 3 });
    assert.equal(await repair({ client, sink, differences }), 1);
    assert.deepEqual(await readPayloads(sink, 3), texts);
    assert.equal((await verify({ client, sink })).equal, true);
    await sink.close();
  });
}

test('ndjson: a line is the record as served, also after compaction [I-38]', async (t) => {
  const { folder, service, client } = await setScene(t, [EXACT, PLAIN]);
  const sink = await openNdjsonSink(join(folder, 'marks'));
  await replicate(options(client, sink));
  service.publish([{ uid: '1', mark_name: 'LATER' }]);
  service.advance(HORIZON_MS);
  await replicate(options(client, sink));
  await sink.compact!();
  const log = await readFile(join(folder, 'marks/records.ndjson'), 'utf8');
  const served = [...service.records.values()] as TrademarkDetail[];
  const lines = served.map((record) => JSON.stringify(record));
  assert.equal(log, `${lines.join('\n')}\n`.replace('{"text":0}', EXACT).replace('{"text":1}', PLAIN));
  await sink.close();
});
