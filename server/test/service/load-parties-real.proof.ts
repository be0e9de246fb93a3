/** The offices' own marks with their parties: owners are found by their names, and nothing changes twice. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { findFormat } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { createTestDatabase } from '../support/database.ts';
import { REAL_DATA, skipWithout } from '../support/formats.ts';
import { countsOf, dumpContent, loadSources, UNLIMITED } from '../support/loads.ts';
import { writePartyFile } from '../support/party-file.ts';
import { startWithKey } from '../support/service.ts';
import { openText } from '../support/texts.ts';

async function loadFiles(db: Database, name: string, ...files: readonly string[]): Promise<LoadReport> {
  const format = findFormat(name);
  assert.ok(format !== null);
  const sources = await Promise.all(files.map((file) => openSource(join(REAL_DATA, file))));
  return await loadSources(db, { sources, format });
}

interface Found {
  uid: string;
  owner_names: string[] | null;
  representative_names: string[] | null;
}

test('a British mark has its owner whichever of its files came first, and is found by that name [I-12]', {
  skip: skipWithout('ukipo'),
}, async (t) => {
  const files = ['gb-tm-UK00003289573-data', 'gb-applicant-507772', 'gb-representative-9865'].map(
    (name) => `ukipo/${name}.xml`,
  );
  const contents: string[] = [];
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
  ]) {
    const database = await createTestDatabase(t, UNLIMITED);
    const reports = [];
    for (const place of order) reports.push(await loadFiles(database.db, 'st66', files[place] ?? ''));
    const changes = reports.reduce((sum, { new: added, changed }) => sum + added + changed, 0);
    // The mark itself, and each party that came after it.
    assert.equal(changes, 3 - order.indexOf(0));
    contents.push(await dumpContent(database.db));
    if (contents.length > 1) continue;
    const { key, ...service } = await startWithKey(t, { database });
    const search = async (name: string): Promise<Found[]> => {
      const query = `owner_name_startswith=${encodeURIComponent(name)}&jurisdiction=GB`;
      const { body } = await service.call(`/v1/trademarks?${query}`, { key });
      return (body as { items: Found[] }).items;
    };
    const [mark] = await database.db.query<{ detail: string }>(sql`select detail from record`);
    const { owner_names, representative_names, uid } = JSON.parse(mark?.detail ?? '{}') as Found;
    assert.equal(owner_names?.length, 1);
    assert.equal(representative_names?.length, 1);
    assert.deepEqual(
      (await search(owner_names?.[0] ?? '')).map((found) => found.uid),
      [uid],
    );
    assert.deepEqual(await search('nobody'), []);
  }
  assert.equal(new Set(contents).size, 1);
});

test('every EU mark follows the parties that it names, once, and its owners are found by name', {
  skip: skipWithout('euipo/EUTM-sample.zip'),
  timeout: 180_000,
}, async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const { db } = database;
  const archive = 'euipo/EUTM-sample.zip';
  const first = await loadFiles(db, 'euipo', archive);
  const named = await db.query<{ parts: string }>(sql`
    select named_parts as parts from record where named_parts is not null`);
  // A mark of the sample has a figurative code of no category.
  assert.deepEqual(first.issues, { waiting_party: named.length, unknown_vienna_category: 1 });
  const parts = [...new Set(named.flatMap((mark) => mark.parts.split('\u001f')))];
  const keys = (kind: string): string[] =>
    parts.filter((part) => part.startsWith(`EM ${kind} `)).map((part) => part.split(' ')[2] ?? '');
  const write = (word: string, producedAt: string): string =>
    writePartyFile({
      applicants: keys('applicant').map((key) => ({ key, name: `${word} Owner ${key}`, country: 'ES' })),
      representatives: keys('representative').map((key) => ({ key, name: `${word} Agent ${key}` })),
      producedAt,
    });
  const format = findFormat('euipo') ?? assert.fail();
  const loadParties = (text: string): Promise<LoadReport> =>
    loadSources(db, { sources: [openText('p.xml', [text])], format });
  const report = await loadParties(write('First', '2030-01-01T00:00:00'));
  assert.deepEqual(countsOf(report), [named.length, 0, named.length, 0, 0]);
  assert.deepEqual(report.issues, {});
  // The same marks again are recognized without their parties.
  assert.deepEqual(countsOf(await loadFiles(db, 'euipo', archive)), [586, 0, 0, 586, 0]);
  const { key, ...service } = await startWithKey(t, { database });
  const [mark] = await db.query<{ uid: string; part: string }>(sql`
    select uid, split_part(named_parts, chr(31), 1) as part from record where named_parts like 'EM applicant %'
    order by uid limit 1`);
  const owner = `first owner ${mark?.part.split(' ')[2]}`;
  const { body } = await service.call(`/v1/trademarks?owner_name=${encodeURIComponent(owner)}`, { key });
  assert.ok((body as { items: Found[] }).items.some(({ uid }) => uid === mark?.uid));
  const second = await loadParties(write('Second', '2031-01-01T00:00:00'));
  assert.deepEqual(countsOf(second), [named.length, 0, named.length, 0, 0]);
});
