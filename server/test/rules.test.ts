/** docs/rules.md and the tests agree, both ways. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listCitations, parseRules, ROOT, RULES_PATH, renderRules } from './support/rules.ts';

const text = readFileSync(RULES_PATH, 'utf8');
const rows = parseRules(text);

test('every rule that a test cites is in the list', () => {
  const known = new Set(rows.map((row) => row.rule));
  assert.deepEqual(
    [...listCitations()].filter(([rule]) => !known.has(rule)),
    [],
  );
});

test('every rule marked built is cited by a test, and every rule has a state', () => {
  const citations = listCitations();
  assert.deepEqual(
    rows.filter((row) => row.state === 'built' && !citations.has(row.rule)).map((row) => row.rule),
    [],
  );
  assert.deepEqual(
    rows.filter((row) => row.state !== 'built' && row.state !== 'later').map((row) => row.rule),
    [],
  );
});

test('every interpretation from I-1 to I-51 is in the list once', () => {
  const interpretations = rows.map((row) => row.rule).filter((rule) => rule.startsWith('I-'));
  assert.deepEqual(
    interpretations,
    Array.from({ length: 51 }, (_, index) => `I-${index + 1}`),
  );
});

test('the code that the list names exists', () => {
  const missing = rows
    .flatMap((row) => row.code.split(',').map((path) => path.trim()))
    .filter((path) => path !== '')
    .filter((path) => !existsSync(join(ROOT, /^(contract|client|server)\//.test(path) ? path : `server/src/${path}`)));
  assert.deepEqual([...new Set(missing)], []);
});

test('the tests column is up to date: npm run rules', () => {
  assert.equal(renderRules(text), text);
});
