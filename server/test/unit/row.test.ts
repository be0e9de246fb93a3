/** What is stored for a record: the delivered text, and everything by which it can be found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILTER_DATES } from '@tmds/contract/enums';
import { CONTENT_FIELDS } from '@tmds/contract/record';
import fc from 'fast-check';
import { renderContent } from '../../src/record/content.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow, numberKey, wholeKey } from '../../src/record/row.ts';
import {
  codeTerm,
  DATE_GRAINS,
  dateTerm,
  enumTerm,
  nameTerms,
  niceClassTerm,
  numberTerms,
  statusPairTerm,
  viennaTerm,
} from '../../src/record/terms.ts';
import { buildSource } from '../support/source.ts';

function rowOf(fields: Parameters<typeof buildSource>[0]) {
  return buildRow(normalizeRecord(buildSource(fields)));
}

test('renders every content key, null where the register is silent, payload apart [2.2.1, I-31]', () => {
  const row = rowOf({ mark_name: 'A "quoted" mark\n', nice_classes: [9], payload: { parties: [] } });
  const detail = JSON.parse(`${row.detail}}`);
  assert.equal(Object.keys(detail).length, 27);
  assert.equal(detail.mark_name, 'A "quoted" mark\n');
  assert.deepEqual(detail.nice_classes, [9]);
  assert.equal(detail.owner_names, null);
  assert.equal('payload' in detail, false);
  assert.equal(row.payload, '{"parties":[]}');
});

test('the delivered text is the JSON of the content, every field in the order of the table [2.2.1]', () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));
  const texts = fc.option(fc.array(text));
  const fields = { mark_name: fc.option(text), tm5_status: text, office: text, nice_classes: fc.constant([42, 9]) };
  const lists = { owner_names: texts, vienna_codes: texts, priority_numbers: texts };
  fc.assert(
    fc.property(fc.record({ ...fields, ...lists, expiry_date: fc.constantFrom(null, '2027-03-15') }), (stated) => {
      const record = normalizeRecord(buildSource(stated));
      const content = Object.keys(CONTENT_FIELDS).map((field) => [field, record[field as 'uid']]);
      assert.equal(`${renderContent(record)}}`, JSON.stringify(Object.fromEntries(content)));
    }),
  );
});

test('a record is found by every value it carries, by Vienna prefix and by year, month and cycleday of a date [4.3]', () => {
  const row = rowOf({
    office: 'WO',
    status: 'Registered',
    vienna_codes: ['26.03.23'],
    nice_classes: [9],
    application_number: 'ab-1',
    mark_name: 'ACME',
    mark_name_variants: ['Акме'],
    expiry_date: '2027-03-15',
  });
  const wanted = {
    register: codeTerm('jurisdiction', 'XA'),
    office: codeTerm('office', 'WO'),
    status: enumTerm('status', 'Registered'),
    class: niceClassTerm(9),
    vienna: viennaTerm([26, 3, 23]),
    'vienna division': viennaTerm([26, 3]),
    'vienna category': viennaTerm([26]),
    number: numberTerms('application_number', 'AB-1')[0],
    'number again': numberTerms('application_number', 'AB-1')[1],
    mark: nameTerms('mark_name', 'acme')[0],
    'mark again': nameTerms('mark_name', 'acme')[1],
    variant: nameTerms('mark_name', 'акме')[1],
    cycleday: dateTerm('expiry_date', 'cycleday', '2023-03-15'),
    month: dateTerm('expiry_date', 'month', '2027-03-01'),
    year: dateTerm('expiry_date', 'year', '2027-12-31'),
  };
  for (const [what, term] of Object.entries(wanted)) assert.ok(row.terms.includes(term ?? Number.NaN), what);
  assert.equal(row.terms.includes(codeTerm('owner_country', 'XA') ?? 0), false);
  assert.ok(row.mark_names?.includes(wholeKey('акме')));
  assert.ok(row.number_keys?.includes(wholeKey(numberKey('application_number', 'AB-1'))));
});

test('of dates only the year and the decade of the status are paired with it', () => {
  const pairOf = (...parts: Parameters<typeof dateTerm>): number | null =>
    statusPairTerm(enumTerm('status', 'Pending'), dateTerm(...parts));
  for (const field of FILTER_DATES) {
    for (const grain of DATE_GRAINS) {
      const isPaired = field === 'status_date' && (grain === 'year' || grain === 'decade');
      assert.equal(pairOf(field, grain, '2020-06-15') !== null, isPaired, `${field}, ${grain}`);
    }
  }
  const row = rowOf({ status: 'Pending', status_date: '2020-06-15' });
  for (const grain of ['year', 'decade'] as const) {
    assert.ok(row.terms.includes(pairOf('status_date', grain, '2020-01-01') ?? Number.NaN), grain);
  }
});

test('codes and dates of different filters never share a term', () => {
  const terms = [
    codeTerm('jurisdiction', 'US'),
    codeTerm('office', 'US'),
    codeTerm('owner_country', 'US'),
    codeTerm('designated_country', 'US'),
    codeTerm('jurisdiction', 'USA'),
    dateTerm('expiry_date', 'year', '2027-01-01'),
    dateTerm('expiry_date', 'month', '2027-01-01'),
    dateTerm('expiry_date', 'cycleday', '2027-01-01'),
    dateTerm('status_date', 'cycleday', '2027-01-01'),
    ...numberTerms('application_number', '1'),
    ...numberTerms('registration_number', '1'),
    viennaTerm([1]),
    viennaTerm([1, 0]),
    niceClassTerm(1),
    enumTerm('status', 'Pending'),
    enumTerm('kind_of_mark', 'Collective'),
    statusPairTerm(enumTerm('status', 'Pending'), dateTerm('status_date', 'year', '2020-01-01')),
    statusPairTerm(enumTerm('status', 'Pending'), dateTerm('status_date', 'decade', '2020-01-01')),
    statusPairTerm(enumTerm('status', 'Registered'), dateTerm('status_date', 'decade', '2020-01-01')),
  ];
  assert.equal(new Set(terms).size, terms.length);
});
