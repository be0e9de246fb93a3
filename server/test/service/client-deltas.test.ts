/** A replica that follows by the files of deltas: what it fetches, that it equals the service, and what stops it. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DeltaPeriod } from '@tmds/contract/snapshots';
import { TrademarkClient } from '../../../client/src/main.ts';
import { openDestination } from '../../../client/src/replica/destination.ts';
import { type ReplicateOptions, replicate, verify } from '../../../client/src/replica/main.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { listHeld } from '../support/held.ts';
import { UNLIMITED } from '../support/loads.ts';
import { startWithKey } from '../support/service.ts';
import { makeSnapshot } from '../support/snapshots.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const CODES = ['EM', 'GB', 'US'] as const;

async function setScene(t: TestContext, kind = 'sqlite') {
  const database = await createTestDatabase(t, UNLIMITED);
  const folder = makeFolder(t);
  const { key, ...service } = await startWithKey(t, { database, config: { snapshotsDir: folder } });
  const calls: string[] = [];
  const client = new TrademarkClient({
    ...{ apiKey: key, baseUrl: service.url },
    onRequest: ({ url }) => calls.push(new URL(url).pathname.replace('/v1/', '')),
  });
  const place =
    kind === 'postgres'
      ? (await createTestDatabase(t, { migrated: false })).url
      : `${kind}:${join(makeFolder(t), 'marks')}`;
  const sink = await openDestination(place);
  t.after(() => sink.close());
  const { db } = database;
  const publish = async (mark_name: string, counts: readonly number[], prefix?: string): Promise<void> => {
    for (const [position, jurisdiction_code] of CODES.entries()) {
      const records = buildRecords(counts[position]!, { jurisdiction_code, mark_name }, prefix);
      if (records.length > 0) await publishRecords(db, records);
    }
  };
  const make = (due: readonly DeltaPeriod[], payloads = false) =>
    makeSnapshot(db, folder, { payloads, keep: 1, deltaDays: 35, isDue: (period) => due.includes(period) });
  const follow = (options: Partial<ReplicateOptions> = {}) =>
    replicate({ client, sink, deltas: true, limit: 4, ...options });
  return { service, db, folder, client, calls, place, sink, publish, make, follow };
}

for (const [kind, codes] of [
  ['sqlite', undefined],
  ['sqlite', ['GB', 'US']],
  ['ndjson', ['EM']],
  ['postgres', undefined],
] as const) {
  test(`a ${kind} replica of ${codes ?? 'all'} starts from a snapshot, follows by deltas, and goes on through the feed [4.6.1]`, async (t) => {
    const { db, client, calls, sink, publish, make, follow } = await setScene(t, kind);
    const scope = codes === undefined ? {} : { jurisdiction_code: [...codes] };
    const listStored = async (): Promise<string[]> => {
      const rows = await db.query<{ detail: string }>(
        sql`select detail from record where jurisdiction_code = any(${[...(codes ?? CODES)]}::text[])`,
      );
      return rows.map(({ detail }) => detail).sort();
    };
    await publish('FIRST', [20, 20, 20]);
    await make([]);
    await follow(scope);
    assert.deepEqual(await listHeld(sink), await listStored());

    await publish('MONDAY', [7, 6, 0]);
    await make(['day']);
    await publish('TUESDAY', [3, 9, 5]);
    const { snapshot } = await make(['day', 'week']);
    calls.length = 0;
    const state = await follow(scope);
    assert.equal(state.kind, 'caught_up');
    assert.equal(state.position.complete_to, snapshot.as_of);
    assert.deepEqual(await listHeld(sink), await listStored());
    const files = calls.filter((path) => path.endsWith('.gz'));
    assert.ok(files.length > 0 && files.every((path) => path.includes('-week/')), 'one delta instead of two');
    assert.deepEqual(
      calls.filter((path) => path.includes('changes')),
      [],
    );
    assert.equal((await verify({ client, sink })).equal, true);

    await publish('WEDNESDAY', [2, 2, 2], 'S');
    await replicate({ client, sink, ...scope });
    assert.deepEqual(await listHeld(sink), await listStored());
    await make(['day']);
    calls.length = 0;
    await follow(scope);
    assert.equal(calls.filter((path) => path.endsWith('.gz')).length, 0, 'the feed was as far');
    assert.equal((await verify({ client, sink })).equal, true);
  });
}

test('a run that ends within a delta begins it again, and the feed may take over there [4.6.5]', async (t) => {
  const { client, sink, publish, make, follow } = await setScene(t);
  await publish('FIRST', [20, 20, 20]);
  await make([]);
  await follow();
  await publish('SECOND', [15, 15, 15]);
  await make(['day']);
  for (const deltas of [true, false]) {
    const stop = new AbortController();
    let pages = 0;
    const { position: before } = (await sink.find())!;
    await follow({
      signal: stop.signal,
      onStep: () => {
        pages += 1;
        if (pages === 3) stop.abort();
      },
    });
    const { position } = (await sink.find())!;
    assert.deepEqual(
      [position.cursor, position.complete_to, position.delivered > before.delivered],
      [before.cursor, before.complete_to, true],
    );
    if (deltas) continue;
    await replicate({ client, sink });
  }
  assert.equal((await verify({ client, sink })).equal, true);
  await publish('THIRD', [3, 0, 0]);
  await make(['day']);
  await follow();
  assert.equal((await verify({ client, sink })).equal, true);
});

test('with payloads, only deltas that have them are applied', async (t) => {
  const { client, sink, publish, make, follow } = await setScene(t);
  await publish('FIRST', [2, 2, 2]);
  await make([], true);
  await follow({ expand: 'payload' });
  await publish('SECOND', [1, 1, 1]);
  await make([], false);
  await make(['day'], true);
  await follow({ expand: 'payload' });
  const { equal, payloads } = await verify({ client, sink });
  assert.deepEqual([equal, payloads.state], [true, 'compared']);
});

test('says what to do when no delta goes on from the replica, it never started, or the service has gone back [I-47]', async (t) => {
  const { db, folder, sink, publish, make, follow, client } = await setScene(t);
  await publish('FIRST', [2, 2, 2]);
  await assert.rejects(follow(), /has never caught up, and there is no snapshot from which it can start/);
  await make([]);
  await follow();
  await publish('SECOND', [1, 1, 1]);
  const { deltas } = await make(['day']);
  await publish('THIRD', [1, 1, 1]);
  await make(['day']);
  await rm(join(folder, deltas[0]!.id), { recursive: true });
  await assert.rejects(follow(), /is complete up to .*, and the earliest delta that the service keeps begins at/);
  await replicate({ client, sink });
  await follow();
  await db.query(sql`update publish_clock set lineage = gen_random_uuid()`);
  await assert.rejects(follow(), /the service has gone back/);
  await assert.rejects(replicate({ client, sink, deltas: true, since: '2026-01-01' }), /since 1970-01-01/);
  await assert.rejects(replicate({ client, sink, deltas: true, search: 'status=Pending' }), /has no deltas/);
});

test('a delta with a wrong file is fetched again, and is not applied while it stays wrong', async (t) => {
  const { folder, sink, publish, make, follow } = await setScene(t);
  await publish('FIRST', [2, 2, 2]);
  await make([]);
  await follow();
  await publish('SECOND', [1, 1, 1]);
  const { deltas } = await make(['day']);
  const { readFile, writeFile } = await import('node:fs/promises');
  const file = join(folder, deltas[0]!.id, deltas[0]!.registers[0]!.files[0]!.name);
  const bytes = await readFile(file);
  await writeFile(file, Buffer.alloc(bytes.length, 1));
  await assert.rejects(
    follow({ faultsMax: 3, clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: async () => {} } }),
  );
  assert.ok((await listHeld(sink)).every((text) => !text.includes('SECOND')));
  await writeFile(file, bytes);
  await follow();
  assert.equal((await listHeld(sink)).filter((text) => text.includes('SECOND')).length, 3);
});
