/** Dates ahead of a record, and the days of which a reminder is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DateText } from '@tmds/contract/record';
import fc from 'fast-check';
import { addTerm, fromDayNumber } from '../../src/dates/calendar.ts';
import { listDueDates, sortDueDates } from '../../src/due/next-dates.ts';
import { listRemindedSpans, REMINDED_DAYS } from '../../src/due/watched-dates.ts';
import type { DatedRecord } from '../../src/store/records/date-facts.ts';

const RECORD: DatedRecord = {
  jurisdiction_code: 'US',
  uid: 'u',
  office: null,
  mark_name: 'X',
  mark_feature: null,
  status: 'Registered',
  application_number: '88000001',
  registration_number: null,
  international_registration_numbers: null,
  application_date: null,
  publication_date: null,
  registration_date: '2021-01-12',
  opposition_period_end: null,
  renewal_date: null,
  expiry_date: null,
  termination_date: null,
};
const SPAN = { from: '2026-11-27', to: '2027-02-25' } as const;
const kindsOf = (
  record: Partial<DatedRecord>,
  span: { from: DateText; to: DateText } = SPAN,
  today: DateText = '2026-11-27',
) =>
  sortDueDates(listDueDates({ ...RECORD, ...record }, span, today)).map(
    ({ date, kind, computed, isLate }) =>
      `${date} ${kind}${computed === null ? '' : ' computed'}${isLate ? ' late' : ''}`,
  );

test('computed dates are listed only where the office states none', () => {
  assert.deepEqual(kindsOf({}), ['2027-01-12 use_declaration computed']);
  const mark = { jurisdiction_code: 'FR', application_date: '2017-01-10', registration_date: '2017-06-02' } as const;
  assert.deepEqual(
    kindsOf({ ...mark, expiry_date: '2027-01-20' }),
    ['2027-01-20 expiry'],
    'the office, though the rule differs',
  );
  assert.equal(kindsOf(mark).length, 1);
  assert.match(kindsOf(mark)[0] ?? '', /^2027-01-1\d renewal_due computed$/);
});

test('once the last day has passed, the last day of grace is due', () => {
  assert.deepEqual(kindsOf({ registration_date: '2020-08-11' }), ['2027-02-11 use_declaration computed late']);
});

test('a date is due on its day and no longer, and nothing outside the span is listed', () => {
  const of = (today: DateText) => kindsOf({}, { from: '2027-01-12', to: '2027-01-12' }, today);
  assert.deepEqual(of('2027-01-12'), ['2027-01-12 use_declaration computed']);
  assert.deepEqual(of('2027-01-13'), []);
  assert.deepEqual(kindsOf({}, { from: '2027-01-13', to: '2027-02-01' }), []);
});

test('through any days with and without a mail, each date comes at each distance once', () => {
  const days = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 400 }), (pauses, due) => {
      const start = 20_000;
      const date = fromDayNumber(start + due);
      let after = start;
      let times = 0;
      for (const pause of pauses) {
        const through = after + pause;
        const spans = listRemindedSpans({ after: fromDayNumber(after), through: fromDayNumber(through) });
        times += spans.filter(({ from, to }) => date >= from && date <= to).length;
        after = through;
      }
      const reached = REMINDED_DAYS.filter((ahead) => {
        const day = addTerm(date, { days: -ahead });
        return day > fromDayNumber(start) && day <= fromDayNumber(after);
      });
      assert.equal(times, reached.length);
    }),
  );
});
