/** How readers are compared with their source, and what they ask of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactDate } from '../../src/load/formats/dates.ts';
import { observeReads, openElement } from '../../src/load/formats/element.ts';
import { kiprisFormat } from '../../src/load/formats/kipris/adapter.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { compareRecord, findComparison } from '../support/compared.ts';
import { readOne } from '../support/formats.ts';
import { writeAnswer, writeMark } from '../support/korean-answers.ts';

test('the comparison of the audit sees a field that differs from its source', async () => {
  const source = writeAnswer([writeMark({})]);
  const { record } = await readOne(kiprisFormat, source);
  const normalized = normalizeRecord(record);
  const comparison = findComparison('kipris', normalized, source);
  assert.ok(comparison !== null);
  assert.deepEqual(compareRecord(normalized, source, comparison).differences, []);
  const other = { ...normalized, mark_name: 'another', registration_date: null };
  assert.deepEqual(compareRecord(other, source, comparison).differences, ['mark_name', 'registration_date']);
});

test('what a reader asks of an element is seen, and whether the element has it', () => {
  const leaf = { name: 'C', attributes: {}, children: [], text: 'x' };
  const node = { name: 'A', attributes: { no: '1' }, children: [{ ...leaf, name: 'B', children: [leaf] }], text: '' };
  const element = openElement(node, compactDate);
  const seen: string[] = [];
  observeReads(({ name }, path, isFound) => seen.push(`${name}/${path} ${isFound}`));
  for (const path of ['B/C', 'B/D', 'D']) element.texts(path);
  for (const path of ['B', 'B/D']) element.text(path);
  for (const name of ['no', 'of']) element.attribute(name);
  observeReads(null);
  element.text('B');
  assert.deepEqual(seen, [
    'A/B/C true',
    'A/B/D false',
    'A/D false',
    'A/B true',
    'A/B/D false',
    'A/@no true',
    'A/@of false',
  ]);
});
