import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDataFolder, type Ended, runTmds } from '../support/process.ts';

const COMMANDS = [
  'serve',
  'migrate',
  'load',
  'sync',
  'sources',
  'sources check',
  'registers',
  'loads',
  'issues',
  'key issue',
  'key list',
  'key show',
  'key rotate',
  'key revoke',
  'key set',
  'usage',
  'customer add',
  'customer list',
  'customer invite',
  'customer rename',
  'customer suspend',
  'customer resume',
  'customer remove',
  'operator invite',
  'operator list',
  'operator remove',
  'watch list',
  'watch show',
  'watch put',
  'watch end',
  'watch hits',
  'sample',
  'clock repair',
  'doctor',
  'roles',
];

test('every command of the contract has a help that costs nothing', async (t) => {
  const help = await Promise.all(COMMANDS.map((command) => runTmds(t, [...command.split(' '), '--help'])));
  const seen = help.map(({ status, stderr, stdout }) => ({ status, stderr, usage: stdout.split(/ \[| </)[0]!.trim() }));
  assert.deepEqual(
    seen.map(({ usage, ...rest }) => ({ ...rest, usage: usage.split('\n')[0] })),
    COMMANDS.map((command) => ({ status: 0, stderr: '', usage: `Usage: tmds ${command}` })),
  );
});

test('wrong usage ends with status 2 and one sentence, before anything is started', async (t) => {
  const wrong: Record<string, RegExp> = {
    fetchall: /^tmds: unknown command 'fetchall'\n$/,
    'serve --fast': /^tmds: unknown option '--fast'\n$/,
    load: /^tmds: missing required argument 'format'\n$/,
    'loads --limit 0': /^tmds: option '--limit <n>' argument '0' is invalid/,
    'key issue': /^tmds: required option '--customer <name>' not specified\n$/,
    'issues --limit 0': /^tmds: option '--limit <n>' argument '0' is invalid/,
    'issues newest': /^tmds: command-argument value 'newest' is invalid for argument 'load'/,
    'key issue --customer ': /^tmds: option '--customer <name>' argument '' is invalid. It must have 1 to 200/,
    'customer add ': /^tmds: command-argument value '' is invalid for argument 'name'. It must have 1 to 200/,
    'customer rename Acme': /^tmds: missing required argument 'new-name'\n$/,
    'operator invite nobody': /^tmds: command-argument value 'nobody' is invalid for argument 'email'/,
    'customer invite nobody --customer Acme': /^tmds: command-argument value 'nobody' is invalid for argument 'email'/,
  };
  const dataDir = await createDataFolder(t);
  const environment = { TMDS_DATA_DIR: join(dataDir, 'never') };
  const ended = await Promise.all(Object.keys(wrong).map((words) => runTmds(t, words.split(' '), environment)));
  const patterns = Object.values(wrong);
  ended.forEach(({ status, stdout, stderr }, position) => {
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
    assert.match(stderr, patterns[position]!);
  });
});

test('a wrong setting stops the start with every problem named, and no password shown', async (t) => {
  const ended = await runTmds(t, ['serve'], {
    DATABASE_URL: 'mysql://root:hunter2@localhost/tmds',
    PORT: '80a',
    TMDS_CHANGE_HORIZON_SECONDS: '-1',
    TMDS_LOG_LEVEL: 'loud',
    TMDS_RECORD_PREFIX: 'v1',
  });
  assert.deepEqual(ended, {
    status: 2,
    stdout: '',
    stderr:
      'tmds: invalid settings: DATABASE_URL must be an address like postgresql://user:password@host:port/database; ' +
      'PORT must be an integer from 0 to 65535, not "80a"; ' +
      'TMDS_RECORD_PREFIX must be one path segment of letters, digits, "-" and "_" other than v1, portal, docs, not "v1"; ' +
      'TMDS_CHANGE_HORIZON_SECONDS must be a number from 0 to 86400, not "-1"; ' +
      'TMDS_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"\n',
  });
});

test('a data folder that cannot be written is one sentence with the way out', async (t) => {
  const folder = await createDataFolder(t);
  await writeFile(join(folder, 'file'), '');
  const { status, stdout, stderr } = await runTmds(t, ['serve'], { TMDS_DATA_DIR: join(folder, 'file', 'data') });
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  assert.match(
    stderr,
    /^tmds: cannot write to the data folder: ENOTDIR.*; set TMDS_DATA_DIR to a folder that can be written\n$/,
  );
});

test('a data folder where nothing can be made is refused, not waited for', {
  skip: existsSync('/proc/self') ? false : 'there is no /proc here',
}, async (t) => {
  const { status, stdout, stderr } = await runTmds(t, ['serve'], { TMDS_DATA_DIR: '/proc/none/data' });
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  assert.match(
    stderr,
    /^tmds: cannot write to the data folder: .*set TMDS_DATA_DIR to a folder that can be written\n$/,
  );
});

test('a database that cannot be reached is one sentence with the way out, for every command', async (t) => {
  const environment = { DATABASE_URL: 'postgresql://tmds:hunter2@127.0.0.1:1/tmds' };
  const commands = ['serve', 'migrate', 'registers', 'loads', 'key list'];
  const ended = await Promise.all(commands.map((command) => runTmds(t, command.split(' '), environment)));
  const expected: Ended = {
    status: 1,
    stdout: '',
    stderr:
      'tmds: cannot reach the database at 127.0.0.1:1/tmds: connect ECONNREFUSED 127.0.0.1:1; start it, or correct DATABASE_URL\n',
  };
  assert.deepEqual(ended, Array(commands.length).fill(expected));
});

test('the doctor names variables that look like settings and are none', async (t) => {
  const ended = await runTmds(t, ['doctor'], {
    DATABASE_URL: 'postgresql://tmds:x@127.0.0.1:1/tmds',
    TMDS_PORT: '9000',
    TMDS_API_KEY: 'of the client',
  });
  assert.match(ended.stdout, /^ok {5}settings {3}every setting is valid; not settings, so without effect: TMDS_PORT\n/);
});

test('the doctor says what is wrong and what to do, with status 1', async (t) => {
  const ended = await runTmds(t, ['doctor'], { DATABASE_URL: 'postgresql://tmds:x@127.0.0.1:1/tmds' });
  // Whether the disk has room is the machine's business.
  const stdout = ended.stdout.replace(/^(ok {3}|WRONG) {2}disk .*\n/m, '');
  assert.equal(ended.status, 1);
  assert.match(ended.stderr, /^tmds: \d of 3 checks failed\n$/);
  assert.deepEqual(
    stdout,
    'ok     settings   every setting is valid\n' +
      'WRONG  database   cannot reach the database at 127.0.0.1:1/tmds: connect ECONNREFUSED 127.0.0.1:1; start it, or correct DATABASE_URL\n',
  );
});

test('the doctor makes nothing in an empty data folder, nor the folder', async (t) => {
  const empty = await createDataFolder(t);
  const dataDir = join(empty, 'never');
  for (const place of [empty, dataDir]) {
    const { status, stdout } = await runTmds(t, ['doctor'], { TMDS_DATA_DIR: place });
    assert.equal(status, 1);
    assert.match(stdout, /^WRONG {2}database {3}there is no database below .* yet; npm start or tmds serve makes it$/m);
  }
  assert.deepEqual(await readdir(empty), []);
});
