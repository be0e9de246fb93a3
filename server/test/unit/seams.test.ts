/** Whatever part of a name ends with a seam, the name has that seam (docs/decisions/0020). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldName, joinNames, NAME_SEPARATOR } from '../../src/record/names.ts';
import { listSeams, SEAM_VALUES } from '../../src/record/seams.ts';

test('a seam is where a word begins behind another, with the two characters before [I-12]', () => {
  assert.deepEqual(listSeams('acme'), []);
  assert.equal(listSeams('h&m').length, 1);
  assert.deepEqual(listSeams('gmbh & co. kg'), [...listSeams('& c'), ...listSeams('. k')]);
  assert.deepEqual(listSeams('亚 s·b'), [...listSeams('亚 s'), ...listSeams('s·b')]);
  assert.deepEqual(listSeams(joinNames(['(a) b', 'c'])!), [...listSeams(`${NAME_SEPARATOR}(a`), ...listSeams(') b')]);
  for (const text of ['a &', '---', ' b', `${NAME_SEPARATOR}b`, `a${NAME_SEPARATOR}b`, '']) {
    assert.deepEqual(listSeams(text), [], text);
  }
});

test('seams between Latin letters differ wherever their letters do [I-12]', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const seams = letters.map((one) => letters.flatMap((other) => listSeams(`${one} ${other}`)));
  for (const row of seams) assert.equal(new Set(row).size, letters.length);
  assert.ok(new Set(seams.flat()).size > 0.9 * letters.length ** 2);
  for (const seam of seams.flat()) assert.ok(seam >= 0 && seam < SEAM_VALUES);
});

test('names have the seams of each of their parts [I-12]', () => {
  const spelled = fc
    .array(fc.constantFrom(...'ab1é亚ş𝒳 &.-·・'), { maxLength: 12 })
    .map((each) => foldName(each.join('')));
  fc.assert(
    fc.property(fc.array(spelled, { maxLength: 3 }), fc.nat(30), fc.nat(14), (names, from, length) => {
      const joined = joinNames(names) ?? '';
      const part = [...joined].slice(from, from + length).join('');
      return listSeams(part).every((seam) => listSeams(joined).includes(seam));
    }),
  );
});
