/**
 * What filters ask of a stored record: terms that every match carries, and comparisons where a term says too little.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import fc from 'fast-check';
import { parseSearch } from '../../src/parse/search.ts';
import { coverDates, stretchFrom, weighCover } from '../../src/plan/cover.ts';
import { isIndexed, planConditions } from '../../src/plan/filters.ts';
import { pairConditions, type Sought } from '../../src/plan/pairs.ts';
import { outlineSearch, planSearch } from '../../src/plan/search.ts';
import { isRegisterDate } from '../../src/record/dates.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow, wholeKey } from '../../src/record/row.ts';
import { listSeams } from '../../src/record/seams.ts';
import {
  codeTerm,
  DATE_GRAINS,
  dateTerm,
  enumTerm,
  isStatusTerm,
  type NameTag,
  niceClassTerm,
  seamTerm,
  viennaTerm,
} from '../../src/record/terms.ts';
import { buildSource } from '../support/source.ts';

const conditionsOf = (texts: Record<string, string>, register: string | null = null) =>
  planConditions(parseSearch(texts, register).filters, register);

const dateArbitrary = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 1845, max: 1855 }),
      fc.integer({ min: 2020, max: 2030 }),
      fc.integer({ min: 2105, max: 2115 }),
    ),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 31 }),
  )
  .map(([year, month, day]) =>
    [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-'),
  )
  .filter(isRegisterDate);

/** Whether a record with these terms is among those that the index is asked for. */
const carriedBy =
  (terms: readonly number[]) =>
  ({ allOf, anyOf }: Sought): boolean =>
    allOf.every((term) => terms.includes(term)) && anyOf.every((set) => set.some((term) => terms.includes(term)));

const isDated = (term: number): boolean => term >>> 27 === dateTerm('status_date', 'year', '2000-01-01') >>> 27;

test('a cover holds a term of every date of its interval [4.3, I-15]', () => {
  const bound = fc.option(dateArbitrary, { nil: null });
  fc.assert(
    fc.property(dateArbitrary, bound, bound, (date, from, to) => {
      fc.pre((from === null || from <= date) && (to === null || date <= to) && (from !== null || to !== null));
      const terms = DATE_GRAINS.map((grain) => dateTerm('expiry_date', grain, date));
      for (const cover of coverDates('expiry_date', from, to)) {
        assert.ok(
          terms.some((term) => cover.includes(term)),
          `${date} in ${from}..${to}`,
        );
      }
    }),
    { numRuns: 5_000 },
  );
});

test('a cover is months and cycledays, months alone or years and decades, none beyond the coded years [4.3]', () => {
  const sizesOf = (from: string | null, to: string | null) =>
    coverDates('status_date', from, to).map((terms) => terms.length);
  assert.deepEqual(sizesOf('2024-02-20', '2024-03-06'), [2, 16]);
  assert.deepEqual(sizesOf('2024-02-20', '2024-03-07'), [2]);
  assert.deepEqual(sizesOf('2024-02-20', '2026-01-01'), [24]);
  assert.deepEqual(sizesOf('2024-02-20', '2026-02-01'), [3]);
  assert.deepEqual(sizesOf('2018-02-20', '2041-02-01'), [2 + 2 + 2]);
  assert.deepEqual(sizesOf(null, null), [16]);
  assert.deepEqual(coverDates('status_date', '2023-12-31', '2024-01-01'), [
    [dateTerm('status_date', 'month', '2023-12-01'), dateTerm('status_date', 'month', '2024-01-31')],
    [dateTerm('status_date', 'cycleday', '2023-12-31'), dateTerm('status_date', 'cycleday', '2024-01-01')],
  ]);
  assert.equal(weighCover(null, '1988-12-31'), 'selective');
  assert.equal(weighCover('2015-01-01', null), 'broad');
  assert.equal(weighCover(null, '2005-12-31'), 'selective');
  assert.equal(weighCover(null, '2012-12-31'), 'broad');
  assert.equal(weighCover('2001-01-01', null), 'useless');
});

test('a stretch of an order is whole months, covered without a gap, and the order goes on behind it [4.3]', () => {
  const shown = (date: string, order: 'asc' | 'desc', months: number) => {
    const stretch = stretchFrom('application_date', date, order, months);
    return stretch === null ? null : [stretch.from, stretch.to, stretch.next];
  };
  assert.deepEqual(shown('2024-03-15', 'desc', 4), ['2023-12-01', '2024-03-15', '2023-12-01']);
  assert.deepEqual(shown('2024-03-15', 'desc', 36), ['2021-04-01', '2024-03-15', '2021-04-01']);
  assert.deepEqual(shown('2023-11-15', 'asc', 4), ['2023-11-15', '2024-02-29', '2024-03-01']);
  assert.deepEqual(shown('2021-12-01', 'asc', 36), ['2021-12-01', '2024-11-30', '2024-12-01']);
  assert.deepEqual(
    stretchFrom('application_date', '2024-03-15', 'desc', 4)!.covers,
    coverDates('application_date', '2023-12-01', '2024-03-15'),
  );
  // Dates beyond the coded years share a term with other years.
  assert.deepEqual([shown('1851-01-01', 'desc', 4), shown('9999-12-31', 'desc', 4)], [null, null]);
});

