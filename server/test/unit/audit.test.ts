/** The page of what readers were compared with, and the figures of it in the portal. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kiprisFormat } from '../../src/load/formats/kipris/adapter.ts';
import { openReading, readAttribute, readText, readTexts } from '../../src/load/formats/reading.ts';
import { observeReads } from '../../src/load/xml/xml-node.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { AUDIT_PATH, FIGURES_PATH, makeAudit, renderAudit, renderFigures } from '../support/audit.ts';
import { compareRecord, findComparison } from '../support/compared.ts';
import { readOne, skipWithout } from '../support/formats.ts';
import { writeAnswer, writeMark } from '../support/korean-answers.ts';
import { DIFFERENT_RECORDS } from '../support/real-files.ts';

test('docs/audit.md and the figures of the portal say what the real files say, and no value differs [2.2]', {
  skip: skipWithout('trial-inputs'),
}, async () => {
  const audit = await makeAudit();
  for (const { register, format, uids, compared, differences } of audit.rows) {
    assert.deepEqual([...differences], [], `${register} ${format}`);
    assert.equal(compared.size, uids.size, `every record of ${register} ${format} is compared`);
  }
  for (const [name, different] of Object.entries(DIFFERENT_RECORDS)) {
    if (name === 'jpo') continue;
    const found = audit.rows.filter(({ format }) => format === name).reduce((sum, { uids }) => sum + uids.size, 0);
    assert.equal(found, different, name);
  }
  assert.equal(readFileSync(AUDIT_PATH, 'utf8'), renderAudit(audit));
  assert.equal(readFileSync(FIGURES_PATH, 'utf8'), renderFigures(audit));
});

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
  const reading = openReading(node);
  const seen: string[] = [];
  observeReads(({ name }, path, isFound) => seen.push(`${name}/${path} ${isFound}`));
  for (const path of ['B/C', 'B/D', 'D']) readTexts(reading, node, path);
  for (const path of ['B', 'B/D']) readText(reading, node, path);
  for (const name of ['no', 'of']) readAttribute(reading, node, name);
  observeReads(null);
  readText(reading, node, 'B');
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
