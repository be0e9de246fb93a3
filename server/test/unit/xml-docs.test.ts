import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DOCUMENT_SCHEMA } from '@tmds/contract/document';
import { ISSUE_MEANINGS } from '../../src/load/formats/format.ts';
import { buildDocumentPage } from '../../src/render/description/document-page.ts';
import { renderMarkdown } from '../../src/render/description/pages.ts';

const readDoc = (name: string): string => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

const LOADING = readDoc('loading.md');

/** First cells of the table below a heading. */
function listFirstCells(heading: string): string[] {
  const section = LOADING.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell]) => cell ?? '');
}

test('explains to the operator exactly the issues that a load can raise', () => {
  assert.deepEqual(listFirstCells('Issues').sort(), Object.keys(ISSUE_MEANINGS).sort());
});

test('the page and the schema of the document are up to date: npm run docs [2.2.2]', () => {
  assert.equal(readDoc('document.md'), renderMarkdown(buildDocumentPage()));
  assert.deepEqual(JSON.parse(readDoc('document.schema.json')), DOCUMENT_SCHEMA);
});
