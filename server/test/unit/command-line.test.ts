/** What the command line understands, without a process for each command line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildContext } from '../../src/cli/context.ts';
import { runCommand } from '../../src/cli/program.ts';

interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** Settings and a database are out of its reach: asking for one fails the test. */
async function run(words: readonly string[]): Promise<Ran> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const refuse = (): never => assert.fail(`tmds ${words.join(' ')} has begun`);
  const status = await runCommand(words, {
    ...buildContext('1.2.3'),
    write: (text) => void stdout.push(text),
    print: (line) => void stdout.push(`${line}\n`),
    note: (line) => void stderr.push(`${line}\n`),
    readConfig: refuse,
    readSettings: refuse,
    withDatabase: refuse,
  });
  return { status, stdout: stdout.join(''), stderr: stderr.join('') };
}

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
  'rejects list',
  'rejects close',
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
  'watch preview',
  'watch put',
  'watch end',
  'watch hits',
  'sample',
  'clock repair',
  'doctor',
  'roles',
];

for (const command of COMMANDS) {
  test(`tmds ${command} has a help that costs nothing`, async () => {
    const { status, stdout, stderr } = await run([...command.split(' '), '--help']);
    const usage = stdout
      .split(/ \[| </)[0]!
      .trim()
      .split('\n')[0];
    assert.deepEqual({ status, stderr, usage }, { status: 0, stderr: '', usage: `Usage: tmds ${command}` });
    assert.doesNotMatch(stdout, /default:\s+false/, 'the help need not say that a switch is off by default');
  });
}

test('the help of the program lists every command, and each command prints its own help', async () => {
  const { status, stdout } = await run(['--help']);
  assert.equal(status, 0);
  const listed = [...stdout.matchAll(/^ {2}([a-z]+)(?:\|| )/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');
  const expected = new Set(COMMANDS.map((command) => command.split(' ')[0]));
  assert.deepEqual(
    [...expected].filter((name) => !listed.includes(name!)),
    [],
  );
  for (const name of listed) {
    assert.deepEqual(await run(['help', name]), await run([name, '--help']));
    assert.deepEqual(await run(['--config', 'serve', name, '--help']), await run([name, '--help']));
  }
});

test('without a command the help goes to standard error, with status 2', async () => {
  const [bare, asked] = [await run([]), await run(['help'])];
  assert.deepEqual(bare, { status: 2, stdout: '', stderr: asked.stdout });
  assert.equal(asked.status, 0);
  assert.deepEqual(await run(['--version']), { status: 0, stdout: '1.2.3\n', stderr: '' });
});

const WRONG: Record<string, RegExp> = {
  fetchall: /^tmds: unknown command 'fetchall'; "tmds --help" shows how\n$/,
  lod: /^tmds: unknown command 'lod' \(Did you mean load\?\); "tmds --help" shows how\n$/,
  'serve --fast': /^tmds: unknown option '--fast'; "tmds serve --help" shows how\n$/,
  load: /^tmds: missing required argument 'format'; "tmds load --help" shows how\n$/,
  'loads --limit 0': /^tmds: option '--limit <n>' argument '0' is invalid/,
  'key issue': /^tmds: required option '--customer <name>' not specified; "tmds key issue --help" shows how\n$/,
  'issues --limit 0': /^tmds: option '--limit <n>' argument '0' is invalid/,
  'issues newest': /^tmds: 'newest' is not a valid load\. Give an id/,
  'key issue --customer ': /^tmds: option '--customer <name>' argument '' is invalid. It must have 1 to 200/,
  'customer add ': /^tmds: '' is not a valid name\. It must have 1 to 200/,
  'customer rename Acme': /^tmds: missing required argument 'new-name'; "tmds customer rename --help" shows how\n$/,
  'operator invite nobody': /^tmds: 'nobody' is not a valid email\. It must be an e-mail address\.\n$/,
  'customer invite nobody --customer Acme': /^tmds: 'nobody' is not a valid email\. It must be an e-mail address\.\n$/,
};

for (const [words, pattern] of Object.entries(WRONG)) {
  test(`tmds ${words} ends with status 2 and one sentence, before anything is started`, async () => {
    const { status, stdout, stderr } = await run(words.split(' '));
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
    assert.match(stderr, pattern);
  });
}
