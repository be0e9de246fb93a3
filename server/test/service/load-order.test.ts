/**
 * Which statement of a record wins. Files that state one record are loaded in both orders: the record is the same, or
 * the table in docs/loading.md says that the format states no order.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { isSetFormat } from '../../src/load/formats/format.ts';
import { parseHead } from '../../src/load/formats/head.ts';
import { recognizeHead } from '../../src/load/formats/recognize.ts';
import { FORMATS, findFormat } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases, isFull } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { REAL_DATA, readEntries, skipWithout, takeAll } from '../support/formats.ts';
import { loadSources, UNLIMITED } from '../support/loads.ts';
import { isLarge, REAL_FILES } from '../support/real-files.ts';

const PAIRS_A_DAY = 5;
const LOADING = readFileSync(new URL('../../../docs/loading.md', import.meta.url), 'utf8');

/** The rows of the table, by format. */
function readTable(): Map<string, { wins: string; by: string }> {
  const section = LOADING.slice(LOADING.indexOf('## What wins')).split('\n## ', 2)[0] ?? '';
  const rows = section.split('\n').flatMap((line) => {
    const [, formats = '', wins = '', by = ''] = /^\| (`.+?) \| (.+?) \| (.+?) \|$/.exec(line) ?? [];
    return [...formats.matchAll(/`([a-z0-9-]+)`/g)].map(([, name = '']) => [name, { wins, by }] as const);
  });
  return new Map(rows);
}

test('the documents say of every format what wins, and by which date', () => {
  assert.deepEqual([...readTable().keys()].sort(), FORMATS.map(({ name }) => name).sort());
});

interface RealFile {
  readonly file: string;
  readonly format: string;
  /** By register and uid, with the version that orders it; null where the file states none. */
  readonly records: ReadonlyMap<string, string | null>;
}

async function listRecords(file: string, name: string): Promise<Map<string, string | null>> {
  const format = findFormat(name);
  const records = new Map<string, string | null>();
  if (format === null) return records;
  const source = await openSource(join(REAL_DATA, file));
  for await (const entry of source.entries((member) => format.accepts(member))) {
    try {
      const items = await takeAll(readEntries(format, [entry], { register: null }));
      for (const item of items) {
        if (item.kind !== 'record') continue;
        const { jurisdiction_code: register, uid, source_version } = item.record;
        records.set(`${register} ${uid}`, source_version);
      }
    } catch {
      // What is refused states no record; another test checks the refusals.
    }
  }
  return records;
}

/** The format of a file: as the list of real files says, or as its beginning shows. */
function formatsOf(file: string): readonly string[] {
  if (isLarge(file) && !isFull) return [];
  const listed = REAL_FILES[file];
  if (listed !== undefined) return 'formats' in listed ? listed.formats.slice(0, 1) : [];
  if (!file.startsWith('trial-inputs/') || !file.endsWith('.xml')) return [];
  return recognizeHead(parseHead(file, readFileSync(join(REAL_DATA, file)))).formats.slice(0, 1);
}

async function listFiles(): Promise<RealFile[]> {
  const files = readdirSync(REAL_DATA, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(REAL_DATA, join(entry.parentPath, entry.name)))
    .sort();
  const read: RealFile[] = [];
  for (const file of files) {
    for (const format of formatsOf(file)) {
      const found = findFormat(format);
      if (found === null || (isSetFormat(found) && !found.readsFiles)) continue;
      read.push({ file, format, records: await listRecords(file, format) });
    }
  }
  return read;
}

/** The record as it is served, without the stamps. */
async function dumpRecord(db: Database, record: string): Promise<string> {
  const [register = '', uid = ''] = [record.slice(0, 2), record.slice(3)];
  const rows = await db.query<{ row: string }>(sql`
    select json_build_array(mark_variants, regexp_replace(detail, '"record_update_date".*$', ''), document)::text as row
    from record left join payload using (jurisdiction_code, uid)
    where record.jurisdiction_code = ${register} and record.uid = ${uid}`);
  return rows[0]?.row ?? '';
}

test('two files of one record end in the same record, whichever is loaded first [4.6.6, I-22]', {
  skip: skipWithout('trial-inputs'),
  timeout: 600_000,
}, async (t) => {
  const files = await listFiles();
  const pairs = files.flatMap((one, at) =>
    files.slice(at + 1).flatMap((other) => {
      const shared = [...one.records.keys()].filter((record) => other.records.has(record));
      return shared.length === 0 ? [] : [{ one, other, shared }];
    }),
  );
  const folder = makeFolder(t);
  /** The served records after loading the files in their order. */
  const load = async (order: readonly RealFile[], records: readonly string[]): Promise<string[]> => {
    const { db } = await createTestDatabase(t, UNLIMITED);
    for (const { file, format: name } of order) {
      const format = findFormat(name);
      assert.ok(format !== null);
      const sources = [await openSource(join(REAL_DATA, file))];
      await loadSources(db, { sources, format, rejectsPath: join(folder, '{load}.txt') });
    }
    return await Promise.all(records.map((record) => dumpRecord(db, record)));
  };
  const table = readTable();
  const differing: string[] = [];
  const undated: string[] = [];
  for (const { one, other, shared } of chooseCases(pairs, PAIRS_A_DAY)) {
    const ends = [await load([one, other], shared), await load([other, one], shared)] as const;
    for (const [at, record] of shared.entries()) {
      assert.ok(ends[0][at] !== '', record);
      if (ends[0][at] === ends[1][at]) continue;
      const versions = [one.records.get(record), other.records.get(record)];
      // The last one loaded wins where nothing says which is newer: no day, or the same day in both.
      const isUndated = versions.includes(null) || versions[0] === versions[1];
      const formats = [one.format, other.format].map((format) => table.get(format)?.by ?? '');
      const isDeclared = formats.some((by) => by.includes('same day') || by.includes('none'));
      (isUndated && isDeclared ? undated : differing).push(`${record} of ${one.file} and ${other.file}`);
    }
  }
  assert.ok(pairs.length > 10, `${pairs.length} pairs`);
  assert.deepEqual(differing, []);
  t.diagnostic(`${pairs.length} pairs; the last one loaded wins in ${undated.length}: ${undated.join('; ')}`);
});
