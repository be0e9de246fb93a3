/** Days, terms, Easter, and the days on which offices are closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addTerm,
  dayNumber,
  easterSunday,
  endOfMonth,
  fromDayNumber,
  subtractTerm,
  weekday,
} from '../../src/dates/calendar.ts';
import { CALENDARS, type CalendarCode, isClosed, rollForward } from '../../src/dates/closing-days.ts';

const day = fc.integer({ min: dayNumber('1870-01-01'), max: dayNumber('2120-12-31') }).map(fromDayNumber);
const code = fc.constantFrom(...(Object.keys(CALENDARS) as CalendarCode[]));

test('a term of months keeps the day of the month, or ends with a shorter month', () => {
  assert.equal(addTerm('2024-01-31', { months: 1 }), '2024-02-29');
  assert.equal(addTerm('2025-01-31', { months: 1 }), '2025-02-28');
  assert.equal(addTerm('2016-02-29', { years: 10 }), '2026-02-28');
  assert.equal(addTerm('2019-11-30', { months: 3 }), '2020-02-29');
  assert.equal(addTerm('2026-06-30', { days: 30 }), '2026-07-30');
  assert.equal(subtractTerm('2026-03-31', { months: 1 }), '2026-02-28');
  assert.equal(endOfMonth('2028-02-01'), '2028-02-29');
});

test('months are counted as a calendar on the wall counts them', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -600, max: 600 }), (from, months) => {
      const to = addTerm(from, { months });
      const wall = new Date(Date.UTC(Number(from.slice(0, 4)), Number(from.slice(5, 7)) - 1 + months, 1));
      assert.equal(to.slice(0, 7), wall.toISOString().slice(0, 7));
      const last = Number(endOfMonth(to).slice(8));
      assert.equal(Number(to.slice(8)), Math.min(Number(from.slice(8)), last));
    }),
  );
});

test('Easter Sundays are those of published tables, and Sundays', () => {
  for (const known of [
    '1818-03-22',
    '1943-04-25',
    '2000-04-23',
    '2008-03-23',
    '2024-03-31',
    '2026-04-05',
    '2038-04-25',
  ]) {
    assert.equal(easterSunday(Number(known.slice(0, 4))), known);
  }
  for (let year = 1870; year <= 2120; year += 1) assert.equal(weekday(easterSunday(year)), 0, String(year));
});

test('an office is closed on weekends, on its holidays, and on the days that stand in for them', () => {
  const closed: Record<string, readonly string[]> = {
    US: [
      '2026-07-03',
      '2027-12-31',
      '2026-11-26',
      '2026-06-19',
      '2026-01-19',
      '2025-01-20',
      '2026-05-25',
      '2026-10-12',
    ],
    GB: [
      '2021-12-27',
      '2021-12-28',
      '2022-12-26',
      '2022-12-27',
      '2022-09-19',
      '2020-05-08',
      '2026-05-25',
      '2026-08-31',
    ],
    SE: ['2026-06-19', '2026-12-31', '2026-05-14'],
    NO: ['2026-04-02', '2026-05-17', '2026-05-25'],
    DE: ['2026-10-03', '2026-05-14'],
    CA: ['2026-05-18', '2026-08-03', '2026-10-12'],
    SG: ['2026-08-10', '2026-04-03'],
    EM: ['2026-05-01', '2026-11-01'],
  };
  for (const [office, days] of Object.entries(closed)) {
    for (const each of days) assert.ok(isClosed(each, office as CalendarCode), `${office} ${each}`);
  }
  const open: Record<string, readonly string[]> = {
    US: ['2026-07-06', '2026-06-18', '2022-01-03'],
    GB: ['2020-05-04', '2022-05-30', '2026-12-29'],
    DE: ['1989-10-03'],
    CA: ['2020-09-30'],
  };
  for (const [office, days] of Object.entries(open)) {
    for (const each of days) assert.ok(!isClosed(each, office as CalendarCode), `${office} ${each}`);
  }
});

test('a day moves to the first open day, never back and never past one', () => {
  fc.assert(
    fc.property(day, code, (from, office) => {
      const to = rollForward(from, office);
      assert.ok(to >= from && !isClosed(to, office));
      for (let between = from; between < to; between = addTerm(between, { days: 1 })) {
        assert.ok(isClosed(between, office));
      }
      assert.ok(dayNumber(to) - dayNumber(from) <= 10);
    }),
  );
});
