/** What is known of a search before it begins: which searches are nearly nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microsOf } from '../../src/base/clock.ts';
import { type Interruption, Scratch } from '../../src/index/matchers.ts';
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

function buildView() {
  const stored = Array.from({ length: RECORDS }, (_, number) =>
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
  return new IndexWriter(() => Number.POSITIVE_INFINITY).apply([buildSegment(stored, 'only')], microsOf(STAMP));
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

test('a page of one broad value in the order of changes is as long as the chunks that fill it', () => {
  const { micros } = look({ status: 'Registered' });
  assert.ok(micros > 20 && micros < 150, `${micros}`);
});

test('what only the search itself can find out has no bound', () => {
  const searches: [SearchValues, (string | null)?][] = [
    [{ mark_name_contains: 'ark' }, 'XA'],
    // However few another condition leaves.
    [{ mark_name_contains: 'ark', application_number: 'N17' }, 'XA'],
    [{ status: 'Registered', count: 'capped' }],
    [{ status: 'Registered', sort: 'application_date' }],
    [{ status: 'Registered', nice_class: '9' }],
    [{ expiry_date_from: '2020-01-01' }],
  ];
  for (const [values, register] of searches) {
    assert.equal(look(values, register).micros, Number.POSITIVE_INFINITY, JSON.stringify(values));
  }
});
