/** The page of what is not mapped, and the vocabularies of the standards. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { skipWithout } from '../support/formats.ts';
import { listVocabularies, renderUnmapped, UNMAPPED_PATH } from '../support/unmapped.ts';

const skip = skipWithout('trial-inputs');

test('docs/unmapped.md lists what no table maps in the real files; scripts/unmapped.ts writes it', {
  skip,
}, async () => {
  assert.equal(readFileSync(UNMAPPED_PATH, 'utf8'), await renderUnmapped());
});

test('every value of the published lists of WIPO and of the German schema is mapped', { skip }, () => {
  const lists = listVocabularies().filter(({ title }) => /^(?:WIPO|DPMA|CIPO, status of)/.test(title));
  assert.equal(lists.length, 7);
  for (const { title, values, isMapped } of lists) {
    assert.ok(values.length > 1, title);
    assert.deepEqual(
      values.filter((value) => !isMapped(value)),
      [],
      title,
    );
  }
});
