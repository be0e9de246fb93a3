/**
 * The command line inside the test's own process, for tests of what a command does: it has the settings that the test
 * states and no others, and everything it writes is kept. How a process begins and ends is for `process.ts`.
 */
import assert from 'node:assert/strict';
import { listUnknownSettings, readSettings } from '../../src/base/config.ts';
import { buildContext } from '../../src/cli/context.ts';
import { runCommand } from '../../src/cli/program.ts';
import type { Ended } from './process.ts';

/** Runs `tmds` with these words and settings until it ends. Only for a database that outlives the command. */
export async function runHere(
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const environment = { TMDS_LOG_LEVEL: 'warn', ...settings };
  const context = buildContext('1.2.3');
  Object.assign(context, {
    readSettings: () => readSettings(environment, context.configFile),
    listUnknownSettings: () => listUnknownSettings(environment),
    write: (text: string) => stdout.push(text),
    print: (line: string) => stdout.push(`${line}\n`),
    note: (line: string) => stderr.push(`${line}\n`),
    giveWay: () => {},
  });
  const status = await runCommand(words, context);
  return { status, stdout: stdout.join(''), stderr: stderr.join('') };
}

/** The text of a key that an operator has issued. */
export async function issueKeyHere(environment: Readonly<Record<string, string>>): Promise<string> {
  const { status, stdout, stderr } = await runHere(['key', 'issue', '--customer', 'Example', '--json'], environment);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  return (JSON.parse(stdout) as { key: string }).key;
}
