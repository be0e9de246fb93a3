/** What a text in the search bar may mean. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeMadridNumber } from '@tmds/contract/numbers';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { listReadings, TEXT_CHARACTERS_MAX } from '../../src/portal/search/readings.ts';

function formsOf(text: string): string[] {
  const readings = listReadings(text);
  return readings.flatMap(({ pairs }) =>
    pairs.filter(([name]) => name === 'application_number').map(([, value]) => value),
  );
}

test('a number is searched for in the forms in which offices write it', () => {
  assert.deepEqual(formsOf('97/123,456').slice(0, 3), ['97/123,456', '97/123456', '97123456']);
  assert.equal(formsOf('18229854').includes('018229854'), true, 'European Union');
  assert.equal(formsOf('3289573').includes('UK00003289573'), true, 'United Kingdom');
  assert.equal(formsOf('uk00003289573').includes('UK00003289573'), true);
  assert.equal(formsOf('TMA846132').includes('TMA846132'), true, 'Canada');
  assert.equal(formsOf('30 2020 123 456.7').includes('3020201234567'), true, 'Germany');
  assert.deepEqual(formsOf('0984562a').slice(0, 2), ['0984562A', '984562A'], 'Madrid');
  assert.equal(formsOf('2207626').includes('02207626'), true, 'Taiwan');
  assert.equal(formsOf('2010-1189').includes('2010001189'), true, 'Japan');
  assert.equal(formsOf('2012/91').includes('M 2012 00091'), true, 'Romania');
  assert.equal(formsOf('00003289573').includes('UK00003289573'), true, 'United Kingdom');
  assert.equal(formsOf('40-1234567').includes('4012345670000'), true, 'Korea');
});

test('a number is understood with an extension, without its zeros, and as the kind that it says it is', () => {
  assert.equal(formsOf('1057613-00').includes('1057613'), true, 'Canada');
  assert.equal(formsOf('1057613-01').includes('1057613'), false, 'Canada');
  assert.equal(formsOf('1/2020').includes('00001/2020'), true, 'Switzerland');
  const fields = (text: string): string[] => [
    ...new Set(
      listReadings(text).flatMap(({ pairs }) => pairs.map(([name]) => name).filter((name) => name.endsWith('number'))),
    ),
  ];
  assert.deepEqual(fields('rn11210'), ['registration_number']);
  assert.deepEqual(fields('sn 97123456'), ['application_number']);
  assert.deepEqual(fields('RN 1'), ['registration_number']);
  assert.equal(fields('1').length, 4);
  assert.deepEqual(fields('A1'), []);
  assert.equal(fields('11210').length, 4);
});

test('a Madrid number is searched for once, whatever forms registers have for other numbers [I-33]', () => {
  const numbers = listReadings('W0984562a').flatMap(({ pairs }) =>
    pairs.filter(([name]) => name === 'international_registration_number').map(([, value]) => value),
  );
  assert.equal(new Set(numbers.map(normalizeMadridNumber)).size, numbers.length);
  assert.equal(normalizeMadridNumber(numbers[0] ?? ''), '984562A');
});

test('a word is not a number, and every text may be a mark, an owner or a representative', () => {
  for (const text of ['acme', 'Nestle 2', '7up', 'société générale', '東京', 'Studio 54 & sons']) {
    const readings = listReadings(text);
    const names = readings.flatMap(({ pairs }) => pairs.map(([name]) => name));
    assert.equal(names.includes('application_number'), false, text);
    assert.equal(names.includes('mark_name'), true, text);
  }
  const titles = listReadings(' ACME  tools ').map(({ title }) => title);
  assert.deepEqual(titles, [
    'marks named “ACME tools”',
    'marks starting with “ACME tools”',
    'marks containing “ACME tools”',
    'owners named “ACME tools”',
    'owners starting with “ACME tools”',
    'owners containing “ACME tools”',
    'representatives starting with “ACME tools”',
    'representatives containing “ACME tools”',
  ]);
});

test('no reading is a search that the portal refuses, and none names a register', () => {
  for (const text of ['97123456', 'ab', 'a', 'acme', '東', '12', `${'9'.repeat(40)}`, 'x/1 2', '1-2']) {
    for (const { title, pairs } of listReadings(text)) {
      assert.doesNotThrow(() => planSearch(parseSearch(Object.fromEntries(pairs), null, 'page')), title);
      assert.deepEqual(pairs.length, 1, title);
    }
  }
});

test('nothing and too much have no reading', () => {
  assert.deepEqual(listReadings('  '), []);
  assert.deepEqual(listReadings('x'.repeat(TEXT_CHARACTERS_MAX + 1)), []);
});
