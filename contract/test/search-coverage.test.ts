/** The header `Coverage`: what it says, in how many bytes, and that both sides read it alike. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Completeness,
  decodeCoverage,
  describeSearchCoverage,
  encodeCoverage,
  summarizeCoverage,
} from '../src/search-coverage.ts';

const whole: Completeness = { complete_through: '2026-11-25', late: false, gaps: 0, rejects: 0 };

test('registers are listed with what is missing, and codes that no register has', () => {
  const us = { jurisdiction_code: 'US', ...whole, late: true, rejects: 3 };
  const coverage = summarizeCoverage([{ jurisdiction_code: 'EM', ...whole }, us], ['UK']);
  assert.equal(
    encodeCoverage(coverage),
    'EM;through="2026-11-25", US;through="2026-11-25";late;rejects=3, UK;unserved',
  );
  assert.deepEqual(describeSearchCoverage(coverage), [
    'No register here has the code UK; nothing was searched for it.',
    'EM is complete through 2026-11-25.',
    'US is complete through 2026-11-25; newer files are overdue; 3 records or files were rejected.',
  ]);
});

test('of many registers those with something missing are listed, and the others by their oldest day', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({
    jurisdiction_code: `R${index}`,
    ...whole,
    complete_through: `2026-10-${10 + (index % 20)}`,
    gaps: index % 20 === 0 ? 1 : 0,
  }));
  assert.equal(
    encodeCoverage(summarizeCoverage(many, [])),
    'R0;through="2026-10-10";gaps=1, R20;through="2026-10-10";gaps=1, *;registers=38;through="2026-10-11"',
  );
  const inOrder = many.filter(({ gaps }) => gaps === 0);
  const sentencesOf = (covered: typeof many): string[] => describeSearchCoverage(summarizeCoverage(covered, []));
  assert.equal(sentencesOf(many).at(-1), '38 other registers are complete through 2026-10-11.');
  assert.deepEqual(sentencesOf(inOrder), ['All 38 registers are complete through 2026-10-11.']);
  const unknown = inOrder.map((each) => ({ ...each, complete_through: null }));
  assert.deepEqual(describeSearchCoverage(summarizeCoverage(unknown, [])), [
    'It is not known through which day all 38 registers are complete.',
  ]);
});

test('no header is longer than a kilobyte, and nothing that is missing is left out of the counts', () => {
  const all = Array.from({ length: 300 }, (_, index) => ({
    ...{ jurisdiction_code: `Z${index}`, complete_through: '2026-11-25', late: true, gaps: 12_345, rejects: 12_345 },
  }));
  const codes = Array.from({ length: 20 }, (_, index) => `ZZZ${index}`);
  const coverage = summarizeCoverage(all, codes);
  assert.ok(encodeCoverage(coverage).length < 1_024);
  const counted = [...coverage.registers, coverage.others!].reduce((sum, { rejects }) => sum + rejects, 0);
  assert.equal(counted, 300 * 12_345);
});

test('what is encoded is decoded the same', () => {
  const completeness = fc.record({
    complete_through: fc.constantFrom(null, '2026-11-25', '2019-01-01'),
    late: fc.boolean(),
    gaps: fc.nat(),
    rejects: fc.nat(),
  });
  const code = fc.stringMatching(/^[A-Z0-9]{1,5}$/);
  const register = fc.tuple(code, completeness).map(([jurisdiction_code, rest]) => ({ jurisdiction_code, ...rest }));
  fc.assert(
    fc.property(fc.array(register, { maxLength: 20 }), fc.array(code, { maxLength: 5 }), (registers, unserved) => {
      const coverage = summarizeCoverage(registers, unserved);
      const text = encodeCoverage(coverage);
      assert.match(text, /^[\x20-\x7e]*$/);
      assert.deepEqual(decodeCoverage(text), text === '' ? null : coverage);
    }),
  );
});

test('a header of another form is passed over, and an unknown parameter of a newer service is too', () => {
  for (const text of [null, undefined, '', 'EM;through=2026-11-25x', '<html>', 'EM;;', 'TOOLONGCODE']) {
    assert.equal(decodeCoverage(text), null, String(text));
  }
  const { registers } = decodeCoverage('EM;through="2026-11-25";later=7')!;
  assert.deepEqual(registers, [{ jurisdiction_code: 'EM', ...whole }]);
});
