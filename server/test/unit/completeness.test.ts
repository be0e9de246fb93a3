/** How complete a register is, in short: the last day, what is late, missing and rejected. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeCompleteness } from '../../src/render/coverage.ts';
import type { RegisterFacts } from '../../src/store/records/registers.ts';
import type { SeriesFacts } from '../../src/store/records/source-series.ts';

const NOW_MS = Date.parse('2026-11-27T12:00:00Z');

function describe(series: Partial<SeriesFacts>[], facts: Partial<RegisterFacts> = {}) {
  const empty: SeriesFacts = {
    ...{ source: 'office', format: 'ndjson', condition: 'current', first: '2026-11-01', last: '2026-11-24' },
    ...{ expected: true, before_missing: null, missing: [], missing_count: 0, out_of_order: [], out_of_order_count: 0 },
    ...{ order_matters: true, next: null, overdue_at: null, overdue_ms: null, last_loaded_at: null, checked_at: null },
  };
  const { jurisdiction_code: _code, ...rest } = describeCompleteness(
    {
      ...{ jurisdiction_code: 'XA', record_count: 1, data_current_through: null, last_load: null, open_rejects: 0 },
      reading: null,
      ...facts,
      series: series.map((each) => ({ ...empty, ...each })),
    },
    NOW_MS,
  );
  return rest;
}

const whole = { late: false, gaps: 0, rejects: 0 };

test('a register is complete through the day before the instant that its files state, or through that day at its end', () => {
  const through = (data_current_through: string | null) => describe([], { data_current_through });
  assert.deepEqual(through('2026-11-25T00:00:00.000000Z'), { complete_through: '2026-11-24', ...whole });
  assert.deepEqual(through('2026-03-01T14:00:00.000000Z'), { complete_through: '2026-02-28', ...whole });
  assert.deepEqual(through('2026-11-25T23:59:59.000000Z'), { complete_through: '2026-11-25', ...whole });
  assert.deepEqual(through(null), { complete_through: null, ...whole });
});

test('a missing file of a day ends what is complete, whatever came after it', () => {
  const missing = [{ period: '2026-11-20', reason: 'absent' as const }];
  const gap = { missing, missing_count: 1, before_missing: '2026-11-19' };
  const facts = { data_current_through: '2026-11-25T00:00:00.000000Z' };
  assert.deepEqual(describe([gap], facts), { ...whole, complete_through: '2026-11-19', gaps: 1 });
  assert.deepEqual(describe([gap]), { ...whole, complete_through: '2026-11-19', gaps: 1 });
  assert.deepEqual(describe([{ ...gap, before_missing: null }]), { ...whole, complete_through: null, gaps: 1 });
});

test('what came out of order counts only where order matters', () => {
  const late = { out_of_order_count: 2 };
  assert.equal(describe([late]).gaps, 2);
  assert.equal(describe([{ ...late, order_matters: false }]).gaps, 0);
});

test('a file that is overdue makes the register late, one that is due later does not', () => {
  const due = (overdue_ms: number) => describe([{ next: '2026-11-25', overdue_ms }]).late;
  assert.deepEqual([due(NOW_MS - 1), due(NOW_MS), due(NOW_MS + 1)], [true, false, false]);
});

test('open rejects are counted', () => {
  assert.equal(describe([], { open_rejects: 3 }).rejects, 3);
});
