/**
 * Every real file next to the checkout: it loads whole with every path explained, and again without a change; or it is
 * refused for the reason that the list gives.
 */
import assert from 'node:assert/strict';
import { createReadStream, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import type { LoadReport } from '../../src/load/findings/report.ts';
import { isSetFormat } from '../../src/load/formats/format.ts';
import { FORMATS, findFormat } from '../../src/load/formats/registry.ts';
import { openSource } from '../../src/load/sources/source.ts';
import { createTestDatabase } from '../support/database.ts';
import { chooseCases, isFull } from '../support/depth.ts';
import { makeFolder } from '../support/folder.ts';
import { listItems, REAL_DATA, skipWithout } from '../support/formats.ts';
import { countsOf, dumpContent, loadSources, UNLIMITED } from '../support/loads.ts';
import { DIFFERENT_RECORDS, type Expectation, listRealFiles, REAL_FILES } from '../support/real-files.ts';

const skip = skipWithout();

/** Files that no format reads, of those on the list. */
const OTHERS_A_DAY = 15;
/** Made inputs, which are no files of a register. */
const MADE = 'trial-inputs';

function listFiles(): string[] {
  const found = readdirSync(REAL_DATA, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(REAL_DATA, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(`${MADE}/`));
}

const filesOf = (path: string, all: readonly string[]): string[] =>
  all.filter((file) => (path.endsWith('/') ? file.startsWith(path) : file === path));

test('every real file is on the list of what is expected of it, once', { skip }, () => {
  const files = listFiles();
  for (const file of files) {
    const named = Object.keys(REAL_FILES).filter((path) => filesOf(path, [file]).length > 0);
    assert.equal(named.length, 1, `${file} is on the list ${named.length} times`);
  }
  for (const [path, { files: count = 1 }] of Object.entries(REAL_FILES)) {
    assert.equal(filesOf(path, files).length, count, path);
  }
});

for (const name of Object.keys(DIFFERENT_RECORDS)) {
  test(`all real ${name} files load in one load with every path explained, and again nothing changes [4.6.6]`, {
    skip,
    timeout: 300_000,
  }, async (t) => {
    const format = findFormat(name);
    assert.ok(format !== null);
    const { files: expected, different } = listRealFiles(name, { withLarge: isFull });
    const sum = (count: (each: (typeof expected)[number]) => number | undefined): number =>
      expected.reduce((total, each) => total + (count(each) ?? 0), 0);
    const [read, rejected] = [sum(({ records }) => records), sum((each) => each.rejected)];
    const issues: Record<string, number> = {};
    for (const each of expected) {
      for (const [code, times] of Object.entries(each.issues ?? {})) issues[code] = (issues[code] ?? 0) + times;
    }
    const { db } = await createTestDatabase(t, UNLIMITED);
    const folder = makeFolder(t);
    const load = async (): Promise<LoadReport> => {
      const paths = expected.flatMap(({ path }) => filesOf(path, listFiles().sort()));
      const sources = await Promise.all(paths.map((path) => openSource(join(REAL_DATA, path))));
      return await loadSources(db, { sources, format, rejectsPath: join(folder, '{load}.txt') });
    };
    const first = await load();
    const repeated = read - rejected - different;
    assert.deepEqual(countsOf(first), [read, different, 0, repeated, rejected]);
    assert.equal(first.superseded, repeated);
    assert.deepEqual({ ...first.issues }, { ...issues, ...(repeated === 0 ? {} : { superseded: repeated }) });
    const before = await dumpContent(db);
    const again = await load();
    assert.deepEqual(countsOf(again), [read, 0, 0, read - rejected, rejected]);
    assert.equal(await dumpContent(db), before);
  });
}

/** Formats whose files state a part of a record, or rows of it: what a file says is joined to what others have said. */
for (const name of ['inpi-br', 'tipo', 'st66']) {
  test(`real ${name} files that are loaded again one by one change nothing [4.6.6]`, {
    skip,
    timeout: 300_000,
  }, async (t) => {
    const format = findFormat(name);
    assert.ok(format !== null);
    const { db } = await createTestDatabase(t, UNLIMITED);
    const rejectsPath = join(makeFolder(t), '{load}.txt');
    const paths = listRealFiles(name, { withLarge: isFull }).files.map(({ path }) => path);
    const load = async (path: string): Promise<LoadReport> =>
      await loadSources(db, { sources: [await openSource(join(REAL_DATA, path))], format, rejectsPath });
    for (const path of paths) await load(path);
    const before = await dumpContent(db);
    for (const path of paths) assert.equal((await load(path)).changed, 0, path);
    assert.equal(await dumpContent(db), before);
  });
}

/** Why a format makes no record of a file; fails if it makes one. */
async function findReason(name: string, file: string): Promise<string> {
  const format = findFormat(name);
  assert.ok(format !== null);
  try {
    const items = await listItems(format, createReadStream(join(REAL_DATA, file)), { register: null }, file);
    const reasons = items.map((item) => (item.kind === 'reject' ? item.reason : `${file} is a record of ${name}`));
    assert.deepEqual(
      items.filter(({ kind }) => kind === 'record'),
      [],
      `${name} reads ${file}`,
    );
    return reasons[0] ?? 'nothing is found in it';
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return (error as Error).message;
  }
}

test('every other real file is refused by the format it looks like, without a record', {
  skip,
}, async () => {
  const all = listFiles();
  const formats = FORMATS.filter((format) => !isSetFormat(format)).map(({ name }) => name);
  const others = Object.entries<Expectation>(REAL_FILES).filter(([, expectation]) => !('formats' in expectation));
  for (const [path, expectation] of chooseCases(others, OTHERS_A_DAY)) {
    for (const file of filesOf(path, all)) {
      for (const name of formats) {
        const reason = await findReason(name, file);
        if ('refusedBy' in expectation && expectation.refusedBy === name)
          assert.match(reason, expectation.reason, file);
      }
    }
  }
});