test('any-of lists of one value and all-of lists are one set, longer any-of lists one set each [4.3]', () => {
  const { allOf, anyOf, isImpossible } = conditionsOf(
    { status: 'pending', nice_class_all: '9,42', office: 'wo,us', vienna_code: '26.03,999.1' },
    'EM',
  );
  const expected = [
    enumTerm('status', 'Pending'),
    niceClassTerm(9),
    niceClassTerm(42),
    viennaTerm([26, 3]),
    codeTerm('jurisdiction', 'EM'),
  ];
  assert.deepEqual(new Set(allOf), new Set(expected));
  assert.deepEqual(anyOf, [[codeTerm('office', 'US'), codeTerm('office', 'WO')]]);
  assert.equal(isImpossible, false);
});

test('a value that no record can carry, and an interval without a day or instant, match nothing [4.3, I-15]', () => {
  for (const texts of [
    { vienna_code: '999.1' },
    { expiry_date_from: '2024-01-02', expiry_date_to: '2024-01-01' },
    { updated_since: '2026-01-01', updated_before: '2026-01-01' },
  ]) {
    assert.equal(conditionsOf(texts as Record<string, string>).isImpossible, true, JSON.stringify(texts));
  }
  assert.equal(conditionsOf({ expiry_date_from: '2024-01-01', expiry_date_to: '2024-01-01' }).isImpossible, false);
});

test('the index is asked for a part of a name only where trigrams follow from it [I-12]', () => {
  const isAsked = (name: string, text: string): boolean => isIndexed(conditionsOf({ [name]: text }, 'US').texts[0]!);
  for (const part of ['acme', '商标注', 'a b c', ' ab', 'ab-', '%ab', '𝒜𝒷𝒸', '100%', ' x ', 'शुद', 'द्ध']) {
    assert.equal(isAsked('mark_name_contains', part), true, part);
  }
  for (const part of ['---', '%_\\', '!?.', '☃☃☃', 'a--', '१२३', 'ที่', 'a b', 'h&m', '亚 s', '- b'])
    assert.equal(isAsked('mark_name_contains', part), false, part);
  assert.equal(isAsked('mark_name_startswith', 'a--'), true);
});

test('the trigram index is asked for whole words, and for their edges only where these tell something [I-12]', () => {
  const piecesOf = (name: string, text: string): readonly string[] =>
    conditionsOf({ [name]: text }, 'US').texts[0]!.pieces;
  for (const [part, pieces] of [
    ['amber', ['amber']],
    [' amber ', ['amber']],
    ['Crystal S', ['crystal']],
    ['blue & water', ['blue', 'water']],
    ['the b', ['the']],
    // Two words and the seam between them, none long enough for a trigram of its own.
    ['ab cd', ['ab cd']],
    // What begins a word cannot be told by one trigram or two.
    [' pro', [' pro']],
    [' land', [' land']],
    ['100%', ['100%']],
  ] as const) {
    assert.deepEqual(piecesOf('mark_name_contains', part), pieces, part);
  }
  assert.deepEqual(piecesOf('mark_name_startswith', 'amber'), ['amber']);
  assert.deepEqual(piecesOf('mark_name_startswith', 'land'), [wholeKey('land').slice(0, -1)]);
  assert.deepEqual(piecesOf('owner_name', 'amber'), []);
});

test('a part of a name that is but an initial to the trigram index is found by its seam [I-12]', () => {
  const termsOf = (name: string, text: string): readonly number[] =>
    conditionsOf({ [name]: text }, 'US').allOf.filter((term) => term !== codeTerm('jurisdiction', 'US'));
  const seamsOf = (tag: NameTag, part: string): number[] => listSeams(part).map((seam) => seamTerm(tag, seam));
  assert.deepEqual(termsOf('mark_name_contains', 'H&M'), seamsOf('mark_name', 'h&m'));
  assert.deepEqual(termsOf('owner_name_startswith', '& B'), seamsOf('owner_name', '& b'));
  for (const part of ['H&M Hennes', 'acme', '---']) assert.deepEqual(termsOf('mark_name_contains', part), [], part);
  const { texts } = conditionsOf({ mark_name_contains: 'H&M Hennes' }, 'US');
  assert.deepEqual(texts[0]?.seams, seamsOf('mark_name', 'h&m hennes'));
});

