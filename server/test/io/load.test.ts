/**
 * `tmds load` as an operator runs it: exit status, the report on standard output, everything else on standard error.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from '../../src/database/driver/sql.ts';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { runTmds, startTmds, waitFor } from '../support/process.ts';
import { buildZip } from '../support/zip.ts';

const RECORD = '{"jurisdiction_code":"XA","uid":"1","status":"Registered"}';
const BAD = '{"jurisdiction_code":"XA","uid":"2"}';

test('a load reports as JSON on standard output alone and ends with 0, 3 or 1', { timeout: 300_000 }, async (t) => {
  const { url } = await createTestDatabase(t);
  const folder = makeFolder(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: join(folder, 'data') };
  const good = join(folder, 'good.ndjson.gz');
  const mixed = join(folder, 'mixed.ndjson');
  const cut = join(folder, 'cut.ndjson.gz');
  writeFileSync(good, gzipSync(`${RECORD}\n`));
  writeFileSync(mixed, `${RECORD}\n${BAD}\n`);
  writeFileSync(cut, gzipSync(`${RECORD}\n`).subarray(0, 40));

  const first = await runTmds(
    t,
    ['load', 'ndjson', good, '--json', '--current-through', '2026-01-02T00:00:00.000000999z'],
    environment,
  );
  assert.equal(first.status, 0, first.stderr);
  const report = JSON.parse(first.stdout);
  assert.deepEqual(
    { ...report, load_id: null, seconds: null, phase_seconds: null, records_per_second: null },
    {
      load_id: null,
      format: 'ndjson',
      sources: [good],
      registers: ['XA'],
      read: 1,
      new: 1,
      changed: 0,
      unchanged: 0,
      rejected: 0,
      superseded: 0,
      absent: null,
      supplements: { read: 0, new: 0, changed: 0 },
      issues: {},
      rejects_file: null,
      current_through: '2026-01-02T00:00:00.000000Z',
      seconds: null,
      phase_seconds: null,
      records_per_second: null,
    },
  );

  const rejects = join(folder, 'rejects.txt');
  const second = await runHere(['load', 'ndjson', mixed, '--rejects', rejects], environment);
  assert.equal(second.status, 3, second.stderr);
  assert.match(second.stdout, /^XA: 2 read, 0 new, 0 changed, 1 unchanged, 1 rejected\n/);
  assert.doesNotMatch(second.stdout, /change feed/);
  assert.match(second.stdout, /^records were rejected, so the date up to which the registers are complete stays/m);
  assert.equal(readFileSync(rejects, 'utf8'), `# mixed.ndjson, line 2: status is missing\n${BAD}\n`);

  // Each is more than the file takes at once.
  const long = join(folder, 'long.ndjson');
  writeFileSync(long, `{"uid":"${'x'.repeat(70_000)}"}\n`.repeat(20));
  const many = await runTmds(t, ['load', 'ndjson', long, '--rejects', rejects], environment);
  assert.equal(many.status, 3, many.stderr);
  assert.doesNotMatch(many.stderr, /warning/i);

  const archive = join(folder, 'day.zip');
  writeFileSync(
    archive,
    buildZip([
      { name: '1.ndjson', text: RECORD },
      { name: '2.ndjson', text: '<html>\n</html>' },
    ]),
  );
  const partly = await runHere(['load', 'ndjson', archive, '--rejects', rejects], environment);
  assert.equal(partly.status, 3, partly.stderr);
  assert.match(partly.stdout, /^XA: 2 read, 0 new, 0 changed, 1 unchanged, 1 rejected\n/);
  assert.match(readFileSync(rejects, 'utf8'), /^# day\.zip\/2\.ndjson: the file is not made of lines .*\n<html>\n/);

  const third = await runTmds(t, ['load', 'ndjson', good, cut], environment);
  assert.deepEqual([third.status, third.stdout], [1, '']);
  assert.match(third.stderr, /^tmds: cannot read .*cut\.ndjson\.gz: it is truncated$/m);
});

test('standard input is loaded like a file, and what is used wrongly ends with 2', { timeout: 300_000 }, async (t) => {
  const { url } = await createTestDatabase(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: makeFolder(t) };
  const { status, stdout } = await startTmds(t, ['load', 'ndjson', '-'], environment, { input: `${RECORD}\r\n` }).ended;
  assert.equal(status, 0);
  assert.match(stdout, /^XA: 1 read, 1 new,/);
  assert.match(stdout, /^no server runs; the next one serves them$/m);
  assert.match(stdout, /^the files do not say up to which date the registers are complete, so that date stays/m);
  const wrong: [string[], RegExp][] = [
    [['load', 'nosuch', 'a'], /^tmds: .*Formats: ndjson, /],
    [['load', 'ndjson', '-', '-'], /^tmds: standard input can be read only once$/m],
    [['load', 'ndjson', '-', '--register', 'X/A'], /A register code has 2 to 5 letters or digits/],
    [
      ['load', 'ndjson', '-', '--current-through', '2999-01-01'],
      /^tmds: --current-through 2999-01-01 is in the future$/m,
    ],
    [['load', 'ndjson', '-', '--current-through', 'today'], /^tmds: --current-through /m],
  ];
  for (const [words, sentence] of wrong) {
    const run = await runHere(words, environment);
    assert.deepEqual([run.status, run.stdout], [2, ''], words.join(' '));
    assert.match(run.stderr, sentence);
  }
});

test('a load that is interrupted says what to do, with status 1', { timeout: 300_000 }, async (t) => {
  const { url, db } = await createTestDatabase(t);
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: join(makeFolder(t), 'data') };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const load = startTmds(t, ['load', 'ndjson', '-'], environment, { isInputOpen: true });
    load.child.stdin!.write(`${RECORD}\n`.repeat(10_000));
    await waitFor(async () => (await db.query(sql`select from load where state = 'staging'`)).length === 1);
    load.kill(signal);
    const { status, stderr } = await load.ended;
    assert.equal(status, 1);
    assert.match(
      stderr,
      new RegExp(`^tmds: interrupted by ${signal}; load the same files again, what has been published stays$`, 'm'),
    );
    await db.query(sql`update load set state = 'failed' where state = 'staging'`);
  }
});
