/** Searches for likeness: every strategy against a slow reference, the order, the evidence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIKENESS_STRATEGY_NAMES, type LikenessStrategy } from '@tmds/contract/likeness';
import fc from 'fast-check';
import { NEVER_INTERRUPTED } from '../../src/index/matchers.ts';
import { explainName } from '../../src/likeness/explain.ts';
import { NameScan } from '../../src/likeness/find.ts';
import { countEdits } from '../../src/likeness/grams.ts';
import { keyOf } from '../../src/likeness/keys.ts';
import { Lexicon } from '../../src/likeness/lexicon.ts';
import { buildQuery } from '../../src/likeness/query.ts';
import { fuseRankings, GRADE_MAX, gradeOf, LISTED_MAX, Ranking } from '../../src/likeness/ranking.ts';
import { spellName } from '../../src/record/spelling.ts';
import { runsOf } from '../support/depth.ts';
import { LEAST, rowOf, SlowNames } from '../support/likeness.ts';

const ALL = new Set(LIKENESS_STRATEGY_NAMES);
/** Grades of single and double precision may differ by one. */
const DEGREES: ReadonlySet<LikenessStrategy> = new Set(['letters', 'word', 'transliteration']);

const syllable = fc.constantFrom(
  ...[
    'ba',
    'bo',
    'rn',
    'm',
    'vv',
    'w',
    'l',
    '1',
    '0',
    'o',
    's',
    'es',
    'sch',
    'ph',
    'f',
    'k',
    'qu',
    'the',
    'x',
    'é',
    'ß',
  ],
);
const foreign = fc.constantFrom('со', 'ро', 'ソニ', '北京', '삼성', 'ба', 'ли');
const word = fc.oneof(
  { weight: 5, arbitrary: fc.array(syllable, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.array(foreign, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.constantFrom('the', 'home', 'zara', 'tara', 'homes', '2', 'b', 'b-b') },
);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

function buildLexicon(texts: readonly string[]): { lexicon: Lexicon; numbers: ReadonlyMap<string, number> } {
  const lexicon = new Lexicon();
  const numbers = new Map(texts.map((text) => [rowOf(spellName(text)), lexicon.add(spellName(text))]));
  lexicon.weigh();
  return { lexicon, numbers };
}

for (const strategy of LIKENESS_STRATEGY_NAMES) {
  test(`${strategy} finds exactly what a comparison of each name finds, in the same order`, () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 40 }), name, (texts, mark) => {
        const slow = new SlowNames(texts);
        const { lexicon, numbers } = buildLexicon(texts);
        const query = buildQuery(lexicon, mark);
        const { rankings } = new NameScan().run(lexicon, query, null, new Set([strategy]), NEVER_INTERRUPTED);
        const listed = new Map(
          rankings
            .get(strategy)!
            .list()
            .map((each) => [each.name, each.place]),
        );
        const compared = slow.names.map((each) => ({
          number: numbers.get(rowOf(each))!,
          text: rowOf(each),
          likeness: slow.compare(strategy, query.words, each),
        }));
        const grade = (likeness: number): number => (DEGREES.has(strategy) ? likeness * GRADE_MAX : likeness);
        for (const { number, text, likeness } of compared) {
          const place = listed.get(number);
          const least = Math.max(1, grade(LEAST[strategy] ?? 0));
          // The least likeness that is found is a matter of rounding.
          if (DEGREES.has(strategy) && Math.abs(grade(likeness) - least) < 1.01) continue;
          assert.equal(place !== undefined, grade(likeness) >= least, `${mark} and ${text}: ${likeness}`);
          if (place === undefined) continue;
          const better = compared.filter((other) => grade(other.likeness) > grade(likeness) + 1.01).length;
          const alike = compared.filter((other) => grade(other.likeness) >= grade(likeness) - 1.01).length;
          assert.ok(place > better && place <= alike, `${mark} and ${text}: place ${place}, ${better} to ${alike}`);
        }
      }),
      { numRuns: runsOf(40) },
    );
  });
}

test('a hit says of a name what the two texts say', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 30 }), name, (texts, mark) => {
      const slow = new SlowNames(texts);
      const { lexicon, numbers } = buildLexicon(texts);
      const texted = new Map(slow.names.map((each) => [numbers.get(rowOf(each))!, each]));
      const query = buildQuery(lexicon, mark);
      const { rankings } = new NameScan().run(lexicon, query, null, ALL, NEVER_INTERRUPTED);
      for (const { name: number, places } of fuseRankings(rankings, (each) => lexicon.readLetters(each))) {
        const held = texted.get(number)!;
        const evidence = explainName(query.words, held, places, lexicon);
        assert.deepEqual(
          evidence.map((each) => each.strategy),
          LIKENESS_STRATEGY_NAMES.filter((each) => places.has(each)),
        );
        for (const each of evidence) {
          const likeness = slow.compare(each.strategy, query.words, held);
          assert.ok(likeness > 0, each.strategy);
          assert.equal(each.place, places.get(each.strategy));
          if (each.strategy === 'edits') assert.equal(each.edits, 3 - likeness);
          if (each.strategy === 'beginning') assert.equal(each.letters.length, likeness);
          if (each.strategy === 'letters' || each.strategy === 'transliteration') {
            assert.ok(Math.abs(each.likeness - likeness) < 0.001);
          }
          if (each.strategy === 'word') {
            const worth = each.likeness * Math.min(slow.rarityOf(each.asked.word), slow.rarityOf(each.held.word));
            assert.ok(Math.abs(worth / Math.log(slow.names.length + 1) - likeness) < 0.001);
          }
        }
      }
    }),
    { numRuns: runsOf(25) },
  );
});

