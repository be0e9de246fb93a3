/** Names compared with all watched marks at once, against comparing each pair alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEvidence } from '@tmds/contract/likeness-words';
import { WATCH_STRATEGIES, WATCH_STRATEGIES_DEFAULT, type WatchStrategy } from '@tmds/contract/watches';
import fc from 'fast-check';
import { explainPair } from '../../src/likeness/explain.ts';
import { GRAMS } from '../../src/likeness/grams.ts';
import type { Frequencies } from '../../src/likeness/query.ts';
import { WatchedMarks } from '../../src/likeness/watched-marks.ts';
import { spellName } from '../../src/record/spelling.ts';
import { runsOf } from '../support/depth.ts';

const EQUAL_WEIGHTS: Frequencies = {
  gramWeights: new Float32Array(GRAMS).fill(1),
  findWord: () => null,
  distinctionOf: () => 1,
  countWord: () => ({ names: 0, names_in_classes: null }),
};

/** Short, of few letters and several scripts, so that names are often alike. */
const word = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[abrnmo01w]{1,6}$/) },
  { weight: 2, arbitrary: fc.constantFrom('aurora', 'aurore', 'the', 'vv', 'phone', 'fone', 'mayer', 'meier') },
  { weight: 2, arbitrary: fc.constantFrom('аврора', 'αυρορα', 'オーロラ', '商标', 'عرب') },
);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const strategies = fc.subarray([...WATCH_STRATEGIES], { minLength: 1 });

test('marks that are matched at once get what comparing each pair alone would find', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, strategies), { minLength: 1, maxLength: 12 }),
      fc.uniqueArray(name, { minLength: 1, maxLength: 12 }),
      fc.nat(),
      (marks, names, ended) => {
        const watched = new WatchedMarks();
        for (const [id, [mark, ways]] of marks.entries()) watched.put(String(id), mark, ways);
        watched.delete(String(ended % marks.length));
        watched.put('0', ...(marks[0]! as [string, WatchStrategy[]]));
        const found = watched.match(names);
        for (const [id, [mark, ways]] of marks.entries()) {
          const isEnded = id === ended % marks.length && id !== 0;
          const expected = names.flatMap((text) => {
            const evidence = explainPair(spellName(mark), spellName(text), new Set(ways), EQUAL_WEIGHTS);
            const told = evidence.map((each) => ({ strategy: each.strategy, text: describeEvidence(each) }));
            return told.length === 0 || isEnded ? [] : [{ name: text, evidence: told }];
          });
          assert.deepEqual(found.get(String(id)) ?? [], expected, `${mark} by ${ways.join()}`);
        }
      },
    ),
    { numRuns: runsOf(100) },
  );
});

test('by default a watch is hit by names that are near or nearer, and not by those that share a beginning', () => {
  const watched = new WatchedMarks();
  watched.put('w', 'rheobase', WATCH_STRATEGIES_DEFAULT);
  const found = watched.match(['rheobasa', 'rheoplan', 'rheobase chemistry', 'aurelia']).get('w')!;
  assert.deepEqual(
    found.map((each) => each.name),
    ['rheobasa'],
  );
  assert.ok(found[0]!.evidence.some(({ text }) => text === 'One letter differs'));
  watched.put('w', 'rheobase', ['beginning', 'within']);
  const wider = watched.match(['rheobasa', 'rheoplan', 'rheobase chemistry', 'aurelia']).get('w')!;
  assert.deepEqual(
    wider.map((each) => each.name),
    ['rheobasa', 'rheoplan', 'rheobase chemistry'],
  );
});
