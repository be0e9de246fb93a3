/** A replica of a search against the real service: what matches is what the service says, in every sink. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TrademarkClient } from '../../../client/src/main.ts';
import { renderDelivered } from '../../../client/src/replica/digest.ts';
import {
  openNdjsonSink,
  openPostgresSink,
  openSqliteSink,
  type ReplicaSink,
  replicate,
} from '../../../client/src/replica/main.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { startWithKey } from '../support/service.ts';
import { buildRecords, publishRecords, type SourceFields } from '../torture/publish.ts';

const OURS: SourceFields = {
  jurisdiction_code: 'US',
  owner_names: ['Acme Inc.'],
  status: 'Pending',
  nice_classes: [9],
};
const SEARCH = { jurisdiction: 'US', owner_name_startswith: 'ACME', nice_class: [42, 9], status: 'pending' };

const SINKS: Record<string, (t: TestContext, folder: string) => Promise<ReplicaSink>> = {
  sqlite: (_t, folder) => openSqliteSink(join(folder, 'marks.db')),
  ndjson: (_t, folder) => openNdjsonSink(join(folder, 'marks')),
  postgres: async (t) => openPostgresSink((await createTestDatabase(t, { migrated: false })).url),
};

for (const [kind, openSink] of Object.entries(SINKS)) {
  test(`a ${kind} replica of a search holds what the service finds: what came, what changed, not what left [4.3, I-41]`, async (t) => {
    const { key, ...service } = await startWithKey(t);
    const client = new TrademarkClient({ apiKey: key, baseUrl: service.url });
    const folder = makeFolder(t);
    const sink = await openSink(t, folder);
    const refresh = async (onPage: () => Promise<unknown> = async () => undefined): Promise<string[]> => {
      const left: string[] = [];
      await replicate({
        client: {
          changes: client.changes.bind(client),
          search: async (...call) => {
            const page = await client.search(...call);
            await onPage();
            return page;
          },
        },
        sink,
        search: SEARCH,
        limit: 7,
        onStep: (step) => left.push(...step.left),
      });
      return left.sort();
    };
    const listFound = async (): Promise<string[]> => {
      const walk = await client.searchAll(SEARCH).toArray();
      return walk.map((record) => renderDelivered(record)).sort();
    };
    const listHeld = async (): Promise<string[]> => {
      const held: string[] = [];
      for await (const record of sink.listRecords()) held.push(renderDelivered(record));
      return held.sort();
    };

    await publishRecords(service.db, [
      ...buildRecords(20, OURS),
      ...buildRecords(5, { ...OURS, status: 'Registered' }, 'Q'),
      { ...OURS, uid: 'other', owner_names: ['Bolt GmbH'] },
    ]);
    assert.deepEqual(await refresh(), []);
    assert.deepEqual([await listHeld(), await sink.countRecords()], [await listFound(), 20]);

    await publishRecords(service.db, [
      { ...OURS, uid: 'R3', status: 'Registered' },
      { ...OURS, uid: 'R4', nice_classes: [35] },
      { ...OURS, uid: 'R5', mark_name: 'CHANGED' },
      { ...OURS, uid: 'Q1' },
      { ...OURS, uid: 'other', owner_names: ['ACME Europe'] },
    ]);
    let pages = 0;
    const left = await refresh(async () => {
      pages += 1;
      if (pages === 1)
        await publishRecords(
          service.db,
          ['R1', 'R20'].map((uid) => ({ ...OURS, uid, mark_name: 'NOW' })),
        );
    });
    assert.deepEqual(left, ['US/R3', 'US/R4']);
    assert.deepEqual([await listHeld(), await sink.countRecords()], [await listFound(), 20]);
    await sink.close();
  });
}

test('a PostgreSQL replica of a search takes owners and classes out with the records that leave', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const client = new TrademarkClient({ apiKey: key, baseUrl: service.url });
  const place = await createTestDatabase(t, { migrated: false });
  const sink = await openPostgresSink(place.url);
  await publishRecords(service.db, buildRecords(2, OURS));
  await replicate({ client, sink, search: SEARCH });
  await publishRecords(service.db, [{ ...OURS, uid: 'R1', status: 'Registered' }]);
  await replicate({ client, sink, search: SEARCH });
  const rows = await place.db.query<{ uid: string }>(
    sql`select uid from trademark_owners union all select uid from trademark_classes`,
  );
  assert.deepEqual(
    rows.map(({ uid }) => uid),
    ['R2', 'R2'],
  );
  await sink.close();
});
