/** What a sample shows of a search (docs/decisions/0027). A sample of all records shows it exactly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_SAMPLE } from '../../src/plan/record-sample.ts';
import { type Survey, surveySearch } from '../../src/plan/survey.ts';
import { wholeKey } from '../../src/record/row.ts';
import { codeTerm, enumTerm, nameTerms, niceClassTerm } from '../../src/record/terms.ts';
import { type DrawnRecord, sampleOf } from '../support/sample.ts';
import { buildPlan } from '../support/search-shapes.ts';

const dateArbitrary = fc
  .tuple(fc.integer({ min: 1985, max: 2024 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);

interface Mark {
  register: string;
  niceClass: number;
  application_date: string | undefined;
  expiry_date: string | undefined;
}

const marksArbitrary: fc.Arbitrary<Mark[]> = fc.array(
  fc.record({
    register: fc.constantFrom('US', 'EM', 'JP'),
    niceClass: fc.constantFrom(9, 25, 42),
    application_date: fc.option(dateArbitrary, { nil: undefined, freq: 4 }),
    expiry_date: fc.option(dateArbitrary, { nil: undefined, freq: 4 }),
  }),
  { minLength: 20, maxLength: 120 },
);

function drawMark({ register, niceClass, application_date, expiry_date }: Mark): DrawnRecord {
  const terms = [codeTerm('jurisdiction', register)!, niceClassTerm(niceClass)];
  return {
    terms,
    ...(application_date === undefined ? {} : { application_date }),
    ...(expiry_date === undefined ? {} : { expiry_date }),
  };
}

test('a sample of all records counts the matches, and the page stands before the date that it shows [4.3]', () => {
  let pages = 0;
  fc.assert(
    fc.property(
      marksArbitrary,
      fc.constantFrom('US', 'EM', 'JP', null),
      fc.option(dateArbitrary),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 12 }),
      (marks, register, expiresFrom, order, limit) => {
        const texts = {
          nice_class: '9,42',
          sort: 'application_date',
          order,
          limit: String(limit),
          ...(expiresFrom === null ? {} : { expiry_date_from: expiresFrom }),
        };
        const plan = buildPlan({ register: register?.toLowerCase() ?? null, texts });
        const survey = surveySearch(plan, sampleOf(marks.map(drawMark)))!;
        const matching = marks.filter(
          (mark) =>
            (register === null || mark.register === register) &&
            mark.niceClass !== 25 &&
            (expiresFrom === null || (mark.expiry_date !== undefined && mark.expiry_date >= expiresFrom)),
        );
        assert.equal(survey.matches, matching.length, 'matches');
        assert.ok(survey.gathered >= survey.matches, 'whatever matches is gathered');
        const [date] = survey.page?.dates ?? [];
        if (date === undefined) return;
        pages += 1;
        const before = matching.filter(
          ({ application_date }) =>
            application_date !== undefined && (order === 'asc' ? application_date <= date : application_date >= date),
        );
        assert.ok(before.length > limit, 'a page, and one more');
      },
    ),
    { numRuns: 500 },
  );
  assert.ok(pages > 50, `${pages} pages were shown`);
});

const DAYS = 28;
const YEARS = 20;
/** A record for each day of 28 in each of 240 months, all pending but those filed before 2005. */
const AGEING = Array.from({ length: YEARS * 12 * DAYS }, (_, index): DrawnRecord => {
  const [month, day] = [Math.floor(index / DAYS) % 12, index % DAYS].map((part) => String(part + 1).padStart(2, '0'));
  const year = 2000 + Math.floor(index / (DAYS * 12));
  return {
    terms: [enumTerm('status', year < 2005 ? 'Registered' : 'Pending'), ...nameTerms('owner_name', 'acme')],
    application_date: `${year}-${month}-${day}`,
    updated_at: `${year}-${month}-${day}T00:00:00Z`,
    names: { owner_names: wholeKey('acme'), mark_names: wholeKey(`golden ${day}`) },
  };
});

function surveyAgeing(texts: Record<string, string>, weight: number): Survey {
  return surveySearch(buildPlan({ texts: { sort: 'application_date', ...texts } }), sampleOf(AGEING, weight))!;
}

test('where matches begin is shown with the records that stand before them [4.3]', () => {
  const { page, matches } = surveyAgeing({ status: 'registered' }, 1000);
  assert.equal(matches, 5 * 12 * DAYS * 1000);
  assert.deepEqual(
    page?.dates,
    ['2004-12-28', '2004-12-27', '2004-12-25', '2004-12-21'],
    'the first of those that match stands for more than a page, or else further ones',
  );
  const passed = 15 * 12 * DAYS * 1000;
  assert.ok(Math.abs(page!.rows - passed) < passed / 100, `all of the fifteen years since: ${page!.rows}`);
  assert.equal(page!.dateMatches, 1000);
  const near = surveyAgeing({ status: 'pending' }, 1000);
  assert.ok(near.page!.rows < 100, `every record matches, so a page is 51 of them: ${near.page!.rows}`);
});

