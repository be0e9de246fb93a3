/** A membership filter is a line in the table of filters and a line in the record's terms, and nothing else. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

async function edit(file: string, before: string, after: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  assert.ok(text.includes(before), `${file} has the place of the edit`);
  await writeFile(file, text.replace(before, after));
}

/** Searches two records by the new filter, from the query string to the keys of the page. */
const PROGRAM = `
  import { parseSearch } from './server/src/parse/search.ts';
  import { checkDeclared, splitQuery } from './server/src/parse/query.ts';
  import { planSearch } from './server/src/plan/search.ts';
  import { IndexWriter } from './server/src/index/writer.ts';
  import { NEVER_INTERRUPTED, Scratch } from './server/src/index/matchers.ts';
  import { searchView } from './server/src/index/search.ts';
  import { buildSegment } from './server/test/support/segments.ts';
  import { buildSource } from './server/test/support/source.ts';
  import { buildStored } from './server/test/support/stored.ts';
  const stored = [['A1', 'LIVE'], ['A2', 'DEAD']].map(([uid, tm5_status]) =>
    buildStored(buildSource({ uid, tm5_status }), '2026-01-01T00:00:00.000000Z'));
  const view = new IndexWriter(() => 0).apply([buildSegment(stored, 'only')], 1e16);
  const plan = planSearch(parseSearch(checkDeclared('search', splitQuery('tm5_status=live,gone')), null));
  const { records } = searchView(view, plan, new Scratch(), NEVER_INTERRUPTED);
  console.log(JSON.stringify(records.map(({ uid }) => uid)));
`;

test('a membership filter is added by one line in each of two tables', async (t) => {
  // Below the repository, so that packages are found; the contract is the copy's own.
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const copy = await mkdtemp(join(ROOT, '.cache/test-filter-'));
  t.after(() => rm(copy, { recursive: true, force: true }));
  for (const part of [
    'contract/src',
    'contract/package.json',
    'server/src',
    'server/package.json',
    'server/test/support',
  ]) {
    await cp(join(ROOT, part), join(copy, part), { recursive: true });
  }
  await mkdir(join(copy, 'node_modules/@tmds'), { recursive: true });
  await symlink(join(copy, 'contract'), join(copy, 'node_modules/@tmds/contract'), 'dir');
  await edit(
    join(copy, 'contract/src/parameters.ts'),
    '  owner_country: {\n',
    "  tm5_status: { value: codes, filter: true, description: 'The own status.', example: 'LIVE' },\n  owner_country: {\n",
  );
  await edit(
    join(copy, 'server/src/record/terms.ts'),
    '  owner_country: (record)',
    '  tm5_status: (record) => only(record.tm5_status),\n  owner_country: (record)',
  );
  await writeFile(join(copy, 'search.mts'), PROGRAM);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=tmds-source', '--import', 'tsx', join(copy, 'search.mts')],
    { cwd: copy },
  );
  assert.deepEqual(JSON.parse(stdout), ['A1']);
});
