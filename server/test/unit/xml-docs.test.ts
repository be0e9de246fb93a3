import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ISSUE_MEANINGS } from '../../src/load/formats/issues.ts';
import { buildDocument } from '../../src/load/formats/payload.ts';

const LOADING = readFileSync(new URL('../../../docs/loading.md', import.meta.url), 'utf8');

/** First cells of the table below a heading. */
function listFirstCells(heading: string): string[] {
  const section = LOADING.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell]) => cell ?? '');
}

test('explains to the operator exactly the issues that a load can raise', () => {
  assert.deepEqual(listFirstCells('Issues').sort(), Object.keys(ISSUE_MEANINGS).sort());
});

test('describes exactly the sections of the normalized document [2.2.2]', () => {
  assert.deepEqual(
    listFirstCells('The normalized document').sort(),
    Object.keys(buildDocument({ format: 'x' }, {})).sort(),
  );
});
