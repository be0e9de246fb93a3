/** Digests kept by publishes: equal to what a reader of every record would compute, whatever was published how. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { toApiError } from '../../src/render/failure.ts';
import { publishBatch } from '../../src/store/publish/publish.ts';
import {
  BUCKET_BITS,
  type DigestOptions,
  listBucketDigests,
  listBucketRecords,
  listRegisterDigests,
} from '../../src/store/records/digests.ts';
import { createTestDatabase } from '../support/database.ts';
import { countWrongDigests } from '../torture/digests.ts';
import { buildRecords, publishRecords, stageRecords } from '../torture/publish.ts';
import { buildRandom } from '../torture/random.ts';
import { readPage } from '../torture/walk.ts';

function digestText(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigUInt64BE(0);
}

function bucketOfStamp(stamp: string): number {
  return createHash('sha256').update(stamp).digest().readUInt16BE(0) >>> (16 - BUCKET_BITS);
}

async function readNow(db: Database): Promise<DigestOptions> {
  return { asOf: (await readPage(db, { since: '2999-01-01' })).horizon, horizonSeconds: 0 };
}

interface Stored {
  jurisdiction_code: string;
  uid: string;
  stamp: string;
  detail: string;
}

async function listStored(db: Database): Promise<Stored[]> {
  return await db.query<Stored>(sql`
    select jurisdiction_code, uid, detail, detail::json ->> 'updated_at' as stamp from record`);
}

/** Count and digest by group, as a client computes them from what the feed delivered. */
function sumBy<Group>(records: readonly Stored[], groupOf: (record: Stored) => Group) {
  const sums = new Map<Group, { record_count: number; digest: bigint }>();
  for (const record of records) {
    const sum = sums.get(groupOf(record)) ?? { record_count: 0, digest: 0n };
    sums.set(groupOf(record), {
      record_count: sum.record_count + 1,
      digest: sum.digest ^ digestText(record.detail),
    });
  }
  return new Map(
    [...sums].map(([group, sum]) => [group, { ...sum, digest: sum.digest.toString(16).padStart(16, '0') }]),
  );
}

async function refuses(work: Promise<unknown>, code: string, param?: string): Promise<void> {
  await assert.rejects(work, (error) => {
    const refusal = toApiError(error);
    assert.deepEqual([refusal.code, refusal.param], [code, param]);
    return true;
  });
}

test('every publish leaves the digests equal to the records, new, changed, repeated or rolled back [4.6.1, I-40]', async (t) => {
  const { db } = await createTestDatabase(t);
  const random = buildRandom(7);
  for (let round = 0; round < 30; round += 1) {
    const records = buildRecords(random.integer(1, 40), {
      jurisdiction_code: random.pick(['XA', 'XB']),
      mark_name: `É 商 ${random.integer(1, 3)}`,
    });
    if (random.chance(0.2)) {
      const loadId = await stageRecords(db, records);
      const failing = publishBatch(db, loadId, 1, {
        onStep: async (step) => {
          if (step === 'counted') throw new Error('fails');
        },
      });
      await assert.rejects(failing, /fails/);
    } else await publishRecords(db, records);
    assert.equal(await countWrongDigests(db), 0, `after round ${round}`);
  }
  const [kept] = await db.query<{ rows: number }>(sql`select count(*)::int4 as rows from publish_digest`);
  assert.ok(kept!.rows <= 30, 'stamps that no record bears are forgotten');
});

test('registers, buckets and records agree with what a client computes from the feed [4.6.1, I-19]', async (t) => {
  const { db } = await createTestDatabase(t);
  for (let round = 0; round < 12; round += 1) {
    await publishRecords(db, buildRecords(30 - 2 * round, { jurisdiction_code: 'XA', mark_name: `round ${round}` }));
    await publishRecords(db, buildRecords(3, { jurisdiction_code: 'XB', mark_name: `round ${round}` }));
  }
  const options = await readNow(db);
  const stored = await listStored(db);
  const registers = await listRegisterDigests(db, options);
  assert.deepEqual(
    new Map(registers.items.map(({ jurisdiction_code, ...sum }) => [jurisdiction_code, sum])),
    sumBy(stored, (record) => record.jurisdiction_code),
  );
  assert.deepEqual(registers.unsettled, []);
  const inRegister = stored.filter((record) => record.jurisdiction_code === 'XA');
  const buckets = await listBucketDigests(db, 'XA', options);
  assert.deepEqual(
    new Map(buckets.items.map(({ bucket, ...sum }) => [bucket, sum])),
    sumBy(inRegister, (record) => bucketOfStamp(record.stamp)),
  );
  const listed: Record<string, string> = {};
  for (const { bucket } of buckets.items) {
    const page = await listBucketRecords(db, { register: 'XA', bucket, after: null }, options);
    for (const { uid, digest } of page.items) listed[uid] = digest;
  }
  assert.deepEqual(
    listed,
    Object.fromEntries(
      inRegister.map((record) => [record.uid, digestText(record.detail).toString(16).padStart(16, '0')]),
    ),
  );
});

test('what changed after the position is named and left out on both sides [4.6.1, 4.6.3]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(4));
  const options = await readNow(db);
  const before = await listRegisterDigests(db, options);
  await publishRecords(db, [
    { uid: 'R2', mark_name: 'changed' },
    { jurisdiction_code: 'XB', uid: 'new' },
  ]);
  const after = await listRegisterDigests(db, options);
  assert.equal(before.items[0]!.record_count, 4);
  assert.equal(after.items[0]!.record_count, 3);
  assert.deepEqual(after.unsettled, [
    { jurisdiction_code: 'XA', uid: 'R2' },
    { jurisdiction_code: 'XB', uid: 'new' },
  ]);
  const scoped = await listBucketDigests(db, 'XA', options);
  assert.deepEqual(scoped.unsettled, [{ jurisdiction_code: 'XA', uid: 'R2' }]);
});

test('a position beyond the horizon and a register that is not served are refused [4.6.4, 7]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(1));
  const now = await readNow(db);
  await refuses(listRegisterDigests(db, { ...now, asOf: '2999-01-01T00:00:00.000000Z' }), 'invalid_parameter', 'as_of');
  await refuses(listRegisterDigests(db, { ...now, horizonSeconds: 300 }), 'invalid_parameter', 'as_of');
  await refuses(listBucketDigests(db, 'ZZ', now), 'not_found', 'jurisdiction_code');
});

test('a large bucket is listed page by page, each record once [4.6.1]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, buildRecords(12_000));
  const options = await readNow(db);
  const { items } = await listBucketDigests(db, 'XA', options);
  const bucket = items[0]!.bucket;
  const seen: string[] = [];
  let after: { updated_at: string; uid: string } | null = null;
  for (;;) {
    const page = await listBucketRecords(db, { register: 'XA', bucket, after }, options);
    const records = page.items.slice(0, 5_000);
    seen.push(...records.map(({ uid }) => uid));
    if (page.items.length <= 5_000) break;
    after = records.at(-1)!;
  }
  assert.equal(seen.length, 12_000);
  assert.equal(new Set(seen).size, 12_000);
});
