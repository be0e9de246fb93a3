/** Tables of commands are aligned in columns, whatever script their cells are in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'string-width';
import { renderTable } from '../../src/cli/context.ts';

test('columns are aligned with cells of any script, numbers at the right', () => {
  const rows = [
    { name: 'Example', records: 7 },
    { name: '株式会社例', records: 1_234 },
    { name: '주식회사', records: null },
  ];
  const text = renderTable({ customer: 'name', records: 'records' }, rows);
  assert.deepEqual(text.split('\n'), [
    'customer    records',
    'Example           7',
    '株式会社例     1234',
    '주식회사          -',
  ]);
  assert.deepEqual(new Set(text.split('\n').map((line) => stringWidth(line))), new Set([19]));
});

test('a table without rows is one sentence instead', () => {
  assert.equal(renderTable({ customer: String }, [], 'there are no customers'), 'there are no customers');
});
