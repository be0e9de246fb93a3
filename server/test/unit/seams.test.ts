/** Whatever part of a name ends with a seam, the name has that seam (docs/decisions/0020). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldName, NAME_SEPARATOR } from '../../src/record/names.ts';
import { findLastSeam, listSeams, SEAM_VALUES } from '../../src/record/seams.ts';

test('a seam is where a word begins behind another, with the two characters before [I-12]', () => {
  assert.deepEqual(listSeams('acme'), []);
  assert.deepEqual(listSeams('h&m'), [findLastSeam('h&m')]);
  assert.deepEqual(listSeams('gmbh & co. kg'), [findLastSeam('& c'), findLastSeam('. k')]);
  assert.deepEqual(listSeams('亚 s·b'), [findLastSeam('亚 s'), findLastSeam('s·b')]);
  assert.deepEqual(listSeams('(a) b'), [findLastSeam(`${NAME_SEPARATOR}(a`), findLastSeam(') b')]);
  for (const part of ['acme', 'a &', '---', ' b', `${NAME_SEPARATOR}b`, ''])
    assert.equal(findLastSeam(part), null, part);
});

test('seams between Latin letters differ wherever their letters do [I-12]', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const seams = letters.map((one) => letters.map((other) => findLastSeam(`${one} ${other}`)));
  for (const row of seams) assert.equal(new Set(row).size, letters.length);
  assert.ok(new Set(seams.flat()).size > 0.9 * letters.length ** 2);
  for (const seam of seams.flat()) assert.ok(seam !== null && seam >= 0 && seam < SEAM_VALUES);
});

test('a name has the seam of each of its parts [I-12]', () => {
  const spelled = fc.array(fc.constantFrom(...'ab1é亚ş𝒳 &.-·・'), { maxLength: 12 }).map((each) => each.join(''));
  fc.assert(
    fc.property(spelled, fc.nat(14), fc.nat(14), (text, from, length) => {
      const name = foldName(text);
      const part = [...(NAME_SEPARATOR + name)].slice(from, from + length).join('');
      const seam = findLastSeam(part);
      return seam === null || listSeams(name).includes(seam);
    }),
  );
});