test('only names that are held are compared and counted', () => {
  const texts = ['aurelia', 'aurelio', 'aurela', 'borealis'];
  const { lexicon, numbers } = buildLexicon(texts);
  const held = new Uint8Array(lexicon.nameCount);
  held[numbers.get('aurelio')!] = 1;
  held[numbers.get('borealis')!] = 1;
  const query = buildQuery(lexicon, 'aurelia');
  const { rankings, names } = new NameScan().run(lexicon, query, held, ALL, NEVER_INTERRUPTED);
  assert.equal(names, 2);
  assert.deepEqual(rankings.get('edits')!.list(), [{ name: numbers.get('aurelio')!, place: 1 }]);
  assert.equal(rankings.get('equal')!.found, 0);
});

test('identical names come first, then names of which few are as near, whatever their letters weigh', () => {
  const texts = ['basement', 'rheoplan', 'rheobasa', 'rheobase', 'aurum'];
  const { lexicon } = buildLexicon(texts);
  const query = buildQuery(lexicon, 'RHEOBASE');
  const { rankings } = new NameScan().run(lexicon, query, null, ALL, NEVER_INTERRUPTED);
  const ranked = fuseRankings(rankings, (each) => lexicon.readLetters(each));
  assert.deepEqual(
    ranked.map(({ name: number, tier }) => `${lexicon.readLetters(number)} ${tier}`),
    ['rheobase identical', 'rheobasa near', 'rheoplan shared', 'basement alike'],
  );
});

test('a list knows the place of every name, and lists the names up to its bound', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3 * LISTED_MAX }), (grades) => {
      const ranking = new Ranking();
      for (const [number, grade] of grades.entries()) ranking.add(number, grade);
      const placeOf = (grade: number): number => grades.filter((other) => other >= grade).length;
      const expected = grades
        .map((grade, number) => ({ name: number, place: placeOf(grade), grade }))
        .filter(({ grade, place }) => grade > 0 && place <= LISTED_MAX)
        .map(({ name: number, place }) => ({ name: number, place }));
      assert.deepEqual(ranking.list(), expected);
      assert.equal(ranking.found, grades.filter((grade) => grade > 0).length);
    }),
    { numRuns: runsOf(15) },
  );
  assert.equal(gradeOf(1), GRADE_MAX);
});

test('words are spelled in Latin letters, and a transliteration is never silent', () => {
  const spell = (text: string): string[] =>
    spellName(text).map((each) => `${each.letters}${each.isForeign ? '*' : ''}`);
  assert.deepEqual(spell("BED'S & Straße Nº 5"), ['beds', 'strasse', 'no', '5']);
  assert.deepEqual(spell('宝诺士 Baonuoshi'), ['baonuoshi*', 'baonuoshi']);
  assert.deepEqual(spell('ソニー'), ['soni*']);
  assert.deepEqual(spell('삼성'), ['samseong*']);
  assert.deepEqual(spell('Газпром'), ['gazprom*']);
  assert.deepEqual(spell('abc北京'), ['abc', 'beijing*']);
  assert.deepEqual(spell('…!?'), []);
});

test('keys read words as they sound, look and are inflected', () => {
  const same = (key: Parameters<typeof keyOf>[0], one: string, other: string): boolean =>
    keyOf(key, spellName(one)) === keyOf(key, spellName(other));
  assert.ok(same('sound', 'Phoenix', 'Fenix'));
  assert.ok(same('germanSound', 'Meier', 'Mayer'));
  assert.ok(same('consonants', 'banival', 'bonaval'));
  assert.ok(same('stem', 'The Tesoros', 'tesoro'));
  assert.ok(same('stem', 'Blumen', 'Blume'));
  assert.ok(same('glyphs', 'modern', 'rnodem'));
  assert.ok(same('glyphs', 'сосо', 'coco'));
  assert.ok(same('plain', '4U', 'au'));
  assert.ok(!same('plain', '4', 'a'));
});

test('edits count an exchange of neighbours once, up to the bound', () => {
  const codes = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
  assert.equal(countEdits(codes('cvp'), codes('ovp')), 1);
  assert.equal(countEdits(codes('abcd'), codes('acbd')), 1);
  assert.equal(countEdits(codes('banival'), codes('sanval')), 2);
  assert.equal(countEdits(codes('abcdef'), codes('uvwxyz')), 3);
});

test('compares names and marks that are far longer than usual', () => {
  const long = '北'.repeat(190);
  const texts = [long, `${long}京`, `${long} 京`, `${'m'.repeat(3_000)}`, 'm', `${'ab '.repeat(500)}`];
  const slow = new SlowNames(texts);
  const { lexicon, numbers } = buildLexicon(texts);
  for (const mark of [long, `${long}x`, 'm'.repeat(200), 'ab '.repeat(30)]) {
    const query = buildQuery(lexicon, mark);
    const { rankings } = new NameScan().run(lexicon, query, null, ALL, NEVER_INTERRUPTED);
    for (const [strategy, ranking] of rankings) {
      if (DEGREES.has(strategy)) continue;
      const listed = ranking.list().map((each) => each.name);
      const expected = slow.names.filter((each) => slow.compare(strategy, query.words, each) > 0);
      assert.deepEqual(listed.sort(), expected.map((each) => numbers.get(rowOf(each))!).sort(), `${strategy}: ${mark}`);
    }
  }
});

test('a scan ends when it is interrupted', () => {
  const { lexicon } = buildLexicon(['aurelia']);
  const interruption = {
    check: () => {
      throw new Error('interrupted');
    },
  };
  assert.throws(
    () => new NameScan().run(lexicon, buildQuery(lexicon, 'aurelia'), null, ALL, interruption),
    /interrupted/,
  );
});
