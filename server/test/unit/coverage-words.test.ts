/** What is said of registers whose files do not state which periods they cover. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from 'htm/preact';
import { renderToString } from 'preact-render-to-string';
import { countMissing } from '../../src/portal/registers/coverage-view.ts';
import { describeCoverage } from '../../src/render/coverage.ts';
import type { RegisterFacts } from '../../src/store/records/registers.ts';

type Series = RegisterFacts['series'][number];

const UNKNOWN = {
  ...{ source: null, format: 'ndjson', first: null, last: null, next: null, overdue_ms: null, before_missing: null },
  ...{ missing: [], missing_count: 0, out_of_order: [], out_of_order_count: 0, order_matters: true, expected: false },
} as unknown as Series;

function describe(frontier: string | null, series: readonly Series[] = [UNKNOWN]): ReturnType<typeof describeCoverage> {
  const facts = {
    jurisdiction_code: 'XA',
    record_count: 1,
    data_current_through: frontier,
    series,
    last_load: null,
    open_rejects: 0,
  };
  return describeCoverage({ ...facts, reading: null } as unknown as RegisterFacts, 0);
}

test('the sentence about a register names a day as a day and an instant to the minute', () => {
  const before = (frontier: string) => /published before (.*) is here/.exec(describe(frontier).conclusion)?.[1];
  assert.equal(before('2026-11-01T00:00:00.000000Z'), '2026-11-01');
  assert.equal(before('2026-11-01T22:08:59.000001Z'), '2026-11-01 22:08 UTC');
  assert.match(describe(null).conclusion, /^Nothing can be concluded from silence/);
});

test('where nothing states which periods there are, the missing ones are unknown instead of 0', () => {
  const count = (...series: Series[]) =>
    renderToString(html`<p>${countMissing(describe(null, series))}</p>` as never).replace(/<[^>]*>/g, '');
  assert.equal(count(UNKNOWN), 'not known');
  assert.equal(count(UNKNOWN, { ...UNKNOWN, expected: true }), '0');
  assert.equal(count({ ...UNKNOWN, missing_count: 2 }), '2');
});
