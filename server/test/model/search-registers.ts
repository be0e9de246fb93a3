/** Random small registers and random queries over the same small alphabets, so that filters meet records. */
import { FILTER_DATES, KINDS_OF_MARK, MARK_FEATURES, STATUSES } from '@tmds/contract/enums';
import fc from 'fast-check';
import type { SourceRecord } from '../../src/record/document.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, type StoredRecord } from '../support/stored.ts';

/** One of them has its own spelling of registration numbers. */
const REGISTERS = ['XA', 'XB', 'US'] as const;
const CODES = ['XA', 'WO', 'JP', 'US'];
const CLASSES = [1, 9, 42, 45];
const VIENNA = ['26.03.23', '26.3.1', '26.04', '1.1.2', '01.01.03'];
const NAMES = [
  'ACME',
  'Acme Holdings',
  'acme_100%',
  'ac\\me',
  '商标注册',
  '商标注意',
  'Акме Продукт',
  'ΟΔΟΣ',
  'ΟΔΟΣΑ',
  'İstanbul Ltd',
  'Cafe\u0301 Noir',
  'Café  Noir',
  'a b c',
  'H&M 亚 S',
  '---',
  '𝒜𝒷𝒸 mark',
];
const PARTS = [
  'acm',
  'ME H',
  '100%',
  '_10',
  'c\\m',
  '商标注',
  '标注册',
  'КМЕ',
  'δος',
  'ΔΟΣ',
  'bul',
  ' AFÉ ',
  'b c',
  'H&M',
  '亚 s',
  '---',
  '𝒜𝒷𝒸',
];
const STARTS = ['acm', 'ACME_', 'ac\\', '商标注', 'акме п', 'οδο', 'i̇st', 'cafe\u0301', 'a b', '---', 'hol'];
const NUMBERS = ['1', '2', 'ab-1', 'AB-1', '0001', '%', 'x y'];
/** Several spellings of two Madrid numbers. */
const MADRID = [...NUMBERS, 'W01', '1234567', 'w01234567', '01234567', '0984562a', '984562A'];
const DATES = [
  '0001-01-01',
  '1849-12-31',
  '1850-06-01',
  '1949-12-31',
  '1950-01-01',
  '1987-12-31',
  '1988-01-01',
  '2024-02-29',
  '2024-03-01',
  '2024-03-02',
  '2024-12-31',
  '2025-01-01',
  '2109-12-31',
  '2110-01-01',
  '9999-12-31',
];
const STAMPS = [
  '2026-01-01T00:00:00.000000Z',
  '2026-01-01T00:00:00.000001Z',
  '2026-01-01T00:00:00.000002Z',
  '2026-02-01T10:20:30.123456Z',
];

const among = <T>(values: readonly T[]) => fc.constantFrom(...values);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 });
const some = <T>(values: readonly T[], maxLength = 3) =>
  maybe(fc.uniqueArray(among(values), { minLength: 1, maxLength }));

const dateFields = Object.fromEntries(FILTER_DATES.map((field) => [field, maybe(among(DATES))]));

const contentArbitrary = fc.record({
  jurisdiction_code: among(REGISTERS),
  office: maybe(among(CODES)),
  application_number: maybe(among(NUMBERS)),
  registration_number: maybe(among(NUMBERS)),
  international_registration_numbers: some(MADRID),
  priority_numbers: some(NUMBERS),
  mark_name: maybe(among(NAMES)),
  mark_name_variants: some(NAMES),
  owner_names: some(NAMES),
  representative_names: some(NAMES, 1),
  status: among(STATUSES),
  kind_of_mark: maybe(among(KINDS_OF_MARK.slice(0, 3))),
  mark_feature: maybe(among(MARK_FEATURES.slice(0, 3))),
  nice_classes: some(CLASSES, 4),
  vienna_codes: some(VIENNA),
  owner_countries: some(CODES),
  designated_countries: some(CODES),
  payload: maybe(fc.record({ note: among(NAMES) })),
  ...dateFields,
});

