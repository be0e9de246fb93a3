/** Issues counted in bounded memory, each with its first places. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIssueCounter } from '../../src/load/formats/format.ts';

const at = (line: number) => ({ jurisdiction_code: 'XA', uid: `XA${line}`, position: `a.xml, line ${line}` });

test('each kind, path and value is counted and keeps its first three places', () => {
  const issues = openIssueCounter();
  for (let line = 1; line <= 5; line += 1) issues.note({ code: 'c', path: 'p', value: 'v' }, 2, at(line));
  issues.note({ code: 'c', path: 'p', value: 'other' }, 1, null);
  assert.deepEqual(issues.list(), [
    { code: 'c', path: 'p', value: 'v', count: 10, examples: [at(1), at(2), at(3)] },
    { code: 'c', path: 'p', value: 'other', count: 1, examples: [] },
  ]);
});

test('what threads counted adds up, and keeps the places of the first', () => {
  const one = openIssueCounter();
  const other = openIssueCounter();
  const all = openIssueCounter();
  one.note({ code: 'c', path: 'p', value: 'v' }, 1, at(1));
  for (let line = 2; line <= 5; line += 1) other.note({ code: 'c', path: 'p', value: 'v' }, 1, at(line));
  all.add(one.list());
  all.add(other.list());
  assert.deepEqual(all.list(), [{ code: 'c', path: 'p', value: 'v', count: 5, examples: [at(1), at(2), at(3)] }]);
});

test('beyond the bound values are counted together, and none is lost', () => {
  const issues = openIssueCounter(2);
  for (let line = 1; line <= 9; line += 1) issues.note({ code: 'c', path: 'p', value: String(line) }, 1, at(line));
  assert.deepEqual(
    issues.list().map(({ value, count, examples }) => [value, count, examples.length]),
    [
      ['1', 1, 1],
      ['2', 1, 1],
      ['…', 7, 3],
    ],
  );
});

test('values that differ only in what the database cannot hold are one', () => {
  const issues = openIssueCounter();
  for (const value of ['a\u0000', 'a\ufffd', 'a\ud800']) {
    issues.note({ code: 'c', path: 'p', value }, 1, { ...at(1), position: value });
  }
  assert.deepEqual(issues.list(), [
    { code: 'c', path: 'p', value: 'a\ufffd', count: 3, examples: Array(3).fill({ ...at(1), position: 'a\ufffd' }) },
  ]);
});
