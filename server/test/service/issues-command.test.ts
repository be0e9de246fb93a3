/** `tmds issues` as an operator runs it after loads that found something odd. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';

const ODD = '{"jurisdiction_code":"XA","uid":"1","status":"Registered","vienna_codes":["1-2"]}';
const BAD = '{"jurisdiction_code":"XA","uid":"2","mark_name":"\u001b[2J"}';
const GOOD = '{"jurisdiction_code":"XA","uid":"3","status":"Registered"}';

test('issues shows what a load found odd and its rejects with their source text', async (t) => {
  const { url } = await createTestDatabase(t);
  const folder = makeFolder(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: join(folder, 'data') };
  const run = (...words: string[]) => runHere(words, environment);
  assert.deepEqual(await run('issues'), { status: 0, stdout: 'nothing has been loaded yet\n', stderr: '' });

  const odd = join(folder, 'odd.ndjson');
  writeFileSync(odd, `${ODD}\n${BAD}\n${BAD}\n`);
  assert.equal((await run('load', 'ndjson', odd)).status, 3);
  const { status, stdout } = await run('issues', '--json');
  assert.equal(status, 0);
  const found = JSON.parse(stdout);
  assert.deepEqual([found.load.format, found.load.rejected, found.load.issues], ['ndjson', 2, 1]);
  const example = { jurisdiction_code: 'XA', uid: '1', position: 'odd.ndjson, line 1' };
  assert.deepEqual(found.issues, [
    { code: 'unfindable_value', path: 'vienna_codes', value: '1-2', count: 1, examples: [example] },
  ]);
  assert.deepEqual(
    found.rejects.map(({ reason, ...reject }: { reason: string }) => reject),
    [2, 3].map((line, at) => ({
      ...{ ordinal: at + 1, position: `odd.ndjson, line ${line}`, source: BAD },
      ...{ jurisdiction_code: 'XA', uid: '2', closed_at: null, closed_by: null },
    })),
  );
  const listed = JSON.parse((await run('rejects', 'list', '--json')).stdout) as { loads: { open: number }[] };
  assert.deepEqual(
    listed.loads.map(({ open }) => open),
    [2],
  );
  const closing = ['rejects', 'close', found.load.load_id.slice(0, 8)];
  assert.equal((await run(...closing, '0')).status, 2);
  assert.equal((await run(...closing, '2')).stdout, '1 closed\n');
  assert.match((await run('rejects', 'list', '--register', 'XA')).stdout, /ndjson +1 /);
  assert.equal((await run(...closing)).stdout, '1 closed\n');
  assert.equal((await run('rejects', 'list')).stdout, 'no reject is open\n');

  const good = join(folder, 'good.ndjson');
  writeFileSync(good, `${GOOD}\n`);
  assert.equal((await run('load', 'ndjson', good)).status, 0);
  assert.match((await run('issues')).stdout, /^load .*, ndjson, finished, started .*\nno issue\nno reject\n$/);

  const empty = join(folder, 'empty.ndjson');
  writeFileSync(empty, '');
  const failed = await run('load', 'ndjson', empty);
  assert.equal(failed.status, 1);
  const reason = failed.stderr.trim().replace(/^tmds: /, '');
  const [, told] = (await run('issues')).stdout.split('\n');
  assert.equal(told, `it failed: ${reason}`, 'the reason is found again the next morning');

  const earlier = await run('issues', found.load.load_id.slice(0, 8), '--limit', '1');
  assert.equal(earlier.status, 0, earlier.stderr);
  assert.match(
    earlier.stdout,
    /\n {4}1 {2}unfindable_value {2}vienna_codes {2}1-2 {4}XA 1 \(odd\.ndjson, line 1\)\nunfindable_value: a/,
  );
  assert.match(
    earlier.stdout,
    /\n# odd\.ndjson, line 2: .+\n\{"jurisdiction_code":"XA","uid":"2","mark_name":"\ufffd\[2J"\}\n/,
  );
  assert.match(earlier.stdout, /\n1 of 2 rejects are shown; --limit shows more, the rejects file has all\n$/);

  const chosen = JSON.parse((await run('issues', found.load.load_id, '--kind', 'unfindable_value', '--json')).stdout);
  assert.deepEqual([chosen.issues, chosen.rejects], [found.issues, []]);
  const elsewhere = await run('issues', found.load.load_id, '--path', 'Owner');
  assert.match(elsewhere.stdout, /\nno issue of this kind and path\n$/);
  assert.equal((await run('issues', '--kind', 'unmapped_statos')).status, 2);

  const unknown = await run('issues', '00000000-0000');
  assert.deepEqual(unknown, {
    status: 1,
    stdout: '',
    stderr: 'tmds: there is no load 00000000-0000; "tmds loads" lists them\n',
  });
});
