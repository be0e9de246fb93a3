/** Forms of values: what is one value written differently, what is refused, and in which words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUSES } from '@tmds/contract/enums';
import fc from 'fast-check';
import { ApiError } from '../../src/base/errors.ts';
import {
  isCanonicalInstant,
  parseCodes,
  parseDate,
  parseEnums,
  parseInstant,
  parseMadridNumber,
  parseName,
  parseNameFragment,
  parseNiceClasses,
  parseNumber,
  parseViennaCodes,
} from '../../src/parse/values.ts';
import { runsOf } from '../support/depth.ts';

/** The refusal of one value: always the same code and parameter, and a message that begins with the name. */
function refusal(read: (param: string, text: string) => unknown, text: string): string {
  try {
    read('p', text);
  } catch (error) {
    assert.ok(error instanceof ApiError, `${text}: ${String(error)}`);
    assert.deepEqual([error.code, error.param], ['invalid_parameter', 'p']);
    assert.match(error.message, /^p \S.*[.?]$/s);
    return error.message;
  }
  return assert.fail(`accepted ${JSON.stringify(text)}`);
}

test('codes are trimmed, upper case, each once and sorted [I-5, I-11]', () => {
  assert.deepEqual(parseCodes('p', ' us,EM ,us,\tde '), ['DE', 'EM', 'US']);
  assert.deepEqual(parseCodes('p', 'a1b2c'), ['A1B2C']);
});

test('an invalid code, an empty element or one code too many is refused [I-5, I-11]', () => {
  for (const text of ['', ' ', 'US,', ',US', 'US,,EM', 'U-S', 'ABCDEF', 'ü', 'ß', 'ﬁ', 'U S', '商', "'", 'US;EM']) {
    refusal(parseCodes, text);
  }
  const many = Array.from({ length: 21 }, (_, index) => `A${index}`);
  assert.equal(parseCodes('p', many.slice(1).join(), 20).length, 20);
  assert.equal(parseCodes('p', [...many.slice(1), 'a1'].join(), 20).length, 20);
  assert.match(
    refusal((param, text) => parseCodes(param, text, 20), many.join()),
    /at most 20 codes, not 21/,
  );
});

test('enums are read in any letter case and refused with the list of values [I-11]', () => {
  const read = (param: string, text: string) => parseEnums(param, text, STATUSES);
  assert.deepEqual(read('p', 'pending , REGISTERED,Pending'), ['Registered', 'Pending']);
  for (const text of ['', 'live', 'Registered,', 'constructor', 'Registered Pending']) {
    assert.match(
      refusal(read, text),
      text.endsWith(',') || text === '' ? /empty element/ : /Registered, Pending, Abandoned/,
    );
  }
});

test('Nice classes are integers from 1 to 45 [I-14]', () => {
  assert.deepEqual(parseNiceClasses('p', '42, 9,09,1'), [1, 9, 42]);
  for (const text of ['0', '46', '-1', '1.5', '9;42', '1e1', '９', '', '9,', '99999999999999999999']) {
    refusal(parseNiceClasses, text);
  }
});

test('Vienna codes are 1 to 3 integers without regard to leading zeros [I-14]', () => {
  assert.deepEqual(parseViennaCodes('p', '26.03.23,26.3.23, 01 ,1.1'), [[1], [1, 1], [26, 3, 23]]);
  for (const text of ['26.', '.3', '26..3', '1.2.3.4', 'a', '26-3', '1.2.3,', '1000', ''])
    refusal(parseViennaCodes, text);
});

test('numbers compare whole, letter case and outer blanks aside [I-11, I-44]', () => {
  assert.equal(parseNumber('p', 'ab-1 ,%'), 'AB-1 ,%');
  assert.equal(parseNumber('p', ' 1 2\u00a0'), '1 2');
  refusal(parseNumber, '  ');
  for (const text of ['W01234567', '01234567', '1234567', ' 1234567 ']) {
    assert.equal(parseMadridNumber('p', text), '1234567', text);
  }
  assert.equal(parseMadridNumber('p', '0984562a'), '984562A');
  refusal(parseMadridNumber, '  ');
});

test('names are equal under composition, letter case and folded blanks [I-12]', () => {
  assert.equal(parseName('p', ' Cafe\u0301  NOIR\t'), parseName('p', 'café noir'));
  assert.equal(parseName('p', 'ΟΔΟΣ'), parseName('p', 'οδοσ'));
  assert.equal(parseName('p', '100%_\\'), '100%_\\');
  refusal(parseName, ' \t\u001f');
});

test('characters that nobody sees are no part of a compared name [I-12]', () => {
  for (const hidden of ['\u200b', '\u200c', '\u200d', '\u2060', '\u00ad', '\ufeff', '\u200e', '\ufe0f', '\u{e0100}']) {
    assert.equal(parseName('p', `${hidden}Ac${hidden}me ${hidden} Ltd${hidden}`), 'acme ltd', JSON.stringify(hidden));
  }
  assert.equal(parseName('p', 'e\u200d\u0301'), 'é', 'what is hidden between a letter and its mark');
  assert.match(refusal(parseName, '\u200b\ufeff'), /is blank/);
});

