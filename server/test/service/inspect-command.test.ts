/** `tmds inspect` and the checks of a delivery, as an operator runs them. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';

const GOOD = '{"jurisdiction_code":"XA","uid":"1","status":"Registered","vienna_codes":["1-2"]}';
const BAD = '{"jurisdiction_code":"XA","uid":"2"}';

test('inspect shows what files contain without any database', async (t) => {
  const folder = makeFolder(t);
  const dataDir = join(folder, 'data');
  const environment = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', TMDS_DATA_DIR: dataDir };
  const run = (...words: string[]) => runHere(['inspect', ...words], environment);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const good = file('good.ndjson', `${GOOD}\n`);
  const mixed = file('mixed.ndjson', `${GOOD}\n${BAD}\n`);
  const cut = file('cut.xml', '<response><body><items><TotalSearchCount>1</TotalSearchCount>');
  const page = file('page.xml', '<html><body>503</body></html>');

  const told = await run(good, '--json');
  assert.deepEqual([told.status, JSON.parse(told.stdout).records], [0, 1], told.stderr);
  const odd = await run(mixed);
  assert.equal(odd.status, 3);
  assert.match(odd.stdout, /mixed\.ndjson: ndjson, normalized records, one a line, \d+ bytes\n/);
  assert.match(odd.stdout, /\n1 records, 1 rejected\n/);
  assert.match(odd.stdout, /\nvienna_codes +1 +100\n/);
  assert.match(odd.stdout, /unfindable_value +vienna_codes +1-2 +XA 1 \(mixed\.ndjson, line 1\)/);
  assert.match(odd.stdout, /# mixed\.ndjson, line 2: .*status.*\n\{"jurisdiction_code":"XA","uid":"2"\}\n$/);

  const broken = await run(cut, '--json');
  assert.equal(broken.status, 1);
  assert.deepEqual([JSON.parse(broken.stdout).format, /truncated/.test(broken.stderr)], ['kipris', true]);
  const unknown = await run(page, good);
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /^tmds: .*page\.xml seems to be a web page/);
  assert.match(unknown.stdout, /good\.ndjson: ndjson/, 'the other file is reported all the same');
  const forced = await run(good, '--format', 'st66');
  assert.equal(forced.status, 1);
  assert.equal((await run('-')).status, 2);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const unread = await run(pipe);
  assert.equal(unread.status, 2);
  assert.match(unread.stderr, /pipe can be read only once: name its format by --format, or save it to a file/);
  execFile('sh', ['-c', `cat '${good}' > '${pipe}'`]);
  const whole = await run(pipe, '--format', 'ndjson', '--json');
  assert.deepEqual([JSON.parse(whole.stdout).records, JSON.parse(whole.stdout).rejected], [1, 0], whole.stderr);
  assert.equal((await run(good, '--format', 'nosuch')).status, 2);
  assert.equal(existsSync(dataDir), false, 'nothing was written');
});

test('load checks a delivery by its manifest, its count and its register', async (t) => {
  const { url } = await createTestDatabase(t);
  const folder = makeFolder(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: join(folder, 'data') };
  const path = join(folder, 'good.ndjson');
  const manifest = join(folder, 'manifest.json');
  writeFileSync(path, `${GOOD}\n`);
  writeFileSync(manifest, '[{"name":"good.ndjson","records":2}]');
  const run = (...words: string[]) => runHere(['load', 'ndjson', path, ...words], environment);
  const other = await run('--manifest', manifest);
  assert.equal(other.status, 1);
  assert.match(other.stderr, /should hold 2 records and holds 1/);
  assert.equal((await run('--expect', 'many')).status, 2);
  assert.equal((await run('--accept-absent')).status, 2);
  const whole = await run('--expect', '1', '--whole', '--json');
  assert.equal(whole.status, 0, whole.stderr);
  assert.equal(JSON.parse(whole.stdout).absent, 0);
  const set = await runHere(['load', 'jpo', path, '--whole'], environment);
  assert.match(set.stderr, /states only the rows that changed/);
  assert.equal(set.status, 2);
});
