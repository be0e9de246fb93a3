/** Parts of names in a dictionary with more different letters than trigrams can distinguish. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Texts } from '../../src/index/arrays.ts';
import { NEVER_INTERRUPTED } from '../../src/index/matchers.ts';
import { buildTrigrams, TrigramReader } from '../../src/index/trigrams.ts';

/** Code points from here on are all valid. */
const FIRST_POINT = 0x10000;
/** The letters that trigrams can number. */
const LETTERS = 2 ** 17;

function joinTexts(texts: readonly string[]): Texts {
  const offsets = new Uint32Array(texts.length + 1);
  for (const [index, text] of texts.entries()) offsets[index + 1] = offsets[index]! + Buffer.byteLength(text);
  return { bytes: Buffer.from(texts.join('')), offsets };
}

/** The letters that appear as the first, second, … in the dictionary. */
function spell(...places: number[]): string {
  return places.map((place) => String.fromCodePoint(FIRST_POINT + place - 1)).join('');
}

test('a dictionary of more letters than trigrams can number finds every part, and nothing else', () => {
  const texts: string[] = [];
  for (let place = 1; place < LETTERS + 9_000; place += 3) texts.push(spell(place, place + 1, place + 2));
  // Numbered beyond the bound, the last letter would make this the trigram of the letters 1, 3 and 5.
  const last = texts.push(spell(1, 2, LETTERS + 5)) - 1;
  const joined = joinTexts(texts);
  const reader = new TrigramReader(buildTrigrams(joined), joined);
  const find = (part: string): number[] => [...reader.find(part, NEVER_INTERRUPTED.check)];
  assert.deepEqual(find(spell(1, 3, 5)), []);
  assert.deepEqual(find(spell(1, 2, LETTERS + 5)), [last]);
  assert.deepEqual(find(spell(1, 2, LETTERS + 6)), []);
  for (const position of [0, 43_689, 43_690, 43_691, last - 1]) assert.deepEqual(find(texts[position]!), [position]);
  assert.deepEqual(find(spell(LETTERS + 20_000, 1, 2)), []);
});

test('a part of one or two characters is found anywhere in a name', () => {
  const texts = ['a', 'ab', 'abc', 'cab', '東京', '東京都', '大東京', 'é', 'ée'];
  const joined = joinTexts(texts);
  const reader = new TrigramReader(buildTrigrams(joined), joined);
  for (const part of ['a', 'b', 'ab', 'bc', 'ba', '東', '東京', '京都', 'é', 'e', 'zz']) {
    const expected = texts.flatMap((text, position) => (text.includes(part) ? [position] : []));
    assert.deepEqual([...reader.find(part, NEVER_INTERRUPTED.check)], expected, part);
  }
});
