/** The Brazilian reader over the office's own words, compared by hand with what they say. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inpiBrFormat } from '../../src/load/formats/inpi-br/adapter.ts';
import type { Issue, SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { tighten } from '../support/checked.ts';
import { CHECKED_BRAZILIAN } from '../support/checked-brazil.ts';
import { listItems, REAL_DATA, skipWithout } from '../support/formats.ts';

const skip = skipWithout('inpi-br');

test('reads every process of the real files, and leaves no path of them unread', { skip }, async () => {
  const files = readdirSync(join(REAL_DATA, 'inpi-br')).filter((name) => name.endsWith('.xml'));
  for (const name of files) {
    const text = readFileSync(join(REAL_DATA, 'inpi-br', name), 'utf8');
    const issues: Issue[] = [];
    const noteIssue = (issue: Issue): void => void issues.push(issue);
    const items = await listItems(inpiBrFormat, text, { register: null, noteIssue }, name);
    const numbers = items.map((item) => {
      assert.ok(item.kind === 'record', `${name}: ${item.kind === 'reject' ? item.reason : ''}`);
      issues.push(...item.issues);
      buildRow(normalizeRecord(item.record));
      return item.record.application_number;
    });
    assert.deepEqual(issues, [], name);
    assert.deepEqual(
      numbers,
      [...text.matchAll(/<processo [^>]*?numero="(\d+)"/g)].map(([, number]) => number),
      name,
    );
  }
});

for (const comparison of CHECKED_BRAZILIAN) {
  test(`says of ${comparison.record.application_number} what its file says`, { skip }, async () => {
    const { file, source, record } = comparison;
    const text = readFileSync(join(REAL_DATA, file), 'utf8');
    const found = (await listItems(inpiBrFormat, text, { register: null }, file)).filter(
      (item) => item.kind === 'record' && item.record.application_number === record.application_number,
    );
    const [item] = found;
    assert.ok(item?.kind === 'record' && found.length === 1, `${file} holds it once`);
    const words = tighten(String(item.raw?.()));
    for (const quote of source) assert.ok(words.includes(quote), `the source says ${quote}`);
    const fields = Object.keys(record) as (keyof SourceRecord)[];
    assert.deepEqual(Object.fromEntries(fields.map((field) => [field, item.record[field]])), record);
  });
}
