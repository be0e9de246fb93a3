/** `tmds verify`: whatever something else changed in the database is named, with what to do; all else is right. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { issueKey } from '../../src/access/keys.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { identifier, type Statement, sql } from '../../src/database/driver/sql.ts';
import { generateLines } from '../../src/generator/generate.ts';
import { type VerifyFinding, verifyDatabase } from '../../src/upkeep/verification/verify.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases, isFull } from '../support/depth.ts';
import { loadText, UNLIMITED } from '../support/loads.ts';
import { allowLostVersions } from '../support/lost-versions.ts';

const LINES = [...generateLines({ records: 400, seed: 'verify', payload: 'full' })];

const CHANGED = LINES.slice(100, 105).map((line) => line.replace(/"mark_name":(null|".*?")/, '"mark_name":"NEW"'));

async function createLoaded(t: TestContext): Promise<Database> {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadText(db, LINES.slice(0, 300).join(''));
  await loadText(db, LINES.slice(250).join(''));
  for (const at of [1, 2, 3]) await loadText(db, CHANGED.map((line) => line.replace('NEW', `NEW ${at}`)).join(''));
  await issueKey(db, { customer: 'one', name: null, products: ['records'], actor: 'test' });
  return db;
}

const verify = (db: Database, quick = false): Promise<VerifyFinding[]> =>
  verifyDatabase({ db, horizonSeconds: 300, quick });

function wrongOf(findings: readonly VerifyFinding[]): string[] {
  return findings.filter(({ remedy }) => remedy !== null).map(({ subject, seen }) => `${subject}: ${seen}`);
}

test('a database that only tmds has written is right in every respect', async (t) => {
  const db = await createLoaded(t);
  const findings = await verify(db);
  assert.deepEqual(wrongOf(findings), []);
  const subjects = ['feed', 'indexes', 'registers', 'units', 'storage', 'records', 'payloads', 'history'];
  assert.deepEqual([...new Set(findings.map(({ subject }) => subject))], subjects);
  assert.match(findings.find(({ subject }) => subject === 'records')!.seen, /^400 records are what was published/);
  assert.match(findings.find(({ subject }) => subject === 'history')!.seen, /^[1-9]\d* past versions each lead/);
  const { db: empty } = await createTestDatabase(t);
  assert.deepEqual(wrongOf(await verify(empty)), []);
});

const IS_FIRST = sql`uid = (select min(uid) from record)`;
/** Everything of a record but its key. */
const CONTENT = sql`updated_at, first_seen_at, content_digest, detail`;

