/** What is tried first for a search, by what is known of its terms (docs/decisions/0019). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TermStatistics } from '../../src/plan/estimate.ts';
import type { SearchPath } from '../../src/plan/paths.ts';
import { arrangePaths, type SearchPlan } from '../../src/plan/search.ts';
import { wholeKey } from '../../src/record/row.ts';
import { codeTerm, DATE_GRAINS, dateTerm, enumTerm, nameTerms, niceClassTerm } from '../../src/record/terms.ts';
import { type DrawnRecord, sampleOf } from '../support/sample.ts';
import { buildPlan, SHAPES } from '../support/search-shapes.ts';

const statisticsOf = (shares: [number, number][], rarest = 0.005): TermStatistics => ({
  records: 10_000_000,
  shares: new Map(shares),
  rarest,
});
const COMMON = statisticsOf([
  [niceClassTerm(9), 0.1],
  [enumTerm('status', 'Registered'), 0.5],
  [codeTerm('jurisdiction', 'DE')!, 0.03],
  [codeTerm('jurisdiction', 'US')!, 0.3],
  [codeTerm('jurisdiction', 'CN')!, 0.2],
]);
const describe = ({ paths }: SearchPlan): string[] =>
  paths.map(({ kind, rowsMax, ifPromising, ifFound, asksOnly }) => {
    const promise = ifPromising === undefined ? null : 'if promising';
    const found = ifFound === undefined ? null : `if ${ifFound} found`;
    return [kind, rowsMax ?? 'all', promise, found, asksOnly].filter(Boolean).join(' ');
  });

test('whatever is known, the last path of every search has no bound [4.3]', () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    for (const statistics of [COMMON, statisticsOf([[0, 0.000_001]], 0.000_001), statisticsOf([[0, 1]], 1)]) {
      assert.equal(arrangePaths(buildPlan(shape), statistics).paths.at(-1)?.rowsMax, null, name);
    }
  }
});

test('where nothing is known, a plan is left as it is [4.3]', () => {
  for (const statistics of [statisticsOf([]), { ...COMMON, records: 0 }]) {
    const plan = buildPlan({ texts: { nice_class: '9' } });
    assert.deepEqual(arrangePaths(plan, statistics), plan);
  }
});

test('a common facet is walked at once as far as its share says [4.3]', () => {
  const [first, second] = describe(arrangePaths(buildPlan({ texts: { nice_class: '9' } }), COMMON));
  assert.deepEqual([first, second], ['walk 1530', 'walk 60000 if promising']);
});

test('rare facets are gathered without walking first [4.3]', () => {
  const texts = { kind_of_mark: 'guarantee', owner_country: 'jp' };
  assert.equal(describe(arrangePaths(buildPlan({ texts }), COMMON))[0], 'gather 30000');
});

test('an order by date leaps before it gathers only where gathering costs more [4.3]', () => {
  const sort = 'application_date';
  const many = describe(arrangePaths(buildPlan({ texts: { status: 'registered', sort } }), COMMON));
  assert.ok(many.indexOf('leap 6000') < many.indexOf('gather 30000'), many.join());
  const few = describe(
    arrangePaths(buildPlan({ texts: { kind_of_mark: 'guarantee', owner_country: 'jp', sort } }), COMMON),
  );
  assert.ok(few.indexOf('leap 6000') > few.indexOf('gather 30000'), few.join());
});

/** A record of each day since 1990: the older half is registered, the other pending, and one in a hundred a sound. */
const DAYS_SAMPLED = sampleOf(
  Array.from({ length: 13_000 }, (_, index): DrawnRecord => {
    const application_date = new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10);
    const isOld = index < 6_500;
    const facets = [niceClassTerm(9), enumTerm('mark_feature', index % 100 === 0 ? 'Sound' : 'Word')];
    return {
      terms: [enumTerm('status', isOld ? 'Registered' : 'Pending'), ...facets],
      updated_at: `${application_date}T00:00:00Z`,
      application_date,
      ...(isOld ? { registration_date: application_date } : {}),
    };
  }),
  10_000_000 / 13_000,
);

