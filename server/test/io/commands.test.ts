import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command.ts';
import { createDataFolder, type Ended, runTmds } from '../support/process.ts';

test('help is written to standard output with status 0, wrong usage to standard error with status 2', async (t) => {
  const help = await runTmds(t, ['key', 'issue', '--help']);
  assert.deepEqual({ status: help.status, stderr: help.stderr }, { status: 0, stderr: '' });
  assert.match(help.stdout, /^Usage: tmds key issue /);
  const wrong = await runTmds(t, ['fetchall']);
  const sentence = `tmds: unknown command 'fetchall'; "tmds --help" shows how\n`;
  assert.deepEqual(wrong, { status: 2, stdout: '', stderr: sentence });
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
  const commands = ['migrate', 'registers', 'loads', 'key list'];
  const ended = [await runTmds(t, ['serve'], environment)];
  for (const command of commands) ended.push(await runHere(command.split(' '), environment));
  const expected: Ended = {
    status: 1,
    stdout: '',
    stderr:
      'tmds: cannot reach the database at 127.0.0.1:1/tmds: connect ECONNREFUSED 127.0.0.1:1; start it, or correct DATABASE_URL\n',
  };
  assert.deepEqual(ended, Array(ended.length).fill(expected));
});

test('the doctor names variables that look like settings but are not', async () => {
  const ended = await runHere(['doctor'], {
    DATABASE_URL: 'postgresql://tmds:x@127.0.0.1:1/tmds',
    TMDS_PORT: '9000',
    TMDS_API_KEY: 'of the client',
  });
  assert.match(ended.stdout, /^ok {5}settings {3}every setting is valid; not settings, so without effect: TMDS_PORT\n/);
});

test('the doctor says what is wrong and what to do, with status 1', async (t) => {
  const ended = await runHere(['doctor'], {
    DATABASE_URL: 'postgresql://tmds:x@127.0.0.1:1/tmds',
    TMDS_DATA_DIR: await createDataFolder(t),
  });
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

test('the doctor says that the data folder is not a folder', async (t) => {
  const file = join(await createDataFolder(t), 'file');
  await writeFile(file, '', { mode: 0o644 });
  const { stdout } = await runHere(['doctor'], {
    DATABASE_URL: 'postgresql://tmds:x@127.0.0.1:1/tmds',
    TMDS_DATA_DIR: file,
  });
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.includes('data folder')),
    [`WRONG  data folder  ${file} is not a folder; move it away, or set TMDS_DATA_DIR to another folder`],
  );
});

test('the doctor makes nothing in an empty data folder, nor the folder', async (t) => {
  const empty = await createDataFolder(t);
  const dataDir = join(empty, 'never');
  for (const place of [empty, dataDir]) {
    const { status, stdout } = await runHere(['doctor'], { TMDS_DATA_DIR: place });
    assert.equal(status, 1);
    assert.match(
      stdout,
      /^WRONG {2}database {3}there is no database below .* yet; npm start or tmds serve creates it$/m,
    );
  }
  assert.deepEqual(await readdir(empty), []);
});