test('a query about registers or the interval of its own order is one walk without a bound [4.3]', () => {
  const pathsOf = (texts: Record<string, string>, register: string | null = null) =>
    planSearch(parseSearch(texts, register)).paths;
  const walk = [{ kind: 'walk', rowsMax: null }];
  assert.deepEqual(pathsOf({}, 'us'), walk);
  assert.deepEqual(pathsOf({ jurisdiction: 'us' }), walk);
  assert.deepEqual(pathsOf({ updated_since: '2026-01-01', updated_before: '2026-02-01', jurisdiction: 'us' }), walk);
  assert.deepEqual(pathsOf({ registration_date_from: '2024-01-01', sort: 'registration_date' }), walk);
  assert.notDeepEqual(pathsOf({ registration_date_from: '2024-01-01', sort: 'application_date' }), walk);
  assert.deepEqual(pathsOf({ jurisdiction: 'us,em' }), walk);
  assert.notDeepEqual(pathsOf({ jurisdiction: 'us,em', status: 'pending' }), walk);
});

test('pairs with a status find exactly the records that carry both of their terms [4.3]', () => {
  const facets = {
    jurisdiction_code: fc.constantFrom('US', 'EM', 'XPAND'),
    office: fc.constantFrom('WO', 'AB12', null),
    status: fc.constantFrom(...STATUSES.slice(0, 2)),
    mark_feature: fc.constantFrom(...MARK_FEATURES.slice(0, 2), null),
    nice_classes: fc.subarray([1, 9, 45]),
    owner_countries: fc.subarray(['DE', 'JP', 'LONGC']),
  };
  const asked = {
    jurisdiction: fc.constantFrom(undefined, 'us', 'us,em', 'em,xpand'),
    office: fc.constantFrom(undefined, 'wo', 'ab12', 'wo,ab12'),
    status: fc.constantFrom(...STATUSES.slice(0, 2), `${STATUSES[0]},${STATUSES[1]}`),
    mark_feature: fc.constantFrom(undefined, undefined, ...MARK_FEATURES.slice(0, 2)),
    nice_class: fc.constantFrom(undefined, '9', '9,45'),
    nice_class_all: fc.constantFrom(undefined, '1', '1,9'),
    owner_country: fc.constantFrom(undefined, 'jp', 'de,jp', 'de,longc', 'longc'),
  };
  let paired = 0;
  fc.assert(
    fc.property(fc.record(facets), fc.record(asked), (record, values) => {
      const { terms } = buildRow(normalizeRecord(buildSource(record)));
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      const conditions = conditionsOf(given as Record<string, string>);
      const { sought } = pairConditions(conditions, { covers: [], broadCovers: [] });
      const satisfies = carriedBy(terms);
      assert.equal(satisfies(sought), satisfies(conditions), JSON.stringify({ record, values }));
      if (satisfies(sought) && sought.allOf.every((term) => !isStatusTerm(term))) paired += 1;
    }),
    { numRuns: 5_000 },
  );
  assert.ok(paired > 50, 'pairs found records');
});

test('a status with a long interval of its date is asked for by pairs of the two, without its own list [4.3]', () => {
  const years = fc.constantFrom(1949, 1950, 1989, 1990, 1999, 2000, 2005, 2019, 2020);
  const day = fc.tuple(years, fc.constantFrom('01-01', '06-15', '12-31')).map((parts) => parts.join('-'));
  const facets = {
    status: fc.constantFrom(...STATUSES.slice(0, 3)),
    status_date: fc.option(day, { nil: null }),
    nice_classes: fc.subarray([1, 9]),
  };
  const asked = {
    status: fc.constantFrom(...STATUSES.slice(0, 2), `${STATUSES[0]},${STATUSES[1]}`),
    status_date_from: fc.option(day, { nil: undefined }),
    status_date_to: fc.option(day, { nil: undefined }),
    nice_class: fc.constantFrom(undefined, '9', '1,9'),
  };
  let found = 0;
  fc.assert(
    fc.property(fc.record(facets), fc.record(asked), (record, values) => {
      const { status_date_from: from = null, status_date_to: to = null } = values;
      fc.pre((from !== null || to !== null) && (from === null || to === null || from <= to));
      const { terms } = buildRow(normalizeRecord(buildSource(record)));
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      const { conditions, sought, covers, broadCovers } = outlineSearch(
        parseSearch(given as Record<string, string>, null),
      );
      const hits = (set: readonly number[]): boolean => set.some((term) => terms.includes(term));
      const satisfies = carriedBy(terms);
      const isWanted = satisfies(conditions) && coverDates('status_date', from, to).every(hits);
      const isSaid = satisfies(sought) && covers.every(hits);
      const asksDates = covers.length + broadCovers.length > 0;
      assert.equal(isSaid && broadCovers.every(hits), asksDates ? isWanted : satisfies(conditions));
      const isPaired = covers.length === 1 && covers[0]?.every((term) => !isDated(term));
      if (isPaired) assert.ok(!sought.allOf.some(isStatusTerm), 'its own list is not read');
      if (isPaired && isSaid) found += 1;
    }),
    { numRuns: 5_000 },
  );
  assert.ok(found > 50, 'pairs found records');
});
