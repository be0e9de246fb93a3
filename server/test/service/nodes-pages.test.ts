/**
 * A database on several nodes answers byte for byte as one with the same rows does (docs/design/standbys-and-nodes.md).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Database } from '../../src/database/driver/db.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { queryArbitrary, type RandomQuery, registersArbitrary } from '../model/search-registers.ts';
import { CITUS_VARIABLE } from '../support/cluster.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';
import { storeRecords } from '../support/stored.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const skip = process.env[CITUS_VARIABLE] === undefined ? `${CITUS_VARIABLE} names no Citus cluster` : false;
const SEED = 20261124;
const SEARCHES = 200;
/** What publishes leave, apart from the clock. */
const TABLES = ['record', 'record_version', 'payload', 'register', 'publish', 'publish_digest', 'load'];

/** Records of every kind, and some with versions and payloads that come, change and go. */
async function fill(db: Database): Promise<void> {
  const [stored] = fc.sample(registersArbitrary, { seed: SEED, numRuns: 1 });
  await storeRecords(db, stored!);
  for (const round of [1, 2, 3]) {
    const payload = round === 2 ? {} : { payload: { text: `round ${round} `.repeat(50) } };
    await publishRecords(
      db,
      buildRecords(30 * round, { mark_name: `Round ${round}`, nice_classes: [round], ...payload }),
    );
  }
}

async function copyAll(from: Database, to: Database): Promise<void> {
  for (const table of TABLES) {
    const chunks: Buffer[] = [];
    await from.transaction(async (tx) => {
      await tx.copyOut(sql`copy ${identifier(table)} to stdout (format binary)`, async (read) => {
        for await (const chunk of read) chunks.push(chunk);
      });
    });
    await to.copyIn(
      sql`copy ${identifier(table)} from stdin (format binary)`,
      (async function* () {
        yield* chunks;
      })(),
    );
  }
  const [clock] = await from.query<{ stamp: string; id: string }>(sql`
    select last_stamp::text as stamp, database_id as id from publish_clock`);
  await to.query(sql`update publish_clock set last_stamp = ${clock!.stamp}::timestamptz,
    announced_stamp = ${clock!.stamp}::timestamptz, database_id = ${clock!.id}`);
}

function searchPath({ register, texts }: RandomQuery, limit: number): string {
  const query = new URLSearchParams({ ...texts, count: 'capped', limit: String(limit) });
  return `/v1/${register === null ? '' : `${encodeURIComponent(register)}/`}trademarks?${query}`;
}

interface Item {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly updated_at: string;
  /** The buckets of a digest of records. */
  readonly bucket: number;
}

test('searches, look-ups, feeds, histories and digests are the same as of a single database', {
  skip,
  timeout: 600_000,
}, async (t) => {
  const single = await createTestDatabase(t, { isSingle: true });
  const several = await createTestDatabase(t);
  await fill(single.db);
  await copyAll(single.db, several.db);
  const services = [await startService(t, { database: single }), await startService(t, { database: several })];
  const keys = await Promise.all(services.map((service) => service.issue()));
  let asked = 0;
  /** The answer of both, and the cursor of its next page. */
  const ask = async (path: string): Promise<{ cursor: string | null; items: Item[] }> => {
    const [one, other] = await Promise.all(
      services.map((service, index) => service.call(path, { key: keys[index]!.key })),
    );
    assert.deepEqual([other!.status, other!.text], [one!.status, one!.text], path);
    asked += 1;
    const body = one!.body as { next_cursor?: string | null; items?: Item[] };
    return { cursor: body.next_cursor ?? null, items: body.items ?? [] };
  };
  const walk = async (path: string): Promise<Item[]> => {
    const found: Item[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await ask(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
      found.push(...page.items);
      cursor = page.cursor;
    }
    return found;
  };
  for (const query of fc.sample(queryArbitrary, { seed: SEED, numRuns: SEARCHES })) {
    await walk(searchPath(query, 40));
    await ask(`${searchPath(query, 5)}&expand=payload`);
  }
  const records = await walk('/v1/changes?since=1970-01-01&limit=37');
  assert.ok(records.length > 100, `${records.length} records`);
  await walk('/v1/changes?since=1970-01-01&limit=50&expand=payload');
  await walk('/v1/history?since=1970-01-01&limit=23');
  await walk('/v1/history?since=1970-01-01&limit=50&field=payload');
  for (const register of new Set(records.map(({ jurisdiction_code }) => jurisdiction_code))) {
    await walk(`/v1/${register}/changes?since=1970-01-01&limit=11`);
    await walk(`/v1/${register}/history?since=1970-01-01&limit=11`);
  }
  const stamps = records.map(({ updated_at }) => updated_at);
  for (const asOf of [stamps.at(-1)!, stamps[Math.floor(stamps.length / 2)]!]) {
    const { items } = await ask(`/v1/digests?as_of=${asOf}`);
    assert.ok(items.length > 0);
    for (const { jurisdiction_code: register } of items) {
      const buckets = await ask(`/v1/${register}/digests?as_of=${asOf}`);
      for (const { bucket } of buckets.items) await walk(`/v1/${register}/digests/${bucket}?as_of=${asOf}`);
      await ask(`/v1/jurisdictions/${register}/coverage`);
    }
  }
  for (const { jurisdiction_code, uid } of records) {
    const path = `/v1/${jurisdiction_code}/trademarks/${encodeURIComponent(uid)}`;
    await ask(path);
    await ask(`${path}?expand=payload`);
    await walk(`${path}/history?limit=2`);
  }
  for (const path of ['/v1/jurisdictions', '/v1/XX/trademarks/none', '/v1/changes?since=2999-01-01']) await ask(path);
  assert.ok(asked > 3 * SEARCHES);
});
