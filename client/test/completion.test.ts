/** Completion of `tmds-client`, in every shell that is on this machine. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FILTERS } from '@tmds/contract/parameters';
import { makeFolder } from '../../server/test/support/folder.ts';
import { runInShell } from './support/shell.ts';

function hasShell(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'exit 0'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function writeScript(t: TestContext, shell: string): Promise<string> {
  const folder = makeFolder(t);
  const { status, out } = await runInShell(['completion', shell], {});
  assert.equal(status, 0);
  const file = join(folder, `completion.${shell}`);
  await writeFile(file, out);
  return file;
}

const list = (text: string): string[] => text.split('\n').filter((line) => line !== '');

test('bash completes commands, flags, words and values', async (t) => {
  if (!hasShell('bash')) return t.skip('bash is not on this machine');
  const file = await writeScript(t, 'bash');
  const complete = (...words: string[]): string[] => {
    const script = `source ${file}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tmds_client; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return list(execFileSync('bash', ['--norc', '-c', script, 'bash', 'tmds-client', ...words], { encoding: 'utf8' }));
  };
  assert.deepEqual(complete('se'), ['search']);
  assert.ok(complete('').includes('reconcile'));
  assert.deepEqual(complete('search', '--nice'), ['--nice-class', '--nice-class-all']);
  assert.deepEqual(complete('watch', 'p'), ['put']);
  assert.deepEqual(complete('search', '--kind-of-mark', 'Co'), ['Collective', 'Common\\ right']);
  assert.deepEqual(complete('search', '--mark-name', ''), []);
  assert.deepEqual(complete('hits', 'w', '--fol'), ['--follow']);
});

test('zsh reads the script, and has every command in it', async (t) => {
  if (!hasShell('zsh')) return t.skip('zsh is not on this machine');
  const file = await writeScript(t, 'zsh');
  execFileSync('zsh', ['-f', '-n', file]);
  // The functions of zsh that draw a completion are replaced by ones that print what they get.
  const script = `compdef() { }; _describe() { print -l -- \${(P)2} }; _arguments() { print -l -- "$@" }; source ${file}
    words=("$@"); CURRENT=$#; _tmds_client`;
  const complete = (...words: string[]): string[] =>
    list(execFileSync('zsh', ['-f', '-c', script, 'zsh', 'tmds-client', ...words], { encoding: 'utf8' }));
  assert.ok(complete('').includes('hits:Show the hits of a watch'));
  const flags = complete('search', '--');
  for (const name of Object.keys(FILTERS)) {
    assert.equal(flags.filter((flag) => flag.includes(`--${name.replaceAll('_', '-')}[`)).length, 1, name);
  }
  assert.ok(flags.some((flag) => flag.endsWith(':(Registered Pending Abandoned Cancelled Unknown)')));
  assert.ok(complete('completion', '').includes('1:word:(bash zsh fish)'));
});

test('fish completes commands, flags and values', async (t) => {
  if (!hasShell('fish')) return t.skip('fish is not on this machine');
  const file = await writeScript(t, 'fish');
  const complete = (line: string): string[] => {
    const script = `source ${file}; complete -C ${JSON.stringify(line)}`;
    return list(execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' })).map(
      (each) => each.split('\t')[0]!,
    );
  };
  assert.deepEqual(complete('tmds-client se'), ['search']);
  assert.deepEqual(complete('tmds-client search --nice'), ['--nice-class', '--nice-class-all']);
  assert.deepEqual(complete('tmds-client search --status P'), ['Pending']);
  assert.deepEqual(complete('tmds-client watch p'), ['put']);
});
