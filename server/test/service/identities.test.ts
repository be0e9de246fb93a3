/** What of a load differs from what is stored: found by key, content and version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UnchangedRow } from '../../src/store/copy-rows.ts';
import { encodeIdentities, listDiffering } from '../../src/store/identities.ts';
import { sql } from '../../src/store/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { publishRecords } from '../torture/publish.ts';

const AWKWARD = 'tab\t back\\slash "quoted" {a,b} NULL é 株式会社 🦊';
const OTHER_CONTENT = 'ff'.repeat(16);

test('a record differs unless it is stored with this very content and no lower version [4.6.6, I-22]', async (t) => {
  const { db } = await createTestDatabase(t);
  const versions = [null, '20260102'];
  await publishRecords(
    db,
    [AWKWARD, 'NULL', '1'].flatMap((uid) =>
      versions.map((source_version, at) => ({ uid: `${uid}${at}`, source_version, mark_name: uid })),
    ),
  );
  const stored = await db.query<UnchangedRow>(sql`
    select jurisdiction_code, uid, encode(content_digest, 'hex') as content_digest, source_version
    from record order by uid`);
  assert.equal(stored.length, 6);
  const differing = async (rows: readonly UnchangedRow[]): Promise<number[]> => {
    const found = await listDiffering(db, encodeIdentities(rows));
    return [...found].sort((one, other) => one - other);
  };
  const change = (fields: Partial<UnchangedRow>): UnchangedRow[] => stored.map((row) => ({ ...row, ...fields }));
  const withVersion = stored.flatMap((row, at) => (row.source_version === null ? [] : [at]));
  const all = [0, 1, 2, 3, 4, 5];
  assert.deepEqual(await differing(stored), []);
  assert.deepEqual(await differing([]), []);
  assert.deepEqual(await differing(change({ content_digest: OTHER_CONTENT })), all);
  assert.deepEqual(await differing(change({ jurisdiction_code: 'XB' })), all);
  assert.deepEqual(await differing(change({ source_version: null })), []);
  const without = all.filter((at) => !withVersion.includes(at));
  assert.deepEqual(await differing(change({ source_version: '20260101' })), without);
  assert.deepEqual(await differing(change({ source_version: '20260103' })), all);
  const mixed = [stored[0]!, { ...stored[1]!, uid: 'unknown' }, stored[2]!, stored[2]!];
  assert.deepEqual(await differing(mixed), [1]);
});