test('a first hit that is late by chance does not show that matches begin there [4.3]', () => {
  const pageOf = (isMatch: (index: number) => boolean) => {
    const drawn = AGEING.map((record, index) =>
      isMatch(AGEING.length - 1 - index) ? { ...record, terms: [...record.terms, niceClassTerm(9)] } : record,
    );
    const plan = buildPlan({ texts: { nice_class: '9', sort: 'application_date' } });
    return surveySearch(plan, sampleOf(drawn, 1000))!.page!;
  };
  // One in a hundred, those of the newest 400 missing, and the next ones close together.
  const late = pageOf((index) => index >= 400 && (index < 410 || index % 100 === 0));
  assert.ok(late.isNear && late.rows < 20_000, `a page of a twentieth of a hit: ${late.rows}`);
  const far = pageOf((index) => index >= 3_000 && index % 10 === 0);
  assert.ok(!far.isNear && Math.abs(far.rows - 3_000_000) < 30_000, `behind 3,000 hits: ${far.rows}`);
  assert.ok(far.rowsIfEven < 1_000, `a tenth of half the records: ${far.rowsIfEven}`);
});

test('dates before the coded years are gathered as if of the first of them [4.3]', () => {
  const old = AGEING.map((record, index) => ({
    ...record,
    expiry_date: index % 2 === 0 ? '1930-01-01' : '1960-01-01',
  }));
  const gatheredOf = (from: string, to: string): Survey =>
    surveySearch(buildPlan({ texts: { expiry_date_from: from, expiry_date_to: to } }), sampleOf(old))!;
  const [years, months] = [gatheredOf('1900-01-01', '1915-12-31'), gatheredOf('1915-01-10', '1915-03-20')];
  assert.deepEqual([years.matches, years.gathered], [0, AGEING.length / 2]);
  assert.deepEqual([months.matches, months.gathered], [0, AGEING.length / 2]);
  assert.equal(gatheredOf('1955-01-01', '1965-12-31').gathered, AGEING.length / 2);
});

test('whatever has no date is shown behind all dates [4.3]', () => {
  const undated = AGEING.map(({ application_date: _date, ...record }) => record);
  const plan = buildPlan({ texts: { status: 'registered', sort: 'application_date' } });
  const { page } = surveySearch(plan, sampleOf(undated, 1000))!;
  assert.deepEqual([page?.dates, page?.dateRows, page?.dateMatches], [[], 0, 0]);
});

test('a position, and an interval of the order, leave out what stands before them [4.3]', () => {
  const after = { value: '2004-12-01', jurisdiction_code: 'US', uid: 'U1' };
  const plan = buildPlan({ texts: { status: 'registered', sort: 'application_date' }, after });
  assert.ok(surveySearch(plan, sampleOf(AGEING, 1000))!.page!.rows < 100, 'the page begins at the position');
  assert.ok(surveyAgeing({ status: 'registered', application_date_to: '2004-12-31' }, 1000).page!.rows < 100);
});

test('too few hits show no page, and names are shown where they are common [4.3]', () => {
  const few = surveyAgeing({ status: 'registered', application_date_from: '2004-12-27' }, 1000);
  assert.deepEqual([few.matches, few.page], [2000, null]);
  assert.ok(few.matchesMost > 5000, `perhaps more: ${few.matchesMost}`);
  assert.equal(surveyAgeing({ owner_name: 'Acme' }, 1000).matches, AGEING.length * 1000);
  assert.ok(surveyAgeing({ owner_name: 'Other' }, 1000).pinnedMost < 5000);
});

test('parts of names are shown as they are compared [4.3]', () => {
  const inRegister = AGEING.map((record) => ({ ...record, terms: [...record.terms, codeTerm('jurisdiction', 'US')!] }));
  const matchesOf = (texts: Record<string, string>): number =>
    surveySearch(buildPlan({ register: 'us', texts }), sampleOf(inRegister))!.matches;
  assert.equal(matchesOf({ mark_name_contains: 'OLDEN 07' }), AGEING.length / DAYS);
  assert.equal(matchesOf({ mark_name_startswith: 'Golden' }), AGEING.length);
  assert.equal(matchesOf({ mark_name_startswith: 'olden' }), 0);
});

test('of numbers a sample shows nothing, nor does an empty one [4.3]', () => {
  const survey = surveySearch(buildPlan({ texts: { application_number: '123' } }), sampleOf(AGEING));
  assert.equal(survey, null);
  assert.equal(surveySearch(buildPlan({ texts: { nice_class: '9' } }), NO_SAMPLE), null);
});
