/**
 * Every name and number on the page of a record finds the record: by the filters of the API, by
 * `GET /v1/{register}/numbers`, and from the search bar. Records of the sample and of all real files are loaded, indexed
 * and searched by the program itself.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { generateLines } from '../../src/generator/generate.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { isFull } from '../support/depth.ts';
import { describeMiss, openFinder } from '../support/finder.ts';
import { makeFolder } from '../support/folder.ts';
import { listFilesBelow, REAL_DATA, skipWithout } from '../support/formats.ts';
import { loadSources, loadText } from '../support/loads.ts';
import { DIFFERENT_RECORDS, listRealFiles } from '../support/real-files.ts';

const SAMPLE = 100;
/** Another seed gives other records. */
const SEED = process.env.TMDS_SAMPLE_SEED ?? '1';

test('each name and number of 100 records of the sample finds its record [4.3, I-11, I-12, I-33, I-44, I-49, I-50]', async (t) => {
  const finder = await openFinder(t);
  await loadText(finder.db, [...generateLines({ records: SAMPLE, seed: SEED, payload: 'full' })].join(''));
  const records = await finder.listNew();
  assert.equal(records.length, SAMPLE);
  const misses: string[] = [];
  for (const record of records) misses.push(...(await finder.listMisses(record)).map(describeMiss));
  assert.deepEqual(misses, []);
});

test('each name and number of every real record finds its record [4.3, I-11, I-12, I-33, I-44, I-48, I-49, I-50]', {
  skip: skipWithout('trial-inputs'),
  timeout: 300_000,
}, async (t) => {
  const finder = await openFinder(t);
  const rejectsPath = join(makeFolder(t), '{load}.txt');
  const walked = new Set<string>();
  const misses: string[] = [];
  for (const name of Object.keys(DIFFERENT_RECORDS)) {
    const format = findFormat(name);
    assert.ok(format !== null);
    const paths = listRealFiles(name, { withLarge: isFull }).files.flatMap(({ path }) => listFilesBelow(path));
    const sources = await Promise.all(paths.map((path) => openSource(join(REAL_DATA, path))));
    await loadSources(finder.db, { sources, format, rejectsPath });
    for (const record of await finder.listNew()) {
      walked.add(`${record.jurisdiction_code} ${record.uid}`);
      misses.push(...(await finder.listMisses(record)).map(describeMiss));
    }
  }
  const [stored] = await finder.db.query<{ count: number }>(sql`select count(*)::int as count from record`);
  assert.equal(walked.size, stored?.count);
  assert.ok(walked.size > (isFull ? 3_500 : 500), String(walked.size));
  assert.deepEqual(misses, []);
});