test('where a sample shows the page, the cheapest way to it comes first [4.3]', () => {
  const known = statisticsOf([
    [niceClassTerm(9), 1],
    [enumTerm('status', 'Registered'), 0.5],
    [enumTerm('status', 'Pending'), 0.5],
    [enumTerm('mark_feature', 'Sound'), 0.01],
  ]);
  const pathsOf = (texts: Record<string, string>) =>
    arrangePaths(buildPlan({ texts: { sort: 'application_date', ...texts } }), known, DAYS_SAMPLED).paths;
  const firstOf = (texts: Record<string, string>) => pathsOf(texts)[0]!;
  assert.equal(firstOf({ status: 'pending' }).kind, 'walk', 'they stand at the beginning');
  const [chance, far] = pathsOf({ status: 'registered' }) as [SearchPath, SearchPath];
  assert.deepEqual([far.kind, far.until?.[0]], ['leap', '2007-10-18'], 'half the records would be walked past');
  assert.deepEqual(chance, { kind: 'walk', rowsMax: 306 }, 'a page, if the half that match were spread evenly');
  const ascending = pathsOf({ status: 'pending', order: 'asc' })[1]!;
  assert.deepEqual([ascending.kind, ascending.until?.[0]], ['leap', '2007-10-19']);
  const undated = firstOf({ status: 'pending', sort: 'registration_date' });
  assert.deepEqual([undated.kind, undated.until, undated.toEnd], ['leap', undefined, true], 'none has the date');
  const few = firstOf({ status: 'registered', mark_feature: 'sound', publication_date_from: '2001-01-01' });
  assert.equal(few.kind, 'gather', 'a contradiction is not walked for');
  const gathers = pathsOf({ status: 'registered' }).filter(({ kind }) => kind === 'gather');
  assert.ok(
    gathers.every(({ rowsMax }) => rowsMax === null || rowsMax >= 5_000_000),
    'nothing is collected to find that it is too much',
  );
});

test('what a sample shows to be few is gathered within a bound that fits, and not walked for [4.3]', () => {
  const texts = { registration_date_from: '1914-12-29', registration_date_to: '1915-03-28', nice_class: '9' };
  const old = sampleOf(
    Array.from({ length: 1_000 }, (_, index): DrawnRecord => {
      const registration_date = index < 100 ? '1930-05-05' : '2001-01-01';
      return { terms: [niceClassTerm(9)], updated_at: '2026-01-01T00:00:00Z', registration_date };
    }),
    1_000,
  );
  const decades = DATE_GRAINS.map((grain): [number, number] => [
    dateTerm('registration_date', grain, '1950-01-01'),
    0.5,
  ]);
  const known = statisticsOf([[niceClassTerm(9), 1], ...decades]);
  const unsampled = describe(arrangePaths(buildPlan({ texts }), known));
  assert.ok(unsampled.includes('gather 30000'), unsampled.join());
  const paths = describe(arrangePaths(buildPlan({ texts }), known, old));
  const gather = paths.findIndex((path) => path.startsWith('gather'));
  assert.equal(paths[gather], 'gather 250000', 'the hundredth of all that are coded as of 1950');
  const walked = paths.slice(0, gather).filter((path) => !path.endsWith('promising'));
  assert.deepEqual(walked, ['walk 300'], paths.join());
});

test('what many records near the beginning match is counted along the order of changes [I-18]', () => {
  const rowsOf = (texts: Record<string, string>) =>
    arrangePaths(buildPlan({ texts: { count: 'capped', ...texts } }), COMMON, DAYS_SAMPLED).countRows;
  const pending = rowsOf({ status: 'pending' })!;
  assert.ok(pending > 10_000 && pending < 40_000, `all of the newest are: ${pending}`);
  assert.equal(rowsOf({ status: 'registered' }), null, 'none of the newest is');
  assert.equal(rowsOf({ mark_feature: 'sound' }), null, 'a million records hold so many');
  assert.equal(arrangePaths(buildPlan({ texts: { status: 'pending' } }), COMMON, DAYS_SAMPLED).countRows, null);
});

test('a second walk is left out where it shows nothing that a cheap gathering does not [4.3]', () => {
  const rare = (share: number): string[] =>
    describe(
      arrangePaths(buildPlan({ texts: { kind_of_mark: 'guarantee' } }), {
        ...COMMON,
        shares: new Map([[enumTerm('kind_of_mark', 'Guarantee'), share]]),
      }),
    );
  assert.ok(!rare(0.0008).includes('walk 15000'));
  assert.ok(rare(0.0008).includes('walk 15000 if 2 found'), 'unless the first one shows that it is not rare');
  assert.ok(!rare(0.004).some((path) => path.startsWith('walk 15000')), 'the first walk goes farther than that');
  assert.ok(describe(buildPlan({ texts: { kind_of_mark: 'guarantee' } })).includes('walk 15000'), 'nothing known');
});

test('registers that hold most records are walked in the order of all, others side by side [4.3]', () => {
  const lanesOf = (jurisdiction: string): readonly string[] =>
    arrangePaths(buildPlan({ texts: { jurisdiction, nice_class: '9' } }), COMMON).lanes;
  assert.deepEqual(lanesOf('de,cn'), ['CN', 'DE']);
  assert.deepEqual(lanesOf('de,us,cn'), []);
  assert.deepEqual(lanesOf('us'), ['US']);
});

