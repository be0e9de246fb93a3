/** Verification end to end: the published client and its replica against the real service and its kept digests. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DIGEST_FORM } from '@tmds/contract/extras';
import { TrademarkClient } from '../../../client/src/main.ts';
import { openNdjsonSink, replicate, type StoredRecord, verify } from '../../../client/src/replica/main.ts';
import { makeFolder } from '../support/folder.ts';
import { refusalOf, startService, startWithKey } from '../support/service.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

interface Digests {
  form: number;
  as_of: string;
  bucket_bits: number;
  items: { [name: string]: unknown; record_count: number; digest: string }[];
  unsettled: unknown[];
  next_cursor?: string | null;
}

test('digests are answered as documented, from registers down to records, one unit each [4.6.1, I-28]', async (t) => {
  const service = await startService(t);
  const { key } = await service.issue({ quota: 1000 });
  await publishRecords(service.db, buildRecords(3));
  const feed = await service.call('/v1/changes?since=1970-01-01', { key });
  const text = JSON.stringify((feed.body as { items: unknown[] }).items[0]);
  const asOf = feed.headers['x-change-horizon']!;
  const top = (await service.call(`/v1/digests?as_of=${asOf}`, { key })).body as Digests;
  assert.deepEqual(
    { ...top, items: top.items.map(({ digest: _digest, ...item }) => item) },
    {
      form: DIGEST_FORM,
      as_of: asOf,
      bucket_bits: 10,
      items: [{ jurisdiction_code: 'XA', record_count: 3 }],
      unsettled: [],
    },
  );
  const register = (await service.call(`/records/v1/xa/digests?as_of=${asOf}`, { key })).body as Digests;
  assert.equal(register.items.length, 1);
  assert.deepEqual(register.items[0]!.digest, top.items[0]!.digest);
  const { bucket } = register.items[0]!;
  const records = (await service.call(`/v1/XA/digests/${bucket}?as_of=${asOf}`, { key })).body as Digests;
  assert.deepEqual(records.items[0], {
    uid: 'R1',
    digest: createHash('sha256').update(text).digest('hex').slice(0, 16),
  });
  assert.deepEqual([records.items.length, records.next_cursor, records.unsettled], [3, null, []]);
  const usage = (await service.call('/v1/usage', { key })).body as { products: { calls: number }[] };
  assert.equal(usage.products[0]!.calls, 5);
});

test('a call for digests is refused like any other [4.6.7, 7, I-5, I-6]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  await publishRecords(service.db, buildRecords(1));
  const refusals: [string, number, string, string | undefined][] = [
    ['/v1/digests', 422, 'validation_error', 'as_of'],
    ['/v1/digests?as_of=now', 400, 'invalid_parameter', 'as_of'],
    ['/v1/digests?as_of=2999-01-01', 400, 'invalid_parameter', 'as_of'],
    ['/v1/digests?as_of=2020-01-01&since=2020-01-01', 400, 'unknown_parameter', 'since'],
    ['/v1/digests?q=1', 400, 'reserved_parameter', 'q'],
    ['/v1/ZZ/digests?as_of=2020-01-01', 404, 'not_found', 'jurisdiction_code'],
    ['/v1/XA/digests/x?as_of=2020-01-01', 404, 'not_found', 'bucket'],
    ['/v1/XA/digests/1?as_of=2020-01-01&cursor=x', 400, 'cursor_invalid', 'cursor'],
  ];
  for (const [path, status, code, param] of refusals) {
    assert.deepEqual(refusalOf(await service.call(path, { key })), { status, code, param }, path);
  }
  assert.deepEqual(refusalOf(await service.call('/v1/digests?as_of=2020-01-01')).code, 'unauthorized');
});

test('a replica is proven equal by the service, and each planted difference is named [4.6.1, 4.6.5]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const client = new TrademarkClient({ apiKey: key, baseUrl: service.url });
  for (let round = 0; round < 8; round += 1) {
    await publishRecords(service.db, buildRecords(200 - 20 * round, { mark_name: `É 商 ${round}` }));
    await publishRecords(service.db, buildRecords(30, { jurisdiction_code: 'XB', mark_name: `round ${round}` }));
  }
  const folder = makeFolder(t);
  const sink = await openNdjsonSink(folder);
  t.after(() => sink.close());
  const { position } = await replicate({ client, sink });
  const equal = await verify({ client, sink });
  assert.deepEqual([equal.equal, equal.records, equal.differences, equal.calls], [true, 230, [], 1]);

  await publishRecords(service.db, [{ uid: 'R5', mark_name: 'changed since' }]);
  const since = await verify({ client, sink });
  assert.deepEqual([since.equal, since.records, since.unsettled], [true, 229, 1]);

  const records = new Map<string, StoredRecord>();
  for await (const record of sink.listRecords()) records.set(`${record.jurisdiction_code} ${record.uid}`, record);
  const changed = { ...records.get('XA R150')!, mark_name: 'É 商 X' };
  const stale = { ...records.get('XA R7')!, updated_at: '2026-01-01T00:00:00.000000Z' };
  const extra = { ...records.get('XB R1')!, uid: 'nowhere' };
  await sink.save([changed, stale, extra], position, { ...position, delivered: position.delivered + 3 });
  const unequal = await verify({ client, sink });
  assert.deepEqual(
    [...unequal.differences].sort((a, b) => (a.uid < b.uid ? -1 : 1)),
    [
      { jurisdiction_code: 'XA', uid: 'R150', difference: 'content' },
      { jurisdiction_code: 'XA', uid: 'R7', difference: 'content' },
      { jurisdiction_code: 'XB', uid: 'nowhere', difference: 'extra' },
    ],
  );
  assert.ok(unequal.calls <= 10, `${unequal.calls} calls`);
});
