/** `tmds registers` as an operator runs it: every register in a line, or one with its periods. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';

const statement = (uid: string, more = ''): string =>
  `{"jurisdiction_code":"XA","uid":"${uid}","status":"Registered"${more}}\n`;

test('registers says what silence means, for all registers or for one, for people and for programs', async (t) => {
  const { url } = await createTestDatabase(t);
  const folder = makeFolder(t);
  const sources = join(folder, 'sources.toml');
  writeFileSync(
    sources,
    `[source.xa]\nkind = "folder"\nfolder = "${folder}"\nsettle = "0s"\nformat = "ndjson"\nregister = "XA"
    files = "RM{N}.ndjson"\ngrace = "0s"\ngaps = "pass"\n`,
  );
  const environment = { DATABASE_URL: url, TMDS_DATA_DIR: join(folder, 'data'), TMDS_SOURCES: sources };
  const run = (...words: string[]) => runHere(words, environment);
  assert.deepEqual(await run('registers'), { status: 0, stdout: 'no register is loaded yet\n', stderr: '' });
  assert.deepEqual(await run('registers', 'xa'), {
    status: 1,
    stdout: '',
    stderr: 'tmds: there is no register XA; "tmds registers" lists them\n',
  });
  const wrong = await run('registers', 'X/A');
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /A register code has 2 to 5 letters or digits/);

  writeFileSync(join(folder, 'hand.ndjson'), statement('1', ',"vienna_codes":["1-2"]') + statement('2'));
  assert.equal((await run('load', 'ndjson', join(folder, 'hand.ndjson'))).status, 0);
  const unknown = 'because it is not known which periods the loaded files cover.';
  assert.match(
    (await run('registers')).stdout,
    new RegExp(`\nXA: Nothing can be concluded from silence, ${unknown}\n$`),
  );
  const byHand = (await run('registers', 'XA')).stdout;
  assert.match(byHand, /^XA: 2 records, no frontier is known\nNothing can be concluded from silence, /);
  assert.match(byHand, /\nby hand {2}ndjson +- {2}not known {2}not known {2}not known {9}not known {2}not known/);
  assert.match(byHand, /\nrecords with issues: 1 of 2 \(50 %\), read by load [\da-f]{8}\n$/);

  const named = await run('load', 'ndjson', join(folder, 'hand.ndjson'), '--period', '2026-W47');
  assert.equal(named.status, 0, named.stderr);
  assert.match(
    (await run('registers', 'XA')).stdout,
    /\nndjson by hand: files of week 2026-W47 are loaded, and it is not known which others there should be; /,
  );
  const badPeriod = await run('load', 'ndjson', join(folder, 'hand.ndjson'), '--period', '2240x');
  assert.equal(badPeriod.status, 2);
  assert.match(badPeriod.stderr, /Give a period such as 2026-11-20, .* or number-2240/);

  for (const number of [7, 8, 11]) writeFileSync(join(folder, `RM${number}.ndjson`), statement(String(number)));
  assert.equal((await run('sync', '--once')).status, 0);
  const { stdout, status } = await run('registers', 'XA', '--json');
  assert.equal(status, 0);
  const report = JSON.parse(stdout);
  const [declared, stated, rest] = report.series;
  assert.deepEqual(
    [declared.source, declared.first_period, declared.last_period, declared.complete_through, declared.missing],
    [
      'xa',
      '7',
      '11',
      '8',
      [
        { period: '9', reason: 'absent' },
        { period: '10', reason: 'absent' },
      ],
    ],
  );
  assert.deepEqual([stated.source, stated.last_period, rest.source, rest.last_period], [null, '2026-W47', null, null]);
  assert.equal(
    report.conclusion,
    'xa: a change published by the office from number 7 through number 11 is here, except for number 9 and number 10, ' +
      'which are missing; ndjson by hand: files of week 2026-W47 are loaded, and it is not known which others there ' +
      'should be; of other files of ndjson by hand it is not known which periods were loaded.',
  );
  assert.match((await run('registers', 'XA')).stdout, /\nxa: 9 is missing: absent\nxa: 10 is missing: absent\n/);
  const all = JSON.parse((await run('registers', '--json')).stdout).registers;
  assert.equal(all[0].conclusion, report.conclusion);
});
