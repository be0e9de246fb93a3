/** Which deltas are made with a snapshot, and where they begin. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delta, DeltaPeriod, Snapshot } from '@tmds/contract/snapshots';
import { isDueByCalendar, planDeltas } from '../../src/store/snapshots/deltas.ts';

const at = (day: string): string => `${day}T05:00:00.000000Z`;
const shared = { form: 1, digest_form: 1, payloads: false, document_schema: 'd', since: '1970-01-01' };

function buildSnapshot(day: string, fields: Partial<Snapshot> = {}): Snapshot {
  return { ...shared, id: day, made_at: at(day), as_of: at(day), cursor: `all ${day}`, registers: [], ...fields };
}

function buildDelta(period: DeltaPeriod, from: string, to: string, fields: Partial<Delta> = {}): Delta {
  return {
    ...{ ...shared, id: `${to}-${period}`, period, made_at: at(to), from_as_of: at(from), as_of: at(to) },
    ...{ from_cursor: `all ${from}`, cursor: `all ${to}`, registers: [], ...fields },
  };
}

const listPlans = (snapshot: Snapshot, snapshots: Snapshot[], deltas: Delta[]): string[] =>
  planDeltas(snapshot, { snapshots, deltas }).map(({ period, from }) => `${period} ${from.cursor}`);

test('a delta is due when a day, a week from Monday, or a month has begun in UTC', () => {
  const listDue = (from: string, to: string): string[] =>
    (['day', 'week', 'month'] as const).filter((period) => isDueByCalendar(period, from, to));
  assert.deepEqual(listDue(at('2026-11-27'), '2026-11-27T23:59:59.999999Z'), []);
  assert.deepEqual(listDue('2026-11-27T23:59:59.999999Z', '2026-11-28T00:00:00.000000Z'), ['day']);
  assert.deepEqual(listDue(at('2026-11-28'), at('2026-11-29')), ['day'], 'Saturday to Sunday');
  assert.deepEqual(listDue(at('2026-11-29'), at('2026-11-30')), ['day', 'week'], 'Sunday to Monday');
  assert.deepEqual(listDue(at('2026-11-30'), at('2026-12-01')), ['day', 'month']);
  assert.deepEqual(listDue(at('2026-12-31'), at('2027-01-01')), ['day', 'month'], 'a year is no week');
});

test('the deltas of a period are a chain, which begins at the oldest place that is known', () => {
  const now = buildSnapshot('2026-12-01');
  assert.deepEqual(listPlans(now, [now], []), [], 'there is nothing to begin at');
  const first = buildSnapshot('2026-11-28');
  assert.deepEqual(listPlans(now, [now, buildSnapshot('2026-11-30'), first], []), [
    'day all 2026-11-28',
    'week all 2026-11-28',
    'month all 2026-11-28',
  ]);
  // The first snapshot is gone; a delta of a day still has its cursors.
  const days = [
    buildDelta('day', '2026-11-28', '2026-11-29', {
      registers: [
        { jurisdiction_code: 'EM', record_count: 0, digest: '', from_cursor: 'EM', cursor: 'EM later', files: [] },
        { jurisdiction_code: 'US', record_count: 0, digest: '', from_cursor: null, cursor: 'US later', files: [] },
      ],
    }),
    buildDelta('day', '2026-11-29', '2026-11-30'),
  ];
  const week = buildDelta('week', '2026-11-28', '2026-11-30');
  assert.deepEqual(listPlans(now, [now, buildSnapshot('2026-11-30')], [...days, week]), [
    'day all 2026-11-30',
    'month all 2026-11-28',
  ]);
  const month = planDeltas(now, { snapshots: [], deltas: days })[1]!;
  assert.deepEqual([...month.from.registers], [['EM', 'EM']], 'a register without records has no cursor');
});

test('a snapshot with payloads, of another text or of some registers is no place to begin at', () => {
  const now = buildSnapshot('2026-12-01');
  const others = [
    buildSnapshot('2026-11-20', { payloads: true }),
    buildSnapshot('2026-11-21', { digest_form: 0 }),
    buildSnapshot('2026-11-22', { cursor: null }),
  ];
  assert.deepEqual(listPlans(now, others, [buildDelta('day', '2026-11-20', '2026-11-21', { payloads: true })]), []);
});
