/** Normal forms without the square of the number of marks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldWords } from '@tmds/contract/docket/words';
import { dropHidden, hasTooManyMarks, MARKS_MAX, normalForm } from '@tmds/contract/text';

const MARKS = ['\u0301', '\u0334', '\u{1D165}', '\uFF9E'];

test(`${MARKS_MAX} combining marks in a row are a text, and one more is not, anywhere in it [I-45]`, () => {
  for (const mark of MARKS) {
    for (let before = 0; before < 70; before += 1) {
      const text = (count: number) => `${'x'.repeat(before)}${mark.repeat(count)}y${mark.repeat(MARKS_MAX)}`;
      assert.equal(hasTooManyMarks(text(MARKS_MAX)), false);
      assert.equal(hasTooManyMarks(text(MARKS_MAX + 1)), true);
    }
  }
  assert.equal(hasTooManyMarks('\uFF9E\u0334'.repeat(16)), true, 'letters that decompose into marks count');
  assert.equal(hasTooManyMarks(`${'ภาษาไทยที่นี่มีอยู่ é 商標 😀'.repeat(100)}`), false);
});

test('no more marks are sorted at once than are allowed in a row [I-45]', (t) => {
  const native = String.prototype.normalize;
  let longest = 0;
  t.mock.method(String.prototype, 'normalize', function (this: string, form: string) {
    longest = Math.max(longest, ...[...this.matchAll(/[\p{M}\uFF9E\uFF9F]+/gu)].map(([marks]) => [...marks].length));
    return native.call(this, form);
  });
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
    for (const mark of [...MARKS, '\u0301\u0323', '\uFF9E\u0334']) normalForm(`a${mark.repeat(40_000)}b`, form);
    assert.equal(normalForm('ａe\u0323\u0302', form), native.call('ａe\u0323\u0302', form));
  }
  assert.ok(longest <= MARKS_MAX, `${longest} marks at once`);
});

test('a text that is not examined further is in its normal form already, whatever stands next to each other', () => {
  const decomposed = new Map<string, string>();
  for (let code = 0; code < 0x30000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const text = String.fromCodePoint(code);
    assert.equal(normalForm(text), text.normalize());
    const parts = text.normalize('NFD');
    if (parts !== text) decomposed.set(text, parts);
  }
  const joining = new Set<string>();
  for (const [text, parts] of decomposed) {
    assert.equal(normalForm(parts), text.normalize());
    for (const part of [...parts].slice(1)) joining.add(part);
  }
  // A mark is sorted among its neighbours, and what joins with one character may be examined next to another.
  for (const first of ['e\u0301', '\u304b', '\u4e00', '\uac00', '\uac01', '\u1100', '\u0345']) {
    for (const part of joining) {
      const text = first + part;
      assert.equal(normalForm(text), text.normalize());
      assert.equal(normalForm(`${text}\u0334`), `${text}\u0334`.normalize());
    }
  }
  for (let code = 0x3041; code < 0xd7a4; code += 1) {
    const text = String.fromCharCode(code);
    if (/\p{M}/u.test(text)) assert.equal(normalForm(`a${text}\u0334`), `a${text}\u0334`.normalize());
  }
});

test('hidden characters are dropped wherever texts are compared, and visible ones never [I-12]', () => {
  assert.equal(dropHidden('\u00adA\u200bc\u200d\u2060m\ufeffe'), 'Acme');
  for (const text of ['', 'Acme – Zürich', '商標注', '서울 주식회사', 'می خواهم', '\u0600١', '😀']) {
    assert.equal(dropHidden(text), text);
  }
  assert.equal(foldWords('Ac\u200bme Ltd\u00ad.'), 'acme ltd');
});
