/** The offices' own ST.66 files: nothing that they state is lost. What they mean is compared in `by-hand.test.ts`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { st66Format } from '../../src/load/formats/st66/adapter.ts';
import { unescapeText } from '../../src/load/formats/st66/dialects.ts';
import { tighten } from '../support/checked.ts';
import { CHECKED_ST66 } from '../support/checked-st66.ts';
import { listTexts, REAL_DATA, readOne, skipWithout } from '../support/formats.ts';

const readSource = (file: string): string => readFileSync(join(REAL_DATA, file), 'utf8');

for (const mark of CHECKED_ST66) {
  test(`every value of ${mark.file} is in its record [2.2.2]`, { skip: skipWithout(mark.file) }, async () => {
    const { record } = await readOne(st66Format, readSource(mark.file));
    const texts = listTexts(record).join('\n');
    for (const value of listValues(readSource(mark.file))) assert.ok(texts.includes(value), value);
  });
}

/** Texts and attributes of the mark and of what surrounds it. */
function listValues(source: string): string[] {
  const mark = /<TradeMark[ >].*<\/TradeMark>/s.exec(source)?.[0] ?? '';
  const plain = mark.replace(/<!\[CDATA\[(.*?)\]\]>/gs, '$1');
  const texts = [...plain.matchAll(/>([^<]+)</g)].map(([, text]) => text ?? '');
  const attributes = [...plain.matchAll(/ ([\w-]+)="([^"]*)"/g)].filter(([, name]) => name !== 'operationCode');
  return [...texts, ...attributes.map(([, , value]) => value ?? '')]
    .map((value) => unescapeText(value.trim()))
    .filter((value) => value !== '');
}

test('a hit of a search does not name a mark as its record does', { skip: skipWithout('dpma') }, () => {
  const record = tighten(readSource('dpma/trademark_info.xml'));
  const hits = tighten(readSource('dpma/trademark_search.xml'));
  assert.ok(record.includes('<ApplicationNumber>E17341</ApplicationNumber>'));
  assert.ok(record.includes('<RegistrationNumber>919224</RegistrationNumber>'));
  assert.ok(hits.includes('<ApplicationNumber>919224</ApplicationNumber>'), 'the number of the registration');
});
