/** Searches that are nearly nothing: what is known of them before they begin, and short walks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microsOf } from '../../src/base/clock.ts';
import { type Interruption, limitWork, NEVER_INTERRUPTED, Scratch, TooMuchWork } from '../../src/index/matchers.ts';
import { estimateWork, searchView } from '../../src/index/search.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { buildSegment } from '../support/segments.ts';
import { buildSource } from '../support/source.ts';
import { buildStored } from '../support/stored.ts';

const RECORDS = 5_000;
const STAMP = '2026-01-01T00:00:00.000000Z';

function buildRecords() {
  return Array.from({ length: RECORDS }, (_, number) =>
    buildStored(
      buildSource({
        uid: `A${number}`,
        status: number % 2 === 0 ? 'Registered' : 'Pending',
        nice_classes: [number % 45 === 0 ? 45 : 9],
        mark_name: `mark ${number}`,
        application_number: `N${number}`,
        application_date: '2020-01-01',
        expiry_date: '2030-01-01',
      }),
      STAMP,
    ),
  );
}

function buildView() {
  return new IndexWriter(() => Number.POSITIVE_INFINITY).apply([buildSegment(buildRecords(), 'only')], microsOf(STAMP));
}

const VIEW = buildView();
const plan = (values: SearchValues, register: string | null = null) => planSearch(parseSearch(values, register));

/** What a search takes by the estimate, and how often it looks whether it goes on: for each chunk and condition. */
function look(values: SearchValues, register: string | null = null): { micros: number; steps: number } {
  const query = plan(values, register);
  let steps = 0;
  const counting: Interruption = {
    check: () => {
      steps += 1;
    },
  };
  searchView(VIEW, query, new Scratch(), counting);
  return { micros: estimateWork(VIEW, query), steps };
}

test('a search that one look-up in a dictionary answers is known to be nearly nothing', () => {
  const searches: [SearchValues, (string | null)?][] = [
    [{ application_number: 'N17' }],
    [{ application_number: 'no such number' }],
    [{ mark_name: 'mark 17', status: 'Registered', count: 'capped' }],
    [{ mark_name_startswith: 'mark 17' }, 'XA'],
    [{ nice_class: '45', status: 'Registered', sort: 'application_date' }],
    [{ status: 'Unknown', expiry_date: '2030-01-01' }],
  ];
  for (const [values, register] of searches) {
    const { micros, steps } = look(values, register);
    assert.ok(micros < 150, `${JSON.stringify(values)}: ${micros}`);
    assert.ok(steps <= 5);
  }
});

test('a page of broad values is as long as the walk that fills it', () => {
  const searches: SearchValues[] = [
    { status: 'Registered', limit: '5' },
    { status: 'Registered', nice_class: '9', limit: '5' },
    { status: 'Registered', sort: 'application_date', limit: '5' },
  ];
  for (const values of searches) {
    const { micros } = look(values);
    assert.ok(micros > 0.5 && micros < 20, `${JSON.stringify(values)}: ${micros}`);
  }
});

test('what has to be found or counted whole is as long as all chunks', () => {
  const counted = look({ status: 'Registered', count: 'capped' }).micros;
  assert.ok(counted > 50);
  assert.ok(look({ expiry_date_from: '2020-01-01' }).micros > 50);
  // The place of each match is looked up too.
  assert.ok(look({ status: 'Registered', sort: 'application_date', count: 'capped' }).micros > counted + 20);
});

test('what only the search itself can find out has no bound', () => {
  const searches: SearchValues[] = [
    { mark_name_contains: 'ark' },
    // However few another condition leaves.
    { mark_name_contains: 'ark', application_number: 'N17' },
  ];
  for (const values of searches) {
    assert.equal(look(values, 'XA').micros, Number.POSITIVE_INFINITY, JSON.stringify(values));
  }
});

test('a search that may only do so much work ends before it does more, and finds the same if it need not', () => {
  const searches: SearchValues[] = [
    { status: 'Registered' },
    { status: 'Registered', count: 'capped' },
    { status: 'Pending', sort: 'application_date', count: 'capped' },
    { nice_class: '9', expiry_date_from: '2020-01-01' },
  ];
  for (const values of searches) {
    const query = plan(values);
    const scratch = new Scratch();
    assert.throws(() => searchView(VIEW, query, scratch, limitWork(1)), TooMuchWork);
    const whole = searchView(VIEW, query, scratch, NEVER_INTERRUPTED);
    assert.deepEqual(searchView(VIEW, query, scratch, limitWork(1_000)), whole);
  }
});

test('a page that a walk fills is the page of all matches: without replaced records, within every bound', () => {
  const dated = buildRecords().map(({ record }, number) => ({
    record: {
      ...record,
      mark_name: number % 8 === 0 ? `other ${number}` : `mark ${number}`,
      application_date: `20${String(number % 90).padStart(2, '0')}-01-01`,
      registration_date: number % 3 === 0 ? null : `19${String(number % 70).padStart(2, '0')}-01-01`,
      expiry_date: `2030-01-${String(1 + (number % 28)).padStart(2, '0')}`,
    },
    updated_at: `2026-01-01T00:00:${String(Math.floor(number / 100)).padStart(2, '0')}.000000Z`,
  }));
  const writer = new IndexWriter(() => Number.POSITIVE_INFINITY);
  writer.apply([buildSegment(dated, 'first')], microsOf('2026-01-01T00:01:00.000000Z'));
  const later = '2026-01-02T00:00:00.000000Z';
  const replaced = dated.filter((_, number) => number % 10 < 3).map((each) => ({ ...each, updated_at: later }));
  const view = writer.apply([buildSegment(replaced, 'second', () => STAMP)], microsOf(later));
  const scratch = new Scratch();
  const searches: SearchValues[] = [
    { status: 'Registered' },
    { status: 'Registered,Pending', updated_since: '2026-01-01T00:00:20.000000Z' },
    { status: 'Pending', updated_before: '2026-01-01T00:00:30.000000Z' },
    { nice_class: '9', expiry_date_from: '2030-01-05', expiry_date_to: '2030-01-25' },
    { application_date_from: '2010-01-01', registration_date_to: '1960-01-01' },
    { mark_name_startswith: 'mark', status: 'Registered' },
    { mark_name_startswith: 'mark 1' },
    { application_date_to: '2050-01-01' },
    { registration_date_from: '1911-01-01', registration_date_to: '1950-01-01' },
  ];
  for (const values of searches) {
    for (const sort of ['updated_at', 'application_date', 'registration_date'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const query = planSearch(parseSearch({ ...values, sort, order, limit: '20' }, 'XA'));
        // With a count every match is found.
        const all = { ...query, limit: RECORDS, countMax: RECORDS };
        const walked: unknown[] = [];
        for (let { after } = query, page = 0; page === 0 || after !== null; page += 1) {
          const found = searchView(view, { ...query, after }, scratch, NEVER_INTERRUPTED);
          walked.push(...found.records);
          after = found.last;
        }
        const { records } = searchView(view, all, scratch, NEVER_INTERRUPTED);
        assert.ok(records.length > 200);
        assert.deepEqual(walked, records, JSON.stringify({ values, sort, order }));
      }
    }
  }
});
