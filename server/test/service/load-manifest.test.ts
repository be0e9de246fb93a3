/** What is known of a delivery from outside its files is checked before anything of it is stored. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { checkFiles, expectRecords, readManifest } from '../../src/load/sources/manifest.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { listLoads } from '../../src/store/publish/loads.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { loadSources, UNLIMITED } from '../support/loads.ts';

const LINE = '{"jurisdiction_code":"XA","uid":"1","status":"Pending"}\n';
const BROKEN = '{"uid":"2"}\n';

type Cleaner = { after: (work: () => void) => void };

function write(t: Cleaner, name: string, content: string): string {
  const path = join(makeFolder(t), name);
  writeFileSync(path, content);
  return path;
}

const digest = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');

test('a delivery with another number of records than expected is refused, and nothing of it is stored', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const path = write(t, 'day.ndjson', LINE + BROKEN);
  const load = async (expectedRecords: number) =>
    await loadSources(db, { sources: [await openSource(path)], expectedRecords });
  await assert.rejects(load(3), /should hold 3 records and holds 2, 1 of them rejected; nothing of it was stored$/);
  assert.deepEqual(await db.query(sql`select uid from record`), []);
  const [failed] = await listLoads(db, { limitMax: 1 });
  assert.deepEqual([failed?.state, /should hold 3/.test(failed?.failure ?? '')], ['failed', true]);
  assert.equal((await load(2)).new, 1);
});

test('a file that is not as its manifest says is refused before it is read', async (t) => {
  const { db } = await createTestDatabase(t, UNLIMITED);
  const path = write(t, 'day.ndjson', LINE);
  const manifest = [{ name: 'day.ndjson', bytes: null, checksum: digest('sha256', 'other'), records: null }];
  const load = async () => await loadSources(db, { sources: [await openSource(path)], manifest });
  await assert.rejects(load(), /has the sha256 [0-9a-f]{64}; the manifest says [0-9a-f]{64}; fetch the file again$/);
  assert.deepEqual(await db.query(sql`select uid from record`), []);
});

test('manifests are read as offices write them', async (t) => {
  const path = write(t, 'day.ndjson', LINE);
  const forms = [
    `${digest('sha256', LINE)}  day.ndjson\n`,
    `# made today\n${digest('md5', LINE).toUpperCase()} *./out/day.ndjson\r\n`,
    `SHA512 (day.ndjson) = ${digest('sha512', LINE)}`,
    `${digest('sha1', LINE)}\n`,
    JSON.stringify([{ name: 'day.ndjson', bytes: LINE.length, records: 1 }]),
    JSON.stringify({ files: [{ name: 'x/day.ndjson', sha256: digest('sha256', LINE), md5: digest('md5', LINE) }] }),
  ];
  for (const form of forms) {
    const manifest = await readManifest(write(t, 'MANIFEST', form));
    await checkFiles([path], manifest);
    const other = write(t, basename(path), `${LINE}${LINE}`);
    await assert.rejects(checkFiles([other], manifest), /the manifest says/, form);
  }
});

test('the records that a manifest counts are the records of the files loaded', async (t) => {
  const manifest = await readManifest(
    write(t, 'm.json', '[{"name":"a","records":2},{"name":"b","records":3},{"name":"c"}]'),
  );
  assert.equal(expectRecords(['/x/a', '/x/b'], manifest), 5);
  assert.equal(expectRecords(['/x/a', '/x/c'], manifest), null);
  assert.throws(() => expectRecords(['/x/d'], manifest), /does not name d; it names a, b, c$/);
});

test('a manifest that would check nothing is refused', async (t) => {
  const cases: readonly (readonly [text: string, reason: RegExp])[] = [
    ['', /names no file/],
    ['hello world', /line 1, is not a checksum/],
    ['[{"name":"a","sha255":"00"}]', /unknown key "sha255"/],
    ['[{"name":"a","sha256":"00"}]', /sha256 is not a checksum of that kind/],
    ['[{"name":"a","records":"5"}]', /records must be a whole number/],
    ['[{"bytes":5}]', /has no name/],
    ['{"name":"a"}', /must be a list of files/],
    ['[', /not valid JSON/],
  ];
  for (const [text, reason] of cases) await assert.rejects(readManifest(write(t, 'm', text)), reason, text);
  await assert.rejects(readManifest('/nowhere/m'), /cannot read \/nowhere\/m: there is no such file/);
});
