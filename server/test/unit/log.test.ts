/** The log is JSON for programs and text for a person, and neither form can hurt who reads it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildKeyId, buildKeyText } from '../../src/access/secret.ts';
import { failureForLog, OperatorError } from '../../src/base/errors.ts';
import { buildLog, type Log, type LogFormat } from '../../src/base/log.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';

function collect(options: { format?: LogFormat; isTerminal?: boolean }): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { log: buildLog({ level: 'info', destination, ...options }), lines };
}

const CONTROL = /[^\P{Cc}\n]/u;
const COLOUR = /\u001b\[\d+m/g;

test('lines are JSON unless standard error is a terminal, and what the setting says otherwise', () => {
  const isJson = (options: { format?: LogFormat; isTerminal?: boolean }): boolean => {
    const { log, lines } = collect(options);
    log.info({ request_id: 'r1' }, 'call served');
    return lines[0]!.startsWith('{') && JSON.parse(lines[0]!).request_id === 'r1';
  };
  assert.deepEqual(
    [
      isJson({ isTerminal: false }),
      isJson({ isTerminal: true }),
      isJson({ format: 'json', isTerminal: true }),
      isJson({ format: 'text', isTerminal: false }),
    ],
    [true, false, true, false],
  );
});

test('a line for a person holds time, level, message and every member, on one line', () => {
  const { log, lines } = collect({ isTerminal: true });
  log.warn({ status: 503, route: '/v1/changes' }, 'call refused');
  const text = lines.join('').replace(COLOUR, '');
  assert.match(
    text,
    /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}] WARN: call refused \{"status":503,"route":"\/v1\/changes"}\n$/,
  );
});

test('a failure keeps its stack in both forms', () => {
  for (const format of ['json', 'text'] as const) {
    const { log, lines } = collect({ format });
    log.error({ err: new Error('no room') }, 'call failed');
    assert.match(lines.join(''), /call failed[\s\S]*no room|no room[\s\S]*call failed/);
    assert.match(lines.join(''), /log\.test\.ts/);
  }
});

test('a failure outside of this program is a reason without a stack', () => {
  const { log, lines } = collect({ format: 'json' });
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  const full = Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
  for (const err of [refused, full, new NoAnswer('database_away', { cause: refused })]) log.warn({ err }, 'away');
  const errors = lines.map((line) => (JSON.parse(line) as { err: { message: string; stack?: string } }).err);
  assert.deepEqual(
    errors.map(({ message, stack }) => [message, stack]),
    [
      ['connect ECONNREFUSED 127.0.0.1:1', undefined],
      ['sorry, too many clients already', undefined],
      ['the database is not available: connect ECONNREFUSED 127.0.0.1:1', undefined],
    ],
  );
});

test('what callers send cannot command the terminal, in messages, members or stacks', () => {
  const hostile = 'a\u001b[2Jb\u0007\rc\u009b31md\u007f\b\\u001b';
  const { log, lines } = collect({ format: 'text' });
  log.info({ param: hostile, [hostile]: 1 }, hostile);
  log.error({ err: new Error(hostile) }, 'call failed');
  const text = lines.join('');
  assert.doesNotMatch(text, CONTROL);
  assert.match(text, /a\\u001b\[2Jb\\u0007\\u000dc\\u009b31md\\u007f\\u0008\\u001b/);
});

test('a key is masked in both forms [5.4]', () => {
  const { text: key } = buildKeyText(buildKeyId());
  for (const format of ['json', 'text'] as const) {
    const { log, lines } = collect({ format });
    log.info({ param: key, token: 'hunter2' }, `refused ${key}`);
    assert.ok(!lines.join('').includes(key.slice(12)), format);
    assert.doesNotMatch(lines.join(''), /hunter2/);
  }
});

test('a failure that is tried again takes one line if it was expected, and its stack if it is a fault', () => {
  const cause = new Error('connect ECONNREFUSED');
  assert.deepEqual(failureForLog(new NoAnswer('database_away', { cause })), { reason: cause.message });
  assert.deepEqual(failureForLog(new NoAnswer('node_away')), { reason: 'a node of the database does not answer' });
  assert.deepEqual(failureForLog(new OperatorError('no room')), { reason: 'no room' });
  assert.deepEqual(failureForLog(cause), { err: cause });
});