/** A whole small register set; uids mix lengths, case and scripts, so that their order shows. */
export const registersArbitrary: fc.Arbitrary<StoredRecord[]> = fc
  .array(fc.tuple(contentArbitrary, among(STAMPS)), { minLength: 20, maxLength: 120, size: 'max' })
  .map((entries) =>
    entries.map(([content, stamp], index) => {
      const uid = `${['a', 'A', 'é', 'z/'][index % 4]}${index}`;
      return buildStored(buildSource({ ...(content as Partial<SourceRecord>), uid }), stamp);
    }),
  );

const list = (values: readonly (string | number)[]) =>
  fc
    .array(among(values), { minLength: 1, maxLength: 3 })
    .chain((chosen) => fc.boolean().map((spaced) => chosen.join(spaced ? ' , ' : ',')));
const anyCase = (values: readonly string[]) =>
  fc.tuple(list(values), fc.boolean()).map(([text, upper]) => (upper ? text.toUpperCase() : text.toLowerCase()));

const filterArbitraries: Record<string, fc.Arbitrary<string>> = {
  jurisdiction: anyCase([...REGISTERS, 'ZZ']),
  office: anyCase(CODES),
  application_number: among(NUMBERS),
  registration_number: among(NUMBERS),
  international_registration_number: among(MADRID),
  priority_number: among(NUMBERS),
  status: anyCase(STATUSES),
  kind_of_mark: anyCase(KINDS_OF_MARK.slice(0, 4)),
  mark_feature: anyCase(MARK_FEATURES.slice(0, 4)),
  nice_class: list([...CLASSES, 2]),
  nice_class_all: list(CLASSES),
  vienna_code: among(['26.03', '26.3.23', '26.4', '1.1', '01.01.02', '26,1', '26', '999.1']),
  mark_name: among(NAMES),
  mark_name_contains: among(PARTS),
  mark_name_startswith: among(STARTS),
  owner_name: among(NAMES),
  owner_name_contains: among(PARTS),
  owner_name_startswith: among(STARTS),
  representative_name: among(NAMES),
  representative_name_contains: among(PARTS),
  representative_name_startswith: among(STARTS),
  owner_country: anyCase(CODES),
  designated_country: anyCase(CODES),
  updated_since: among([...STAMPS, '2026-01-01']),
  updated_before: among([...STAMPS, '2026-02-01']),
};
for (const field of FILTER_DATES) {
  filterArbitraries[field] = among(DATES);
  filterArbitraries[`${field}_from`] = among(DATES);
  filterArbitraries[`${field}_to`] = among(DATES);
}

export interface RandomQuery {
  readonly register: string | null;
  readonly texts: Readonly<Record<string, string>>;
}

const SCOPED = /_(contains|startswith)$/;

/** A query that is neither malformed nor too broad. */
export const queryArbitrary: fc.Arbitrary<RandomQuery> = fc
  .record({
    names: fc.uniqueArray(among(Object.keys(filterArbitraries)), { minLength: 0, maxLength: 3 }),
    register: maybe(among(REGISTERS)),
    sort: fc.option(among(['updated_at', 'application_date', 'registration_date']), { nil: undefined }),
    order: fc.option(among(['asc', 'desc']), { nil: undefined }),
  })
  .chain(({ names, register, sort, order }) => {
    const chosen = names.filter((name) => {
      const field = name.replace(/_(from|to)$/, '');
      return (register === null || name !== 'jurisdiction') && (name === field || !names.includes(field));
    });
    const needsScope = chosen.some((name) => SCOPED.test(name) || name === 'vienna_code') || chosen.length === 0;
    if (needsScope && register === null && !chosen.includes('jurisdiction')) chosen.push('jurisdiction');
    return fc.record(Object.fromEntries(chosen.map((name) => [name, filterArbitraries[name]!]))).map((texts) => ({
      register,
      texts: { ...texts, ...(sort === undefined ? {} : { sort }), ...(order === undefined ? {} : { order }) },
    }));
  });
