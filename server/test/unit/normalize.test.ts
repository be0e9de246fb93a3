/** The stored form of a record: rules I-31 and I-32, and what rejects a record instead of losing a value. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRegisterDate } from '../../src/record/dates.ts';
import type { SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord, RecordRejection, UID_BYTES_MAX } from '../../src/record/normalize.ts';
import { buildSource } from '../support/source.ts';

test('keeps names lower-cased, composed and folded, first spelling once, in source order [I-32]', () => {
  const record = normalizeRecord(
    buildSource({
      owner_names: ['Zürich  AG', 'ACME\u00a0Inc.', 'zu\u0308rich ag', ' ', 'İstanbul A.Ş.', '株式会社テスト'],
    }),
  );
  assert.deepEqual(record.owner_names, ['zürich ag', 'acme inc.', 'i̇stanbul a.ş.', '株式会社テスト']);
});

test('keeps list codes upper case and once, Nice classes ascending, and never an empty list [I-31, I-32]', () => {
  const record = normalizeRecord(
    buildSource({
      jurisdiction_code: 'xa',
      office: 'wo',
      owner_countries: ['us', 'US', ' jp '],
      priority_numbers: ['19 4594569a'],
      designated_countries: [],
      representative_names: ['  '],
      nice_classes: [42, 9, 42],
    }),
  );
  assert.equal(record.jurisdiction_code, 'XA');
  assert.equal(record.office, 'WO');
  assert.deepEqual(record.owner_countries, ['US', 'JP']);
  assert.deepEqual(record.priority_numbers, ['19 4594569A']);
  assert.equal(record.designated_countries, null);
  assert.equal(record.representative_names, null);
  assert.deepEqual(record.nice_classes, [9, 42]);
});

test('keeps numbers as the office writes them, without outer blanks [I-33]', () => {
  const record = normalizeRecord(
    buildSource({
      application_number: ' M 2012 00091\n',
      registration_number: '\u00a0007 ',
      priority_numbers: [' a 1 '],
    }),
  );
  assert.deepEqual([record.application_number, record.registration_number], ['M 2012 00091', '007']);
  assert.deepEqual(record.priority_numbers, ['A 1']);
  assert.equal(normalizeRecord(buildSource({ application_number: ' \t' })).application_number, null);
});

test('gives a number the one spelling of its register, and never its uid [I-50]', () => {
  const spell = (register: string, application_number: string, registration_number: string): unknown => {
    const uid = application_number;
    const source = { jurisdiction_code: register, uid, application_number, registration_number };
    const record = normalizeRecord(buildSource(source));
    assert.equal(record.uid, uid);
    return [record.application_number, record.registration_number];
  };
  assert.deepEqual(spell('us', '097123456', ' 0172053 '), ['097123456', '172053']);
  assert.deepEqual(spell('KR', '40-2021-0000001', '40-1234567'), ['4020210000001', '4012345670000']);
  assert.deepEqual(spell('CA', '1057613-00', 'TMA580662'), ['1057613', 'TMA580662']);
  assert.deepEqual(spell('CA', '1057613-01', 'TMA580662'), ['1057613-01', 'TMA580662']);
  assert.deepEqual(spell('JP', '1057613-00', '0172053'), ['1057613-00', '0172053']);
});

test('brings a Madrid number to its one form, and keeps other numbers [I-33]', () => {
  const numbers = (stated: string[]): unknown =>
    normalizeRecord(buildSource({ international_registration_numbers: stated })).international_registration_numbers;
  assert.deepEqual(numbers(['W01234567', '01234567', ' 1234567', 'w1234567']), ['1234567']);
  assert.deepEqual(numbers(['0984562a', '984562A']), ['984562A']);
  const prefixed = ['WO0000001234567', 'WO 1234567', 'IR 1 234 567', 'ir1234567', '１２３４５６７', '1234567\u00a0'];
  assert.deepEqual(numbers(prefixed), ['1234567']);
  assert.deepEqual(numbers(['0822403 b', 'W0822403B']), ['822403B']);
  assert.deepEqual(numbers(['000', 'A0073680', 'IRX 12']), ['000', 'A0073680', 'IRX 12'], 'no Madrid numbers');
});

test('leaves silence null and the mark as filed [1, I-31]', () => {
  const record = normalizeRecord(buildSource({ mark_name: 'ACME  Rocket', tm5_status: '', uid: ' odd / uid ' }));
  assert.equal(record.mark_name, 'ACME  Rocket');
  assert.equal(record.tm5_status, null);
  assert.equal(record.registration_number, null);
  assert.equal(record.uid, ' odd / uid ', 'the uid is opaque');
});

const REJECTED: Record<string, [Partial<Record<keyof SourceRecord, unknown>>, RegExp]> = {
  'no register': [{ jurisdiction_code: null }, /jurisdiction_code is missing/],
  'a register code of odd form': [{ jurisdiction_code: 'U/S' }, /2 to 5 letters or digits/],
  'no uid': [{ uid: null }, /uid is missing/],
  'an empty uid': [{ uid: '' }, /uid is empty/],
  'a uid no index can hold': [{ uid: 'é'.repeat(UID_BYTES_MAX) }, /longer than 1000 bytes/],
  'no status': [{ status: null }, /status is missing/],
  'an unknown status': [{ status: 'Live' }, /one of Registered, Pending/],
  'a day that does not exist': [{ application_date: '2026-02-30' }, /application_date must be a calendar date/],
  'a class beyond 45': [{ nice_classes: [9, 46] }, /integers from 1 to 45, not 46/],
  'a list that is text': [{ owner_names: 'Acme' }, /owner_names must be a list/],
  'a NUL character': [{ mark_name: 'a\0b' }, /NUL/],
  'half a surrogate pair': [{ mark_name: 'a\ud800' }, /surrogate/],
};

test('rejects what cannot be kept, naming the field', () => {
  for (const [what, [fields, reason]] of Object.entries(REJECTED)) {
    assert.throws(
      () => normalizeRecord(buildSource(fields)),
      (error: unknown) => error instanceof RecordRejection && reason.test(error.message),
      what,
    );
  }
});

test('rejects a record with too many combining marks in a row, wherever they are [I-45]', () => {
  const marked = `a${'\u0301\u0323'.repeat(40_000)}`;
  for (const [field, value] of [
    ['uid', marked],
    ['mark_name', marked],
    ['owner_names', ['acme', marked]],
    ['mark_name_variants', [marked]],
    ['payload', { goods: [{ text: marked }] }],
    ['payload', { goods: [{ [marked]: 1 }] }],
  ] as const) {
    assert.throws(
      () => normalizeRecord(buildSource({ [field]: value })),
      (error) => error instanceof RecordRejection && error.message.startsWith(`${field} holds more than 30 combining`),
    );
  }
  assert.equal(normalizeRecord(buildSource({ mark_name: `a${'\u0301'.repeat(30)}` })).mark_name?.length, 31);
});

test('knows the calendar, leap years included [I-15]', () => {
  for (const date of ['2024-02-29', '2000-02-29', '1823-03-06', '0001-01-01', '9999-12-31']) {
    assert.equal(isRegisterDate(date), true, date);
  }
  for (const date of ['2026-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '0000-01-01', '20260101']) {
    assert.equal(isRegisterDate(date), false, date);
  }
});