test('a name is asked for at once, unless so many bear it that walking costs less [4.3]', () => {
  const pathsAt = (share: number | null): string[] => {
    const shares = new Map(nameTerms('representative_name', 'acme').map((term) => [term, share ?? 0]));
    const statistics = share === null ? COMMON : { ...COMMON, shares };
    return describe(arrangePaths(buildPlan({ texts: { representative_name: 'acme' } }), statistics));
  };
  assert.equal(pathsAt(0.0001)[0], 'gather 2000 pinned');
  assert.equal(pathsAt(0.0005)[0], 'gather 6500 pinned', 'as many as are believed to bear it');
  assert.equal(pathsAt(0.003)[0], 'walk 51000');
  assert.equal(pathsAt(null)[0], 'gather 65000 pinned', 'as many as the commonest that is not listed');
});

test('a number is looked up among few records first, then among more [4.3]', () => {
  const paths = describe(arrangePaths(buildPlan({ texts: { application_number: '4711' } }), COMMON));
  assert.deepEqual(paths.slice(0, 2), ['gather 64 pinned', 'gather 65000 pinned']);
});

/** Of each thousand names one is a harbour; every second one is a house. One record in 50 is of the EM. */
const NAMES_SAMPLED = sampleOf(
  Array.from({ length: 13_000 }, (_, index): DrawnRecord => {
    const words = [index % 100 === 7 ? 'golden' : 'silver', index % 2 === 0 ? 'house' : 'garden'];
    if (index % 1_000 === 8) words.push('harbour');
    return {
      terms: [codeTerm('jurisdiction', index % 50 === 7 ? 'EM' : 'US')!],
      updated_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      names: { mark_names: wholeKey(words.join(' ')) },
    };
  }),
  10_000_000 / 13_000,
);

test('a part of a name is looked for where the sample has it [4.3]', () => {
  const known = statisticsOf([
    [codeTerm('jurisdiction', 'EM')!, 0.02],
    [codeTerm('jurisdiction', 'US')!, 0.98],
  ]);
  const firstOf = (register: string, part: string): string =>
    describe(arrangePaths(buildPlan({ register, texts: { mark_name_contains: part } }), known, NAMES_SAMPLED))[0]!;
  assert.equal(firstOf('us', 'house'), 'walk 306', 'every second one');
  assert.equal(firstOf('us', 'zephyr'), 'gather 30000 parts', 'hardly any');
  assert.equal(firstOf('us', 'harbour'), 'gather 30000', 'one in a thousand');
  assert.equal(firstOf('em', 'silver'), 'walk 300', 'half of a register');
  assert.equal(firstOf('em', 'house'), 'gather 30000', 'none of a register, of all the table half');
});

test('without a sample, a part of a name is walked for before it is gathered [4.3]', () => {
  const paths = describe(buildPlan({ register: 'us', texts: { mark_name_contains: 'golden' } }));
  assert.deepEqual(paths.slice(0, 2), ['walk 300', 'walk 20000 if promising']);
  assert.ok(paths.includes('gather 6000'), paths.join());
});

test('bounds of change times in another order are asked for where the sample has few within them [4.3]', () => {
  const firstOf = (since: string): string => {
    const texts = { updated_since: since, nice_class: '9', sort: 'application_date', order: 'asc' };
    return describe(arrangePaths(buildPlan({ texts }), COMMON, DAYS_SAMPLED))[0]!;
  };
  assert.equal(firstOf('2025-08-01T00:00:00Z'), 'recent 30000');
  assert.notEqual(firstOf('1991-01-01T00:00:00Z').split(' ')[0], 'recent', 'nearly all');
});

test('an order by date is not leaped over for what is gathered at once [4.3]', () => {
  const shares = new Map([[enumTerm('mark_feature', 'Sound'), 0.0001]]);
  const plan = buildPlan({ texts: { mark_feature: 'sound', sort: 'registration_date' } });
  assert.equal(describe(arrangePaths(plan, { ...COMMON, shares }))[0], 'gather 30000');
});

test('a page is walked for only where gathering every match costs more [4.3]', () => {
  const firstAmong = (records: number): string => {
    const shares = new Map([[enumTerm('kind_of_mark', 'Guarantee'), 0.0025]]);
    return describe(
      arrangePaths(buildPlan({ texts: { kind_of_mark: 'guarantee' } }), { records, shares, rarest: 0.001 }),
    )[0]!;
  };
  assert.equal(firstAmong(10_000_000), 'walk 61200');
  assert.equal(firstAmong(1_000_000), 'walk 1000');
});

test('of several terms the rarest is compared first [4.3]', () => {
  const texts = { status: 'registered', nice_class: '9', kind_of_mark: 'guarantee' };
  assert.deepEqual(arrangePaths(buildPlan({ texts }), COMMON).walked.allOf, [
    enumTerm('kind_of_mark', 'Guarantee'),
    niceClassTerm(9),
    enumTerm('status', 'Registered'),
  ]);
});