/** What something else does, and what is said of it; the last: whether the quick look finds it. */
const DAMAGES: readonly [what: string, change: Statement, said: RegExp, isQuick: boolean][] = [
  [
    'a letter of a record',
    sql`update record set detail = replace(detail, '"mark_name":', '"mark_name" :') where ${IS_FIRST}`,
    /records: records are not what was published: \w+ published at 2\S+: \d+ records, \d+ kept, another digest/,
    false,
  ],
  [
    'a record that is gone',
    sql`delete from record where ${IS_FIRST}`,
    /records: records are not what was published: \w+ published at 2\S+: \d+ records, \d+ kept/,
    false,
  ],
  [
    'a record under another number too',
    sql`insert into record (jurisdiction_code, uid, ${CONTENT})
      select jurisdiction_code, uid || 'x', ${CONTENT} from record where ${IS_FIRST}`,
    /records: records do not state their own register, uid and stamp: 1 such as \w+ \S+x/,
    false,
  ],
  [
    'a record at another place of the feed',
    // Computed apart, since several nodes update nothing with what depends on settings of a session.
    sql`with moved as materialized (
        select jurisdiction_code, uid, updated_at + interval '1 microsecond' as later from record where ${IS_FIRST})
      update record set updated_at = moved.later from moved
      where record.jurisdiction_code = moved.jurisdiction_code and record.uid = moved.uid`,
    /records: records are not what was published: .*; .*/,
    false,
  ],
  [
    'a count',
    sql`update register set record_count = record_count + 1`,
    /registers: counts differ: \w+ is served as/,
    true,
  ],
  ['a kept digest', sql`update publish_digest set digest = digest # 1`, /records: .*another digest/, false],
  [
    'a stamp of the future',
    sql`update record set updated_at = now() + interval '1 day' where ${IS_FIRST}`,
    /feed: record \w+ .* is stamped .*, later than any publish/,
    true,
  ],
  ['an index that is gone', sql`drop index record_register_change`, /indexes: missing or not valid: record_reg/, true],
  ...(['min', 'max'] as const).map((which): (typeof DAMAGES)[number] => [
    `the ${which} version of a record that is gone`,
    sql`delete from record_version where (uid, updated_at) in (
      select (array_agg(uid))[1], ${identifier(which)}(updated_at) from record_version group by uid limit 1)`,
    /history: /,
    false,
  ]),
  [
    'a version in between that is gone',
    sql`delete from record_version where uid = (select min(uid) from record_version) and replaced_at in (
      select updated_at from record_version)`,
    /history: /,
    false,
  ],
  [
    'a version at another place',
    sql`with moved as materialized (
        select jurisdiction_code, uid, updated_at, replaced_at + interval '1 microsecond' as later from record_version
        where uid = (select min(uid) from record_version))
      update record_version set replaced_at = moved.later from moved
      where record_version.jurisdiction_code = moved.jurisdiction_code and record_version.uid = moved.uid
        and record_version.updated_at = moved.updated_at`,
    /history: versions that were kept do not follow one another, such as \w+ \S+ of 2/,
    false,
  ],
  [
    'a publish that is not noted',
    sql`delete from publish where stamp = (select max(replaced_at) from record_version)`,
    /history: \d+ versions or publishes do not lead to a load/,
    false,
  ],
  [
    'a payload without its record',
    sql`insert into payload values ('XX', 'alone', '{}')`,
    /payloads: 1 payloads have no record, such as XX alone/,
    false,
  ],
  [
    'a unit that no day counts',
    sql`update key_product set units_used = 1`,
    /units: units differ: \S+ \(records\) has used 1, its days make 0/,
    true,
  ],
];

for (const [what, change, said, isQuick] of chooseCases(DAMAGES, 5)) {
  test(`${what} is named, and nothing is repaired`, async (t) => {
    const db = await createLoaded(t);
    await allowLostVersions(db);
    await db.query(change);
    const findings = await verify(db);
    const wrong = wrongOf(findings);
    assert.ok(
      wrong.some((seen) => said.test(seen)),
      wrong.join('\n'),
    );
    assert.deepEqual(wrongOf(await verify(db)), wrong, 'a second look sees the same');
    assert.equal(
      wrongOf(await verify(db, true)).some((seen) => said.test(seen)),
      isQuick,
      'by the quick look',
    );
    assert.ok(findings.every(({ remedy }) => remedy === null || remedy.length > 20));
  });
}

test('a load that publishes in the meantime is no difference', { timeout: 300_000 }, async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  await loadText(db, LINES.join(''));
  const changed = LINES.map((line) => line.replace(/"mark_name":"/, '"mark_name":"NEW '));
  const records = isFull ? 12_000 : 4_000;
  let [looks, isLoading] = [0, true];
  // Until it has been verified twice, however fast a machine loads.
  const load = async (): Promise<void> => {
    for (let part = 0; part === 0 || looks < 2; part += 1) {
      const added = generateLines({ records, seed: `part ${part}`, payload: 'none' });
      await loadText(db, [...added, ...changed].join(''));
    }
  };
  const loading = load().finally(() => {
    isLoading = false;
  });
  for (; isLoading; looks += 1) assert.deepEqual(wrongOf(await verify(db)), []);
  await loading;
});
