/** The sample is repeatable: what a seed gives stays what it gives, however many records are asked for. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { OperatorError } from '../../src/base/errors.ts';
import { generateLines, generateRecords } from '../../src/generator/generate.ts';
import { addMonths, dayOf, dayText, findDay } from '../../src/generator/lifecycle.ts';
import { SAMPLE_RECORDS_MAX, type SampleOptions } from '../../src/generator/options.ts';

function digest(options: SampleOptions): string {
  const hash = createHash('sha256');
  for (const line of generateLines(options)) hash.update(line);
  return hash.digest('hex').slice(0, 32);
}

/** A change that alters any record of the sample needs new digests. */
const PINNED = { none: 'ab23026f01d1cf3dad9874353bfd0708', full: 'e87986af747f728f4c5d2145175c3810' };

test('equal seeds give equal bytes, pinned', () => {
  const found = {
    none: digest({ records: 5000, seed: 42, payload: 'none' }),
    full: digest({ records: 5000, seed: '42' }),
  };
  assert.deepEqual(found, PINNED);
});

test('another seed gives other records at the same places', () => {
  const uids = (seed: string) => [...generateRecords({ records: 300, seed, payload: 'none' })].map((each) => each.uid);
  assert.notDeepEqual(uids('a'), uids('b'));
  const [one, other] = ['a', 'b'].map((seed) => [...generateRecords({ records: 300, seed, payload: 'none' })]);
  const names = new Set(one?.map((record) => record.mark_name));
  const shared = other?.filter((record) => record.mark_name !== null && names.has(record.mark_name)) ?? [];
  assert.ok(shared.length < 30, `${shared.length} marks of 300 are the same`);
});

test('record i depends neither on how many are asked for nor on where the walk begins', () => {
  const long = generateRecords({ records: 100_000, seed: 5, payload: 'small' })[Symbol.iterator]();
  const short = [...generateRecords({ records: 1000, seed: 5, payload: 'small' })];
  const first = short.map(() => long.next().value);
  assert.deepEqual(first, short);
  assert.deepEqual([...generateRecords({ records: 10, first: 700, seed: 5, payload: 'small' })], short.slice(700, 710));
});

test('a register holds the same records alone as among the others', () => {
  const among = [...generateRecords({ records: 4000, seed: 8, payload: 'none' })];
  const alone = [...generateRecords({ records: 400, seed: 8, payload: 'none', registers: ['se', 'WO'] })];
  const known = new Map(alone.map((record) => [record.uid, record]));
  const expected = among.filter((record) => ['SE', 'WO'].includes(record.jurisdiction_code));
  assert.equal(expected.length, 152);
  assert.deepEqual(
    expected.map((record) => known.get(record.uid)),
    expected,
  );
});

test('the payload mode changes the payload and nothing else', () => {
  const withoutPayload = (payload: 'full' | 'small' | 'none') =>
    [...generateRecords({ records: 500, seed: 2, payload })].map((record) => ({ ...record, payload: null }));
  assert.deepEqual(withoutPayload('full'), withoutPayload('none'));
  assert.deepEqual(withoutPayload('small'), withoutPayload('none'));
});

test('the reference date is an argument: nothing but an expiry or an opposition period lies after it', () => {
  const asOf = '2019-03-31';
  for (const record of generateRecords({ records: 5000, seed: 3, asOf, payload: 'none' })) {
    const past = [
      record.application_date,
      record.publication_date,
      record.registration_date,
      record.renewal_date,
      record.termination_date,
      record.status_date,
      record.external_update_date,
    ];
    assert.deepEqual(
      past.filter((date) => date !== null && date > asOf),
      [],
      record.uid,
    );
  }
});

test('the same iterable can be walked twice', () => {
  const records = generateRecords({ records: 20, seed: 1 });
  assert.deepEqual([...records], [...records]);
});

test('options out of bounds are refused at once, in one sentence', () => {
  const refused: [Partial<SampleOptions>, RegExp][] = [
    [{ records: -1 }, /the number of records must be a whole number/],
    [{ records: 1.5 }, /the number of records must be a whole number/],
    [{ records: 1, first: SAMPLE_RECORDS_MAX }, /the last record must be a whole number/],
    [{ asOf: '2026-02-29' }, /the reference date must be a calendar date/],
    [{ asOf: '1999-12-31' }, /must be in the years from 2000 to 2099/],
    [{ registers: ['US', 'ZZ'] }, /there is no synthetic register "ZZ"/],
    [{ registers: [] }, /name at least one register/],
  ];
  for (const [options, message] of refused) {
    assert.throws(
      () => generateRecords({ records: 1, seed: 1, ...options }),
      (error) => error instanceof OperatorError && error.exitStatus === 2 && message.test(error.message),
    );
  }
});

test('day numbers and texts agree with the calendar from 1800 to 2199', () => {
  assert.equal(dayOf(1970, 1, 1), 0);
  for (let day = dayOf(1800, 1, 1); day <= dayOf(2199, 12, 31); day += 1) {
    const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
    assert.equal(dayText(day), text);
    assert.equal(findDay(text), day);
  }
  assert.equal(dayText(addMonths(dayOf(2023, 12, 31), 2)), '2024-02-29');
  assert.equal(dayText(addMonths(dayOf(2024, 2, 29), 12)), '2025-02-28');
  assert.deepEqual(
    ['2023-02-29', '2024-13-01', '2024-00-10', '24-01-01', '2024-1-1', ''].map((text) => findDay(text)),
    [null, null, null, null, null, null],
  );
});
