/** What of a load differs from what is stored: found by key, content or line, and version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { type ComparedRow, encodeIdentities, listDiffering } from '../../src/store/records/identities.ts';
import { createTestDatabase } from '../support/database.ts';
import { publishRecords } from '../torture/publish.ts';

const AWKWARD = 'tab\t back\\slash "quoted" {a,b} NULL é 株式会社 🦊';
const OTHER = 'ff'.repeat(16);

test('a record differs unless it is stored with this very content and no lower version [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t);
  const versions = [null, '20260102'];
  await publishRecords(
    db,
    [AWKWARD, 'NULL', '1'].flatMap((uid) =>
      versions.map((source_version, at) => ({ uid: `${uid}${at}`, source_version, mark_name: uid })),
    ),
  );
  const stored = await db.query<ComparedRow>(sql`
    select jurisdiction_code, uid, encode(content_digest, 'hex') as digest, source_version,
      encode(source_digest, 'hex') as source_digest from record order by uid`);
  assert.equal(stored.length, 6);
  const differing = async (rows: readonly ComparedRow[]): Promise<[number, string][]> =>
    [...(await listDiffering(db, encodeIdentities(rows)))].sort(([one], [other]) => one - other);
  const change = (fields: Partial<ComparedRow>): ComparedRow[] => stored.map((row) => ({ ...row, ...fields }));
  const all = stored.map(({ digest }, at): [number, string] => [at, digest]);
  assert.deepEqual(await differing(stored), []);
  assert.deepEqual(await differing([]), []);
  assert.deepEqual(await differing(change({ digest: OTHER })), all);
  assert.deepEqual(
    await differing(change({ jurisdiction_code: 'XB' })),
    all.map(([at]) => [at, '']),
  );
  assert.deepEqual(await differing(change({ source_version: null })), []);
  const without = all.filter(([at]) => stored[at]?.source_version === null);
  assert.equal(without.length, 3);
  assert.deepEqual(await differing(change({ source_version: '20260101' })), without);
  assert.deepEqual(await differing(change({ source_version: '20260103' })), all);
  const [source, other] = ['0102030405060708', '0102030405060709'];
  assert.deepEqual(await differing(change({ source_digest: source })), all, 'what it was read from is not known yet');
  await db.query(sql`update record set source_digest = decode(${source}, 'hex')`);
  assert.deepEqual(await differing(change({ source_digest: source })), []);
  assert.deepEqual(await differing(change({ source_digest: other })), all);
  assert.deepEqual(await differing(change({ source_digest: null })), []);
  const mixed = [stored[0]!, { ...stored[1]!, uid: 'unknown' }, stored[2]!, stored[2]!];
  assert.deepEqual(await differing(mixed), [[1, '']]);
});

test('the line that a record was read from proves its content, another record’s line does not [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, [{ uid: '1' }, { uid: '2' }, { uid: '3' }]);
  const [one, two] = ['01'.repeat(16), '02'.repeat(16)];
  await db.query(sql`update record set line_digest = decode(repeat('0' || uid, 16), 'hex') where uid in ('1', '2')`);
  const compare = (uid: string, digest: string): ComparedRow => ({
    jurisdiction_code: 'XA',
    uid,
    digest,
    source_version: null,
    source_digest: null,
  });
  const rows = [compare('1', one), compare('2', one), compare('3', one), compare('2', two), compare('4', two)];
  const found = await listDiffering(db, encodeIdentities(rows));
  const contents = await db.query<{ digest: string }>(sql`
    select encode(content_digest, 'hex') as digest from record order by uid`);
  assert.deepEqual(
    [...found],
    [
      [1, contents[1]!.digest],
      [2, contents[2]!.digest],
      [4, ''],
    ],
  );
});