test('parts of names have at least 3 code points, without outer blanks [I-12, I-44]', () => {
  const read = (param: string, text: string) => parseNameFragment(param, text, 3);
  assert.equal(read('p', '商标注'), '商标注');
  assert.equal(read('p', ' ABC  d '), 'abc d');
  assert.equal(read('p', '𝒜𝒷𝒸'), '𝒜𝒷𝒸');
  for (const text of ['ab', '商标', '𝒜𝒷', 'e\u0301a', 'a   ', '   ', ' AB'])
    assert.match(refusal(read, text), /at least 3 characters/);
});

test('hidden code points of a part count towards its length, but are not compared [I-12]', () => {
  const read = (param: string, text: string) => parseNameFragment(param, text, 3);
  assert.equal(read('p', '👩\u200d💻'), '👩💻');
  assert.equal(read('p', 'A\u200bb'), 'ab');
  assert.match(refusal(read, 'a\u200b'), /at least 3 characters, not 2/);
  assert.match(refusal(read, '\u200b\u200d\u2060'), /no visible character/);
});

test('dates are real calendar dates from year 1 on [I-15]', () => {
  for (const text of ['2024-02-29', '0001-01-01', '9999-12-31', '2000-02-29']) assert.equal(parseDate('p', text), text);
  for (const text of [
    '2026-02-30',
    '2023-02-29',
    '1900-02-29',
    '0000-01-01',
    '2024-13-01',
    '2024-00-10',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00:00Z',
    '2024 01-01',
    '٢٠٢٤-٠١-٠١',
    '-2024-01-01',
    '12024-01-01',
    '',
  ]) {
    refusal(parseDate, text);
  }
});

test('one instant written differently is one text with six digits [I-15, I-17]', () => {
  const same = [
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00',
    '2026-01-01T00:00:00.000000',
    '2026-01-01T00:00:00+00:00',
    '2026-01-01T00:00:00 00:00',
    '2026-01-01T02:00:00+02',
    '2025-12-31T19:00:00-0500',
    '2026-01-01T05:45:00,0 05:45',
    '2026-01-01T00:00:00z',
    '2026-01-01T00:00z',
    '2026-01-01T00:00:00.000000000Z',
    '2026-01-01T00:00:00.000000999z',
    '2026-01-01t00:00:00z',
    ' 2026-01-01T00:00:00Z\t',
    '2026-01-01T01:00:00.0000009+01:00',
  ];
  for (const text of same) assert.equal(parseInstant('p', text), '2026-01-01T00:00:00.000000Z', text);
  assert.equal(parseInstant('p', '2026-11-21T09:00:00.1234Z'), '2026-11-21T09:00:00.123400Z');
  assert.equal(parseInstant('p', '2026-11-21T09:00:00.123456789z'), '2026-11-21T09:00:00.123456Z');
  assert.equal(parseInstant('p', '0001-01-01T00:00:00-23:59'), '0001-01-01T23:59:00.000000Z');
  assert.equal(parseInstant('p', '0099-03-01T00:30:59.999999+01:00'), '0099-02-28T23:30:59.999999Z');
});

test('a text that is not an ISO 8601 date or date-time, or is outside the years 1 to 9999, is refused [I-15]', () => {
  for (const text of [
    '',
    'now',
    '2026',
    '2026-01',
    '2026-01-01T',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00zZ',
    '2026-01-01z',
    '2026-01-01 00:00:00',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+0:00',
    '2026-01-01Z',
    '20260101T000000Z',
    '2026-01-01 T00:00:00Z',
    '0000-12-31',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '1767225600',
  ]) {
    refusal(parseInstant, text);
  }
});

test('every instant of the readable years keeps its microseconds through any offset [I-15]', () => {
  const stamp = fc.record({
    minutes: fc.integer({ min: -20_000_000, max: 20_000_000 }),
    microseconds: fc.integer({ min: 0, max: 59_999_999 }),
    offset: fc.integer({ min: -1439, max: 1439 }),
  });
  fc.assert(
    fc.property(stamp, ({ minutes, microseconds, offset }) => {
      const two = (value: number): string => String(value).padStart(2, '0');
      const local = new Date((minutes + offset) * 60_000).toISOString().slice(0, 16);
      const rest = `${two(Math.floor(microseconds / 1e6))}.${String(microseconds % 1e6).padStart(6, '0')}`;
      const shown = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
      const utc = `${new Date(minutes * 60_000).toISOString().slice(0, 16)}:${rest}Z`;
      assert.equal(parseInstant('p', `${local}:${rest}${shown}`), utc);
      assert.ok(isCanonicalInstant(utc));
    }),
  );
});

test('any text whatever is read or refused, never anything else [I-6]', () => {
  const readers = [
    parseCodes,
    parseNiceClasses,
    parseViennaCodes,
    parseNumber,
    parseName,
    parseDate,
    parseInstant,
    (param: string, text: string) => parseEnums(param, text, STATUSES),
    (param: string, text: string) => parseNameFragment(param, text, 3),
  ];
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...readers), (text, read) => {
      try {
        read('p', text);
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 'invalid_parameter');
        assert.ok(error.message.length < 400, 'a message does not grow with its input');
      }
    }),
    { numRuns: runsOf(500) },
  );
});
