/**
 * Backup, restore and sweep of a database on several nodes, each of which commits on its own: a backup is of one
 * moment, a restore counts when all nodes have it, and no object goes that a hidden half of a publish names
 * (docs/design/standbys-and-nodes.md).
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { announceLeftovers } from '../../src/store/publish/announce.ts';
import { publishBatch } from '../../src/store/publish/publish.ts';
import { HEAD } from '../../src/upkeep/archive/form.ts';
import { openFolderSink } from '../../src/upkeep/archive/write.ts';
import { movePayloads } from '../../src/upkeep/retention/move-payloads.ts';
import { sweepObjects } from '../../src/upkeep/retention/sweep-objects.ts';
import { verifyDatabase } from '../../src/upkeep/verification/verify.ts';
import { backUp, backUpFolder, dumpTables, restoreFolder } from '../support/backups.ts';
import { CITUS_VARIABLE } from '../support/cluster.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { UNLIMITED } from '../support/loads.ts';
import { withLinkedWorker } from '../support/node-link.ts';
import { startObjects } from '../support/objects.ts';
import { buildRecords, publishRecords, type SourceFields, stageRecords } from '../torture/publish.ts';

const skip = process.env[CITUS_VARIABLE] === undefined ? `${CITUS_VARIABLE} names no Citus cluster` : false;
/** So many that every node has some. */
const RECORDS = 40;

const createEmpty = (t: TestContext) => createTestDatabase(t, { ...UNLIMITED, migrated: false });

/** With payloads, first and as a later publish changes them. */
function describeRecords(remark: string): SourceFields[] {
  return buildRecords(RECORDS).map((record, at) => ({
    ...record,
    mark_name: remark,
    payload: { remarks: [`${remark} ${at}`] },
  }));
}

async function assertRight(db: Database): Promise<void> {
  const findings = await verifyDatabase({ db, horizonSeconds: 0, quick: false });
  assert.deepEqual(
    findings.filter(({ remedy }) => remedy !== null),
    [],
  );
}

test('a backup of several nodes is of one moment, whatever is published and moved while it is read', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const { db, url } = await createTestDatabase(t, UNLIMITED);
  await publishRecords(db, describeRecords('first'));
  await publishRecords(db, describeRecords('second'));
  const expected = await dumpTables(db);
  const beside = await connectTestDatabase(url, UNLIMITED);
  t.after(() => beside.close());
  const folder = `${makeFolder(t)}/backup`;
  const sink = await openFolderSink(folder);
  await backUp(db, {
    ...sink,
    put: async (member) => {
      await sink.put(member);
      if (member.name !== HEAD) return;
      await publishRecords(beside, [...describeRecords('third'), ...buildRecords(RECORDS, {}, 'new')]);
      await movePayloads({ db: beside, to: 'compressed' });
    },
  });
  const { db: restored } = await createEmpty(t);
  await restoreFolder(restored, folder);
  assert.deepEqual(await dumpTables(restored), expected);
  await assertRight(restored);
});

test('a backup of several nodes is restored into one database, and back', { skip, timeout: 120_000 }, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await publishRecords(db, describeRecords('first'));
  await publishRecords(db, describeRecords('second'));
  const { db: single } = await createTestDatabase(t, { ...UNLIMITED, migrated: false, isSingle: true });
  await restoreFolder(single, await backUpFolder(db, makeFolder(t)));
  assert.deepEqual(await dumpTables(single), await dumpTables(db));
  await assertRight(single);
  await publishRecords(single, describeRecords('third'));
  await restoreFolder(db, await backUpFolder(single, makeFolder(t)), { replace: true });
  assert.deepEqual(await dumpTables(db), await dumpTables(single));
  await publishRecords(db, describeRecords('fourth'));
  await assertRight(db);
});

test('a restore that a node has not committed says so, and is whole when that is back', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const { db: source } = await createTestDatabase(t, UNLIMITED);
  await publishRecords(source, describeRecords('first'));
  const folder = await backUpFolder(source, makeFolder(t));
  const { db } = await createEmpty(t);
  await withLinkedWorker(db, async (link) => {
    link.cut();
    await assert.rejects(
      restoreFolder(db, folder),
      /the backup is restored, but a node has not committed its part yet/,
    );
    link.release();
    await announceLeftovers(db);
  });
  assert.deepEqual(await dumpTables(db), await dumpTables(source));
  await publishRecords(db, describeRecords('second'));
  await assertRight(db);
});

test('no object is swept that a publish names which one node still hides', { skip, timeout: 120_000 }, async (t) => {
  const objects = await startObjects(t);
  const { db } = await createTestDatabase(t, { ...UNLIMITED, objects: objects.store });
  const sweep = () => sweepObjects({ db, beforeMs: Number.MAX_SAFE_INTEGER, dryRun: false });
  await withLinkedWorker(db, async (link) => {
    const loadId = await stageRecords(db, describeRecords('first'));
    link.cut();
    await assert.rejects(publishBatch(db, loadId, 1, { payloads: 's3' }));
    await assert.rejects(sweep(), /A publish is not committed on every node|A node of the database does not answer/);
    link.release();
    const { objects: seen, unnamed } = await sweep();
    assert.deepEqual([seen, unnamed], [RECORDS, 0]);
  });
  await assertRight(db);
});
