/** The offices' own ST.66 files, compared with what was read off them by hand. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import { OperatorError } from '../../src/base/errors.ts';
import { st66Format } from '../../src/load/formats/st66/adapter.ts';
import { unescapeText } from '../../src/load/formats/st66/escapes.ts';
import type { NormalizedRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { listItems, REAL_DATA, readOne, skipWithout } from '../support/formats.ts';
import { CHECKED_MARKS, type CheckedMark, type NameField } from '../support/st66-checked.ts';

const readSource = (file: string): string => readFileSync(join(REAL_DATA, file), 'utf8');

/** The source with nothing between its tags but what it says. */
const tighten = (source: string): string => source.replace(/>\s+</g, '><');

function findName(source: string, expression: RegExp): string {
  const found = expression.exec(source);
  assert.ok(found !== null, `${expression} is not in the source`);
  return unescapeText(found.slice(1).join(' '));
}

function expectFields({ facts, names }: CheckedMark, source: string): Partial<NormalizedRecord> {
  const expected: Partial<NormalizedRecord> = Object.assign({}, ...facts.map(([, fields]) => fields));
  for (const [field, expressions] of Object.entries(names)) {
    const found = expressions.map((expression) => findName(source, expression));
    if (field === 'mark_name') expected.mark_name = found[0] ?? null;
    else expected[field as Exclude<NameField, 'mark_name'>] = found.map((name) => name.toLowerCase());
  }
  return expected;
}

for (const mark of CHECKED_MARKS) {
  test(`the record of ${mark.file} says what its source says, and nothing else [2.2]`, {
    skip: skipWithout(mark.file),
  }, async () => {
    const source = tighten(readSource(mark.file));
    for (const [quote] of mark.facts) assert.ok(source.includes(quote), quote);
    const { record, issues } = await readOne(st66Format, readSource(mark.file));
    assert.deepEqual(issues, mark.issues ?? []);
    const normalized = normalizeRecord(record);
    buildRow(normalized);
    const stated = Object.keys(CONTENT_FIELDS)
      .map((field) => [field, normalized[field as keyof NormalizedRecord]])
      .filter(([, value]) => value !== null);
    assert.deepEqual(Object.fromEntries(stated), expectFields(mark, source));
  });

  test(`every value of ${mark.file} is in its record [2.2.2]`, { skip: skipWithout(mark.file) }, async () => {
    const { record } = await readOne(st66Format, readSource(mark.file));
    const texts = listTexts(record).join('\n');
    for (const value of listValues(readSource(mark.file))) assert.ok(texts.includes(value), value);
  });
}

/** Texts and attributes of the mark and of what stands beside it. */
function listValues(source: string): string[] {
  const mark = /<TradeMark[ >].*<\/TradeMark>/s.exec(source)?.[0] ?? '';
  const plain = mark.replace(/<!\[CDATA\[(.*?)\]\]>/gs, '$1');
  const texts = [...plain.matchAll(/>([^<]+)</g)].map(([, text]) => text ?? '');
  const attributes = [...plain.matchAll(/ ([\w-]+)="([^"]*)"/g)].filter(([, name]) => name !== 'operationCode');
  return [...texts, ...attributes.map(([, , value]) => value ?? '')]
    .map((value) => unescapeText(value.trim()))
    .filter((value) => value !== '');
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

test('the lists of hits are refused by name', { skip: skipWithout('dpma') }, async () => {
  for (const [file, message] of [
    ['dpma/trademark_search.xml', /its root element is HitList; .*no full records: load the record of each mark$/],
    ['dpma/trademark_search_apple.FIRST12.xml', /its root element is HitList/],
    ['inpi-fr/search_dior.xml', /its root element is trademarkSearch; .*load the notice of each mark$/],
  ] as const) {
    await assert.rejects(
      listItems(st66Format, readSource(file)),
      (error) => error instanceof OperatorError && message.test(error.message),
      file,
    );
  }
});

test('a hit of a search does not name a mark as its record does', { skip: skipWithout('dpma') }, () => {
  const record = tighten(readSource('dpma/trademark_info.xml'));
  const hits = tighten(readSource('dpma/trademark_search.xml'));
  assert.ok(record.includes('<ApplicationNumber>E17341</ApplicationNumber>'));
  assert.ok(record.includes('<RegistrationNumber>919224</RegistrationNumber>'));
  assert.ok(hits.includes('<ApplicationNumber>919224</ApplicationNumber>'), 'the number of the registration');
});
